/** An ensemble of runs of one model in shards: a shard's rows or fits on a device, and one report of them all. */
import {
  defaultMethod,
  type Device,
  elementsOf,
  FitRefusal,
  type FitMethod,
  type FitProblem,
  type Part,
  reportStarts,
  rowShape,
  runRows,
  runStarts,
  type ShardedMethod,
  type ShardedUncertainty,
  shardPart,
  studyOfRuns,
} from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { freed } from '../../../models/lower/freed.ts';
import type { FitReport } from '../../contract/contract.ts';
import type { SensitivityReport, SensitivityRequest, StudyReport, UncertaintyRequest } from '../../contract/studies.ts';
import type { Description, ShardResult } from '../../files/ensemble-manifest.ts';
import { Refused } from '../../refused.ts';
import { disjoint, endingsOf, evaluationsOf, replicatesOf, shardsOf, sidesOf, type Taken } from './ensemble-results.ts';
import { fitReport, methodOf, problemOf } from '../fit/fit.ts';
import { asRefused } from '../running/refusals.ts';
import { sensitivityProblem, sensitivityReport } from './sensitivity.ts';
import { uncertainty, uncertaintyPart } from './uncertainty.ts';

/** What of its description the results of an ensemble depend on, beside the model. */
export type Ensemble = Omit<
  Description,
  'schema' | 'version' | 'shards' | 'device' | 'precision' | 'document' | 'files'
>;

type Unnamed<R> = R extends ShardResult ? Omit<R, 'schema' | 'ensemble'> : never;
/** What a shard found, without the ensemble's name on it. */
export type Found = Unnamed<ShardResult>;

const isUncertainty = (study: Description['study']): study is ShardedUncertainty =>
  study === 'bootstrap' || study === 'profile';

const sensitivityOf = (method: ShardedMethod, { of, logUniform, samples, seed }: Ensemble): SensitivityRequest => ({
  kind: 'sensitivity',
  ...{ method, of, logUniform, samples, seed },
});

function uncertaintyOf<M extends ShardedUncertainty>(
  method: M,
  { level, resample, sandwich, bands, samples, seed }: Ensemble,
): UncertaintyRequest & { readonly method: M } {
  return { kind: 'uncertainty', ...{ method, level, resample, sandwich, bands, samples, seed } };
}

async function startsProblem(
  model: Model,
  device: Device,
  { method }: Ensemble,
): Promise<{ readonly problem: FitProblem; readonly method: FitMethod }> {
  const problem = await problemOf(freed(model), device, {});
  return { problem, method: methodOf(method ?? model.document.fit?.method ?? defaultMethod(problem)) };
}

/** How many elements of parameters have a profile: those that are free, and that the objective reads. */
export async function profiledElements(model: Model, device: Device): Promise<number> {
  return refusing(async () => elementsOf(await problemOf(freed(model), device, {})).length);
}

/** Throws `Refused` for whatever the whole study would be refused for, even where the part is empty. */
export async function runPart(model: Model, device: Device, ensemble: Ensemble, part: Part): Promise<Found> {
  const { study, samples, seed } = ensemble;
  return refusing(async () => {
    if (study === 'multistart') {
      const { problem, method } = await startsProblem(model, device, ensemble);
      const { endings, evaluations } = await runStarts(problem, device, { method, starts: samples, seed, part });
      const plain = endings.map((ending) => ({ ...ending, point: [...ending.point] }));
      return { ...part, kind: 'starts', endings: plain, evaluations };
    }
    if (isUncertainty(study)) {
      const found = await uncertaintyPart(model, device, uncertaintyOf(study, ensemble), part);
      return 'profile' in found
        ? { ...part, kind: 'profiles', sides: found.profile }
        : { ...part, kind: 'replicates', replicates: found.bootstrap };
    }
    const { problem } = sensitivityProblem(model, sensitivityOf(study, ensemble), {});
    const { values, faults } = await runRows(problem, device, study, { seed, part });
    return { ...part, kind: 'runs', values: [...values], faults };
  });
}

/** The report that the command in one piece would give, of the rows or fits that the results have. */
export async function collectParts(
  model: Model,
  device: Device,
  ensemble: Ensemble,
  results: readonly ShardResult[],
): Promise<StudyReport | FitReport> {
  const { study, samples } = ensemble;
  const taken = disjoint(results);
  return refusing(async () => {
    if (study === 'multistart') return collectStarts(model, device, ensemble, taken);
    if (!isUncertainty(study)) return collectRuns(model, device, study, ensemble, taken);
    const rows = study === 'profile' ? { profile: sidesOf(taken, samples) } : { bootstrap: replicatesOf(taken) };
    const context = { parameters: {} };
    return { ...(await uncertainty(model, device, uncertaintyOf(study, ensemble), context, rows)), ...whole };
  });
}

/** Rows that nobody has run are missing, and not cancelled. */
const whole = { cancelled: false } as const;

async function collectStarts(
  model: Model,
  device: Device,
  ensemble: Ensemble,
  taken: readonly Taken[],
): Promise<FitReport> {
  const startedAt = performance.now();
  const { problem, method } = await startsProblem(model, device, ensemble);
  const ends = { endings: endingsOf(taken), evaluations: evaluationsOf(taken) };
  const best = await reportStarts(problem, device, ends, { method });
  return fitReport(model, freed(model), device, problem, best, startedAt);
}

async function collectRuns(
  model: Model,
  device: Device,
  study: ShardedMethod,
  ensemble: Ensemble,
  taken: readonly Taken[],
): Promise<SensitivityReport> {
  const startedAt = performance.now();
  const { samples, seed } = ensemble;
  const request = sensitivityOf(study, ensemble);
  const asked = sensitivityProblem(model, request, {});
  const shards = shardsOf(taken, rowShape(asked.problem, study));
  const result = await studyOfRuns(asked.problem, device, study, { samples, seed, shards });
  return sensitivityReport(asked, { ...result, ...whole }, request, { model, device, startedAt });
}

/** The shards of which some row is in no result. */
export function missingShards({ samples, shards }: Description, results: readonly Part[]): number[] {
  const taken = disjoint(results).map(({ part }) => part);
  return Array.from({ length: shards }, (_, index) => index).filter((index) => {
    const { from, to } = shardPart(index, shards, samples);
    const covered = taken.reduce((rows, part) => rows + overlap(part, { from, to }), 0);
    return covered < to - from;
  });
}

const overlap = (a: Part, b: Part): number => Math.max(0, Math.min(a.to, b.to) - Math.max(a.from, b.from));

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FitRefusal ? new Refused(error.message) : asRefused(error);
  }
}
