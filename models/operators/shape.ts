/**
 * What can be said of a written operator without reading its formulas: names, counts, ranges.
 */
import { toNumber } from '../notation/numbers.ts';
import { isReservedName } from '../formula/names.ts';
import { OperatorFault } from './fault.ts';
import type { WrittenOperator } from './schema.ts';

/** `d`: how many components the operator must have. */
export function checkShape(operator: WrittenOperator, d: number, place: string): void {
  const { left, right, result, neutral, inverse, domain } = operator;
  checkNames(left, right, place);
  if (right.length !== left.length)
    throw new OperatorFault(
      `"left" has ${components(left.length)} and "right" ${right.length}: an operator combines two of a kind`,
      `${place}right`,
    );
  if (left.length !== d)
    throw new OperatorFault(`acts on tuples of ${components(d)}, and "left" names ${left.length}`, `${place}left`);
  for (const [key, list] of Object.entries({ result, neutral, inverse, domain }))
    if (list && list.length !== d)
      throw new OperatorFault(
        `"${key}" has ${list.length} of the ${components(d)} that "left" names`,
        `${place}${key}`,
      );
  for (const [i, range] of (domain ?? []).entries()) {
    const [low, high] = range.map(toNumber);
    if (!(Number(low) <= Number(high)))
      throw new OperatorFault(`a range wants its lower end first, got [${low}, ${high}]`, `${place}domain[${i}]`);
  }
  checkClaims(operator, place);
}

function components(count: number): string {
  return `${count} component${count === 1 ? '' : 's'}`;
}

function checkNames(left: readonly string[], right: readonly string[], place: string): void {
  const seen = new Set<string>();
  for (const [key, names] of Object.entries({ left, right }))
    for (const [i, name] of names.entries()) {
      if (isReservedName(name))
        throw new OperatorFault(
          `"${name}" is reserved in formulas: give this argument another name`,
          `${place}${key}[${i}]`,
        );
      if (seen.has(name)) throw new OperatorFault(`the argument "${name}" is named twice`, `${place}${key}[${i}]`);
      seen.add(name);
    }
}

function checkClaims({ commutative, inverse, lift }: WrittenOperator, place: string): void {
  if (inverse && lift) throw new OperatorFault('has an "inverse" already, so it needs no "lift"', `${place}lift`);
  if (lift?.operator.lift)
    throw new OperatorFault('a lifted operator has no "lift" of its own', `${place}lift.operator.lift`);
  if (lift && !lift.operator.inverse)
    throw new OperatorFault(
      'the operator of a "lift" must have an "inverse": that is what it is for',
      `${place}lift.operator`,
    );
  if (commutative === false && (inverse || lift))
    throw new OperatorFault(
      'has an "inverse", which takes elements out in any order, and so it must be commutative',
      `${place}commutative`,
    );
}
