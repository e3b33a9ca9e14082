import { arity, type Operator, withLaws } from './operators.ts';
import type { ScalarBlock } from './scalar.ts';

/** A component as an operator of its own, where its result is one statement on its own two operands. */
export function componentOperator(operator: Operator, component: number): Operator | undefined {
  const { parameters, body } = operator.combine;
  const result = body.results[component];
  const statement = definition(body, result);
  const left = parameters[component];
  const right = parameters[component + arity(operator)];
  if (!statement || !left || !right || !result) return undefined;
  const combine = { parameters: [left, right], body: { statements: [statement], results: [result] } };
  return withLaws(operator, combine, [operator.neutral[component]!]);
}

function definition(body: ScalarBlock, result: ScalarBlock['results'][number] | undefined) {
  if (result?.kind !== 'variable') return undefined;
  return body.statements.find((statement) => statement.kind === 'apply' && statement.result.id === result.id);
}
