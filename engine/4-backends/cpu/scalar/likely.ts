/**
 * Scalar functions that hope for the best: where an `if` has a side that costs little and one that costs much, the first is
 * taken for granted, and a last result says whether it was right to. So a loop over many points holds little code and asks
 * once in a while; where the hope was wrong, the whole function runs again over what has been done since.
 */
import type { ScalarFunction, ScalarOperand, ScalarStatement } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../../0-ir/scalar-operations.ts';
import { readParameters, withoutDeadCode } from '../../../1-optimize/scalar/dead-code.ts';
import { selectResults } from '../../../1-optimize/scalar/edit-function.ts';
import { simplifyFunction } from '../../../1-optimize/scalar/simplify-function.ts';
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
        const condition = given[results.length + i]!;
        return is ? condition : s.apply('not', condition);
      });
      return [...given.slice(0, results.length), right.reduce((all, one) => s.apply('and', all, one))];
    }),
  );
}

/** Operations that make of what is not finite nothing finite. */
const KEEPING: readonly ScalarOperation[] = ['add', 'sub', 'mul', 'neg'];

/**
 * Of a function of totals and what they are combined with, the part without tests of NaN, if nothing is lost by it: where a
 * test would have found a NaN, the totals are not finite from there on.
 */
export function withoutNaNTests(fn: ScalarFunction): ScalarFunction | undefined {
  const { statements, results } = fn.body;
  const ofNaN = testsOfNaN(statements);
  const isTest = (operand: ScalarOperand) => operand.kind === 'variable' && ofNaN.has(operand.id);
  const isKeeping = (statement: ScalarStatement) =>
    statement.kind === 'if'
      ? isTest(statement.condition)
      : ofNaN.has(statement.result.id) || (KEEPING.includes(statement.operation) && statement.result.type === 'real');
  if (ofNaN.size === 0 || !statements.every(isKeeping)) return undefined;
  const likely = likelyPart(fn, true);
  const plain =
    likely &&
    selectResults(
      likely,
      results.map((_, i) => i),
    );
  const isCarried = plain && results.every((_, i) => readParameters(selectResults(plain, [i]))[i]);
  return isCarried ? simplifyFunction(withoutDeadCode(plain)) : undefined;
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
