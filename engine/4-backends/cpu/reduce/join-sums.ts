/** The joins of long sums in f32: the totals of the tiles are added up in f64, so that their number takes no digits. */
import { componentOperator } from '../../../0-ir/component-operator.ts';
import { componentTypes, recognise, type Operator } from '../../../0-ir/operators.ts';
import type { ReduceStep } from '../../../3-plan/plan.ts';
import { write, type Cursor } from '../walk/access.ts';
import { forItems } from '../walk/items.ts';
import { slotBefore, slotCursor, type TileSlots } from '../combine/joins.ts';
import type { Kernel } from '../kernel.ts';
import { tiledItems, tileExtent } from '../combine/passes.ts';
import type { Precision } from '../representation.ts';
import type { Tiling } from '../tiles.ts';
import { apply, get, load } from '../wasm/expression.ts';

/** Whether every component is a sum of reals in f32. */
export function areLongSums(precision: Precision, operator: Operator): boolean {
  const isSum = (i: number) => {
    const alone = componentOperator(operator, i);
    return alone !== undefined && recognise(alone) === 'add';
  };
  return precision === 'f32' && componentTypes(operator).every((type, i) => type === 'real' && isSum(i));
}

/** Each slot, the sums of its tile in f32, becomes those up to its tile in f64. */
export function joinSums(
  k: Kernel,
  step: ReduceStep,
  tiling: Tiling,
  slots: TileSlots,
  results: readonly Cursor[],
): void {
  const { f } = k;
  const slot = slotCursor(k, slots);
  const extent = tileExtent(k, step, tiling);
  const totals = results.map(() => f.local('f64'));
  forItems(k, tiledItems(step, tiling), [...results, slot, extent.first], () => {
    totals.forEach((total, i) => f.set(total, apply('f64.promote_f32', load('f32.load', get(slot.at), 8 * i))));
    f.if(get(extent.first.at), () => {
      const before = get(slotBefore(k, slot));
      totals.forEach((total, i) => f.set(total, apply('f64.add', load('f64.load', before, 8 * i), get(total))));
    });
    totals.forEach((total, i) => f.store('f64.store', get(slot.at), get(total), 8 * i));
    const end = apply('i32.add', get(extent.first.at), k.size(tiling.length));
    f.if(apply('i32.ge_s', end, k.size(tiling.axis)), () =>
      results.forEach((result, i) => write(k, result, apply('f32.demote_f64', get(totals[i]!)))),
    );
  });
}
