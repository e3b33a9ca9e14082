/** Statements in an order in which every value is defined before it is read, as near as may be to the given one. */
import { operandsOf } from '../0-ir/operands.ts';
import type { Statement } from '../0-ir/program.ts';

export function inOrder(statements: readonly Statement[]): Statement[] {
  const definitions = new Map<number, Statement>();
  for (const statement of statements) for (const { id } of statement.results) definitions.set(id, statement);
  const ordered = new Set<Statement>();
  const visit = (statement: Statement): void => {
    if (ordered.has(statement)) return;
    for (const { id } of operandsOf(statement.construct)) {
      const definition = definitions.get(id);
      if (definition) visit(definition);
    }
    ordered.add(statement);
  };
  statements.forEach(visit);
  return [...ordered];
}
