/**
 * Operations that are infinitely steep where their first operand is 0: what does not move there moves nothing all the same, and
 * ∞·0 would be NaN. (x/t)^b at x = 0 by t is 0, whatever b.
 */
import { realLiteral as real, type ScalarBlock, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { LinearMap } from './partials.ts';

export type Apply = Extract<ScalarBlock['statements'][number], { kind: 'apply' }>;

export const isSteep = ({ operation, operands: [, z] }: Apply): boolean =>
  operation === 'sqrt' || operation === 'cbrt' || (operation === 'pow' && !(z?.kind === 'literal' && z.value > 1));

/** Forward: the tangent `v` of the 0 is 0, and stays it. */
export function unmoved(
  b: ScalarBuilder,
  x: ScalarOperand,
  v: ScalarOperand,
  slope: () => ScalarOperand,
): ScalarOperand {
  const still = b.apply('and', b.apply('eq', x, real(0)), b.apply('eq', v, real(0)));
  return b.either(still, () => real(0), slope);
}

/**
 * Reverse: the map of a product or quotient, v ↦ v·w or the like, where v may be infinite for the sake of such an edge. Along
 * an operand whose partner `w` is 0 the product stays as it is, and so does all that is made of it.
 */
export function along(
  b: ScalarBuilder,
  w: ScalarOperand,
  v: ScalarOperand,
  map: NonNullable<LinearMap>,
): ScalarOperand {
  const edge = b.apply('and', b.apply('eq', w, real(0)), b.apply('eq', b.apply('abs', v), real(Infinity)));
  return b.either(
    edge,
    () => real(0),
    () => map(v),
  );
}
