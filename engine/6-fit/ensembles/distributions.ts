/** Random numbers of named distributions. NaN where there is no such distribution. */
import type { Random } from './random.ts';

/** Below it counts are drawn one by one. */
const FEW = 16;

/** Of the rate 1, by rejection from a cubed normal (Marsaglia & Tsang 2000, DOI 10.1145/358407.358414). */
export function drawGamma(random: Random, shape: number): number {
  if (!(shape > 0 && shape < Infinity)) return NaN;
  // Γ(a) = Γ(a + 1)·U^(1/a)
  if (shape < 1) return drawGamma(random, shape + 1) * (1 - random.uniform()) ** (1 / shape);
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const z = random.normal();
    const v = (1 + c * z) ** 3;
    if (v > 0 && Math.log(1 - random.uniform()) < (z * z) / 2 + d * (1 - v + Math.log(v))) return d * v;
  }
}

/**
 * Of many, the time of an event in the middle says how many come before it: then fewer are left, on one side of it alone
 * (Ahrens & Dieter 1974, DOI 10.1007/BF02293108).
 */
export function drawPoisson(random: Random, mean: number): number {
  if (!(mean >= 0 && mean < Infinity)) return NaN;
  let count = 0;
  let left = mean;
  while (left >= FEW) {
    const middle = Math.floor((7 * left) / 8);
    const time = drawGamma(random, middle);
    if (time > left) return count + drawBinomial(random, middle - 1, left / time);
    count += middle;
    left -= time;
  }
  // Events in so much time, the waits between them exponential.
  for (let time = -Math.log(1 - random.uniform()); time < left; time -= Math.log(1 - random.uniform())) count++;
  return count;
}

/** As above: the place of the trial in the middle, of uniform ones in order, has a beta distribution. */
export function drawBinomial(random: Random, trials: number, probability: number): number {
  if (!(Number.isInteger(trials) && trials >= 0 && probability >= 0 && probability <= 1)) return NaN;
  let count = 0;
  let [left, share] = [trials, probability];
  while (left >= FEW) {
    const middle = 1 + Math.floor(left / 2);
    const [below, above] = [drawGamma(random, middle), drawGamma(random, left + 1 - middle)];
    const place = below / (below + above);
    if (place <= share) {
      count += middle;
      left -= middle;
      share = (share - place) / (1 - place);
    } else {
      left = middle - 1;
      share /= place;
    }
  }
  for (; left > 0; left--) if (random.uniform() < share) count++;
  return count;
}
