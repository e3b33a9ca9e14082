/** Elements that go into bins: their keys, and their chunks along the axis. */
import type { Size } from '../../0-ir/sizes.ts';
import type { HistogramStep } from '../../3-plan/plan.ts';
import { readSource, type KernelWriter } from './kernel-writer.ts';
import type { Space } from './space.ts';
import { placeAlong } from './tuple.ts';

/** What a histogram and a keyed scan are cut up by. */
export type Binned = Pick<HistogramStep, 'domain' | 'batch' | 'bins' | 'keys' | 'inputs' | 'prologue' | 'operator'>;

/** `key` is the key at the place `at`. */
export function keysAlong(writer: KernelWriter, space: Space, step: Binned): { declaration: string; key: string } {
  const { batch, domain, keys } = step;
  const overDomain = { ...keys, strides: [...keys.strides, ...domain.slice(batch + 1).map(() => 0)] };
  return {
    declaration: `let keys = ${placeAlong(writer, space, batch, overDomain)};`,
    key: readSource(writer, keys, `keys + at * ${writer.size(keys.strides[batch] as Size)}`),
  };
}

/** Declares `place`, its coordinates, what is to be known there, and the elements `first` to `stop` of the chunk `item`. */
export function chunkAlong(
  writer: KernelWriter,
  space: Space,
  { batch, domain }: Binned,
  declarations: readonly string[],
  item = 'item',
): string[] {
  return [
    `let place = ${item} / ${writer.word(0)};`,
    ...space.declarations(),
    ...declarations,
    `let first = (${item} % ${writer.word(0)}) * ${writer.word(1)};`,
    `let stop = min(first + ${writer.word(1)}, ${writer.size(domain[batch] as Size)});`,
  ];
}
