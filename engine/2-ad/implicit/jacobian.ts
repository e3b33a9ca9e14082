/** F(y, x) and ∂Fᵢ/∂yⱼ at one place, in scalar code. */
import { realLiteral, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { jvpFunction } from '../scalar/jvp-function.ts';
import type { Matrix } from './elimination.ts';

interface Linearized {
  readonly values: readonly ScalarOperand[];
  readonly jacobian: Matrix;
}

/** One forward pass for each unknown; they share the primal by common subexpressions. */
export function linearized(
  s: ScalarBuilder,
  residual: ScalarFunction,
  unknowns: readonly ScalarOperand[],
  given: readonly ScalarOperand[],
): Linearized {
  const values = s.inline(residual, [...unknowns, ...given]);
  const columns = unknowns.map((_, j) => {
    const { function: pushed, active } = jvpFunction(
      residual,
      residual.parameters.map((__, i) => i === j),
    );
    const moved = s.inline(pushed, [...unknowns, ...given, realLiteral(1)]).slice(values.length);
    return active.map((moves) => (moves ? moved.shift() : undefined));
  });
  return { values, jacobian: values.map((_, i) => columns.map((column) => column[i])) };
}
