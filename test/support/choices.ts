import fc from 'fast-check';

/**
 * Decisions read off a list of numbers, so that fast-check can shrink what they built: a shorter list and smaller numbers
 * choose the first, simplest alternative.
 */
export class Choices {
  private readonly numbers: readonly number[];
  private at = 0;

  constructor(numbers: readonly number[]) {
    this.numbers = numbers;
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return (this.numbers[this.at++] ?? 0) % count;
  }

  flip(): boolean {
    return this.below(2) === 1;
  }

  /** True once in `count`. */
  rarely(count: number): boolean {
    return this.below(count) === count - 1;
  }

  pick<T>(alternatives: readonly T[]): T {
    if (alternatives.length === 0) throw new Error('nothing to choose from');
    return alternatives[this.below(alternatives.length)]!;
  }

  list<T>(count: number, item: (i: number) => T): T[] {
    return Array.from({ length: count }, (_, i) => item(i));
  }
}

export function choices(length: number): fc.Arbitrary<number[]> {
  return fc.array(fc.nat({ max: 719 }), { maxLength: length, size: 'max' });
}
