/** Whether two functions are written alike: equal ids, operations and literals in the same order. */
import type { ScalarBlock, ScalarFunction, ScalarOperand, ScalarStatement } from '../../0-ir/scalar.ts';

export function sameFunction(a: ScalarFunction, b: ScalarFunction): boolean {
  return a === b || (sameOperands(a.parameters, b.parameters) && sameBlock(a.body, b.body));
}

function sameBlock(a: ScalarBlock, b: ScalarBlock): boolean {
  return (
    a.statements.length === b.statements.length &&
    sameOperands(a.results, b.results) &&
    a.statements.every((statement, i) => sameStatement(statement, b.statements[i]!))
  );
}

function sameStatement(a: ScalarStatement, b: ScalarStatement): boolean {
  if (a.kind === 'apply')
    return (
      b.kind === 'apply' &&
      a.operation === b.operation &&
      sameOperand(a.result, b.result) &&
      sameOperands(a.operands, b.operands)
    );
  return (
    b.kind === 'if' &&
    sameOperand(a.condition, b.condition) &&
    sameOperands(a.results, b.results) &&
    sameBlock(a.then, b.then) &&
    sameBlock(a.else, b.else)
  );
}

function sameOperands(a: readonly ScalarOperand[], b: readonly ScalarOperand[]): boolean {
  return a.length === b.length && a.every((operand, i) => sameOperand(operand, b[i]!));
}

function sameOperand(a: ScalarOperand, b: ScalarOperand): boolean {
  if (a.type !== b.type) return false;
  if (a.kind === 'variable') return b.kind === 'variable' && a.id === b.id;
  return b.kind === 'literal' && Object.is(a.value, b.value);
}
