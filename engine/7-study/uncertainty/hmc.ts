/**
 * The posterior by Hamiltonian Monte Carlo (../chains): several chains as lanes of one batch. What is sampled is the
 * density of the model: the likelihood times the priors, with sigma marginalised where least squares do not know it,
 * (m/2)·log SSR; a parameter without a prior has a flat one on its own scale. Chains move in unconstrained coordinates
 * (unconstrained.ts), and begin where paths from the prior and the initial values find probability: a density needs no
 * mode. What the draws say is in chain-summary.ts.
 */
import { Cancelled, orCancelled } from '../../0-ir/errors.ts';
import type { Program } from '../../0-ir/program.ts';
import type { Device } from '../../5-runtime/device.ts';
import { coordinates } from '../../6-fit/coordinates.ts';
import { isCancelled } from '../../6-fit/problem.ts';
import { batchedSlope } from '../../6-fit/ensembles/batched-objective.ts';
import { inStep, type AnswerAll } from '../../6-fit/ensembles/lanes.ts';
import { partSeed, randomFrom, type Random } from '../../6-fit/ensembles/random.ts';
import type { Slope } from '../../6-fit/stationary/stationary.ts';
import { numbers } from '../../6-fit/algebra/vectors.ts';
import { emptyChain, runChain, type Chain } from '../chains/chain.ts';
import { apart, joined, momentsOf } from '../chains/diagnostics.ts';
import type { Beginning, Path } from '../chains/pathfinder.ts';
import type { Potential } from '../chains/potential.ts';
import { pathOf, startsOf } from '../chains/starts.ts';
import { adviceOn, runawaysIn } from './advice.ts';
import { lookedAt, summaryOf, type ChainSummary, type Drawn } from './chain-summary.ts';
import { partlyLookedAt, StudyRefusal, type MethodOptions, type MethodResult } from './problem.ts';
import type { Fitted } from './fitted.ts';
import { unconstrained, type Transform } from './unconstrained.ts';

export interface Density {
  readonly program: Program;
  /** The scalar result that is −log of the density, by what is varied. */
  readonly result: string;
  /** The same of the parameters, where these are computed of what is varied: another by that change alone. */
  readonly ofParameters?: string;
  /** Of the density that is sampled: 1 unless said. */
  readonly power?: number;
  /** Where priors are not 0, by parameter; everywhere unless said. */
  readonly support: ReadonlyMap<string, readonly [lower: number, upper: number]>;
  /** Quantiles of priors, by parameter: chains begin among them. */
  readonly quantile?: ReadonlyMap<string, (share: number) => number>;
}

export interface HmcOptions extends MethodOptions {
  readonly chains: number;
  /** Draws of each chain that count. */
  readonly samples: number;
  /** Those with which an element moves along a direction that the data do not determine, where that is known. */
  readonly partners: readonly (readonly string[])[];
}

/** Seeds of paths, apart from those of chains. */
const ofPaths = 1 << 20;

/** Throws `StudyRefusal` where no point was found at which the density is finite. */
export async function hmc(
  fitted: Fitted,
  density: Density,
  device: Device,
  { level, seed, chains, samples, partners, cancel, onProgress }: HmcOptions,
): Promise<MethodResult> {
  const { names } = fitted;
  const transforms = fitted.all.map(({ parameter, element }) => {
    const [from, to] = density.support.get(parameter.name) ?? [-Infinity, Infinity];
    // Where a fit ends, for want of digits, chains do not go.
    if (parameter.freed && parameter.edge !== undefined) return unconstrained(from, to);
    return unconstrained(Math.max(from, parameter.lower[element]!), Math.min(to, parameter.upper[element]!));
  });
  // The ensemble is asked in the parameters' own values: every transform is this method's.
  const parameters = fitted.problem.parameters.map((parameter) => ({ ...parameter, scale: 'linear' as const }));
  const all = coordinates(parameters);
  const slope = await batchedSlope(
    { ...fitted.problem, parameters, program: density.program },
    density.result,
    device,
    all,
    cancel,
  );
  const answers = potentialsIn(transforms, slope.at, cancel, density.power);
  const made = Array.from({ length: chains }, emptyChain);
  let starts: Path[] = [];
  let stopped = false;
  const halted = (error: unknown): void => {
    if (!(error instanceof Cancelled)) throw error;
    stopped = true;
  };
  try {
    const paths: (Path | undefined)[] = [];
    await inStep(beginningsOf(fitted, density, transforms, chains), answers, {
      begin: (beginning, path) => pathOf(beginning, randomFrom(partSeed(seed, ofPaths + path))),
      stopped: (_, error): Path | undefined => void halted(error),
      onEnd: (path, index) => (paths[index] = path),
    });
    starts = startsOf(paths, chains);
    if (starts.length === 0 && !stopped) throw new StudyRefusal(noStart);
    const done = new Float64Array(chains);
    await inStep(stopped ? [] : starts, answers, {
      begin: (start, c) =>
        runChain(made[c]!, start, samples, randomFrom(partSeed(seed, c)), (share) => {
          done[c] = share;
          onProgress?.(done.reduce((sum, value) => sum + value, 0) / chains);
        }),
      stopped: (_, error) => halted(error),
      onEnd: () => undefined,
    });
  } finally {
    slope.release();
  }
  const heed = (): void => {
    if (isCancelled(cancel)) throw new Cancelled();
  };
  const summary = (of: readonly Drawn[], heeding: () => void): ChainSummary =>
    summaryOf(fitted, transforms, of, level, partners, heeding);
  const whole = stopped ? undefined : await orCancelled(() => summary(made, heed));
  // Who stops it does not wait the longer for the more there is.
  const found = whole ?? summary(lookedAt(made, names.length), () => undefined);
  const { length, intervals, inV, series, divergent, placed, mixings, correlation } = found;
  const hasFit = fitted.result.status === 'converged';
  const largest = (figure: (m: (typeof mixings)[number]) => number): number => Math.max(...mixings.map(figure));
  const largestRHat = largest(({ rHat }) => rHat);
  // Of chains that do not agree no median is better than the fit.
  const typical = hasFit && (!(largestRHat <= apart) || series.every((own, j) => spans(fitted, own, j)));
  const sum = (figure: (chain: Chain) => number): number => made.reduce((total, chain) => total + figure(chain), 0);
  const drawn = Math.min(...made.map(({ draws }) => draws.length));
  const divergences = divergent.flat().filter(Boolean).length;
  const deep = sum((chain) => chain.deep);
  const first = names.map((_, j) => Math.min(...starts.map(({ metric }) => Math.sqrt(metric.variances[j]!))));
  const symptoms = { names, inV, series, divergent, mixings, placed, deep, first, heed };
  const told = await orCancelled(() =>
    whole ? { advice: adviceOn(symptoms), runaways: runawaysIn(symptoms).length } : undefined,
  );
  const { advice, runaways = 0 } = told ?? {};
  return {
    intervals,
    diagnostics: {
      ...{ chains, draws: length, divergences, deepestTrajectories: deep },
      largestRHat,
      smallestEss: -largest(({ essBulk, essTail }) => -Math.min(essBulk, essTail)),
      gradients: sum(({ gradients }) => gradients),
      warmupGradients: sum(({ warmupGradients }) => warmupGradients),
      ...(runaways > 0 && { runaways }),
    },
    ...(!typical && { values: intervals.map(({ figures }) => figures['median']!) }),
    warnings: advice
      ? [...(hasFit && !typical ? [untypical] : []), ...advice]
      : length < drawn
        ? [partlyLookedAt(length, drawn, 'draws of each chain')]
        : [],
    cancelled: advice === undefined,
    correlation,
    draws: series,
    divergent: divergent.map((flags) => flags.flatMap((flag, k) => (flag ? [k] : []))),
  };
}

const noStart =
  'no point was found at which the density is finite: begin elsewhere ("initial"), or say bounds within which the model has a value';

const untypical =
  'the fit before the chains lies outside all that they have drawn: it is a smaller mode, or its narrow surroundings hold little probability. Values are medians of the draws';

/** Whether draws lie on both sides of the fit. Beyond a bound there are none: where it lies at one, whether they come near. */
function spans(fitted: Fitted, series: readonly Float64Array[], j: number): boolean {
  const value = fitted.values[j]!;
  const all = joined(series);
  if (all.some((x) => x <= value) && all.some((x) => x >= value)) return true;
  const { name, atBound } = fitted.result.estimates.find((estimate) => estimate.name === fitted.names[j]) ?? {};
  if (name === undefined || atBound === undefined) return false;
  // Of what is computed of free numbers they come as near, and the free numbers do not end.
  const { parameter } = fitted.all[j]!;
  if (parameter.freed && parameter.edge !== undefined) return true;
  const { deviation } = momentsOf(series);
  const nearest = all.reduce((least, x) => Math.min(least, Math.abs(x - value)), Infinity);
  return nearest <= NEAR * deviation;
}

/** Of the draws' standard deviation: so near to a bound the nearest of a hundred comes where they reach to it at all. */
const NEAR = 0.5;

type Begin = (random: Random, nearness: number) => Beginning;

/** Of paths: the fit where there is one, the initial values, and around these draws of the priors, two for each chain. */
function beginningsOf(fitted: Fitted, density: Density, transforms: readonly Transform[], chains: number): Begin[] {
  const initial = numbers(transforms.length, (j) => {
    const { parameter, element } = fitted.all[j]!;
    return insideStart(transforms[j]!, parameter.initial[element]!);
  });
  const priors = fitted.all.map(({ parameter }) => density.quantile?.get(parameter.name));
  const priorAt = (j: number, share: number): number =>
    insideStart(transforms[j]!, (priors[j] as (share: number) => number)(share));
  const widths = initial.map((v, j) => {
    // Quartiles of a normal distribution are 1.35 standard deviations apart.
    const ofPrior = priors[j] ? (priorAt(j, 0.75) - priorAt(j, 0.25)) / 1.35 : NaN;
    if (ofPrior > 0 && Number.isFinite(ofPrior)) return ofPrior;
    return transforms[j]!.bounded || v === 0 ? 1 : Math.abs(v);
  });
  const at =
    (position: Float64Array): Begin =>
    () => ({ position, widths });
  const around: Begin = (random, nearness) => ({
    widths,
    position: initial.map((v, j) => {
      if (priors[j]) return v + nearness * (priorAt(j, 0.02 + 0.96 * random.uniform()) - v);
      const reach = transforms[j]!.bounded ? 2 : 3;
      return v + nearness * reach * widths[j]! * (2 * random.uniform() - 1);
    }),
  });
  const ofFit = fitted.result.status === 'converged' && fitted.values.every(Number.isFinite);
  return [
    ...(ofFit ? [at(fitted.values.map((value, j) => insideStart(transforms[j]!, value)))] : []),
    at(initial),
    ...Array.from({ length: 2 * chains }, () => around),
  ];
}

/** At a bound, where v is infinite, a little inside. */
function insideStart(transform: Transform, value: number): number {
  const v = transform.fromValue(value);
  return Number.isFinite(v) ? v : v > 0 ? 5 : -5;
}

/** U(v) = −power·log density(p(v)) − Σ log |dp/dv|, at many v. */
function potentialsIn(
  transforms: readonly Transform[],
  at: AnswerAll<Float64Array, Slope>,
  cancel: Int32Array | undefined,
  power = 1,
): AnswerAll<Float64Array, Potential> {
  return async (points) => {
    if (isCancelled(cancel)) throw new Cancelled();
    const found = await at(points.map((v) => numbers(v.length, (j) => transforms[j]!.toValue(v[j]!))));
    return found.map(({ value, gradient }, k) => {
      const v = points[k]!;
      let total = power * value;
      const slopes = numbers(v.length, (j) => {
        const transform = transforms[j]!;
        total -= transform.logJacobian(v[j]!);
        return power * gradient[j]! * transform.derivative(v[j]!) - transform.slope(v[j]!);
      });
      return { value: total, gradient: slopes };
    });
  };
}
