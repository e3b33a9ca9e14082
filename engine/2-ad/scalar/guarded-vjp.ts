/**
 * VJP^LAM in which a cotangent that is an exact zero contributes exactly zero, whatever the Jacobian is. Where a prefix or a
 * product of many Jacobians has overflown though nothing flows through it, ∞·0 would be NaN.
 *
 * The plain pullback is formed first and kept unless it is NaN: a guard on the cotangents themselves would make a constant
 * of what is linear in them, and lose its derivative.
 */
import { parameterTypes, realLiteral, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { vjpFunction } from './vjp-function.ts';

/** Of the same parameters and results as `vjpFunction`. */
export function guardedVjp(
  fn: ScalarFunction,
  seeded: readonly boolean[],
  wanted: readonly boolean[],
  steep: readonly boolean[] = [],
): ScalarFunction {
  const pull = vjpFunction(fn, seeded, wanted, steep);
  const alone = seeded.flatMap((is, k) =>
    is
      ? [
          vjpFunction(
            fn,
            seeded.map((_, j) => j === k),
            wanted,
            steep,
          ),
        ]
      : [],
  );
  return scalarFunction(parameterTypes(pull), (s, ...operands) => {
    const primal = operands.slice(0, fn.parameters.length);
    const seeds = operands.slice(fn.parameters.length);
    const pulled = (): ScalarOperand[] => [...s.inline(pull, operands)];
    return unlessNaN(s, pulled, () =>
      alone
        .map((one, k) => {
          const seed = seeds[k] as ScalarOperand;
          return zeroWith(s, seed, wanted.filter(Boolean).length, () => s.inline(one, [...primal, seed]));
        })
        .reduce((total, terms) => total.map((sum, i) => s.apply('add', sum, terms[i]!))),
    );
  });
}

/**
 * The values, or where one of them is NaN what is written instead, all of them. They are written once more where they are kept:
 * what flows back to this reaches no NaN by way of them then.
 */
export function unlessNaN(
  s: ScalarBuilder,
  write: () => ScalarOperand[],
  otherwise: () => ScalarOperand[],
): ScalarOperand[] {
  const values = write();
  const tests = values.filter(({ kind }) => kind === 'variable').map((value): ScalarOperand => s.apply('isnan', value));
  if (tests.length === 0) return values;
  const some = tests.reduce((any, next) => s.apply('or', any, next));
  return s.branch(some, otherwise, write);
}

/** `count` values, all zero where the factor is. */
export function zeroWith(
  s: ScalarBuilder,
  factor: ScalarOperand,
  count: number,
  write: () => ScalarOperand[],
): ScalarOperand[] {
  const zeros = (): ScalarOperand[] => Array.from({ length: count }, () => realLiteral(0));
  return s.branch(s.apply('eq', factor, realLiteral(0)), zeros, write);
}
