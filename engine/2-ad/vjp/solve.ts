/**
 * F(y, x) = 0  ⇒  x̄ = −F_xᵀ·μ, where F_yᵀ·μ = ȳ: the implicit function theorem. μ is itself what a `solve` gives, of a
 * residual that is affine in it, so that derivatives of any order are. What found y is not differentiated, and where the
 * search began has no adjoint.
 */
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { workOf } from '../../1-optimize/work.ts';
import { isReal } from '../activity.ts';
import { sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';
import { vjpFunction } from '../scalar/vjp-function.ts';

export const solve: VjpRule<'solve'> = {
  name: 'solve',
  construct: 'solve',
  example: `program (%0 xs: real[n], %1 k: real) {
  %2: real = literal 1.0
  %3: real[n], %4: int[n] = solve[n] in [64]
    (x0: real, x1: real, x2: real) { x3 = exp(x0); x4 = x0 * x3; x5 = x1 * x2; x6 = x4 - x5; yield x6 }
    initial (%2) given (%0, %1)
  yield ys = %3
}`,
  matches: () => true,
  // Some ten steps, each with a Jacobian and a factorisation, and a linear system behind them.
  cost: ({ residual, initial, given }) => ({
    traffic: 2 * (initial.length + given.length),
    operations: 10 * (initial.length * workOf(residual) + initial.length ** 3),
    passes: 3,
  }),
  // Operands: initial, given.
  cotangents(b, { residual, initial, given, shape }, { results }, cotangents, wanted) {
    const d = initial.length;
    const unknowns = results.slice(0, d);
    const types = residual.parameters.map(({ type }) => type);
    const all = unknowns.map(() => true);
    const pullUnknowns = vjpFunction(residual, all, [...all, ...given.map(() => false)]);
    // F_yᵀ·μ − ȳ
    const transposed = scalarFunction(
      [...all.map(() => 'real' as const), ...types, ...all.map(() => 'real' as const)],
      (s, ...o) => {
        const [mu, operands, seeds] = [o.slice(0, d), o.slice(d, d + types.length), o.slice(d + types.length)];
        return s.inline(pullUnknowns, [...operands, ...mu]).map((sum, i) => s.apply('sub', sum, seeds[i]!));
      },
    );
    const seeds = unknowns.map((_, i) => cotangents[i] ?? b.literal(0));
    const [...mu] = b.emit({
      kind: 'solve',
      residual: transposed,
      shape,
      initial: unknowns.map(() => b.literal(0)),
      given: [...unknowns, ...given, ...seeds],
      iterations: 1,
      linear: true,
    });
    const differentiated = isReal(given).map((real, i) => real && Boolean(wanted[d + i]));
    const pull = vjpFunction(residual, all, [...all.map(() => false), ...differentiated]);
    const against = mu.slice(0, d).map((each) => b.apply('neg', each));
    const adjoints = b.map(pull, [...unknowns, ...given, ...against], shape);
    let next = 0;
    return [
      ...initial.map(() => undefined),
      ...given.map((value, i) => (differentiated[i] ? sumTo(b, adjoints[next++]!, value.type.shape) : undefined)),
    ];
  },
};
