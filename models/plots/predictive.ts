/**
 * Where one more observation of a family lies that is no normal one, with what is not known of its prediction μ:
 *
 *   P(Y ≤ y) = ∫ F(y; μ̂ + se·z) φ(z) dz,  its quantiles at (1 ∓ level)/2.
 *
 * Of counts they are whole: the least y at which P(Y ≤ y) is reached, so that at least `level` of them lie between.
 */
import type { Distribution } from '../objective/families/distributions.ts';

export interface Predicted {
  /** The arguments of the family, and which of them is the prediction. */
  readonly values: readonly number[];
  readonly at: number;
  /** Of the prediction, and by how much an observation's mean moves with that. */
  readonly standardError: number;
  readonly shift: number;
  /** Of an observation, its mean and standard deviation: where to look, and by which steps. */
  readonly expected: number;
  readonly deviation: number;
}

/** Where the noise is lost in what is not known of the prediction, all of it is as good as normal. */
const narrow = 0.1;
/** Steps and ends of the integral by the trapezium rule, in standard errors. */
const step = 0.5;
const reach = 6;

/** NaN where an argument is none. */
export function predictiveInterval(
  { below, counts, range: [low, high] }: Distribution,
  { values, at: place, standardError, shift, expected, deviation }: Predicted,
  level: number,
): readonly [lower: number, upper: number] {
  const scale = Math.max(deviation, counts ? 0.5 : 0);
  if (![...values, standardError, shift, expected].every(Number.isFinite) || !(scale > 0)) return [NaN, NaN];
  const prediction = values[place]!;
  const nodes = nodesFor(scale, shift).map(({ at, weight }) => {
    const shifted = Math.min(high, Math.max(low, prediction + at * standardError));
    return { values: values.with(place, shifted), weight };
  });
  const probability = (y: number): number =>
    nodes.reduce((sum, { values, weight }) => sum + weight * below(y, ...values), 0);
  const find = counts ? leastCount : crossing;
  const spread = Math.hypot(scale, shift);
  const tail = (1 - level) / 2;
  return [find(probability, tail, expected, spread), find(probability, 1 - tail, expected, spread)];
}

interface Node {
  readonly at: number;
  readonly weight: number;
}

/** Of a normal; as many as the narrowest feature wants. */
function nodesFor(scale: number, error: number): readonly Node[] {
  if (error === 0) return [{ at: 0, weight: 1 }];
  const apart = step * Math.min(1, Math.max(narrow, scale / error));
  const each = Math.ceil(reach / apart);
  const nodes = Array.from({ length: 2 * each + 1 }, (_, i) => (i - each) * apart).map((at) => ({
    at,
    weight: Math.exp((-at * at) / 2),
  }));
  const total = nodes.reduce((sum, { weight }) => sum + weight, 0);
  return nodes.map(({ at, weight }) => ({ at, weight: weight / total }));
}

type Find = (probability: (y: number) => number, share: number, centre: number, spread: number) => number;

/** The least count at which the share is reached. */
const leastCount: Find = (probability, share, centre, spread) => {
  let width = Math.max(1, Math.ceil(spread));
  let above = Math.max(0, Math.floor(centre));
  while (probability(above) < share) above += width *= 2;
  let below = above;
  width = Math.max(1, Math.ceil(spread));
  while (below >= 0 && probability(below) >= share) below -= width *= 2;
  below = Math.max(-1, below);
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (probability(middle) >= share) above = middle;
    else below = middle;
  }
  return above;
};

const rounds = 200;

/** Where a continuous distribution reaches the share: regula falsi, as Illinois has it (Dowell & Jarratt 1971). */
const crossing: Find = (probability, share, centre, spread) => {
  const off = (y: number): number => probability(y) - share;
  let [low, high, width] = [centre, centre, spread];
  while (off(low) > 0) low -= width *= 2;
  width = spread;
  while (off(high) < 0) high += width *= 2;
  let [atLow, atHigh] = [off(low), off(high)];
  for (let round = 0, side = 0; round < rounds && high - low > 1e-10 * spread; round++) {
    const next = atHigh === atLow ? (low + high) / 2 : (low * atHigh - high * atLow) / (atHigh - atLow);
    const at = off(next);
    if (at === 0) return next;
    if (at < 0) {
      [low, atLow] = [next, at];
      if (side < 0) atHigh /= 2;
      side = -1;
    } else {
      [high, atHigh] = [next, at];
      if (side > 0) atLow /= 2;
      side = 1;
    }
  }
  return (low + high) / 2;
};
