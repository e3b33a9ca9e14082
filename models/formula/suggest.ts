/**
 * "did you mean …?" for a name that is not known.
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

/** `: did you mean 'x'?`, or nothing where no name is near. */
export function suggestion(name: string, known: readonly string[]): string {
  const same = elsewhere.get(name.toLowerCase());
  const best = same !== undefined && known.includes(same) ? same : nearestName(name, known);
  return best === undefined ? '' : `: did you mean '${best}'?`;
}
