/**
 * The fit as a whole: criteria to compare models by, and whether the residuals look like noise.
 *
 *   noise estimated   log L = −n/2·(log(2π·SSR/n) + 1) + ½ Σ log w, k = p + 1 (sigma is one more): R's, for weights w
 *   else              log L = −(−log density without priors), k = p
 *
 * with p the directions of the parameters that the data see, as R counts the rank of a linear model, and
 *
 *   AIC = 2k − 2·log L, AICc = AIC + 2k(k + 1)/(n − k − 1), BIC = k·log n − 2·log L
 *                     (Akaike 1974, DOI 10.1109/TAC.1974.1100705; Schwarz 1978, DOI 10.1214/aos/1176344136)
 */
import { andersonDarling, runsTest } from '../../6-fit/report/residual-tests.ts';
import type { Directions } from './directions.ts';
import type { Fitted } from './fitted.ts';

/** `minusLogLikelihood`: of the density, or of noise that is estimated; undefined where no likelihood is maximised. */
export function fitStatistics(
  fitted: Fitted,
  { linear }: Directions,
  minusLogLikelihood: number | 'estimated' | undefined,
): Record<string, number> {
  const { problem, result, freedom, all } = fitted;
  const n = problem.observations;
  const parameters = all.length - result.unseen;
  const found: Record<string, number> = { observations: n, parameters };
  const estimated = minusLogLikelihood === 'estimated';
  const k = parameters + (estimated ? 1 : 0);
  const minusLog = estimated
    ? (n / 2) * (Math.log((2 * Math.PI * result.energy) / n) + 1) - (problem.logWeights ?? 0) / 2
    : minusLogLikelihood;
  if (minusLog !== undefined) {
    found['logLikelihood'] = -minusLog;
    found['aic'] = 2 * k + 2 * minusLog;
    found['aicc'] = n - k - 1 > 0 ? found['aic'] + (2 * k * (k + 1)) / (n - k - 1) : NaN;
    // Of a scalar that nobody observed there is no number of observations.
    found['bic'] = n > 0 ? k * Math.log(n) + 2 * minusLog : NaN;
  }
  if (!linear) return found;
  found['degreesOfFreedom'] = freedom;
  if (problem.sigmaKnown) found['reducedChiSquared'] = freedom > 0 ? result.energy / freedom : NaN;
  else found['residualStandardError'] = Math.sqrt(fitted.variance);
  const residuals = Array.from(linear.residuals).filter(
    (r, row) => r !== 0 || linear.jacobian.some((column) => column[row] !== 0),
  );
  const { z, p } = runsTest(residuals);
  found['runsTestZ'] = z;
  found['runsTestP'] = p;
  found['normalityP'] = andersonDarling(residuals);
  return found;
}
