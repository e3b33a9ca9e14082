/**
 * Scalar functions that hope for the best: where an `if` has a side that costs little and one that costs much, the first is
 * taken for granted, and a last result says whether it was right to. So a loop over many points holds little code and asks
 * once in a while; where the hope was wrong, the whole function runs again over what has been done since.
 */
import type { ScalarFunction, ScalarOperand, ScalarStatement } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { simplifyFunction } from '../../1-optimize/scalar/simplify-function.ts';
import { CHEAP } from './lanes.ts';
import { blockWork } from './scalar-function.ts';

/**
 * The function's results, then a bool: whether they are right. Undefined where there is nothing to hope for.
 * `withoutNaN`: of a NaN it is hoped that there is none, even where that costs little.
 */
export function likelyPart(fn: ScalarFunction, withoutNaN = false): ScalarFunction | undefined {
  const { statements, results } = fn.body;
  const ofNaN = withoutNaN ? testsOfNaN(statements) : new Set<number>();
  const hopeOf = (statement: ScalarStatement) => {
    if (statement.kind !== 'if') return undefined;
    const { condition } = statement;
    if (condition.kind === 'variable' && ofNaN.has(condition.id)) return { statement, is: false };
    const [yes, no] = [statement.then, statement.else].map((side) => blockWork(side) <= CHEAP);
    return yes === no ? undefined : { statement, is: yes === true };
  };
  const hoped = statements.flatMap((statement) => hopeOf(statement) ?? []);
  if (hoped.length === 0) return undefined;
  const granted: ScalarFunction = {
    parameters: fn.parameters,
    body: {
      statements: statements.map((statement) => {
        const hope = hopeOf(statement);
        return hope
          ? { ...hope.statement, condition: { kind: 'literal', type: 'bool', value: Number(hope.is) } }
          : statement;
      }),
      results: [...results, ...hoped.map(({ statement }) => statement.condition)],
    },
  };
  const types = fn.parameters.map((parameter) => parameter.type);
  return simplifyFunction(
    scalarFunction(types, (s, ...parameters) => {
      const given = s.inline(granted, parameters);
      const right = hoped.map(({ is }, i) => {
        const condition = given[results.length + i] as (typeof given)[number];
        return is ? condition : s.apply('not', condition);
      });
      return [...given.slice(0, results.length), right.reduce((all, one) => s.apply('and', all, one))];
    }),
  );
}

/** The variables that tell whether something is a NaN. */
function testsOfNaN(statements: readonly ScalarStatement[]): Set<number> {
  const found = new Set<number>();
  for (const statement of statements) {
    if (statement.kind !== 'apply') continue;
    const { operation, operands, result } = statement;
    const isTest = (operand: ScalarOperand) => operand.kind === 'variable' && found.has(operand.id);
    if (operation === 'isnan' || (operation === 'or' && operands.every(isTest))) found.add(result.id);
  }
  return found;
}
