/** Whether residuals look like noise. */
import { erfc } from '../../4-backends/reference/scalar/erf.ts';

/** Φ(z). */
function normalProbability(z: number): number {
  return erfc(-z / Math.SQRT2) / 2;
}

/**
 * Whether signs follow each other as at random: by how many standard deviations there are more runs of them than then, and how
 * probable as much is to either side, by the normal approximation (Wald & Wolfowitz 1940, DOI 10.1214/aoms/1177731909).
 */
export function runsTest(residuals: readonly number[]): { readonly z: number; readonly p: number } {
  const signs = residuals.filter((r) => r !== 0).map((r) => r > 0);
  const above = signs.filter(Boolean).length;
  const below = signs.length - above;
  if (above === 0 || below === 0 || signs.length < 3) return { z: NaN, p: NaN };
  const runs = 1 + signs.slice(1).filter((sign, i) => sign !== signs[i]).length;
  const product = 2 * above * below;
  const mean = product / signs.length + 1;
  const variance = (product * (product - signs.length)) / (signs.length ** 2 * (signs.length - 1));
  const z = variance > 0 ? (runs - mean) / Math.sqrt(variance) : NaN;
  return { z, p: 2 * normalProbability(-Math.abs(z)) };
}

/**
 * Whether residuals are normal with some mean and variance: Anderson and Darling's A², with the p-values of Stephens
 * (D'Agostino & Stephens 1986, Goodness-of-fit techniques, table 4.9).
 */
export function andersonDarling(residuals: readonly number[]): number {
  const n = residuals.length;
  if (n < 8) return NaN;
  const mean = residuals.reduce((sum, r) => sum + r, 0) / n;
  const deviation = Math.sqrt(residuals.reduce((sum, r) => sum + (r - mean) ** 2, 0) / (n - 1));
  if (!(deviation > 0)) return NaN;
  const z = Float64Array.from(residuals, (r) => (r - mean) / deviation).sort();
  const below = z.map(normalProbability);
  const above = z.map((value) => normalProbability(-value));
  let sum = 0;
  for (let i = 0; i < n; i++) sum += (2 * i + 1) * (Math.log(below[i]!) + Math.log(above[n - 1 - i]!));
  const a = (-n - sum / n) * (1 + 0.75 / n + 2.25 / (n * n));
  if (a < 0.2) return 1 - Math.exp(-13.436 + 101.14 * a - 223.73 * a * a);
  if (a < 0.34) return 1 - Math.exp(-8.318 + 42.796 * a - 59.938 * a * a);
  if (a < 0.6) return Math.exp(0.9177 - 4.279 * a - 1.38 * a * a);
  return a < 10 ? Math.exp(1.2937 - 5.709 * a + 0.0186 * a * a) : 3.7e-24;
}

/** Residuals from one index to another of a group, both included, that have one sign. */
export interface SignRun {
  readonly group: number;
  readonly from: number;
  readonly to: number;
}

export interface MissedShape {
  /** Of so few runs among independent signs, all groups together: one-sided. */
  readonly p: number;
  /** The runs that noise has rarely; the longest where none is so by itself. */
  readonly runs: readonly SignRun[];
}

/** Below it signs do not follow each other as at random. */
const DOUBTFUL = 0.01;
/** A run is long where noise has fewer than so many of its length. */
const RARE = 0.05;

/**
 * Whether residuals, in each group in the order of the abscissa, keep their sign too long: what a missed shape does and
 * noise does not. Runs of groups add up, and so do their means and variances (Wald & Wolfowitz 1940). Undefined where
 * they look like noise. Of n signs that are a coin's, n·2⁻ᴸ runs are as long as L.
 */
export function missedShape(groups: readonly ArrayLike<number>[]): MissedShape | undefined {
  let [more, variance, count] = [0, 0, 0];
  for (const residuals of groups) {
    const { above, below, runs } = signsOf(residuals);
    const [product, n] = [2 * above * below, above + below];
    count += n;
    if (product === 0 || n < 3) continue;
    more += runs - (product / n + 1);
    variance += (product * (product - n)) / (n ** 2 * (n - 1));
  }
  // Runs come in whole numbers, of which the normal takes the one half.
  const p = variance > 0 ? normalProbability((more + 0.5) / Math.sqrt(variance)) : NaN;
  if (!(p < DOUBTFUL)) return undefined;
  const all = groups.flatMap((residuals, group) => runsOf(residuals).map((run) => ({ ...run, group })));
  const rare = all.filter(({ length }) => count * 2 ** -length < RARE);
  // One that lies far out has no sign to keep.
  const longest = all.reduce((a, b) => (b.length > a.length || (b.length === a.length && b.weight > a.weight) ? b : a));
  const runs = rare.length > 0 ? rare : [longest];
  return { p, runs: runs.map(({ group, from, to }) => ({ group, from, to })) };
}

/** How many are above 0, how many below, and in how many runs of one sign; zeros and NaN are none of either. */
function signsOf(residuals: ArrayLike<number>): { above: number; below: number; runs: number } {
  let [above, below, runs, last] = [0, 0, 0, 0];
  for (let i = 0; i < residuals.length; i++) {
    const r = residuals[i]!;
    if (!(r > 0 || r < 0)) continue;
    const sign = r > 0 ? 1 : -1;
    if (sign > 0) above++;
    else below++;
    if (sign !== last) runs++;
    last = sign;
  }
  return { above, below, runs };
}

/** `length`: how many of one sign; `weight`: the size of what they add up to. */
function runsOf(residuals: ArrayLike<number>) {
  const runs: { from: number; to: number; length: number; weight: number; up: boolean }[] = [];
  for (let i = 0; i < residuals.length; i++) {
    const r = residuals[i]!;
    if (!(r > 0 || r < 0)) continue;
    const last = runs.at(-1);
    if (last?.up === r > 0) {
      last.to = i;
      last.length++;
      last.weight += Math.abs(r);
    } else runs.push({ from: i, to: i, length: 1, weight: Math.abs(r), up: r > 0 });
  }
  return runs;
}
