/** How far whole numbers can go: an int wraps at 32 bits, and a document whose data can reach that is warned. */
import type { ScalarBlock, ScalarFunction, ScalarOperand, ScalarOperation } from '../../../engine/index.ts';
import type { Output } from '../kind.ts';

/** [low, high] */
export type IntRange = readonly [low: number, high: number];

export const largestInt = 2147483647;

export function wraps([low, high]: IntRange): boolean {
  return low < -largestInt - 1 || high > largestInt;
}

/** What the values of an int output lie between, as far as data tell. */
export function rangeOf(output: Output): IntRange | undefined {
  if (output.element !== 'int') return undefined;
  if (output.range || !output.data) return output.range;
  let [low, high] = [Infinity, -Infinity];
  for (const x of output.data) [low, high] = [Math.min(low, x), Math.max(high, x)];
  return low <= high ? [low, high] : [0, 0];
}

export interface FunctionRange {
  /** Of each result; undefined where it is no int or nothing is known. */
  readonly results: readonly (IntRange | undefined)[];
  /** The first range on the way that does not fit. */
  readonly wrapped: IntRange | undefined;
}

/** Interval arithmetic over a scalar function, for its ints; reals and bools are unknown. */
export function functionRange(fn: ScalarFunction, parameters: readonly (IntRange | undefined)[]): FunctionRange {
  const known = new Map<number, IntRange>();
  let wrapped: IntRange | undefined;
  const rangeOfOperand = (operand: ScalarOperand): IntRange | undefined =>
    operand.kind === 'literal' ? [operand.value, operand.value] : known.get(operand.id);
  const keep = (id: number, range: IntRange | undefined): void => {
    if (!range) return;
    if (!wraps(range)) known.set(id, range);
    else wrapped ??= range;
  };
  const run = (block: ScalarBlock): void => {
    for (const statement of block.statements) {
      if (statement.kind === 'apply') {
        if (statement.result.type !== 'int') continue;
        const ranges = statement.operands.map(rangeOfOperand);
        keep(statement.result.id, applied(statement.operation, ranges));
        continue;
      }
      run(statement.then);
      run(statement.else);
      statement.results.forEach((result, i) => {
        const [a, b] = [statement.then.results[i], statement.else.results[i]].map((r) => r && rangeOfOperand(r));
        if (result.type === 'int' && a && b) keep(result.id, hull([...a, ...b]));
      });
    }
  };
  fn.parameters.forEach((parameter, i) => keep(parameter.id, parameters[i]));
  run(fn.body);
  const results = fn.body.results.map((result) => (result.type === 'int' ? rangeOfOperand(result) : undefined));
  return { results, wrapped };
}

function applied(operation: ScalarOperation, operands: readonly (IntRange | undefined)[]): IntRange | undefined {
  const [a, b] = operands;
  if (operation === 'mod' && b && b[0] > 0) return [0, b[1] - 1];
  if (!a) return undefined;
  if (operation === 'neg') return [-a[1], -a[0]];
  if (operation === 'abs') return a[0] >= 0 ? a : [0, Math.max(-a[0], a[1])];
  if (operation === 'sign') return [-1, 1];
  if (!b) return undefined;
  switch (operation) {
    case 'add':
      return [a[0] + b[0], a[1] + b[1]];
    case 'sub':
      return [a[0] - b[1], a[1] - b[0]];
    case 'mul':
      return hull(a.flatMap((x) => b.map((y) => x * y)));
    case 'min':
      return [Math.min(a[0], b[0]), Math.min(a[1], b[1])];
    case 'max':
      return [Math.max(a[0], b[0]), Math.max(a[1], b[1])];
    default:
      return undefined;
  }
}

function hull(ends: readonly number[]): IntRange {
  return [Math.min(...ends), Math.max(...ends)];
}
