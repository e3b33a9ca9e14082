/** A study of uncertainty at a fitted point, by any method. */
import { orCancelled } from '../../0-ir/errors.ts';
import type { Device } from '../../5-runtime/device.ts';
import { heeding } from '../../5-runtime/heeding.ts';
import { isCancelled, type FitProblem } from '../../6-fit/problem.ts';
import type { FitResult } from '../../6-fit/report/report.ts';
import { createEnsemble } from '../../6-fit/ensembles/ensemble.ts';
import type { Part } from '../../6-fit/ensembles/parts.ts';
import { doubtfulK, type Loo } from '../chains/psis.ts';
import { bandsOf, type Band, type BandModel } from './bands.ts';
import { bootstrapOf, type Replicate, type Replicates, runReplicates } from './bootstrap.ts';
import { covarianceIntervals, groupSandwichOf, sandwichOf } from './covariance.ts';
import { directionsAt, type Directions } from './directions.ts';
import { exchangesOf } from './exchanges.ts';
import { fitStatistics } from './fit-statistics.ts';
import { hmc, type Density } from './hmc.ts';
import { predictiveOf, type Observations } from './predictive.ts';
import { StudyRefusal, type MethodResult } from './problem.ts';
import { fittedFrom, type Fitted, replicateReach, type Spread } from './fitted.ts';
import { profileOf } from './profile.ts';
import { followProfiles, type Sides } from './profile-sides.ts';
import { quantitiesOf, quantitiesOfDraws } from './quantities.ts';
import type { QuantityInterval, QuantityModel } from './quantity-interval.ts';
import type { Redrawn } from './redrawn.ts';
import type { Resampling } from './redrawn-squares.ts';

export type UncertaintyMethod = 'covariance' | 'profile' | 'bootstrap' | 'hmc';

/** What a study is made of row by row, each of which may be run anywhere: see `uncertaintyRows`. */
export interface StudyRows {
  readonly bootstrap: readonly Replicate[];
  /** By element; undefined of one that nobody has followed. */
  readonly profile: readonly (Sides | undefined)[];
}

export type ShardedUncertainty = keyof StudyRows;

/** Of one method. */
export type RowsRun = Pick<StudyRows, 'bootstrap'> | { readonly profile: readonly Sides[] };

export interface UncertaintyOptions {
  readonly level: number;
  readonly seed: number;
  /** Replicates of the bootstrap, or draws of each chain. */
  readonly samples?: number | undefined;
  readonly chains?: number | undefined;
  readonly resample?: Resampling | undefined;
  /** Where there are no residuals: what a bootstrap fits. */
  readonly redrawn?: Redrawn | undefined;
  readonly sandwich?: boolean | undefined;
  /** Whether a likelihood is maximised, by which models can be compared: no priors, no robust losses. */
  readonly comparable: boolean;
  readonly bands?: BandModel | undefined;
  readonly quantities?: QuantityModel | undefined;
  /** Of chains: the observations that their draws are asked to predict. */
  readonly observations?: Observations | undefined;
  /** Rows that were run elsewhere: the study is made of them, and runs none. */
  readonly rows?: Partial<StudyRows> | undefined;
  readonly cancel?: Int32Array;
  readonly onProgress?: (share: number) => void;
}

export interface UncertaintyResult extends MethodResult {
  readonly names: readonly string[];
  readonly correlation: readonly (readonly number[])[];
  readonly conditionNumber: number;
  readonly sloppy: readonly string[];
  readonly statistics: Readonly<Record<string, number>>;
  readonly bands: readonly Band[];
  /** In the order of the model's results, element by element. */
  readonly quantities: readonly QuantityInterval[];
}

export const defaultReplicates = 1000;
const defaultDraws = 1000;
const defaultChains = 4;

/**
 * `result`: of a fit of `problem` that has converged; for chains of any that has ended, since a density needs no mode.
 * `density`: what chains sample. Throws `StudyRefusal`, and `Cancelled` where it was stopped before anything was found.
 */
export async function uncertainty(
  problem: FitProblem,
  result: FitResult,
  density: Density,
  device: Device,
  method: UncertaintyMethod,
  options: UncertaintyOptions,
): Promise<UncertaintyResult> {
  const fitted = fittedFrom(problem, result);
  refuse(fitted, method, options);
  const heeded = heeding(device, options.cancel);
  if (result.status !== 'converged') return withoutMode(fitted, density, heeded, options);
  const directions = await directionsAt(fitted, heeded);
  // The errors of a robust loss are a sandwich as they are.
  const sandwich = options.sandwich && !problem.robust ? await sandwiched(fitted, directions, heeded) : undefined;
  const known = { spread: sandwich ?? fitted, directions: sandwich ? undefined : directions };
  const found = await byMethod(fitted, directions, sandwich, density, heeded, method, options);
  const estimated = problem.residuals.length > 0 && !problem.sigmaKnown;
  // A marginal likelihood is the fit's own: the density is of the effects as well.
  const ofLikelihood = () =>
    estimated ? 'estimated' : problem.effects ? result.objective : densityAt(fitted, density, heeded);
  // Who stops a study waits for nothing more.
  const unlessStopped = async <T>(work: () => T | Promise<T>): Promise<T | undefined> =>
    isCancelled(options.cancel) ? undefined : orCancelled(work);
  const { bands, quantities, comparable, level } = options;
  const minusLog = comparable ? await unlessStopped(ofLikelihood) : undefined;
  const banded = bands && (await unlessStopped(() => bandsOf(fitted, known, bands, level, heeded)));
  const followed =
    quantities &&
    (await unlessStopped(() => quantitiesOf(fitted, quantities, { ...known, found }, heeded, method, options)));
  return {
    ...found,
    ...(sandwich && method !== 'covariance' && { warnings: [...found.warnings, besideSandwich(method)] }),
    cancelled: isCancelled(options.cancel),
    names: fitted.names,
    correlation: found.correlation ?? (sandwich ?? fitted).correlation,
    conditionNumber: directions.conditionNumber,
    sloppy: directions.sloppy,
    statistics: fitStatistics(fitted, directions, minusLog),
    bands: banded ?? [],
    quantities: followed ?? [],
  };
}

const besideSandwich = (method: Exclude<UncertaintyMethod, 'covariance'>): string =>
  `the sandwich is a covariance: correlations and bands are by it, and the intervals by ${method} as they are without it; take the method covariance for its own`;

/** Of the rows of a study, replicates or free elements, those of the part. Throws `StudyRefusal` as the study does. */
export async function uncertaintyRows(
  problem: FitProblem,
  result: FitResult,
  device: Device,
  method: ShardedUncertainty,
  part: Part,
  options: UncertaintyOptions,
): Promise<RowsRun> {
  const fitted = fittedFrom(problem, result);
  refuse(fitted, method, options);
  if (method === 'profile') return { profile: await followProfiles(fitted, device, part, options) };
  const { lookedAt } = await replicatesOf(fitted, await directionsAt(fitted, device), device, part, options);
  return { bootstrap: lookedAt };
}

const sandwiched = async (fitted: Fitted, directions: Directions, device: Device) =>
  fitted.problem.effects ? groupSandwichOf(fitted, device) : sandwichOf(fitted, directions);

const replicatesOf = (
  fitted: Fitted,
  directions: Directions,
  device: Device,
  part: Part,
  { resample = 'residuals', ...options }: UncertaintyOptions,
): Promise<Replicates> => runReplicates(fitted, directions, device, part, { ...options, resample });

function refuse({ problem }: Fitted, method: UncertaintyMethod, { resample, sandwich }: UncertaintyOptions): void {
  if (problem.residuals.length > 0) return;
  if (problem.byGroup && (!sandwich || problem.energy === problem.objective)) return;
  if (method === 'bootstrap' && resample === 'residuals')
    throw new StudyRefusal(
      'only least-squares blocks without priors have residuals to draw again; for this objective take cases or parametric',
    );
  if (sandwich)
    throw new StudyRefusal('the sandwich is formed of the residuals of least-squares blocks without priors');
}

async function byMethod(
  fitted: Fitted,
  directions: Directions,
  sandwich: Spread | undefined,
  density: Density,
  device: Device,
  method: UncertaintyMethod,
  options: UncertaintyOptions,
): Promise<MethodResult> {
  switch (method) {
    case 'covariance':
      return covarianceIntervals(fitted, directions, sandwich, options.level);
    case 'profile': {
      const every = { from: 0, to: fitted.all.length };
      const sides = options.rows?.profile ?? (await followProfiles(fitted, device, every, options));
      const exchanges = (await orCancelled(() => exchangesOf(fitted, device, options.cancel))) ?? [];
      return profileOf(fitted, directions, sides, exchanges, options);
    }
    case 'bootstrap': {
      const { samples = defaultReplicates, level } = options;
      const every = { from: 0, to: samples };
      const known = options.rows?.bootstrap;
      const replicates = known
        ? { lookedAt: known, run: known.length }
        : await replicatesOf(fitted, directions, device, every, options);
      return bootstrapOf(fitted, directions, replicates, { level, samples });
    }
    case 'hmc':
      return chainsOf(fitted, directions.partners, density, device, options);
  }
}

async function chainsOf(
  fitted: Fitted,
  partners: Directions['partners'],
  density: Density,
  device: Device,
  options: UncertaintyOptions,
): Promise<MethodResult> {
  const { samples = defaultDraws, chains = defaultChains } = options;
  const bent = powerOf(fitted, options.level);
  const asIs = await hmc(fitted, { ...density, power: bent?.power ?? 1 }, device, {
    ...options,
    samples,
    chains,
    partners,
  });
  const found = bent ? { ...asIs, warnings: [bent.note, ...asIs.warnings] } : asIs;
  const { observations, seed, cancel } = options;
  if (!observations || !found.draws || found.cancelled) return found;
  const asked = { seed, ...(cancel && { cancel }) };
  const predictive = await predictiveOf(fitted.problem, found.draws, observations, device, asked);
  return {
    ...found,
    ...(predictive && { predictive }),
    warnings: [...found.warnings, ...(predictive ? looAdvice(predictive.loo) : [])],
  };
}

/**
 * A robust loss is the −log of no density: as it stands draws of it would spread up to three times as far as estimates do. It is
 * taken to the power at which a rise of it is one of ½χ² (Lyddon, Holmes & Walker 2019, DOI 10.1093/biomet/asz006), by the errors
 * of the M-estimator. Undefined of what is no such loss.
 */
function powerOf(fitted: Fitted, level: number): { readonly power: number; readonly note: string } | undefined {
  const { problem, result, rises } = fitted;
  if (!problem.robust) return undefined;
  const known = rises.filter((rise) => rise > 0);
  const rise = known.reduce((sum, each) => sum + each, 0) / known.length;
  const ofRises = (problem.sigmaKnown ? 1 : result.energy / problem.observations) / rise;
  // Few rows tell less of the noise than its normal errors say.
  const power = ofRises / replicateReach(fitted, level) ** 2;
  const isKnown = result.status === 'converged' && problem.residuals.length > 0 && Number.isFinite(power);
  return isKnown
    ? {
        power,
        note: `a robust loss is no likelihood: it has ${Number(power.toPrecision(2))} times its weight here, so that draws spread as estimates from other data would`,
      }
    : { power: 1, note: bentAsItIs };
}

const bentAsItIs =
  'a robust loss is no likelihood, and beside priors, or without a fit that converges, draws are of it as it stands: they spread further than estimates from other data would (up to three times); take covariance, profile or bootstrap';

function looAdvice({ paretoKAbove, observations }: Loo): string[] {
  if (paretoKAbove === 0) return [];
  return [
    `${paretoKAbove} of ${observations} observations change the posterior so much that leaving them out cannot be told from these draws (Pareto k above ${doubtfulK}): elpdLoo is too good. They are outliers, or each has a parameter of its own`,
  ];
}

/** What chains say where no fit does. */
async function withoutMode(
  fitted: Fitted,
  density: Density,
  device: Device,
  options: UncertaintyOptions,
): Promise<UncertaintyResult> {
  const found = await chainsOf(fitted, [], density, device, options);
  return {
    ...found,
    names: fitted.names,
    correlation: found.correlation ?? [],
    conditionNumber: NaN,
    sloppy: [],
    statistics: {},
    bands: [],
    quantities:
      (options.quantities &&
        (await orCancelled(() => quantitiesOfDraws(fitted, options.quantities!, found, device, options)))) ??
      [],
  };
}

async function densityAt(fitted: Fitted, density: Density, device: Device): Promise<number> {
  const { problem, values } = fitted;
  const ensemble = await createEnsemble(device, { ...problem, program: density.program });
  try {
    const found = await ensemble.evaluate(values);
    return found.values.get(density.ofParameters ?? density.result)![0]!;
  } finally {
    ensemble.release();
  }
}
