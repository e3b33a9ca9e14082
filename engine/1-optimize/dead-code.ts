/** Statements that no result needs, and results of maps, reductions, scans, recurrences and loops that nobody reads. */
import { operandsOf } from '../0-ir/operands.ts';
import type { Program, Statement } from '../0-ir/program.ts';
import { pruneResults } from './dead-results.ts';
import type { Rewrite } from './rewrite.ts';

export const deadCode: Rewrite = (program, { keep }) => withoutDeadCode(program, keep);

/** Parameters stay, read or not. */
export function withoutDeadCode(program: Program, keep: ReadonlySet<number> = new Set()): Program {
  const live = new Set(keep);
  for (const { value } of program.results) live.add(value.id);
  const statements: Statement[] = [];
  let changed = false;
  for (const statement of [...program.statements].reverse()) {
    const wanted = statement.results.map((result) => live.has(result.id));
    const pruned = !wanted.includes(true)
      ? undefined
      : wanted.includes(false)
        ? pruneResults(statement, wanted, (body) => withoutDeadCode(body))
        : statement;
    if (pruned !== statement) changed = true;
    if (!pruned) continue;
    for (const operand of operandsOf(pruned.construct)) live.add(operand.id);
    statements.push(pruned);
  }
  return changed ? { ...program, statements: statements.reverse() } : program;
}
