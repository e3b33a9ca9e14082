/**
 * What must be carried from element to element, which is less than what an associative operator combines: of
 * (b₁, C₁) ∘ (b₂, C₂) = (b₂ + C₂·b₁, C₂ × C₁), where nobody reads C, only b, though elements bring both.
 */
import { arity, type Operator } from '../../../0-ir/operators.ts';
import type { ScalarFunction } from '../../../0-ir/scalar.ts';
import type { ScanStep } from '../../../3-plan/plan.ts';
import { readParameters } from '../../../1-optimize/scalar/dead-code.ts';
import { restrictFunction, selectResults } from '../../../1-optimize/scalar/edit-function.ts';

export interface CarriedPart {
  /** Components that are carried, in their order; those of an element that are combined with them. */
  readonly kept: readonly number[];
  readonly right: readonly number[];
  /** On (the components `kept` of the left, those `right` of the right). */
  readonly combine: ScalarFunction;
}

/** `shown`: the results that somebody reads, of the epilogue or of the operator. */
export function carriedPart(
  operator: Operator,
  shown: readonly number[],
  epilogue?: ScalarFunction,
  totals: readonly number[] = [],
): CarriedPart {
  const d = arity(operator);
  const read = epilogue ? trueAmong(readParameters(selectResults(epilogue, shown)).slice(0, d)) : shown;
  const carried = new Set([...read, ...totals]);
  // A set visits what is added to it while it is walked.
  for (const component of carried)
    for (const i of trueAmong(readParameters(selectResults(operator.combine, [component])).slice(0, d))) carried.add(i);
  const kept = [...carried].sort((a, b) => a - b);
  const right = trueAmong(readParameters(selectResults(operator.combine, kept)).slice(d));
  return { kept, right, combine: restrictFunction(operator.combine, [...kept, ...right.map((i) => d + i)], kept) };
}

/** Of what is carried, that which the epilogue reads or, without one, is written. */
export function shownComponents(
  step: Pick<ScanStep, 'operator' | 'epilogue' | 'outputs'>,
  { kept }: CarriedPart,
): number[] {
  const { epilogue, outputs } = step;
  if (!epilogue) return outputs.map((_, i) => i);
  const isRead = readParameters(epilogue.function);
  return kept.filter((i) => isRead[i]);
}

/** The least part that holds what `part` asks of its right operand, and all that itself asks of one: parts of it combine. */
export function combinablePart(operator: Operator, { right }: CarriedPart): CarriedPart {
  const whole = carriedPart(operator, right);
  const missing = whole.right.some((i) => !whole.kept.includes(i));
  return missing ? combinablePart(operator, { ...whole, right: [...new Set([...whole.kept, ...whole.right])] }) : whole;
}

function trueAmong(flags: readonly boolean[]): number[] {
  return flags.flatMap((flag, i) => (flag ? [i] : []));
}
