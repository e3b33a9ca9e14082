/** The number encodings of the WebAssembly binary format. */

/** Unsigned LEB128. */
export function unsigned(value: number): number[] {
  const bytes: number[] = [];
  let rest = value >>> 0;
  do {
    const low = rest & 0x7f;
    rest >>>= 7;
    bytes.push(rest === 0 ? low : low | 0x80);
  } while (rest !== 0);
  return bytes;
}

/** Signed LEB128 of a 32-bit integer. */
export function signed(value: number): number[] {
  const bytes: number[] = [];
  let rest = value | 0;
  for (;;) {
    const low = rest & 0x7f;
    rest >>= 7;
    const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

/** Signed LEB128 of a 64-bit integer. */
export function signed64(value: bigint): number[] {
  const bytes: number[] = [];
  let rest = BigInt.asIntN(64, value);
  for (;;) {
    const low = Number(rest & 0x7fn);
    rest >>= 7n;
    const done = (rest === 0n && (low & 0x40) === 0) || (rest === -1n && (low & 0x40) !== 0);
    bytes.push(done ? low : low | 0x80);
    if (done) return bytes;
  }
}

const float64 = new Float64Array(1);
const float32 = new Float32Array(1);
const bytesOf64 = new Uint8Array(float64.buffer);
const bytesOf32 = new Uint8Array(float32.buffer);

export function float64Bytes(value: number): number[] {
  float64[0] = value;
  return Array.from(bytesOf64);
}

export function float32Bytes(value: number): number[] {
  float32[0] = value;
  return Array.from(bytesOf32);
}

/** A length in bytes, then UTF-8. */
export function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...unsigned(bytes.length), ...bytes];
}

/** Bytes, and pieces of code that stand within others: so an expression holds its operands' code and copies none of it. */
export type Code = readonly (number | Code)[];

/** Bytes that grow at the end. */
export class Bytes {
  private bytes = new Uint8Array(64);
  length = 0;

  append(code: Code): this {
    for (let i = 0; i < code.length; i++) {
      const piece = code[i]!;
      if (typeof piece === 'number') this.push(piece);
      else this.append(piece);
    }
    return this;
  }

  push(byte: number): void {
    if (this.length === this.bytes.length) this.reserve(1);
    this.bytes[this.length++] = byte;
  }

  appendAll(more: Bytes): this {
    this.reserve(more.length);
    this.bytes.set(more.all(), this.length);
    this.length += more.length;
    return this;
  }

  all(): Uint8Array<ArrayBuffer> {
    return this.bytes.subarray(0, this.length);
  }

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(2 * Math.max(this.bytes.length, this.length + count));
    larger.set(this.all());
    this.bytes = larger;
  }
}

/** A count, then the items. */
export function vector(items: readonly Code[]): Code {
  return [unsigned(items.length), ...items];
}
