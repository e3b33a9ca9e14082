/** What has been computed in a scalar block and in those around it, by operation and operands: each is found until its block ends. */
import type { ScalarLiteral, ScalarOperand, ScalarVariable } from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';

/** An operation, or what an `if` gives of a condition and its two sides. */
type Computation = ScalarOperation | 'if';

const commutative: ReadonlySet<Computation> = new Set(['add', 'mul', 'eq', 'ne', 'and', 'or']);

interface Entry {
  readonly operation: Computation;
  /** Numbers of the operands, 0 for none. */
  readonly first: number;
  readonly second: number;
  readonly third: number;
  readonly result: ScalarVariable;
  /** The block that computed it. */
  readonly block: number;
  /** In the same bucket. */
  next: Entry | undefined;
}

/** Of three numbers, most of them small. */
const hashOf = (first: number, second: number, third: number): number =>
  Math.imul(Math.imul(Math.imul(first, 0x9e3779b1) ^ second, 0x85ebca6b) ^ third, 0xc2b2ae35) >>> 4;

export class Computed {
  /** Lists of entries by the hash of the operands' numbers: as many as there are entries at least, a power of 2. */
  private buckets = new Array<Entry | undefined>(64);
  private entries = 0;
  private readonly literals = {
    real: new Map<number, number>(),
    int: new Map<number, number>(),
    bool: new Map<number, number>(),
  };
  private literalCount = 0;
  private minusZero = -1;
  /** By a block's number, whether it is open; the innermost last. */
  private readonly isOpen: boolean[] = [];
  private readonly blocks: number[] = [];

  open(): void {
    this.blocks.push(this.isOpen.push(true) - 1);
  }

  close(): void {
    this.isOpen[this.blocks.pop()!] = false;
  }

  /** The variable that is this already, or the one that `write` gives. */
  once(operation: Computation, operands: readonly ScalarOperand[], write: () => ScalarVariable): ScalarVariable {
    const [x, y, z] = operands;
    let first = x ? this.number(x) : 0;
    let second = y ? this.number(y) : 0;
    const third = z ? this.number(z) : 0;
    if (second < first && commutative.has(operation)) [first, second] = [second, first];
    const hash = hashOf(first, second, third);
    for (let entry = this.buckets[hash & (this.buckets.length - 1)]; entry; entry = entry.next)
      if (
        entry.operation === operation &&
        entry.first === first &&
        entry.second === second &&
        entry.third === third &&
        this.isOpen[entry.block]
      )
        return entry.result;
    const result = write();
    this.add({ operation, first, second, third, result, block: this.blocks.at(-1)!, next: undefined });
    return result;
  }

  private add(entry: Entry): void {
    if (this.entries++ === this.buckets.length) {
      const before = this.buckets;
      this.buckets = new Array<Entry | undefined>(2 * before.length);
      for (const head of before)
        for (let each = head; each;) {
          const { next } = each;
          // What has been computed in a block that has ended is found no more.
          if (this.isOpen[each.block]) this.put(each);
          each = next;
        }
    }
    this.put(entry);
  }

  private put(entry: Entry): void {
    const at = hashOf(entry.first, entry.second, entry.third) & (this.buckets.length - 1);
    entry.next = this.buckets[at];
    this.buckets[at] = entry;
  }

  /** Above 0, equal for equal operands: even for variables, odd for literals in the order in which they were met. */
  private number(operand: ScalarOperand): number {
    if (operand.kind === 'variable') return 2 * operand.id + 2;
    return 2 * this.literal(operand) + 1;
  }

  private literal({ type, value }: ScalarLiteral): number {
    // To a map 0 and −0 are one key.
    if (Object.is(value, -0)) {
      if (this.minusZero < 0) this.minusZero = this.literalCount++;
      return this.minusZero;
    }
    const ofType = this.literals[type];
    const known = ofType.get(value);
    if (known !== undefined) return known;
    ofType.set(value, this.literalCount);
    return this.literalCount++;
  }
}
