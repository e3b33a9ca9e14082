/** F(y, x) = A(x)·y + c(x) = 0 at once: y = −A⁻¹·c, and what rounding has left of it once more. */
import { solveEnds } from '../../0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarFunction } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { factored } from './elimination.ts';
import { linearized } from './jacobian.ts';

/** x… ↦ (y…, how it ended). */
export function linearSolution(residual: ScalarFunction, unknowns: number): ScalarFunction {
  const types = residual.parameters.slice(unknowns).map(({ type }) => type);
  return scalarFunction(types, (s, ...given) => {
    const zeros = Array.from({ length: unknowns }, () => realLiteral(0));
    const { values, jacobian } = linearized(s, residual, zeros, given);
    const solved = factored(s, jacobian);
    const first = solved(values).map((each) => s.apply('neg', each));
    const corrections = solved(s.inline(residual, [...first, ...given]));
    const y = first.map((each, i) => s.apply('sub', each, corrections[i]!));
    // Of a system without a solution the correction is NaN as its first guess is infinite.
    const total = y.reduce((sum, each) => s.apply('add', sum, s.apply('mul', each, realLiteral(0))));
    const [end] = s.branch(
      s.apply('eq', total, realLiteral(0)),
      () => [intLiteral(solveEnds.found)],
      () => [intLiteral(solveEnds.singular)],
    );
    return [...y, end!];
  });
}
