import type { ScalarOperand } from '../../0-ir/scalar.ts';

/** Text that is equal for equal operands of one function. */
export function keyOf(operand: ScalarOperand): string {
  return operand.kind === 'variable' ? `x${operand.id}` : `${operand.type} ${numberKey(operand.value)}`;
}

/** 0 and −0 differ. */
export function numberKey(value: number | undefined): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
