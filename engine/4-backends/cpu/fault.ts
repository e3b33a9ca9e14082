/** The fault block: the first words of a thread's own memory, which a kernel fills before it returns `FAULTED`. */

/** What a kernel returns. */
export const status = { done: 0, faulted: 1, stopped: 2 } as const;

/** Word → its place in the block, in words. `detail` and `limit` are numbers for the message. */
export const faultWords = { kernel: 0, element: 1, code: 2, detail: 3, limit: 4 } as const;

/** Bytes of the block; a kernel's scratch comes after it. */
export const FAULT_BYTES = 64;

export const faultCodes = { 'index out of range': 1, 'index repeated': 2 } as const;

export type FaultKind = keyof typeof faultCodes;

/** The sentence for a filled block. */
export function faultMessage(words: Int32Array): string {
  const detail = words[faultWords.detail];
  if (words[faultWords.code] === faultCodes['index repeated']) return `scatter: the index ${detail} occurs twice`;
  return `gather: the index ${detail} is not within 0..${words[faultWords.limit]! - 1}`;
}
