/** Random inputs: the same on every machine, for the same name. */
import type { HostArray } from '../../engine/index.ts';

/** Uniform in [low, high); of integers, those in it. */
export type Range = readonly [low: number, high: number];

/** A number for each text (FNV-1a). */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193);
  return hash;
}

/** Mulberry32: 2³² different uniform numbers in [0, 1), a nanosecond each. */
export function uniform(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** `length` values for the input of this name. */
export function draw(
  name: string,
  element: 'real' | 'int',
  length: number,
  [low, high]: Range,
): HostArray | Float32Array {
  const next = uniform(seedOf(name));
  const values = element === 'int' ? new Int32Array(length) : new Float32Array(length);
  const width = high - low;
  for (let i = 0; i < length; i++) values[i] = low + width * next();
  return values;
}
