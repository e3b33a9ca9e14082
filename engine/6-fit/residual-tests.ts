/** Whether residuals look like noise. */
import { erfc } from '../4-backends/reference/scalar/erf.ts';

/** Φ(z). */
function normalProbability(z: number): number {
  return erfc(-z / Math.SQRT2) / 2;
}

/**
 * Whether signs follow each other as at random: two-sided, by the normal approximation
 * (Wald & Wolfowitz 1940, DOI 10.1214/aoms/1177731909).
 */
export function runsTest(residuals: readonly number[]): number {
  const signs = residuals.filter((r) => r !== 0).map((r) => r > 0);
  const above = signs.filter(Boolean).length;
  const below = signs.length - above;
  if (above === 0 || below === 0 || signs.length < 3) return NaN;
  const runs = 1 + signs.slice(1).filter((sign, i) => sign !== signs[i]).length;
  const product = 2 * above * below;
  const mean = product / signs.length + 1;
  const variance = (product * (product - signs.length)) / (signs.length ** 2 * (signs.length - 1));
  return variance > 0 ? 2 * normalProbability(-Math.abs(runs - mean) / Math.sqrt(variance)) : NaN;
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
  for (let i = 0; i < n; i++)
    sum += (2 * i + 1) * (Math.log(below[i] as number) + Math.log(above[n - 1 - i] as number));
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
  /** The runs that noise has rarely; the largest where none is so by itself. */
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
export function missedShape(groups: readonly (readonly number[])[]): MissedShape | undefined {
  const signed = groups.map((residuals) => residuals.flatMap((r, i) => (r > 0 || r < 0 ? [{ i, up: r > 0 }] : [])));
  let [more, variance] = [0, 0];
  for (const signs of signed) {
    const above = signs.filter(({ up }) => up).length;
    const [product, n] = [2 * above * (signs.length - above), signs.length];
    if (product === 0 || n < 3) continue;
    const runs = 1 + signs.slice(1).filter(({ up }, i) => up !== signs[i]?.up).length;
    more += runs - (product / n + 1);
    variance += (product * (product - n)) / (n ** 2 * (n - 1));
  }
  // Runs come in whole numbers, of which the normal takes the one half.
  const p = variance > 0 ? normalProbability((more + 0.5) / Math.sqrt(variance)) : NaN;
  if (!(p < DOUBTFUL)) return undefined;
  const all = signed.flatMap((signs, group) => runsOf(signs).map((run) => ({ ...run, group })));
  const count = signed.reduce((sum, signs) => sum + signs.length, 0);
  const rare = all.filter(({ length }) => count * 2 ** -length < RARE);
  const weight = ({ group, from, to }: SignRun): number =>
    Math.abs((groups[group] ?? []).slice(from, to + 1).reduce((sum, r) => sum + r, 0));
  const largest = all.reduce((a, b) => (weight(b) > weight(a) ? b : a));
  const runs = rare.length > 0 ? rare : [largest];
  return { p, runs: runs.map(({ group, from, to }) => ({ group, from, to })) };
}

function runsOf(signs: readonly { readonly i: number; readonly up: boolean }[]) {
  const runs: { from: number; to: number; length: number; up: boolean }[] = [];
  for (const { i, up } of signs) {
    const last = runs.at(-1);
    if (last?.up === up) {
      last.to = i;
      last.length++;
    } else runs.push({ from: i, to: i, length: 1, up });
  }
  return runs;
}
