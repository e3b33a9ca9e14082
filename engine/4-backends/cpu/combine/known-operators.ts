/** Operators that rules of differentiation make, known again by their code: what may be done with them and not with others. */
import { isCertain } from '../../../0-ir/certainty.ts';
import { factorsOperator } from '../../../0-ir/factors.ts';
import { liftedMinMax } from '../../../0-ir/lifted-min-max.ts';
import { componentTypes, recognise, type Operator, withLaws } from '../../../0-ir/operators.ts';
import { restrictFunction } from '../../../1-optimize/scalar/edit-function.ts';
import { sameOperator } from '../../../1-optimize/scalar/same-operator.ts';
import { independentComponents } from '../../../1-optimize/take-apart.ts';
import { exactStart } from './combining.ts';

export type Winner = 'min' | 'max';

const winners = (['min', 'max'] as const).map((which) => ({ which, operator: liftedMinMax(which) }));

/** Which of the two, where the operator is one on (index, value). */
export function winnerOperator(operator: Operator): Winner | undefined {
  return winners.find((one) => sameOperator(operator, one.operator))?.which;
}

/**
 * Whether elements may be grouped at will, but for doubts that `doubtfulPart` can tell of: sums, minima and maxima, the same
 * with an index, products, all on ints, and the factors of products, whose exponents have no bounds.
 */
export function isRegroupable(operator: Operator): boolean {
  return partsOf(operator).every(({ part }) => isHarmless(part) || recognise(part) === 'multiply');
}

/** Of an operator that is regroupable the part whose joins may be in doubt, if there is one. */
export function doubtfulPart(operator: Operator) {
  const group = partsOf(operator).flatMap(({ group, part }) => (isHarmless(part) ? [] : group));
  if (group.length === 0) return undefined;
  return { operator: partOf(operator, group), of: <T>(all: readonly T[]): T[] => group.map((i) => all[i]!) };
}

/** What an empty bin may hold, since it changes nothing; and which components are real sums, whose -0 is not their neutral 0. */
export interface EmptyBin {
  readonly start: readonly number[];
  readonly sums: readonly number[];
}

/** Undefined where there is no such thing. */
export function emptyBin(operator: Operator): EmptyBin | undefined {
  const start = [...operator.neutral];
  const types = componentTypes(operator);
  const sums: number[] = [];
  for (const { group, part } of partsOf(operator)) {
    const own = sameOperator(part, factorsOperator) ? part.neutral : exactStart(part, false);
    if (!own) return undefined;
    group.forEach((i, at) => (start[i] = own[at]!));
    if (recognise(part) === 'add') sums.push(...group.filter((i) => types[i] === 'real'));
  }
  return { start, sums };
}

function isHarmless(operator: Operator): boolean {
  return isCertain(operator) || winnerOperator(operator) !== undefined || sameOperator(operator, factorsOperator);
}

function partsOf(operator: Operator): { group: readonly number[]; part: Operator }[] {
  return independentComponents(operator).map((group) => ({ group, part: partOf(operator, group) }));
}

function partOf(operator: Operator, group: readonly number[]): Operator {
  const d = componentTypes(operator).length;
  return withLaws(
    operator,
    restrictFunction(operator.combine, [...group, ...group.map((i) => d + i)], group),
    group.map((i) => operator.neutral[i]!),
  );
}
