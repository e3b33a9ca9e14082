/** What many starts say of a fit, in one vocabulary for window, report and command line. */
import type { FitReport } from './contract.ts';

type Starts = NonNullable<FitReport['starts']>;
type Basins = NonNullable<FitReport['basins']>;
type MinimaFound = Pick<FitReport, 'basins' | 'symmetries'>;

export function convergedSentence({ atBest, ended, ends }: Starts, number: (value: number) => string): string {
  return `${atBest} of ${ended ?? ends.length} starts converged to the lowest, ${number(ends[0]?.objective ?? NaN)}`;
}

/**
 * How sure it is that none is lower. After n starts that found w minima, each as likely as its basin is large, the share
 * of all starts that would end in one not yet seen is expected to be w·(w + 1)/(n·(n - 1)) (Boender & Rinnooy Kan 1987,
 * DOI 10.1007/BF02591684). Undefined where fewer than two starts have found any.
 */
export function minimaSentence({ basins = [], symmetries = [] }: MinimaFound): string | undefined {
  const [w, n] = [basins.length, basins.reduce((sum, { starts }) => sum + starts, 0)];
  if (n < 2) return undefined;
  const unseen = Math.min(1, (w * (w + 1)) / (n * (n - 1)));
  const share = unseen < 0.001 ? 'under 0.1 %' : `about ${(100 * unseen).toFixed(1)} %`;
  const alike = symmetries.length === 0 ? '' : ` (the model is the same with ${symmetries.join('; ')})`;
  return `${w} ${w === 1 ? 'minimum was' : 'minima were'} found${alike}${asLowText(basins)}; ${share} of further starts would find another`;
}

/** Other minima with which the lowest shares its objective: the data do not choose between them. */
function asLowText(basins: Basins): string {
  const equal = countAsLow(basins);
  return equal < 2 ? '' : `, ${equal} of them as low as each other`;
}

/** Where several minima are as low, for the headline; empty where one is the lowest. */
export function tiedSentence({ basins = [] }: MinimaFound): string {
  const equal = countAsLow(basins);
  return equal < 2 ? '' : `${equal} minima are as low as each other, and the data do not choose between them.`;
}

const countAsLow = (basins: Basins): number => basins.filter(({ asLow }) => asLow).length;
