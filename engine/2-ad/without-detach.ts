/**
 * Steps without `detach`, once nothing is differentiated any more: what was computed for its value alone and what was
 * computed with derivatives are the same from here on, and are computed once.
 */
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type { Program } from '../0-ir/program.ts';
import { parameterTypes, type ScalarBlock, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../0-ir/scalar-builder.ts';
import { rewriteForward } from '../1-optimize/rewrite.ts';
import { resolve, type Environment } from './scalar/function.ts';

export function withoutDetach(program: Program): Program {
  const context = { keep: new Set<number>(), varying: new Set<number>() };
  return rewriteForward(program, context, ({ construct }) => {
    if (construct.kind === 'loop' || construct.kind === 'call') {
      const inner = mapNestedPrograms(construct, withoutDetach);
      return inner === construct ? undefined : inner;
    }
    if (construct.kind !== 'recurrence' && construct.kind !== 'history') return undefined;
    return detaches(construct.step.body) ? { ...construct, step: attached(construct.step) } : undefined;
  });
}

const detaches = ({ statements }: ScalarBlock): boolean =>
  statements.some((statement) =>
    statement.kind === 'if' ? detaches(statement.then) || detaches(statement.else) : statement.operation === 'detach',
  );

function attached(fn: ScalarFunction): ScalarFunction {
  return scalarFunction(parameterTypes(fn), (b, ...operands) => {
    const environment: Environment = new Map();
    fn.parameters.forEach(({ id }, i) => environment.set(id, operands[i] as ScalarOperand));
    write(b, fn.body, environment);
    return fn.body.results.map((result) => resolve(environment, result));
  });
}

function write(b: ScalarBuilder, block: ScalarBlock, environment: Environment): void {
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const operands = statement.operands.map((operand) => resolve(environment, operand));
      const value = statement.operation === 'detach' ? operands[0]! : b.apply(statement.operation, ...operands);
      environment.set(statement.result.id, value);
      continue;
    }
    const side = (branch: ScalarBlock) => (): ScalarOperand[] => {
      write(b, branch, environment);
      return branch.results.map((result) => resolve(environment, result));
    };
    const results = b.branch(resolve(environment, statement.condition), side(statement.then), side(statement.else));
    statement.results.forEach((result, i) => environment.set(result.id, results[i] as ScalarOperand));
  }
}
