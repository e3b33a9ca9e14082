/**
 * "did you mean …?" for a name that is not known, and what is done by a block.
 */
import { nearestName } from '../notation/names.ts';

/** Names that other languages use for what formulas have. */
const elsewhere = new Map([
  ['ln', 'log'],
  ['arcsin', 'asin'],
  ['arccos', 'acos'],
  ['arctan', 'atan'],
  ['arctan2', 'atan2'],
  ['sigmoid', 'logistic'],
  ['expit', 'logistic'],
  ['fabs', 'abs'],
  ['power', 'pow'],
  ['ceiling', 'ceil'],
  ['sgn', 'sign'],
  ['loggamma', 'lgamma'],
  ['gammaln', 'lgamma'],
  ['psi', 'digamma'],
  ['clip', 'clamp'],
  ['where', 'if'],
  ['ifelse', 'if'],
  ['float', 'real'],
  ['minimum', 'min'],
  ['maximum', 'max'],
  ['infinity', 'inf'],
]);

/** What other languages have as functions of an array. A formula has one element before it: another block has them all. */
const ofArrays = new Map([
  ['sum', 'adds up an array'],
  ['mean', 'adds up an array, and its mean is that over length(…)'],
  ['average', 'adds up an array, and its mean is that over length(…)'],
  ['prod', 'multiplies the elements of an array'],
  ['product', 'multiplies the elements of an array'],
  ['min', 'finds the smallest element of an array'],
  ['max', 'finds the largest element of an array'],
]);

/** `: a reduce block adds up an array`, or nothing where no block does what is called. */
export function blockInstead(name: string): string {
  const does = ofArrays.get(name.toLowerCase());
  return does === undefined ? '' : `: a reduce block ${does}`;
}

/** `: did you mean 'x'?`, or nothing where no name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const same = elsewhere.get(name.toLowerCase());
  const best = same !== undefined && known.includes(same) ? same : nearestName(name, known);
  return best === undefined ? '' : `: did you mean '${best}'?`;
}
