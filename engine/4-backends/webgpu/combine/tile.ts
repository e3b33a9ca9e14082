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
  /** Statements: `[start, end)` of the axis comes in, what `value` is at each place of the axis to `to` of it. */
  bring(brought: readonly Brought[]): string[];
}

export interface Brought {
  readonly value: (at: string) => string;
  /** Of an i32 expression, counted from the tile's first. */
  readonly to: (index: string) => string;
}

/** The run of a lane whose elements have so many words, beside so many words of its own. */
export function runOf(lanes: number, wordsEach: number, wordsBeside: number): number {
  let run = longest;
  while (run > 1 && 4 * lanes * ((run + 1) * wordsEach + wordsBeside) > workgroupBytes) run /= 2;
  return run;
}

/** Declares `tile`, of `Tuple`s; `ahead`: elements of a lane whose reads are under way together. */
export function declareTile(writer: KernelWriter, lanes: number, run: number, ahead: number): Tile {
  const apart = run === 1 ? 1 : run + 1;
  writer.declare(`var<workgroup> tile: array<Tuple, ${lanes * apart}>;`);
  return {
    lanes,
    run,
    length: lanes * run,
    at: (index) => (run === 1 ? `tile[${index}]` : `tile[${index} + ${index} / ${run}]`),
    bring: (brought) => [
      ...severalAtOnce(lanes, ahead, {
        read: (at, k) => brought.map(({ value }, j) => `let brought${j}_${k} = ${value(at)};`),
        use: (at, k) => brought.map(({ to }, j) => `${to(`(${at} - start)`)} = brought${j}_${k};`),
      }),
      'workgroupBarrier();',
      `let first = lane * ${run};`,
      `let stop = min(first + ${run}, end - start);`,
    ],
  };
}

/**
 * Statements that go through `[start, end)`, a lane's share from `start + lane` on, of so many places at once first all reads and
 * then what is done with them: a lane that waits for one read before it asks for the next waits most of its time.
 */
export function severalAtOnce(
  lanes: number,
  ahead: number,
  { read, use }: Record<'read' | 'use', (at: string, k: number) => readonly string[]>,
): string[] {
  const places = Array.from({ length: ahead }, (_, k) => (k === 0 ? 'at' : `at + ${k * lanes}`));
  const one = [...read('at', 0), ...use('at', 0)].map((line) => `  ${line}`);
  if (ahead === 1) return [`for (var at = start + lane; at < end; at += ${lanes}) {`, ...one, '}'];
  return [
    'var at = start + lane;',
    `for (; ${places[ahead - 1]} < end; at += ${ahead * lanes}) {`,
    ...places.flatMap((at, k) => read(at, k)).map((line) => `  ${line}`),
    ...places.flatMap((at, k) => use(at, k)).map((line) => `  ${line}`),
    '}',
    `for (; at < end; at += ${lanes}) {`,
    ...one,
    '}',
  ];
}

/** Elements of so many words, each of so much work, whose reads a lane has under way together. */
export function aheadOf(words: number, work: number): number {
  return work > 64 || words > 4 ? 1 : words > 2 ? 2 : 4;
}
