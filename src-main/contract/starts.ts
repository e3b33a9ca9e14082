/** What many starts say of a fit, in one vocabulary for window, report and command line. */
import type { FitReport } from './contract.ts';

type Starts = NonNullable<FitReport['starts']>;
type MinimaFound = Pick<FitReport, 'basins' | 'symmetries' | 'history'>;

export function convergedSentence({ atBest, ended, ends }: Starts, number: (value: number) => string): string {
  return `${atBest} of ${ended ?? ends.length} starts converged to the lowest, ${number(ends[0]?.objective ?? NaN)}`;
}

/**
 * How sure it is that none is lower. After n starts that found w minima, each as likely as its basin is large, the share
 * of all starts that would end in one not yet seen is expected to be w·(w + 1)/(n·(n - 1)) (Boender & Rinnooy Kan 1987,
 * DOI 10.1007/BF02591684). Undefined where fewer than two starts have found any.
 */
export function minimaSentence({ basins = [], symmetries = [], history }: MinimaFound): string | undefined {
  const [w, n] = [basins.length, basins.reduce((sum, { starts }) => sum + starts, 0)];
  if (n < 2) return undefined;
  const unseen = Math.min(1, (w * (w + 1)) / (n * (n - 1)));
  const share = unseen < 0.001 ? 'under 0.1 %' : `about ${(100 * unseen).toFixed(1)} %`;
  const alike = symmetries.length === 0 ? '' : ` (the model is the same with ${symmetries.join('; ')})`;
  return `${w} ${w === 1 ? 'minimum was' : 'minima were'} found${alike}${asLow(basins, history)}; ${share} of further starts would find another`;
}

/** Other minima with which the lowest shares its objective: the data do not choose between them. */
function asLow([lowest, ...others]: NonNullable<FitReport['basins']>, [first = 0]: readonly number[]): string {
  const least = lowest?.objective ?? NaN;
  const equal = others.filter(
    ({ objective }) => Math.abs(objective - least) <= 1e-6 * Math.abs(least) + 1e-14 * Math.abs(first),
  );
  return equal.length === 0 ? '' : `, ${1 + equal.length} of them as low as each other`;
}
