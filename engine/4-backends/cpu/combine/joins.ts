/**
 * Where tiles meet. (x₀ ⊙ … ⊙ xₖ) ⊙ (xₖ₊₁ ⊙ … ⊙ xₙ) is the sequential result but for rounding – and but for what has
 * overflowed or vanished within a tile: 3³⁰⁰⁰ is ∞ and ∞·0 NaN, where x' = 3x + u from 0 stays 0 from step to step. So a
 * join whose parts are in doubt does not count, and the tile is combined element by element instead.
 */
import { mayLose } from '../../../0-ir/certainty.ts';
import type { Operator } from '../../../0-ir/operators.ts';
import { sizeMultiply, sizeProduct, type Size } from '../../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../../0-ir/types.ts';
import type { Cursor } from '../walk/access.ts';
import { exactStart } from './combining.ts';
import type { Cleared, Kernel } from '../kernel.ts';
import type { Phases } from '../phases.ts';
import type { Precision } from '../representation.ts';
import type { Tiling } from '../tiles.ts';
import { realShape } from '../scalar/vector.ts';
import { apply, f32, f64, get, i32, type Expression, type Local } from '../wasm/expression.ts';

/** Whether every component is a known operator by itself: one that costs next to nothing. */
export function isSimple(operator: Operator): boolean {
  return exactStart(operator, false) !== undefined;
}

/**
 * The least normal number, the largest finite one, the largest factor by which a loss below the least stays there, and a
 * size of which sums of many products are finite.
 */
const limits: { [P in Precision]: { readonly [K in 'least' | 'most' | 'large' | 'moderate']: Expression } } = {
  f64: { least: f64(2 ** -1022), most: f64(Number.MAX_VALUE), large: f64(2 ** 51), moderate: f64(2 ** 500) },
  f32: { least: f32(2 ** -126), most: f32((2 - 2 ** -23) * 2 ** 127), large: f32(2 ** 22), moderate: f32(2 ** 60) },
};

/**
 * Whether carry ⊙ part is beyond doubt: all that is held is finite, and the carry is not large. Undefined where there is
 * never a doubt.
 *
 * For operators made of sums and products: what has overflowed within the part stays ∞ or becomes NaN. What underflows
 * there at some step is off by at most 2⁻¹⁰⁷⁵, and what the part makes of that, times the carry, stays below what an error
 * of 2⁻¹⁰²² at that step makes of it. So a join that counts is at least as exact as combining element by element where
 * numbers below 2⁻¹⁰²² are taken for zero: it costs subnormal numbers and nothing else. (f32: 2⁻¹⁵⁰, 2⁻¹²⁶.)
 */
export function beyondDoubt(
  k: Kernel,
  operator: Operator,
  [carry, ...others]: readonly (readonly Local[])[],
): Expression | undefined {
  const { most, large } = limits[k.precision];
  const doubt = mayLose(operator);
  const isWithin = (limit: Expression) => (components: readonly Local[]) =>
    components.flatMap((local, i) => (doubt[i] ? [apply(`${k.precision}.le`, sizeOf(k, local), limit)] : []));
  const tests = [...isWithin(large)(carry ?? []), ...others.flatMap(isWithin(most))];
  return tests.length > 0 ? allOf(tests) : undefined;
}

/** Whether all of the components in doubt are normal numbers; undefined if there are none. */
export function areNormal(
  k: Kernel,
  operator: Operator,
  accumulators: readonly (readonly Local[])[],
): Expression | undefined {
  const { least, most } = limits[k.precision];
  const doubt = mayLose(operator);
  const tests = accumulators.flatMap((components) =>
    components.flatMap((local, i) =>
      doubt[i]
        ? [apply(`${k.precision}.ge`, sizeOf(k, local), least), apply(`${k.precision}.le`, sizeOf(k, local), most)]
        : [],
    ),
  );
  return tests.length > 0 ? allOf(tests) : undefined;
}

/** Which of the components may be wrong where parts meet, and what is asked of them there; of one point or of vectors. */
export function doubts(k: Kernel, operator: Operator) {
  const doubt = mayLose(operator);
  const { most, large, moderate } = limits[k.precision];
  const shape = realShape(k.precision);
  const among = (components: readonly number[]) => components.flatMap((component, i) => (doubt[component] ? [i] : []));
  const within = (limit: Expression) => (values: readonly Expression[]) =>
    allOf(values.map((value) => apply(`${k.precision}.le`, apply(`${k.precision}.abs`, value), limit)));
  return {
    /** The places in a list of components of those in doubt. */
    among,
    areSmall: within(large),
    areModerate: within(moderate),
    areFinite: within(most),
    /** Of all lanes. */
    vectorsAreModerate: (vectors: readonly Expression[]) =>
      allOf(
        vectors.map((vector) =>
          apply(
            'i32x4.all_true',
            apply(`${shape}.le`, apply(`${shape}.abs`, vector), apply(`${shape}.splat`, moderate)),
          ),
        ),
      ),
  };
}

const sizeOf = (k: Kernel, local: Local): Expression => apply(`${k.precision}.abs`, get(local));

function allOf(conditions: readonly Expression[]): Expression {
  return conditions.reduce((all, condition) => apply('i32.and', all, condition), i32(1));
}

/** A slot for each tile of each item in the step's shared scratch. */
export interface TileSlots {
  readonly offset: Size;
  readonly bytes: number;
  readonly strides: readonly Size[];
  /** All of them. */
  readonly cleared: Cleared;
}

export function tileSlots(phases: Phases, domain: Shape, axis: number, tiling: Tiling, bytes: number): TileSlots {
  const shape = [tiling.count, ...withoutAxis(domain, axis)];
  const count = sizeProduct(shape);
  const offset = phases.share(sizeMultiply(count, bytes));
  return {
    offset,
    bytes,
    strides: shape.map((_, at) => sizeProduct(shape.slice(at + 1))),
    cleared: { kind: 'shared', offset, bytes: sizeMultiply(count, bytes) },
  };
}

export function slotCursor(k: Kernel, { offset, bytes, strides }: TileSlots): Cursor {
  return { at: k.f.local('i32'), start: k.shared(offset), strides, unit: bytes, element: 'int' };
}

/** The address of the slot one tile before. */
export function slotBefore(k: Kernel, slot: Cursor): Local {
  return k.f.keep(apply('i32.sub', get(slot.at), k.size(slot.strides[0]!, slot.unit)));
}
