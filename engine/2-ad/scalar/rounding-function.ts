/**
 * By how much rounding may move the results of a scalar function: running error analysis (Higham 2002, Accuracy and Stability
 * of Numerical Algorithms, section 3.3). With u the unit of rounding,
 *
 *   z = f(x, …)  ⇒  ε_z = Σ |∂f/∂x|·ε_x + |z|,   |δz| ≤ u·ε_z to first order
 *
 * and without the last term where f is exact, as −x and max(x, y) are.
 */
import { ById } from '../../0-ir/by-id.ts';
import { realLiteral, type ScalarBlock, type ScalarFunction, type ScalarOperand } from '../../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import { linearMaps, resolve, type Environment } from './function.ts';

const exact: ReadonlySet<ScalarOperation> = new Set([
  ...(['neg', 'abs', 'sign', 'min', 'max', 'clamp', 'floor', 'ceil', 'round', 'trunc', 'detach'] as const),
  ...(['mantissa', 'exponent', 'scale', 'real'] as const),
]);
/** Right to an absolute error where their value is near 0. */
const absolute: ReadonlySet<ScalarOperation> = new Set(['lgamma', 'digamma', 'polygamma']);
/** Never 0 but by underflow. */
const positive: ReadonlySet<ScalarOperation> = new Set(['exp', 'exp2', 'logistic', 'erfc']);
/** In either precision, for a value that is 0: less than any other that it is beside. */
const leastReal = 1e-45;

/** Variable → its ε; one without is exact. */
type Errors = Map<number, ScalarOperand>;

/** (x…) ↦ ε of each result, in units of u. `rough`: which parameters are known to their own rounding alone; others are exact. */
export function roundingFunction(fn: ScalarFunction, rough: readonly boolean[]): ScalarFunction {
  return scalarFunction(
    fn.parameters.map(({ type }) => type),
    (b, ...operands) => {
      const environment: Environment = new ById();
      const errors: Errors = new Map();
      fn.parameters.forEach(({ id }, i) => {
        environment.set(id, operands[i] as ScalarOperand);
        if (rough[i]) errors.set(id, b.apply('abs', operands[i] as ScalarOperand));
      });
      follow(b, fn.body, environment, errors);
      return fn.body.results.map((result) => errorOf(errors, result) ?? realLiteral(0));
    },
  );
}

const errorOf = (errors: Errors, operand: ScalarOperand): ScalarOperand | undefined =>
  operand.kind === 'variable' ? errors.get(operand.id) : undefined;

function follow(b: ScalarBuilder, block: ScalarBlock, environment: Environment, errors: Errors): void {
  for (const statement of block.statements) {
    if (statement.kind === 'if') {
      followIf(b, statement, environment, errors);
      continue;
    }
    const { operation, result, operands } = statement;
    const value = b.apply(operation, ...operands.map((operand) => resolve(environment, operand)));
    environment.set(result.id, value);
    if (result.type !== 'real') continue;
    const maps = linearMaps(b, statement, environment);
    const terms: ScalarOperand[] = operands.flatMap((operand, i) => {
      const error = errorOf(errors, operand);
      const term = error && maps[i]?.(error);
      return term ? [b.apply('abs', term)] : [];
    });
    if (!exact.has(operation)) terms.push(...ownError(b, operation, value));
    const [first, ...rest] = terms;
    if (first)
      errors.set(
        result.id,
        rest.reduce<ScalarOperand>((sum, term) => b.apply('add', sum, term), first),
      );
  }
}

function ownError(b: ScalarBuilder, operation: ScalarOperation, value: ScalarOperand): ScalarOperand[] {
  const size: ScalarOperand = b.apply('abs', value);
  if (absolute.has(operation)) return [b.apply('add', size, realLiteral(1))];
  if (!positive.has(operation)) return [size];
  return [
    b.either(
      b.apply('eq', value, realLiteral(0)),
      () => realLiteral(leastReal),
      () => size,
    ),
  ];
}

function followIf(
  b: ScalarBuilder,
  statement: Extract<ScalarBlock['statements'][number], { kind: 'if' }>,
  environment: Environment,
  errors: Errors,
): void {
  const run = (block: ScalarBlock) => (): ScalarOperand[] => {
    follow(b, block, environment, errors);
    return [
      ...block.results.map((result) => resolve(environment, result)),
      ...block.results.flatMap((result) => (result.type === 'real' ? [errorOf(errors, result) ?? realLiteral(0)] : [])),
    ];
  };
  const results = b.branch(resolve(environment, statement.condition), run(statement.then), run(statement.else));
  let next = statement.results.length;
  statement.results.forEach((result, i) => {
    environment.set(result.id, results[i] as ScalarOperand);
    if (result.type === 'real') errors.set(result.id, results[next++] as ScalarOperand);
  });
}
