/**
 * Consecutive elements in a workgroup's own memory. Neighbouring lanes bring neighbours, so that a request to the arena is
 * whole sectors of it; then each lane has a run of them to itself, in order. Runs lie a place further apart than they are
 * long, so that lanes that step through theirs together ask different banks.
 */
import type { KernelWriter } from '../wgsl/kernel-writer.ts';
import { workgroupBytes } from './tuple.ts';

/** Elements of a run, where memory allows. */
const longest = 16;

export interface Tile {
  readonly lanes: number;
  /** Elements of a lane: a power of two. */
  readonly run: number;
  /** Elements of the tile. */
  readonly length: number;
  /** WGSL of the element at an i32 expression, counted from the tile's first. */
  at(index: string): string;
  /** Statements: `[start, end)` of the axis comes in, each element by `element(at)`. */
  bring(element: (at: string) => readonly string[]): string[];
}

/** The run of a lane whose elements have so many words, beside so many words of its own. */
export function runOf(lanes: number, wordsEach: number, wordsBeside: number): number {
  let run = longest;
  while (run > 1 && 4 * lanes * ((run + 1) * wordsEach + wordsBeside) > workgroupBytes) run /= 2;
  return run;
}

/** Declares `tile`, of `Tuple`s. */
export function declareTile(writer: KernelWriter, lanes: number, run: number): Tile {
  const apart = run === 1 ? 1 : run + 1;
  writer.declare(`var<workgroup> tile: array<Tuple, ${lanes * apart}>;`);
  return {
    lanes,
    run,
    length: lanes * run,
    at: (index) => (run === 1 ? `tile[${index}]` : `tile[${index} + ${index} / ${run}]`),
    bring: (element) => [
      `for (var at = start + lane; at < end; at += ${lanes}) {`,
      '  let i = at - start;',
      ...element('at').map((line) => `  ${line}`),
      '}',
      'workgroupBarrier();',
      `let first = lane * ${run};`,
      `let stop = min(first + ${run}, end - start);`,
    ],
  };
}
