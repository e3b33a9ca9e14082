/**
 * What a prologue makes of the elements of a histogram, where that is work: a block of them at a time, in vectors, into
 * scratch that stays in the nearest cache, from where they go into their bins one by one.
 */
import { componentTypes } from '../../../0-ir/operators.ts';
import type { HistogramStep } from '../../../3-plan/plan.ts';
import type { Line } from '../walk/access.ts';
import type { BinUpdate } from './bin-update.ts';
import { blockLength, moveLines, movableLines, scratchBytes, scratchLines } from '../walk/blocks.ts';
import type { Combining } from '../combine/combining.ts';
import { minimum } from '../walk/items.ts';
import { forKeyedLine, type KeyedLine } from './keyed-line.ts';
import type { Kernel } from '../kernel.ts';
import { winnerOperator } from '../combine/known-operators.ts';
import { mapLine } from '../map/map-line.ts';
import { functionWork } from '../scalar/scalar-function.ts';
import { apply, get, i32, type Expression } from '../wasm/expression.ts';

/** An elementary function: less is done as fast where the element is. */
const WORTH_IT = 10;

export interface KeyedElements {
  /** What bins take in: the elements themselves where the prologue is done before. */
  readonly taken: Combining;
  readonly inputs: readonly Line[];
  forEach(line: Omit<KeyedLine, 'inputs'>, update: BinUpdate): void;
}

/** Bytes of scratch that `keyedElements` needs; 0 where the prologue stays where it is. */
export function keyedElementBytes({ operator, prologue }: HistogramStep): number {
  const isWork = prologue !== undefined && functionWork(prologue) >= WORTH_IT;
  // The index of an element is no work, and must be seen to ascend.
  if (!isWork || winnerOperator(operator)) return 0;
  const count = componentTypes(operator).length;
  return scratchBytes(count, blockLength(count));
}

export function keyedElements(
  k: Kernel,
  step: HistogramStep,
  inputs: readonly Line[],
  scratch: Expression | undefined,
): KeyedElements {
  const { operator, prologue } = step;
  if (!prologue || !scratch)
    return { taken: step, inputs, forEach: (line, update) => forKeyedLine(k, { ...line, inputs }, update) };
  const { f } = k;
  const types = componentTypes(operator);
  const block = blockLength(types.length);
  const made = scratchLines(k, types, block, scratch, 1);
  const elements = made.map(({ line }) => line);
  return {
    taken: { operator },
    inputs: elements,
    forEach({ length, keys, bins, bin }, update) {
      const moving = movableLines(k, [...inputs, keys]);
      const ownKeys = moving.at(-1)!;
      const place = f.keep(i32(0));
      f.block((leave) =>
        f.loop((repeat) => {
          f.branchIf(leave, apply('i32.ge_s', get(place), length));
          const places = get(f.keep(minimum(k, i32(block), apply('i32.sub', length, get(place)))));
          mapLine(k, prologue, moving.slice(0, -1), made, places);
          forKeyedLine(k, { length: places, keys: ownKeys, inputs: elements, bins, bin }, update);
          moveLines(k, moving, places);
          f.increase(place, places);
          f.branch(repeat);
        }),
      );
    },
  };
}
