/** Draws of a normal distribution between two limits, wherever these lie: no draw waits for what hardly ever happens. */
import type { Random } from '../../../engine/index.ts';
import type { DrawWithin } from './family.ts';

/**
 * Of the standard normal, a < z < b, by rejection (Robert 1995, DOI 10.1007/BF00143942): more than a third of what is
 * proposed is taken. Inversion of Φ would lose the tails.
 */
function standardWithin(random: Random, a: number, b: number): number {
  if (b < 0) return -standardWithin(random, -b, -a);
  if (a <= 0) {
    if (b - a > Math.sqrt(2 * Math.PI))
      for (;;) {
        const z = random.normal();
        if (a <= z && z <= b) return z;
      }
    return byHeight(random, a, b, 0);
  }
  // Beyond a the density falls as an exponential does, if b leaves room for it to fall.
  const root = Math.sqrt(a * a + 4);
  const rate = (a + root) / 2;
  const room = (2 * Math.exp(0.5 + (a * (a - root)) / 4)) / (a + root);
  if (b - a <= room) return byHeight(random, a, b, a);
  for (;;) {
    const beyond = -Math.log(1 - random.uniform()) / rate;
    const z = a + beyond;
    if (z <= b && random.uniform() <= Math.exp(-0.5 * (z - rate) ** 2)) return z;
  }
}

/** Evenly, and taken by the density over that at its `top`. */
function byHeight(random: Random, a: number, b: number, top: number): number {
  for (;;) {
    const z = a + (b - a) * random.uniform();
    if (random.uniform() <= Math.exp(0.5 * (top - z) * (top + z))) return z;
  }
}

const clamp = (y: number, lower: number, upper: number): number => Math.min(Math.max(y, lower), upper);

/** NaN where nothing lies between the limits. */
export const drawNormalWithin: DrawWithin = (random, lower, upper, mean = NaN, sigma = NaN) => {
  const [a, b] = [(lower - mean) / sigma, (upper - mean) / sigma];
  return a < b ? clamp(mean + sigma * standardWithin(random, a, b), lower, upper) : NaN;
};

/** Of y whose logarithm is normal. */
export const drawLogNormalWithin: DrawWithin = (random, lower, upper, mean = NaN, sigma = NaN) => {
  const logs = [lower, upper].map((limit) => Math.log(Math.max(0, limit))) as [number, number];
  return clamp(Math.exp(drawNormalWithin(random, ...logs, mean, sigma)), Math.max(0, lower), upper);
};
