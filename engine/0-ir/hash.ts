/** Hashes of 53 bits by cyrb53: they tell that something has changed, and are no defence against forgery. */

export function hashText(text: string): string {
  const hash = begin();
  for (let i = 0; i < text.length; i++) mix(hash, text.charCodeAt(i));
  return end(hash);
}

/** Of the very bits: −0 is not 0, and any NaN is itself. */
export function hashNumbers(values: ArrayBufferView): string {
  const { buffer, byteOffset, byteLength } = values;
  const hash = begin();
  // Elements of one byte may stand anywhere, and be of any number.
  const whole = byteLength % 4 === 0 && byteOffset % 4 === 0;
  mixAll(
    hash,
    whole ? new Uint32Array(buffer, byteOffset, byteLength / 4) : new Uint8Array(buffer, byteOffset, byteLength),
  );
  mix(hash, byteLength);
  return end(hash);
}

type Hash = [number, number];

const begin = (): Hash => [0xdeadbeef, 0x41c6ce57];

const [FIRST, SECOND] = [2654435761, 1597334677];

function mix(hash: Hash, word: number): void {
  hash[0] = Math.imul(hash[0] ^ word, FIRST);
  hash[1] = Math.imul(hash[1] ^ word, SECOND);
}

/** The same of many words, in registers: data are hashed with every fit. */
function mixAll(hash: Hash, words: Uint32Array | Uint8Array): void {
  let [a, b] = hash;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    a = Math.imul(a ^ word, FIRST);
    b = Math.imul(b ^ word, SECOND);
  }
  hash[0] = a;
  hash[1] = b;
}

function end([a, b]: Hash): string {
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return (4294967296 * (2097151 & b) + (a >>> 0)).toString(16).padStart(14, '0');
}
