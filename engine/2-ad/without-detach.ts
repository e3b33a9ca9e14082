/**
 * Steps without `detach`, once nothing is differentiated any more: what was computed for its value alone and what was
 * computed with derivatives are the same from here on, and are computed once.
 */
import { ById } from '../0-ir/by-id.ts';
import { mapNestedPrograms } from '../0-ir/construct-parts.ts';
import type { Program } from '../0-ir/program.ts';
import { parameterTypes, type ScalarBlock, type ScalarFunction, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction } from '../0-ir/scalar-builder.ts';
import { rewriteForward } from '../1-optimize/rewrite.ts';
import { replay, resolve, type Environment } from './scalar/function.ts';

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
    const environment: Environment = new ById();
    fn.parameters.forEach(({ id }, i) => environment.set(id, operands[i] as ScalarOperand));
    replay(b, fn.body, environment, (operation, given) =>
      operation === 'detach' ? given[0]! : b.apply(operation, ...given),
    );
    return fn.body.results.map((result) => resolve(environment, result));
  });
}
