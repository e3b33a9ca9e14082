/** How often a block reads each variable: in its branches and as its results too. By id. */
import type { ScalarBlock, ScalarOperand } from './scalar.ts';

export function readsOf(block: ScalarBlock, reads = new Map<number, number>()): Map<number, number> {
  const read = (operand: ScalarOperand): void => {
    if (operand.kind === 'variable') reads.set(operand.id, (reads.get(operand.id) ?? 0) + 1);
  };
  for (const statement of block.statements) {
    if (statement.kind === 'apply') statement.operands.forEach(read);
    else {
      read(statement.condition);
      readsOf(statement.then, reads);
      readsOf(statement.else, reads);
    }
  }
  block.results.forEach(read);
  return reads;
}
