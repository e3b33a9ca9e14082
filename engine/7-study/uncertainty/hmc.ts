/**
 * The posterior by Hamiltonian Monte Carlo (nuts.ts, warmup.ts): several chains that begin around the fit, as lanes of one
 * batch. What is sampled is the density of the model: the likelihood times the priors, with sigma marginalised where
 * least squares do not know it, (m/2)·log SSR; a parameter without a prior has a flat one on its own scale. Chains move in
 * unconstrained coordinates (unconstrained.ts). Intervals are equal-tailed quantiles of the draws.
 */
import { Cancelled } from '../../0-ir/errors.ts';
import type { Program } from '../../0-ir/program.ts';
import type { Device } from '../../5-runtime/device.ts';
import { coordinates } from '../../6-fit/coordinates.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { batchedSlope } from '../../6-fit/ensembles/batched-objective.ts';
import type { Slope } from '../../6-fit/stationary.ts';
import { inLanes } from '../../6-fit/ensembles/lanes.ts';
import { partSeed, randomFrom, sortedQuantile, type Random } from '../../6-fit/ensembles/random.ts';
import { effectiveSampleSize, splitRHat } from './chain-diagnostics.ts';
import { closestTo, covarianceOf } from './covariance.ts';
import type { Directions } from './directions.ts';
import { firstStep, metricOf, transition, type Metric, type Potential, type PotentialAt } from './nuts.ts';
import type { Fitted, MethodOptions, MethodResult } from './problem.ts';
import { unconstrained, type Transform } from './unconstrained.ts';
import { listed, verdictOf, type Verdict } from './verdict.ts';
import { dualAveraging, metricFrom, windowEnds } from './warmup.ts';

export interface Density {
  readonly program: Program;
  /** The scalar result that is −log of the density. */
  readonly result: string;
  /** Where priors are not 0, by parameter; everywhere unless said. */
  readonly support: ReadonlyMap<string, readonly [lower: number, upper: number]>;
}

export interface HmcOptions extends MethodOptions {
  readonly chains: number;
  /** Draws of each chain that count, and as many before them that do not. */
  readonly samples: number;
}

interface Chain {
  /** By draw, of the elements' own values. */
  readonly draws: readonly Float64Array[];
  readonly divergences: number;
  readonly deep: number;
  readonly stopped: boolean;
}

export async function hmc(
  fitted: Fitted,
  directions: Directions,
  density: Density,
  device: Device,
  { level, seed, chains, samples, cancel, onProgress }: HmcOptions,
): Promise<MethodResult> {
  const { names, values, correlation } = fitted;
  const transforms = fitted.all.map(({ parameter, element }) => {
    const [from, to] = density.support.get(parameter.name) ?? [-Infinity, Infinity];
    return unconstrained(
      Math.max(from, parameter.lower[element] as number),
      Math.min(to, parameter.upper[element] as number),
    );
  });
  // The ensemble is asked in the parameters' own values: every transform is this method's.
  const parameters = fitted.problem.parameters.map((parameter) => ({ ...parameter, scale: 'linear' as const }));
  const all = coordinates(parameters);
  const problem = { ...fitted.problem, parameters, program: density.program };
  const slope = await batchedSlope(problem, density.result, device, all, cancel);
  const start = Float64Array.from(values, (value, j) => insideStart(transforms[j] as Transform, value));
  const metric = startingMetric(fitted, transforms, start);
  const done = new Float64Array(chains);
  let found: Chain[];
  try {
    found = await inLanes<number, Float64Array, Slope, Chain>(
      Array.from({ length: chains }, (_, c) => c),
      slope.at,
      (chain, ask) =>
        runChain(potentialIn(transforms, ask), start, metric, samples, randomFrom(partSeed(seed, chain)), {
          transforms,
          cancel,
          onDraw(share) {
            done[chain] = share;
            onProgress?.(done.reduce((sum, value) => sum + value, 0) / chains);
          },
        }),
    );
  } finally {
    slope.release();
  }
  const length = Math.min(...found.map(({ draws }) => draws.length));
  const divergences = found.reduce((sum, chain) => sum + chain.divergences, 0);
  const deep = found.reduce((sum, chain) => sum + chain.deep, 0);
  const rHats: number[] = [];
  const allSeries = names.map((_, j) =>
    found.map(({ draws }) => Float64Array.from(draws.slice(0, length), (draw) => draw[j] as number)),
  );
  const intervals = allSeries.map((series, j) => {
    const sorted = Float64Array.from(series.flatMap((chain) => [...chain])).sort();
    const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
    const squares = sorted.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    const [lower, upper] = [sortedQuantile(sorted, (1 - level) / 2), sortedQuantile(sorted, (1 + level) / 2)];
    const rHat = splitRHat(series);
    rHats.push(rHat);
    const known = { value: sortedQuantile(sorted, 0.5), lower, upper, partners: directions.partners[j] ?? [] };
    const verdict = mixed(
      rHat,
      verdictOf({ ...known, closest: closestTo(names, correlation, j), why: 'no chain has made enough draws' }),
      known.partners,
    );
    return {
      lower,
      upper,
      verdict,
      figures: {
        mean,
        median: known.value,
        standardDeviation: Math.sqrt(squares / (sorted.length - 1)),
        rHat,
        effectiveSampleSize: effectiveSampleSize(series),
      },
    };
  });
  const worst = Math.max(...rHats);
  return {
    intervals,
    diagnostics: { chains, draws: length, divergences, deepestTrajectories: deep, largestRHat: worst },
    warnings: [
      ...(divergences > 0
        ? [
            `${divergences} of ${chains * length} trajectories diverged: the chains may have missed a narrow part of the posterior, and the intervals may be too short`,
          ]
        : []),
      ...(worst > 1.01 ? [`the chains have not mixed (largest R-hat ${worst.toFixed(3)}): take more draws`] : []),
    ],
    cancelled: found.some(({ stopped }) => stopped),
    draws: allSeries,
  };
}

/** Chains that disagree say that the posterior has not been seen. */
function mixed(rHat: number, verdict: Verdict, partners: readonly string[]): Verdict {
  if (partners.length > 0)
    return { status: 'none', reason: `not determined by the data alone: moves with ${listed(partners)}` };
  if (!(rHat > 1.05) || verdict.status === 'none') return verdict;
  return { status: 'weak', reason: `the chains disagree about it (R-hat ${rHat.toFixed(2)}); ${verdict.reason}` };
}

/** A fit at a bound, where v is infinite, begins a little inside. */
function insideStart(transform: Transform, value: number): number {
  const v = transform.fromValue(value);
  return Number.isFinite(v) ? v : v > 0 ? 5 : -5;
}

/** The fit's covariance in v where it has one, else a tenth of each coordinate. */
function startingMetric(fitted: Fitted, transforms: readonly Transform[], start: Float64Array): Metric {
  const slopes = transforms.map((transform, j) => transform.derivative(start[j] as number));
  const covariance = covarianceOf(fitted).map((row, i) =>
    row.map((value, j) => value / ((slopes[i] as number) * (slopes[j] as number))),
  );
  const whole = covariance.every((row) => row.every(Number.isFinite)) ? metricOf(covariance) : undefined;
  if (whole) return whole;
  const diagonal = Array.from(start, (v, i) => {
    const own = covariance[i]?.[i] ?? NaN;
    return Number.isFinite(own) && own > 0 ? own : (0.1 * Math.max(Math.abs(v), 0.1)) ** 2;
  });
  return metricOf(diagonal.map((value, i) => Float64Array.from(diagonal, (_, j) => (i === j ? value : 0)))) as Metric;
}

/** U(v) = −log density(p(v)) − Σ log |dp/dv|. */
function potentialIn(transforms: readonly Transform[], ask: (u: Float64Array) => Promise<Slope>): PotentialAt {
  return async (v): Promise<Potential> => {
    const { value, gradient } = await ask(v.map((x, j) => (transforms[j] as Transform).toValue(x)));
    let total = value;
    const slopes = gradient.map((slope, j) => {
      const transform = transforms[j] as Transform;
      total -= transform.logJacobian(v[j] as number);
      return slope * transform.derivative(v[j] as number) - transform.slope(v[j] as number);
    });
    return { value: total, gradient: slopes };
  };
}

interface ChainHost {
  readonly transforms: readonly Transform[];
  readonly cancel: Int32Array | undefined;
  readonly onDraw: (share: number) => void;
}

async function runChain(
  at: PotentialAt,
  start: Float64Array,
  first: Metric,
  samples: number,
  random: Random,
  { transforms, cancel, onDraw }: ChainHost,
): Promise<Chain> {
  const draws: Float64Array[] = [];
  let divergences = 0;
  let deep = 0;
  const ended = (stopped: boolean): Chain => ({ draws, divergences, deep, stopped });
  const warmup = samples;
  const { from, ends } = windowEnds(warmup);
  let metric = first;
  let window: Float64Array[] = [];
  try {
    let state = await scattered(at, start, first, random);
    let step = dualAveraging(await firstStep(state, metric, at, random));
    for (let k = 0; k < warmup + samples; k++) {
      if (isCancelled(cancel)) return ended(true);
      const counts = k >= warmup;
      const moved = await transition(state, counts ? step.settled : step.now, metric, at, random);
      state = moved.state;
      if (counts) {
        draws.push(state.position.map((v, j) => (transforms[j] as Transform).toValue(v)));
        if (moved.divergent) divergences++;
        if (moved.depth >= 10) deep++;
      } else {
        step.learn(moved.acceptance);
        if (k >= from && k < (ends.at(-1) ?? 0)) window.push(state.position);
        if (ends.includes(k + 1)) {
          metric = metricFrom(window, metric);
          window = [];
          step = dualAveraging(await firstStep(state, metric, at, random));
        }
      }
      onDraw((k + 1) / (warmup + samples));
    }
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
    return ended(true);
  }
  return ended(false);
}

/** A start as far from the fit as the posterior is wide, nearer where the density is 0 there. */
async function scattered(at: PotentialAt, start: Float64Array, { factor }: Metric, random: Random) {
  for (let scale = 1; scale > 1e-3; scale /= 2) {
    const z = Float64Array.from(start, () => scale * random.normal());
    const position = start.map((v, i) => {
      let total = v;
      for (let k = 0; k <= i; k++) total += ((factor[i] as Float64Array)[k] as number) * (z[k] as number);
      return total;
    });
    const found = await at(position);
    if (Number.isFinite(found.value) && found.gradient.every(Number.isFinite)) return { position, ...found };
  }
  return { position: start, ...(await at(start)) };
}
