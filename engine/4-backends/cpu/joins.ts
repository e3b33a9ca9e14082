/**
 * Where tiles meet. (x₀ ⊙ … ⊙ xₖ) ⊙ (xₖ₊₁ ⊙ … ⊙ xₙ) is the sequential result but for rounding – and but for what has
 * overflowed or vanished within a tile: 3³⁰⁰⁰ is ∞ and ∞·0 NaN, where x' = 3x + u from 0 stays 0 from step to step. So a
 * join whose parts are in doubt does not count, and the tile is combined element by element instead.
 */
import { componentOperator } from '../../0-ir/component-operator.ts';
import { componentTypes, recognise, type Operator } from '../../0-ir/operators.ts';
import { sizeMultiply, sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import { readParameters } from '../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../1-optimize/scalar/edit-function.ts';
import type { Cursor } from './access.ts';
import { exactStart } from './combining.ts';
import type { Cleared, Kernel } from './kernel.ts';
import type { Phases } from './phases.ts';
import type { Precision } from './representation.ts';
import type { Tiling } from './tiles.ts';
import { apply, f32, f64, get, type Expression, type Local } from './wasm/expression.ts';

/** Whether every component is a known operator by itself: one that costs next to nothing. */
export function isSimple(operator: Operator): boolean {
  return exactStart(operator, false) !== undefined;
}

/** The components that may be wrong where tiles meet: all reals, but for sums, minima and maxima by themselves. */
function doubtful(operator: Operator): boolean[] {
  return componentTypes(operator).map((type, i) => {
    const alone = componentOperator(operator, i);
    const name = alone && recognise(alone);
    return type === 'real' && (name === undefined || name === 'multiply');
  });
}

/** The normal numbers; a number by which the smallest subnormal one, multiplied, is still less than any of them. */
const limits: { [P in Precision]: { readonly [K in 'least' | 'most' | 'large']: Expression } } = {
  f64: { least: f64(2 ** -1022), most: f64(Number.MAX_VALUE), large: f64(2 ** 51) },
  f32: { least: f32(2 ** -126), most: f32((2 - 2 ** -23) * 2 ** 127), large: f32(2 ** 22) },
};

/**
 * Whether all that these accumulators hold is beyond doubt: of components that need each other, all are normal numbers, or
 * none is large, so that one that has vanished would have contributed less than the smallest normal number. Undefined where
 * there is never a doubt.
 */
export function beyondDoubt(
  k: Kernel,
  operator: Operator,
  accumulators: readonly (readonly Local[])[],
): Expression | undefined {
  const { least, most, large } = limits[k.precision];
  const doubt = doubtful(operator);
  const certain = operatorsOf(operator)
    .map((members) => accumulators.flatMap((components) => members.filter((i) => doubt[i]).map((i) => components[i])))
    .filter((doubted) => doubted.length > 0)
    .map((doubted) => {
      const sizes = doubted.map((local) => apply(`${k.precision}.abs`, get(local as Local)));
      const every = (name: 'ge' | 'le', limit: Expression) =>
        allOf(sizes.map((size) => apply(`${k.precision}.${name}`, size, limit)));
      return apply('i32.or', apply('i32.and', every('ge', least), every('le', most)), every('le', large));
    });
  return certain.length > 0 ? allOf(certain) : undefined;
}

function allOf(conditions: readonly Expression[]): Expression {
  return conditions.reduce((all, condition) => apply('i32.and', all, condition));
}

/** The operators that fusion has put side by side: components that need each other, by their numbers. */
function operatorsOf({ combine, neutral }: Operator): number[][] {
  const d = neutral.length;
  return neutral.reduce<number[][]>((groups, _, i) => {
    const isRead = readParameters(selectResults(combine, [i]));
    const needed = neutral.map((__, j) => j === i || isRead[j] || isRead[d + j]);
    const [own, others] = [true, false].map((joins) =>
      groups.filter((group) => group.some((j) => needed[j]) === joins),
    ) as [number[][], number[][]];
    const more = neutral.flatMap((__, j) => (needed[j] ? [j] : []));
    return [...others, [...new Set([...own.flat(), ...more])]];
  }, []);
}

/** Whether nothing is in doubt where parts meet. */
export function isCertain(operator: Operator): boolean {
  return !doubtful(operator).includes(true);
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
  return k.f.keep(apply('i32.sub', get(slot.at), k.size(slot.strides[0] as Size, slot.unit)));
}
