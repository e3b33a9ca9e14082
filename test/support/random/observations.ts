/**
 * One more observation of a family, its prediction known but for a normal error: how probable it is to be so small, by sums
 * of probabilities and a fine quadrature, and the closed form where all is normal.
 */
import { expect } from 'vitest';
import type { PlainBlock } from './plots.ts';

export interface About {
  /** The prediction, on its own scale, its standard error there, and by what that is multiplied. */
  readonly centre: number;
  readonly error: number;
  readonly quantile: number;
  /** Of an observation of weight 1, where it is estimated. */
  readonly variance: number;
}

export interface Observations {
  /** Fails where more or less than 0.95 of them lie between these ends. */
  expectBetween(ends: readonly [lower: number, upper: number]): void;
}

/** What the random documents write (plots.ts). */
export function observationsOf({ kind, family, sigma }: PlainBlock, about: About): Observations {
  if (kind === 'least-squares') return normal(about, sigma === undefined ? Math.sqrt(about.variance) : NaN);
  if (family === 'normal') return normal(about, 0.5);
  if (family === 'log-normal') return normal(about, 0.7, Math.log);
  if (family === 'student-t') return mixed(about, studentT4, { low: -Infinity, high: Infinity, whole: false });
  if (family === 'gamma') return mixed(about, gamma3, { low: 0, high: Infinity, whole: false });
  const high = family === 'binomial' ? 1 : Infinity;
  return mixed(about, counts[family as string]!, { low: 0, high, whole: true });
}

/** ŷ ± q·√(se² + σ²), after a change of the scale. */
function normal({ centre, error, quantile }: About, sigma: number, to = (y: number): number => y): Observations {
  const half = quantile * Math.hypot(error, sigma);
  return {
    expectBetween(ends) {
      ends.forEach((end, i) => {
        const wanted = centre + (i === 0 ? -half : half);
        expect(Math.abs(to(end) - wanted)).toBeLessThanOrEqual(1e-7 * Math.max(1, Math.abs(wanted), Math.abs(centre)));
      });
    },
  };
}

type Below = (y: number, prediction: number) => number;

/** P(Y ≤ y) of Student's t with 4 degrees, its scale 0.5. */
const studentT4: Below = (y, prediction) => {
  const t = (y - prediction) / 0.5;
  const u = 1 + t ** 2 / 4;
  return 0.5 + (3 / 8) * (t / Math.sqrt(u)) * (1 - t ** 2 / (12 * u));
};

/** P(Y ≤ y) of a gamma of shape 3, as Erlang has it: that of at least three events. */
const gamma3: Below = (y, mean) => {
  const x = y <= 0 ? 0 : (3 * y) / mean;
  // Of a mean of 0, and of one that is next to nothing.
  if (x > 1e3) return 1;
  return 1 - Math.exp(-x) * (1 + x + x ** 2 / 2);
};

/** Probabilities one after the other: p(k + 1) = ratio·p(k). */
const summed =
  (first: (prediction: number) => number, ratio: (k: number, prediction: number) => number): Below =>
  (y, prediction) => {
    let [term, total] = [y < 0 ? 0 : first(prediction), 0];
    for (let k = 0; k <= y; k++) {
      total += term;
      term *= ratio(k, prediction);
    }
    return total;
  };

const poisson = summed(
  (mean) => Math.exp(-mean),
  (k, mean) => mean / (k + 1),
);

const counts: Readonly<Record<string, Below>> = {
  poisson,
  'zero-inflated-poisson': (y, mean) => (y < 0 ? 0 : 0.2 + 0.8 * poisson(y, mean)),
  'negative-binomial': summed(
    (mean) => (1 + 0.3 * mean) ** (-1 / 0.3),
    (k, mean) => (((k + 1 / 0.3) / (k + 1)) * 0.3 * mean) / (1 + 0.3 * mean),
  ),
  binomial: (y, p) => {
    // At 1 no probability is left to go up from.
    if (p === 1) return y >= 20 ? 1 : 0;
    return summed(
      () => (1 - p) ** 20,
      (k) => ((20 - k) / (k + 1)) * (p / (1 - p)),
    )(y, p);
  },
};

/** ∫ F(y; μ̂ + se·z) φ(z) dz; a prediction beyond its range is at the end of it. */
function mixed(
  { centre, error }: About,
  below: Below,
  { low, high, whole }: { readonly low: number; readonly high: number; readonly whole: boolean },
): Observations {
  const [steps, reach] = [1600, 8];
  const nodes = Array.from({ length: steps + 1 }, (_, i) => ((i - steps / 2) * 2 * reach) / steps);
  const density = nodes.map((z) => Math.exp((-z * z) / 2));
  const all = density.reduce((sum, weight) => sum + weight, 0);
  const probability = (y: number): number =>
    nodes.reduce((sum, z, i) => sum + density[i]! * below(y, Math.min(high, Math.max(low, centre + error * z))), 0) /
    all;
  // Ours takes fewer places: that much of a probability is not told apart.
  const unseen = 2.5e-3;
  return {
    expectBetween(ends) {
      ends.forEach((end, i) => {
        const share = i === 0 ? 0.025 : 0.975;
        if (!whole) {
          expect(Math.abs(probability(end) - share)).toBeLessThan(unseen);
          return;
        }
        expect(Number.isInteger(end)).toBe(true);
        expect(probability(end)).toBeGreaterThan(share - unseen);
        expect(probability(end - 1)).toBeLessThan(share + unseen);
      });
    },
  };
}
