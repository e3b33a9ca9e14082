/** Scalar statements that no result needs are left out, and so are results of `if` that nobody reads. */
import type { ScalarBlock, ScalarFunction, ScalarOperand, ScalarStatement } from '../../0-ir/scalar.ts';

export function withoutDeadCode(fn: ScalarFunction): ScalarFunction {
  return { parameters: fn.parameters, body: liveBlock(fn.body, new Set()) };
}

/** `live`: ids that are read later; those that the block reads are added. */
function liveBlock(block: ScalarBlock, live: Set<number>): ScalarBlock {
  const read = (operand: ScalarOperand): void => {
    if (operand.kind === 'variable') live.add(operand.id);
  };
  block.results.forEach(read);
  const statements: ScalarStatement[] = [];
  for (const statement of [...block.statements].reverse()) {
    if (statement.kind === 'apply') {
      if (!live.has(statement.result.id)) continue;
      statement.operands.forEach(read);
      statements.push(statement);
      continue;
    }
    const kept = statement.results.map((result) => live.has(result.id));
    if (!kept.includes(true)) continue;
    const narrow = (branch: ScalarBlock): ScalarBlock =>
      liveBlock({ ...branch, results: branch.results.filter((_, i) => kept[i]) }, live);
    const results = statement.results.filter((_, i) => kept[i]);
    statements.push({ ...statement, results, then: narrow(statement.then), else: narrow(statement.else) });
    read(statement.condition);
  }
  return { statements: statements.reverse(), results: block.results };
}

/** The parameters that the function reads. */
export function readParameters(fn: ScalarFunction): boolean[] {
  const live = new Set<number>();
  liveBlock(fn.body, live);
  return fn.parameters.map((parameter) => live.has(parameter.id));
}
