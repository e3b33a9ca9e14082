import { componentTypes } from '../../0-ir/operators.ts';
import type { Size } from '../../0-ir/sizes.ts';
import type { ReduceStep } from '../../3-plan/plan.ts';
import { accessCursor, lineOf, sourceCursor, write, type Cursor } from './access.ts';
import { accumulate, elementOf, isRealSum, neutralOf, newAccumulator, reset } from './combining.ts';
import type { Kernel } from './kernel.ts';
import { passAcross, passAlong, runsAcross, type Pass } from './passes.ts';
import { constant } from './representation.ts';
import { apply, get, i32, select, type Expression, type Local } from './wasm/expression.ts';

/** outputs[item] = x₀ ⊙ x₁ ⊙ … ⊙ xₙ₋₁, the neutral element for n = 0 */
export function emitReduce(k: Kernel, step: ReduceStep): void {
  const { operator, axis } = step;
  const types = componentTypes(operator);
  const total = newAccumulator(k, operator, false);
  const results = step.outputs.map((access, i) => accessCursor(k, access, types[i] ?? 'real'));
  const pass: Pass = {
    total,
    inputs: step.inputs.map((source) => lineOf(k, sourceCursor(k, source), axis)),
    others: [],
    results,
    begin: () => reset(k, total),
    point: (inputs) => accumulate(k, total, elementOf(k, step, inputs)),
    end() {
      const isEmpty = apply('i32.eqz', k.size(step.domain[axis] as Size));
      neutralOf(k, operator).forEach((neutral, i) => {
        write(k, results[i] as Cursor, select(neutral, get(total.components[i] as Local), isEmpty));
      });
    },
  };
  if (runsAcross(step)) passAcross(k, step, pass);
  else passAlong(k, step, isRealSum(operator) ? inBlocks(k, step, pass) : pass);
}

/**
 * Real sums go through blocks of 128 elements and of 128 blocks, in a fixed order: the rounding error grows with
 * 256 + n/16384 instead of n.
 */
function inBlocks(k: Kernel, step: ReduceStep, pass: Pass): Pass {
  const { f } = k;
  const totals = pass.total.components;
  const [blocks, blocksOfBlocks] = [totals.map(() => f.local(k.precision)), totals.map(() => f.local(k.precision))];
  const minusZero = constant(k.precision, { type: 'real', value: -0 });
  const clear = (sums: readonly Local[]) => sums.forEach((sum) => f.set(sum, minusZero));
  const addTo = (sums: readonly Local[], values: readonly Expression[]) =>
    sums.forEach((sum, i) => f.set(sum, apply(`${k.precision}.add`, get(sum), values[i] as Expression)));
  const flush = (from: readonly Local[], into: readonly Local[]) => {
    addTo(into, from.map(get));
    clear(from);
  };
  const atMultipleOf = (place: Local, size: number) => apply('i32.eqz', apply('i32.and', get(place), i32(size - 1)));
  return {
    ...pass,
    begin() {
      pass.begin();
      clear(blocks);
      clear(blocksOfBlocks);
    },
    point(inputs, place) {
      f.if(atMultipleOf(place, 128), () => {
        flush(blocks, blocksOfBlocks);
        f.if(atMultipleOf(place, 128 * 128), () => flush(blocksOfBlocks, totals));
      });
      addTo(blocks, elementOf(k, step, inputs));
    },
    end() {
      flush(blocks, blocksOfBlocks);
      flush(blocksOfBlocks, totals);
      pass.end();
    },
  };
}
