/** What the derivatives of scalar functions share: an environment, and one operation's linear maps. */
import type { ById } from '../../0-ir/by-id.ts';
import type { ScalarApply, ScalarBlock, ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import type { ScalarBuilder } from '../../0-ir/scalar-builder.ts';
import { absent, partials, type LinearMap } from './partials.ts';

/**
 * Variable of the primal function → its operand in the function under construction. One for all blocks of a function: a
 * variable is defined once in it (`0-ir/verify-scalar.ts`), so what a branch defines is found nowhere else, and a copy for each
 * branch would cost the square of a function that is made of many.
 */
export type Environment = ById<ScalarOperand>;

export function resolve(environment: Environment, operand: ScalarOperand): ScalarOperand {
  return operand.kind === 'literal' ? operand : environment.get(operand.id)!;
}

/** For each operand that is a real variable, v ↦ (∂ result/∂ operand)·v. */
export function linearMaps(b: ScalarBuilder, statement: ScalarApply, environment: Environment): LinearMap[] {
  if (statement.result.type !== 'real') return statement.operands.map(() => null);
  const [x = absent, y = absent, z = absent] = statement.operands.map((operand) => resolve(environment, operand));
  const maps = partials[statement.operation](b, [x, y, z], resolve(environment, statement.result));
  return statement.operands.map((operand, i) =>
    operand.kind === 'variable' && operand.type === 'real' ? (maps[i] ?? null) : null,
  );
}

/** Writes a block's statements again, the primal, re-executed; `apply` in place of what each operation is. */
export function replay(
  b: ScalarBuilder,
  block: ScalarBlock,
  environment: Environment,
  apply = (operation: ScalarOperation, operands: readonly ScalarOperand[]): ScalarOperand =>
    b.applied(operation, operands).result,
): void {
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const operands = statement.operands.map((operand) => resolve(environment, operand));
      environment.set(statement.result.id, apply(statement.operation, operands));
    } else {
      const run = (branch: ScalarBlock) => (): ScalarOperand[] => {
        replay(b, branch, environment, apply);
        return branch.results.map((result) => resolve(environment, result));
      };
      const results = b.branch(resolve(environment, statement.condition), run(statement.then), run(statement.else));
      statement.results.forEach((result, i) => environment.set(result.id, results[i] as ScalarOperand));
    }
  }
}
