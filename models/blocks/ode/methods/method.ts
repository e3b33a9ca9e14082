import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { Equations } from './equations.ts';

/** A one-step method: x(t) ↦ x(t + h). */
export interface OdeMethod {
  /** The global error is of the order hᵖ. */
  readonly order: number;
  readonly step: (
    s: ScalarBuilder,
    equations: Equations,
    states: readonly ScalarOperand[],
    h: ScalarOperand,
  ) => ScalarOperand[];
}

/**
 * h·rate. Knots that fall together are a step of length zero apart, and there a rate that is not finite (√t's at 0, say)
 * moves nothing.
 */
export function increment(s: ScalarBuilder, h: ScalarOperand, rate: ScalarOperand): ScalarOperand {
  const e = expression(s);
  const product = e.multiply(h, rate);
  const nothing = e.apply('and', e.apply('eq', h, realLiteral(0)), e.apply('isnan', product));
  return e.choose(
    nothing,
    () => realLiteral(0),
    () => product,
  );
}
