/** An ensemble of runs of one model in shards: a shard's rows or starts on a device, and one report of them all. */
import {
  defaultMethod,
  type Device,
  FitRefusal,
  type FitMethod,
  type FitProblem,
  type Part,
  reportStarts,
  runRows,
  runsInRow,
  runStarts,
  type Shard,
  shardPart,
  type StartEnding,
  studyOfRuns,
} from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { FitReport } from '../contract.ts';
import type { SensitivityReport, SensitivityRequest } from '../contract-studies.ts';
import type { Description, RunsResult, ShardResult, StartsResult } from '../files/ensemble-manifest.ts';
import { Refused } from '../refused.ts';
import type { EnsembleStudy } from '../study-methods.ts';
import { fitReport, methodOf, problemOf } from './fit.ts';
import { asRefused } from './refusals.ts';
import { sensitivityProblem, sensitivityReport } from './sensitivity.ts';

/** What of its description the results of an ensemble depend on, beside the model. */
export type Ensemble = Pick<Description, 'study' | 'of' | 'method' | 'samples' | 'seed'>;

/** What a shard found, without the ensemble's name on it. */
export type Found = Omit<RunsResult, 'schema' | 'ensemble'> | Omit<StartsResult, 'schema' | 'ensemble'>;

const requestOf = (
  method: Exclude<EnsembleStudy, 'multistart'>,
  { of, samples, seed }: Ensemble,
): SensitivityRequest => ({
  ...{ kind: 'sensitivity', method, samples, seed },
  ...(of !== undefined && { of }),
});

async function startsProblem(
  model: Model,
  device: Device,
  { method }: Ensemble,
): Promise<{ readonly problem: FitProblem; readonly method: FitMethod }> {
  const problem = await problemOf(model, device, {});
  return { problem, method: methodOf(method ?? model.document.fit?.method ?? defaultMethod(problem)) };
}

/** Throws `Refused` for whatever the whole study would be refused for, even where the part is empty. */
export async function runPart(model: Model, device: Device, ensemble: Ensemble, part: Part): Promise<Found> {
  const { study, samples, seed } = ensemble;
  return refusing(async () => {
    if (study === 'multistart') {
      const { problem, method } = await startsProblem(model, device, ensemble);
      const { endings, evaluations } = await runStarts(problem, device, { method, starts: samples, seed, part });
      const plain = endings.map((ending) => ({ ...ending, point: [...ending.point] }));
      return { ...part, kind: 'starts' as const, endings: plain, evaluations };
    }
    const { problem } = sensitivityProblem(model, requestOf(study, ensemble), {});
    const { values, faults } = await runRows(problem, device, study, { seed, part });
    return { ...part, kind: 'runs' as const, values: [...values], faults };
  });
}

/** The report that the command in one piece would give, of the rows or starts that the results have. */
export async function collectParts(
  model: Model,
  device: Device,
  ensemble: Ensemble,
  results: readonly ShardResult[],
  documentHash: string,
): Promise<SensitivityReport | FitReport> {
  const startedAt = performance.now();
  const { study, samples, seed } = ensemble;
  return refusing(async () => {
    const taken = disjoint(results);
    if (study === 'multistart') {
      const { problem, method } = await startsProblem(model, device, ensemble);
      const endings = taken.flatMap(({ part, result }) =>
        result.kind === 'starts' ? endingsIn(result, part) : wrongKind(result),
      );
      const evaluations = taken.reduce(
        (sum, { result }) => sum + ('evaluations' in result ? result.evaluations : 0),
        0,
      );
      const best = await reportStarts(problem, device, { endings, evaluations }, { method });
      return fitReport(model, device, problem, best, { startedAt, documentHash });
    }
    const request = requestOf(study, ensemble);
    const asked = sensitivityProblem(model, request, {});
    const each = runsInRow(asked.problem, study);
    const shards = taken.map(({ part, result }) => ({
      part,
      runs: result.kind === 'runs' ? runsIn(result, part, each) : wrongKind(result),
    }));
    const result = await studyOfRuns(asked.problem, device, study, { samples, seed, shards });
    // Rows that nobody has run are missing, and not cancelled.
    return sensitivityReport(asked, { ...result, cancelled: false }, request, { device, documentHash, startedAt });
  });
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

/** By rising rows; of rows that several results have, those of the one that begins first. */
function disjoint<R extends Part>(results: readonly R[]): { readonly part: Part; readonly result: R }[] {
  let next = 0;
  return [...results]
    .sort((a, b) => a.from - b.from || b.to - a.to)
    .flatMap((result) => {
      const part = { from: Math.max(next, result.from), to: result.to };
      if (part.from >= part.to) return [];
      next = part.to;
      return [{ part, result }];
    });
}

function wrongKind({ from, to, kind }: ShardResult): never {
  throw new Refused(`the result of ${from} to ${to} holds ${kind}, which this study is not made of`);
}

function endingsIn({ endings, from, to }: StartsResult, part: Part): StartEnding[] {
  if (endings.length !== to - from || endings.some(({ start }, i) => start !== from + i))
    throw new Refused(`the result of the starts ${from} to ${to} holds other starts: run its shard --again`);
  return endings
    .slice(part.from - from, part.to - from)
    .map((ending) => ({ ...ending, point: Float64Array.from(ending.point) }));
}

/** `each`: how many runs a row has. */
function runsIn({ values, faults, from, to }: RunsResult, part: Part, each: number): Shard['runs'] {
  if (values.length !== (to - from) * each)
    throw new Refused(
      `the result of the rows ${from} to ${to} holds ${values.length} values instead of ${(to - from) * each}: run its shard --again`,
    );
  const [first, end] = [(part.from - from) * each, (part.to - from) * each];
  return {
    values: Float64Array.from(values.slice(first, end)),
    faults: faults
      .filter(({ member }) => member >= first && member < end)
      .map((fault) => ({ ...fault, member: fault.member - first })),
  };
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof FitRefusal ? new Refused(error.message) : asRefused(error);
  }
}
