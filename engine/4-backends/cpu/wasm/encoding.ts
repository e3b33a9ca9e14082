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

export function float64Bytes(value: number): number[] {
  return [...new Uint8Array(new Float64Array([value]).buffer)];
}

export function float32Bytes(value: number): number[] {
  return [...new Uint8Array(new Float32Array([value]).buffer)];
}

/** A length in bytes, then UTF-8. */
export function text(value: string): number[] {
  const bytes = new TextEncoder().encode(value);
  return [...unsigned(bytes.length), ...bytes];
}

/** A count, then the items. */
export function vector(items: readonly (readonly number[])[]): number[] {
  const bytes = unsigned(items.length);
  for (const item of items) append(bytes, item);
  return bytes;
}

/** Unlike a spread into `push`, this has no limit on the length. */
export function append(bytes: number[], more: readonly number[]): void {
  for (const byte of more) bytes.push(byte);
}
