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
