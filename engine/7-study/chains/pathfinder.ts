/**
 * Where a chain may begin without a mode (Pathfinder: Zhang, Carpenter, Gelman & Vehtari 2022, JMLR 23): along the path
 * of a quasi-Newton descent each iterate x with gradient g has a normal approximation
 *
 *   q = N(x − H·g, H),  H the inverse Hessian as the path has shown it,  ELBO = E_q[log p − log q]
 *
 * and that of the largest ELBO lies where the probability is, even where the descent goes on to a needle of infinite
 * density. H is that of BFGS with every pair kept, in product form:
 *
 *   H⁺ = V·H·Vᵀ + ρ·s·sᵀ,  V = I − ρ·s·yᵀ,  ρ = 1/(yᵀs),  log det H⁺ = log det H + log(sᵀH⁻¹s/(yᵀs))
 *
 * so that a draw of it is z⁺ = V·z + √ρ·s·ε.
 */
import type { Random } from '../../6-fit/ensembles/random.ts';
import { dot, numbers } from '../../6-fit/algebra/vectors.ts';
import { denseMetric, diagonalMetric, type Metric } from './metric.ts';
import { isFinitePotential, stateAt, type Following, type State } from './potential.ts';

/** Where a path may begin, and how far around: both by coordinate. */
export interface Beginning {
  readonly position: Float64Array;
  readonly widths: Float64Array;
}

export interface Path {
  /** A draw of the best approximation on the path. */
  readonly state: State;
  readonly elbo: number;
  /** A first guess at the metric. */
  readonly metric: Metric;
}

const mostIterations = 100;
const drawsForElbo = 5;
/** Iterates in a row without a better ELBO, and the descent's last gain, after which the path is left. */
const patience = 12;
const smallGain = 1e-8;
/** What each draw costs that falls where there is no density. */
const beyondSupport = 10;
/** Of the first step, in units of the widths. */
const longest = 1;
const mostDense = 400;

interface Pair {
  readonly s: Float64Array;
  readonly y: Float64Array;
  readonly rho: number;
  /** H⁻¹·s and sᵀH⁻¹s before this pair, which are known of a quasi-Newton step s = −t·H·g without H⁻¹. */
  readonly bs: Float64Array;
  readonly bend: number;
}

interface Curvature {
  /** Diagonal of the first H. */
  scale: Float64Array;
  readonly pairs: Pair[];
  logDeterminant: number;
}

/** H·g by the two loops. */
function inverseTimes({ scale, pairs }: Curvature, g: Float64Array): Float64Array {
  const x = g.slice();
  const shares = pairs.map(() => 0);
  for (let k = pairs.length - 1; k >= 0; k--) {
    const { s, y, rho } = pairs[k]!;
    const share = rho * dot(s, x);
    shares[k] = share;
    for (let i = 0; i < x.length; i++) x[i] = x[i]! - share * y[i]!;
  }
  for (let i = 0; i < x.length; i++) x[i] = x[i]! * scale[i]!;
  pairs.forEach(({ s, y, rho }, k) => {
    const share = shares[k]! - rho * dot(y, x);
    for (let i = 0; i < x.length; i++) x[i] = x[i]! + share * s[i]!;
  });
  return x;
}

/** A draw of N(0, H). */
function drawn({ scale, pairs }: Curvature, random: Random): Float64Array {
  const z = numbers(scale.length, (i) => Math.sqrt(scale[i]!) * random.normal());
  for (const { s, y, rho } of pairs) {
    const share = Math.sqrt(rho) * random.normal() - rho * dot(y, z);
    for (let i = 0; i < z.length; i++) z[i] = z[i]! + share * s[i]!;
  }
  return z;
}

/** H by rows. */
function inverseHessian({ scale, pairs }: Curvature): Float64Array[] {
  const h = Array.from(scale, (value, i) => numbers(scale.length, (j) => (i === j ? value : 0)));
  for (const { s, y, rho } of pairs) {
    const hy = numbers(s.length, (i) => dot(h[i]!, y));
    const grown = rho * (1 + rho * dot(y, hy));
    h.forEach((row, i) => {
      for (let j = 0; j < row.length; j++)
        row[j] = row[j]! + grown * s[i]! * s[j]! - rho * (s[i]! * hy[j]! + hy[i]! * s[j]!);
    });
  }
  return h;
}

interface Approximation {
  readonly elbo: number;
  readonly state: State | undefined;
  readonly pairs: number;
  readonly scale: Float64Array;
}

/** The approximation at an iterate: its ELBO by a few draws, and one of these by its weight p/q. */
function* approximated(at: State, curvature: Curvature, random: Random): Following<Approximation> {
  const step = inverseTimes(curvature, at.gradient);
  const d = step.length;
  let elbo = (d / 2) * Math.log(2 * Math.PI);
  let state: State | undefined;
  let logTotal = -Infinity;
  for (let k = 0; k < drawsForElbo; k++) {
    const z = drawn(curvature, random);
    const squared = dot(z, hessianTimes(curvature, z));
    const position = numbers(d, (i) => at.position[i]! - step[i]! + z[i]!);
    const found = yield* stateAt(position);
    if (!isFinitePotential(found)) {
      elbo -= beyondSupport;
      continue;
    }
    const logWeight = -found.value + 0.5 * (squared + curvature.logDeterminant);
    elbo += logWeight / drawsForElbo;
    const larger = Math.max(logTotal, logWeight);
    logTotal = larger + Math.log(Math.exp(logTotal - larger) + Math.exp(logWeight - larger));
    if (!state || Math.log(random.uniform()) < logWeight - logTotal) state = found;
  }
  return { elbo: state ? elbo : -Infinity, state, pairs: curvature.pairs.length, scale: curvature.scale };
}

/** H⁻¹·z by the direct updates: B⁺ = B − B·s·sᵀ·B/(sᵀBs) + y·yᵀ/(yᵀs). */
function hessianTimes({ scale, pairs }: Curvature, z: Float64Array): Float64Array {
  const result = numbers(z.length, (i) => z[i]! / scale[i]!);
  for (const { y, rho, bs, bend } of pairs) {
    const [along, across] = [rho * dot(y, z), dot(bs, z) / bend];
    for (let i = 0; i < z.length; i++) result[i] = result[i]! + along * y[i]! - across * bs[i]!;
  }
  return result;
}

/** Undefined where U is not finite at the beginning. */
export function* pathFrom({ position, widths }: Beginning, random: Random): Following<Path | undefined> {
  const begin = yield* stateAt(position);
  let at = begin;
  if (!isFinitePotential(at)) return undefined;
  const first = widths.map((width) => width * width);
  const curvature: Curvature = {
    ...{ scale: first, pairs: [], logDeterminant: first.reduce((sum, value) => sum + Math.log(value), 0) },
  };
  let best: Approximation = { elbo: -Infinity, state: undefined, pairs: 0, scale: first };
  let since = 0;
  for (let k = 0; k < mostIterations && since < patience; k++) {
    const step = inverseTimes(curvature, at.gradient);
    const slope = dot(step, at.gradient);
    if (!(slope > 0) || !Number.isFinite(slope)) break;
    // Nothing is known of the curvature yet: no further than the widths say.
    const length = k === 0 ? Math.min(1, longest / Math.sqrt(slope)) : 1;
    const next = yield* searched(at, step, slope, length);
    if (!next) break;
    const { state, taken } = next;
    const gain = at.value - state.value;
    const s = numbers(step.length, (i) => state.position[i]! - at.position[i]!);
    const y = numbers(step.length, (i) => state.gradient[i]! - at.gradient[i]!);
    learn(
      curvature,
      s,
      y,
      numbers(s.length, (i) => -taken * at.gradient[i]!),
    );
    at = state;
    const found = yield* approximated(at, curvature, random);
    if (found.elbo > best.elbo) [best, since] = [found, 0];
    else since++;
    if (gain <= smallGain * Math.max(1, Math.abs(at.value))) break;
  }
  const shown: Curvature = { ...curvature, scale: best.scale, pairs: curvature.pairs.slice(0, best.pairs) };
  const dense = widths.length <= mostDense ? denseMetric(inverseHessian(shown)) : undefined;
  return {
    state: best.state ?? begin,
    elbo: best.elbo,
    metric: dense ?? diagonalMetric(best.scale),
  };
}

function learn(curvature: Curvature, s: Float64Array, y: Float64Array, hessianOfS: Float64Array): void {
  const along = dot(y, s);
  if (!(along > 1e-10 * Math.sqrt(dot(y, y) * dot(s, s)))) return;
  let bs = hessianOfS;
  if (curvature.pairs.length === 0) {
    // The first pair says how far off the widths were.
    const factor = along / y.reduce((sum, value, i) => sum + value * value * curvature.scale[i]!, 0);
    curvature.scale = curvature.scale.map((value) => value * factor);
    curvature.logDeterminant += s.length * Math.log(factor);
    bs = bs.map((value) => value / factor);
  }
  const bend = dot(bs, s);
  curvature.pairs.push({ s, y, rho: 1 / along, bs, bend });
  curvature.logDeterminant += Math.log(bend / along);
}

/** Shorter until U falls enough, by Armijo's rule; longer where the slope is still steep, by Wolfe's. */
function* searched(
  at: State,
  direction: Float64Array,
  slope: number,
  first: number,
): Following<{ readonly state: State; readonly taken: number } | undefined> {
  let [low, high] = [0, Infinity];
  let t = first;
  let lowest: { readonly state: State; readonly taken: number } | undefined;
  for (let k = 0; k < 25; k++) {
    const state = yield* stateAt(numbers(direction.length, (i) => at.position[i]! - t * direction[i]!));
    const falls = isFinitePotential(state) && state.value <= at.value - 1e-4 * t * slope;
    if (!falls) high = t;
    else {
      lowest = { state, taken: t };
      if (dot(state.gradient, direction) <= 0.9 * slope) return lowest;
      low = t;
    }
    t = high < Infinity ? (low + high) / 2 : 4 * t;
    if (high - low <= 1e-12 * high) break;
  }
  return lowest;
}
