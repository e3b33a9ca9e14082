/** The elements of a histogram sorted by key: each bin's are a segment, in their order. */
import type { ProgramBuilder } from '../../../0-ir/builder.ts';
import { arity, type Operator } from '../../../0-ir/operators.ts';
import type { Value } from '../../../0-ir/program.ts';
import { intLiteral, type ScalarOperand } from '../../../0-ir/scalar.ts';
import { sizeAdd, type Size } from '../../../0-ir/sizes.ts';
import type { Cost } from '../../cost.ts';
import { shiftBackward, shiftForward, sizeAsValue, sumTo, trailingOnes } from '../../layout.ts';
import type { PlainHistogram } from './decoupled.ts';
import { keysInRange } from './keys-in-range.ts';

export interface SortedSegments {
  readonly keys: Value;
  readonly inputs: readonly Value[];
  /** bool, with the literal 1 for trailing axes: the first and the last element of a segment. */
  readonly begins: Value;
  readonly ends: Value;
  /** A value over the sorted domain, back in the order of the elements and summed to the shape of an input. */
  unsort(value: Value, like: Value): Value;
}

export function sortedSegments(
  b: ProgramBuilder,
  { keys, inputs, bins, batch, shape }: PlainHistogram,
): SortedSegments {
  const order = sortOrder(b, keys, bins);
  const sorted = b.gather(keys, order, 'zero', batch);
  const flags = (shift: typeof shiftForward): Value => trailingOnes(b, boundary(b, sorted, batch, shift), shape.length);
  return {
    keys: sorted,
    inputs: inputs.map((input) => b.gather(b.replicate(input, shape), order, 'zero', batch)),
    begins: flags(shiftForward),
    ends: flags(shiftBackward),
    unsort: (value, like) => sumTo(b, b.scatter(b.zeros(value.type), order, value, { batch }), like.type.shape),
  };
}

/** Only as many bits are sorted as bins + 1 has: keys out of range, on either side, come last. */
function sortOrder(b: ProgramBuilder, keys: Value, bins: Size): Value {
  const bounded = b.elementwise([keys, keysInRange(b, keys, bins), sizeAsValue(b, bins)], (s, key, inRange, last) => {
    const [kept] = s.branch(
      inRange,
      () => [key],
      () => [last],
    );
    return kept as ScalarOperand;
  });
  return b.sortPermutation(bounded, sizeAdd(bins, 1));
}

/** Of sorting keys and elements, and adjoints back: some two digits, each read and written with its payload. */
export function sortCost(operator: Operator): Cost {
  return { traffic: 7 * arity(operator) + 16, operations: 40, passes: 8 };
}

/** Where a key differs from its neighbour in one direction; true at that end of the axis. */
function boundary(b: ProgramBuilder, keys: Value, axis: number, shift: typeof shiftForward): Value {
  const inside = shift(b, b.replicate(b.literal(1, 'int'), keys.type.shape), axis, 0);
  return b.elementwise([inside, shift(b, keys, axis, 0), keys], (s, hasNeighbour, neighbour, key) =>
    s.apply('or', s.apply('eq', hasNeighbour, intLiteral(0)), s.apply('ne', neighbour, key)),
  );
}
