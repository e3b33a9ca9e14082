/**
 * What several blocks of an objective mean together. Each stands for a −log p of its own:
 *
 *   least squares with sigma   ½ Σ (r/σ)² + constants
 *   least squares without      (n/2)·log SSR, of all such blocks together, which share one unknown noise
 *   likelihood                 itself
 *
 * Squares of one sort are minimised as they are, since that is the same minimum and keeps the residuals; of two sorts, or
 * beside likelihoods, the joint −log p is. Any other scalar is added as it is written.
 */
export interface ObjectiveTerm {
  readonly block: string;
  /** `scalar` is any other block that the objective names. */
  readonly kind: 'least-squares' | 'likelihood' | 'scalar';
  /** `estimated`: least squares without sigma. */
  readonly noise: 'known' | 'estimated';
  readonly robust: boolean;
  /** What was observed is in this unit, where it says so. */
  readonly unit?: string | undefined;
}

export interface Combination {
  /** Whether the joint −log p takes the place of the sum. */
  readonly joint: boolean;
  /** Whether what is minimised is a density's logarithm, or squares that are: else there are no standard errors. */
  readonly density: boolean;
  /** Whether criteria as AIC can be told: those of a likelihood with all its constants. */
  readonly comparable: boolean;
  readonly warnings: readonly string[];
}

export function combinationOf(terms: readonly ObjectiveTerm[]): Combination {
  const squares = terms.filter(({ kind }) => kind === 'least-squares');
  const known = squares.filter(({ noise }) => noise === 'known');
  const estimated = squares.filter(({ noise }) => noise === 'estimated');
  const scalars = terms.filter(({ kind }) => kind === 'scalar');
  const sorts = [known, estimated, terms.filter(({ kind }) => kind === 'likelihood')].filter((of) => of.length > 0);
  const joint = squares.length > 0 && sorts.length > 1;
  const density = joint || squares.length === 0 || scalars.length === 0;
  const warnings: string[] = [];
  if (!density)
    warnings.push(
      `the objective adds ${quoted(scalars)} to squares: their sum is minimised as it is written, but it is no likelihood and has no standard errors; a penalty on parameters is best written as their prior`,
    );
  if (known.length > 0 && estimated.length > 0)
    warnings.push(
      `${quoted(known)} ${verb(known)} sigma and ${quoted(estimated)} ${verb(estimated)} none: the joint likelihood is maximised, in which the noise of the latter is estimated`,
    );
  const units = new Set(estimated.flatMap(({ unit }) => unit ?? []));
  if (units.size > 1)
    warnings.push(
      `${quoted(estimated)} share one unknown noise, but were observed in ${[...units].map((unit) => JSON.stringify(unit)).join(' and ')}: give each a sigma`,
    );
  return {
    joint,
    density,
    comparable: density && !(joint && estimated.length > 0) && !squares.some(({ robust }) => robust),
    warnings,
  };
}

const quoted = (terms: readonly ObjectiveTerm[]): string => terms.map(({ block }) => `"${block}"`).join(', ');
const verb = ({ length }: readonly ObjectiveTerm[]): string => (length === 1 ? 'has' : 'have');
