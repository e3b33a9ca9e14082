/**
 * Evaluates a scalar function in f64 and keeps what a judgement about rounding needs.
 */
import {
  meaningOf,
  type ScalarApply,
  type ScalarBlock,
  type ScalarFunction,
  type ScalarOperand,
  type ScalarOperation,
} from '../../engine/index.ts';

export interface Trace {
  /** Of the finite values that were formed, arguments included, the largest magnitude. */
  largest: number;
  /** Whether finite operands gave an infinity, a NaN or an underflow: there f64 says nothing about the real numbers. */
  strayed: boolean;
  /** Multiplies every rounded result, where it is given: 1 and a little. */
  readonly nudge?: () => number;
}

export function evaluateTraced(fn: ScalarFunction, args: readonly number[], trace: Trace): number[] {
  const known = new Map<number, number>();
  fn.parameters.forEach((parameter, i) => {
    const value = args[i] ?? NaN;
    known.set(parameter.id, value);
    if (parameter.type === 'real') record(trace, value);
  });
  return evaluateBlock(fn.body, known, trace);
}

function evaluateBlock(block: ScalarBlock, known: Map<number, number>, trace: Trace): number[] {
  const valueOf = (operand: ScalarOperand): number =>
    operand.kind === 'literal' ? operand.value : (known.get(operand.id) ?? NaN);
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      known.set(statement.result.id, evaluateApply(statement, statement.operands.map(valueOf), trace));
    } else {
      const results = evaluateBlock(valueOf(statement.condition) !== 0 ? statement.then : statement.else, known, trace);
      statement.results.forEach((result, i) => known.set(result.id, results[i] ?? NaN));
    }
  }
  return block.results.map(valueOf);
}

function evaluateApply({ operation, operands, result }: ScalarApply, values: number[], trace: Trace): number {
  const value = meaningOf(operation, operands[0]?.type ?? 'real')(...values);
  if (result.type !== 'real') return value;
  record(trace, value);
  if (strays(operation, values, value)) trace.strayed = true;
  return trace.nudge && !exact.has(operation) ? value * trace.nudge() : value;
}

function record(trace: Trace, value: number): void {
  if (Number.isFinite(value)) trace.largest = Math.max(trace.largest, Math.abs(value));
}

/** Their results are not rounded. */
const exact: ReadonlySet<ScalarOperation> = new Set<ScalarOperation>([
  ...(['neg', 'abs', 'sign', 'min', 'max', 'clamp', 'floor', 'ceil', 'round', 'trunc', 'real'] as const),
]);

const smallestNormal = 2 ** -1022;
const vanishing: ReadonlySet<ScalarOperation> = new Set<ScalarOperation>([
  ...(['mul', 'div', 'pow', 'exp', 'exp2', 'erfc', 'logistic'] as const),
]);

function strays(operation: ScalarOperation, operands: readonly number[], value: number): boolean {
  if (!operands.every(Number.isFinite)) return false;
  if (!Number.isFinite(value)) return true;
  if (value !== 0) return Math.abs(value) < smallestNormal;
  return vanishing.has(operation) && operands[0] !== 0 && (operation !== 'mul' || operands[1] !== 0);
}
