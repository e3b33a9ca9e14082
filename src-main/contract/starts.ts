/** What many starts say of a fit, in one vocabulary for window, report and command line. */
import type { FitReport } from './contract.ts';

type Starts = NonNullable<FitReport['starts']>;
type Basins = NonNullable<FitReport['basins']>;

export function convergedSentence({ atBest, ended, ends }: Starts, number: (value: number) => string): string {
  return `${atBest} of ${ended ?? ends.length} starts converged to the lowest, ${number(ends[0]?.objective ?? NaN)}`;
}

/**
 * How sure it is that none is lower. After n starts that found w minima, each as likely as its basin is large, the share
 * of all starts that would end in one not yet seen is expected to be w·(w + 1)/(n·(n - 1)) (Boender & Rinnooy Kan 1987,
 * DOI 10.1007/BF02591684). Undefined where fewer than two starts have found any.
 */
export function minimaSentence(basins: Basins = []): string | undefined {
  const [w, n] = [basins.length, basins.reduce((sum, { starts }) => sum + starts, 0)];
  if (n < 2) return undefined;
  const unseen = Math.min(1, (w * (w + 1)) / (n * (n - 1)));
  const share = unseen < 0.001 ? 'under 0.1 %' : `about ${(100 * unseen).toFixed(1)} %`;
  return `${w} ${w === 1 ? 'minimum was' : 'minima were'} found; ${share} of further starts would find another`;
}
