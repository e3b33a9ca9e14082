/** What has been computed in a scalar block and in those around it, by operation and operands: each is found until its block ends. */
import type { ScalarOperand, ScalarVariable } from '../../0-ir/scalar.ts';
import { scalarOperationNames, type ScalarOperation } from '../../0-ir/scalar-operations.ts';
import { keyOf } from './operand-key.ts';

const commutative: ReadonlySet<ScalarOperation> = new Set(['add', 'mul', 'eq', 'ne', 'and', 'or']);

/** An operation and two operands that are numbered below this make one whole number below 2⁵³. */
const MOST = 2 ** 22;
const numbers = new Map(scalarOperationNames.map((operation, i) => [operation, i]));

type Key = number | string;

export class Computed {
  private readonly results = new Map<Key, ScalarVariable>();
  /** Keys of what each block has computed, the innermost last. */
  private readonly blocks: Key[][] = [];
  private readonly literals = new Map<string, number>();

  open(): void {
    this.blocks.push([]);
  }

  close(): void {
    for (const key of this.blocks.pop()!) this.results.delete(key);
  }

  /** The variable that is this already, or the one that `write` gives. */
  once(operation: ScalarOperation, operands: readonly ScalarOperand[], write: () => ScalarVariable): ScalarVariable {
    const key = this.key(operation, operands);
    const before = this.results.get(key);
    if (before) return before;
    const result = write();
    this.results.set(key, result);
    this.blocks.at(-1)?.push(key);
    return result;
  }

  private key(operation: ScalarOperation, operands: readonly ScalarOperand[]): Key {
    const [x, y] = operands;
    const [first, second] = [x ? this.number(x) : 0, y ? this.number(y) : 0];
    const swaps = commutative.has(operation) && second < first;
    const [a, b] = swaps ? [second, first] : [first, second];
    if (operands.length > 2 || a >= MOST || b >= MOST)
      return `${operation} ${(swaps ? [y!, x!] : operands).map(keyOf).join(', ')}`;
    return (numbers.get(operation)! * MOST + a) * MOST + b;
  }

  /** Equal for equal operands: even for variables, odd for literals in the order in which they were met. */
  private number(operand: ScalarOperand): number {
    if (operand.kind === 'variable') return 2 * operand.id;
    const text = keyOf(operand);
    const known = this.literals.get(text) ?? this.literals.size;
    this.literals.set(text, known);
    return 2 * known + 1;
  }
}
