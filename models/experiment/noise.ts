/**
 * How readings scatter about their curve: by as much everywhere (least squares), in proportion to it (their logarithms by as
 * much everywhere), or as counts do (Poisson). Which of them is the likeliest, the readings say.
 */
import { evaluator } from '../library/evaluate.ts';
import type { Quantity, Readings } from './readings.ts';
import { countName, type Noise } from './roles.ts';

/** Over less than this factor from the least to the greatest reading the two are hardly told apart. */
const farApart = 10;
/** Over so much, squares see the largest alone. */
const decades = 1000;
/** By so much of AICc readings must speak against what is usual. */
export const againstUsual = 4;

/** Those that these readings could have, the usual one first: errors, weights and trials that were given say it themselves. */
export function possibleNoises(readings: Readings): readonly [Noise, ...Noise[]] {
  const { x, y, sigma, weight, trials, below, above, controls, excluded } = readings;
  if (readings.noise) return [readings.noise];
  if (!x || sigma || weight || trials || controls) return ['constant'];
  const values = y.values.filter((_, i) => !excluded.has(i));
  if (values.length === 0) return ['constant'];
  const [least, greatest] = [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))];
  const proportional: Noise[] = least > 0 && greatest >= farApart * least ? ['proportional'] : [];
  if (below || above || !isCounts(y, values)) return ['constant', ...proportional];
  return ['counts', 'constant', ...proportional];
}

/** Whether what is far off by squares may yet be near where readings scatter in proportion. */
export const spansDecades = (y: Float64Array): boolean =>
  y.reduce((a, b) => Math.max(a, b), 0) >= decades * y.reduce((a, b) => Math.min(a, b), Infinity);

/** Why readings cannot have the noise that is said of them, in one sentence; undefined where they can. */
export function noiseFault({ x, y, below, above, sigma, weight, trials }: Readings, noise: Noise): string | undefined {
  if (noise === 'constant') return undefined;
  if (!x || trials) return 'is said of readings over an x alone';
  if (sigma || weight) return 'says again what a column of errors or weights says';
  if (noise === 'proportional') return y.values.some((value) => !(value > 0)) ? 'wants readings above 0' : undefined;
  if (below || above) return 'wants counts, and some are known by a limit alone';
  return y.values.every(isWhole) ? undefined : 'wants counts: 0, 1, 2, …';
}

const isCounts = ({ name, unit }: Quantity, values: Float64Array): boolean =>
  countName.test(unit === '' ? name : unit) && values.every(isWhole);

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;

/** 1/σ of a reading, but for a factor that all have: start values are found by squares. */
export function weightUnder(noise: Noise, value: number): number {
  return noise === 'constant' ? 1 : noise === 'proportional' ? 1 / value : 1 / Math.sqrt(Math.max(value, 1));
}

const minusLogPoisson = evaluator('mean - if(y > 0, y*log(mean), 0) + lgamma(y + 1)');

/**
 * −2 log L of y about a curve, σ the best, less what it is of σ = 1 without residuals: n log(SSR/n) of constant noise. SSR
 * has a floor of one in 10¹² of the data's own squares: beyond that nothing is gained.
 */
export function deviance(noise: Noise, y: Float64Array, curve: Float64Array, weights: Float64Array): number {
  const n = y.length;
  const sum = (of: (value: number, i: number) => number): number => y.reduce((all, value, i) => all + of(value, i), 0);
  const likely = (squares: number, own: number): number =>
    n * Math.log(Math.max(squares, 1e-12 * own, Number.MIN_VALUE) / n);
  if (noise === 'constant') {
    const squares = sum((value, i) => ((value - curve[i]!) * weights[i]!) ** 2);
    return likely(
      squares,
      sum((value, i) => (value * weights[i]!) ** 2),
    );
  }
  if (curve.some((value) => !(value > 0))) return Infinity;
  if (noise === 'proportional') {
    const squares = sum((value, i) => Math.log(value / curve[i]!) ** 2);
    return likely(squares, n) + 2 * sum((value) => Math.log(value));
  }
  const minusLog = minusLogPoisson(
    new Map([
      ['y', y],
      ['mean', curve],
    ]),
    n,
  );
  // A σ is one parameter more than counts have.
  return 2 * minusLog.reduce((a, b) => a + b, 0) - n * (1 + Math.log(2 * Math.PI)) - Math.log(n);
}
