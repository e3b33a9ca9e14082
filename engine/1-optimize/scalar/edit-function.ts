/** Scalar functions with parameters or results left out, bound, merged, or put one after the other. */
import type { ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { withoutDeadCode } from './dead-code.ts';

/** The function that gives only results `kept`, in that order. */
export function selectResults(fn: ScalarFunction, kept: readonly number[]): ScalarFunction {
  if (kept.length === fn.body.results.length && kept.every((index, i) => index === i)) return fn;
  const results = kept.map((index) => fn.body.results[index]!);
  return { parameters: fn.parameters, body: { statements: fn.body.statements, results } };
}

/**
 * The function on new parameters: `argument(i, parameters)` is what takes the place of its i-th.
 */
export function bindParameters(
  fn: ScalarFunction,
  types: readonly ElementType[],
  argument: (index: number, parameters: readonly ScalarOperand[]) => ScalarOperand,
): ScalarFunction {
  return scalarFunction(types, (b, ...parameters) =>
    b.inline(
      fn,
      fn.parameters.map((_, i) => argument(i, parameters)),
    ),
  );
}

/** The function of some parameters that gives some results, where those results read no others. */
export function restrictFunction(
  fn: ScalarFunction,
  parameters: readonly number[],
  results: readonly number[],
): ScalarFunction {
  const live = withoutDeadCode(selectResults(fn, results));
  const types = parameters.map((index) => fn.parameters[index]!.type);
  return bindParameters(live, types, (index, given) => {
    const at = parameters.indexOf(index);
    const unread: ScalarOperand = { kind: 'literal', type: fn.parameters[index]!.type, value: 0 };
    return at < 0 ? unread : given[at]!;
  });
}
