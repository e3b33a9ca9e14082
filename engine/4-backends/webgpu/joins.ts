/**
 * Where chunks, lanes and nodes of a tree meet. (x₀ ⊙ … ⊙ xₖ) ⊙ (xₖ₊₁ ⊙ … ⊙ xₙ) is the sequential result but for rounding –
 * and but for what has overflowed or vanished on one side: 3³⁰⁰ is ∞ in f32 and ∞·0 NaN, where x' = 3x + u from 0 stays 0
 * from step to step. So a join whose parts are in doubt does not count, and elements are combined one by one instead.
 * The CPU backend asks the same of the same numbers (its joins.ts).
 */
import { componentOperator } from '../../0-ir/component-operator.ts';
import { componentTypes, recognise, type Operator } from '../../0-ir/operators.ts';
import type { KernelWriter } from './kernel-writer.ts';

/** Sums, minima and maxima by themselves come out alike wherever they are cut. */
const certain: readonly (string | undefined)[] = ['add', 'min', 'max'];

/** The components that may be wrong where parts meet. */
function doubtfulComponents(operator: Operator): number[] {
  return componentTypes(operator).flatMap((type, i) => {
    const alone = componentOperator(operator, i);
    return type !== 'real' || certain.includes(alone && recognise(alone)) ? [] : [i];
  });
}

export function mayBeInDoubt(operator: Operator): boolean {
  return doubtfulComponents(operator).length > 0;
}

/**
 * Declares `in_doubt(a, b, joined)` for a struct `Tuple`. Nothing is in doubt where all are normal numbers, or where none is
 * large, so that what has vanished would have contributed less than the smallest normal number. Magnitudes are ordered
 * as their bits are, NaN above ∞.
 */
export function declareDoubt(writer: KernelWriter, operator: Operator): void {
  const each = (side: string): string[] =>
    doubtfulComponents(operator).map((i) => `bitcast<u32>(${side}.c${i}) & 0x7fffffffu`);
  const sizes = ['a', 'b', 'joined'].flatMap(each);
  const over = (choose: 'min' | 'max'): string => sizes.reduce((all, size) => `${choose}(${all}, ${size})`);
  // 2²², the smallest normal number, ∞.
  writer.declare(`fn in_doubt(a: Tuple, b: Tuple, joined: Tuple) -> bool {
  let most = ${over('max')};
  return most > 0x4a800000u && (most >= 0x7f800000u || ${over('min')} < 0x00800000u);
}`);
}
