/**
 * A sensitivity study in shards: each machine runs some rows of the sample, and the study is then made of all runs as if
 * it had made them itself, to the bit. A point depends on the seed and its row alone, and so the number of shards changes
 * nothing.
 *
 *     const runs = await runRows(problem, device, 'sobol', { samples, seed, part: shardPart(3, 16, samples) });
 *     const result = await studyOfRuns(problem, device, 'sobol', { samples, seed, shards: [{ part, runs }, …] });
 */
import type { Device } from '../../5-runtime/device.ts';
import { createEnsemble, type Ensemble, type EnsembleFault } from '../../6-fit/ensembles/ensemble.ts';
import type { Part } from '../../6-fit/ensembles/parts.ts';
import { activeSubspace } from '../sensitivity/active-subspace.ts';
import { dgsm } from '../sensitivity/dgsm.ts';
import { gradientDesign, gradientResults, withGradients } from '../sensitivity/gradients.ts';
import { morris, morrisDesign } from '../sensitivity/morris.ts';
import type {
  Design,
  ReplayOptions,
  SampleOptions,
  SensitivityProblem,
  SensitivityResult,
} from '../sensitivity/problem.ts';
import { sobolDesign, sobolIndices } from '../sensitivity/sobol.ts';

/** What is run, at which points, what is read of a run and how many values that has, and the study that is made of it. */
interface Sharded {
  readonly model: (problem: SensitivityProblem, device: Device) => SensitivityProblem;
  readonly results: (problem: SensitivityProblem) => ReadonlyMap<string, number>;
  readonly design: (problem: Pick<SensitivityProblem, 'distributions'>, seed: number) => Design;
  readonly study: (
    problem: SensitivityProblem,
    device: Device,
    options: SampleOptions & ReplayOptions,
  ) => Promise<SensitivityResult>;
}

const ofValues = {
  model: (problem: SensitivityProblem) => problem,
  results: ({ output }: SensitivityProblem) => new Map([[output, 1]]),
} as const;
const ofGradients = { model: withGradients, results: gradientResults, design: gradientDesign } as const;

/** The methods whose rows are points that are known before anything is run. */
export type ShardedMethod = 'sobol' | 'morris' | 'dgsm' | 'active-subspace';

const studies: { readonly [M in ShardedMethod]: Sharded } = {
  sobol: { ...ofValues, design: sobolDesign, study: sobolIndices },
  morris: { ...ofValues, design: morrisDesign, study: morris },
  dgsm: { ...ofGradients, study: dgsm },
  'active-subspace': { ...ofGradients, study: activeSubspace },
};

/** What the model gave in a range of rows, run by run: the output, and of some methods its gradients behind it. */
export interface Runs {
  readonly values: Float64Array;
  /** Runs, counted from the first of these, in which a kernel met a fault. */
  readonly faults: readonly EnsembleFault[];
}

export interface Shard {
  readonly part: Part;
  readonly runs: Runs;
}

export interface RowShape {
  /** How often the model is run. */
  readonly runs: number;
  /** That are kept of each run. */
  readonly values: number;
}

/** Of each row. */
export function rowShape(problem: SensitivityProblem, method: ShardedMethod): RowShape {
  const { design, results } = studies[method];
  return { runs: design(problem, 0).runs, values: total(results(problem)) };
}

const total = (results: ReadonlyMap<string, number>): number =>
  [...results.values()].reduce((sum, count) => sum + count, 0);

/** Points held at once. */
const mostPoints = 2 ** 14;

export async function runRows(
  problem: SensitivityProblem,
  device: Device,
  method: ShardedMethod,
  { seed, part }: { readonly seed: number; readonly part: Part },
): Promise<Runs> {
  const sharded = studies[method];
  const design = sharded.design(problem, seed);
  const results = sharded.results(problem);
  const kept = total(results);
  const width = problem.distributions.length;
  const values = new Float64Array((part.to - part.from) * design.runs * kept);
  const faults: EnsembleFault[] = [];
  const ensemble = await createEnsemble(device, sharded.model(problem, device));
  const block = Math.max(1, Math.floor(mostPoints / design.runs));
  try {
    for (let from = part.from; from < part.to; from += block) {
      const rows = Math.min(block, part.to - from);
      const points = new Float64Array(rows * design.runs * width);
      for (let row = 0; row < rows; row++) design.write(points, row, from + row);
      const found = await ensemble.evaluate(points);
      const first = (from - part.from) * design.runs;
      let column = 0;
      for (const [name, count] of results) {
        const ours = found.values.get(name)!;
        for (let run = 0; run < rows * design.runs; run++)
          values.set(ours.subarray(run * count, (run + 1) * count), (first + run) * kept + column);
        column += count;
      }
      faults.push(...found.faults.map((fault) => ({ ...fault, member: first + fault.member })));
    }
  } finally {
    ensemble.release();
  }
  return { values, faults };
}

/** The study of those rows that the shards have: by rising rows, none in two of them. */
export function studyOfRuns(
  problem: SensitivityProblem,
  device: Device,
  method: ShardedMethod,
  { shards, ...options }: SampleOptions & { readonly shards: readonly Shard[] },
): Promise<SensitivityResult> {
  const { study, results } = studies[method];
  const read = results(problem);
  return study(problem, device, {
    ...options,
    ensemble: replayed(problem.distributions.length, read, joined(shards, total(read))),
    parts: shards.map(({ part }) => part),
  });
}

function joined(shards: readonly Shard[], kept: number): Runs {
  const values = new Float64Array(shards.reduce((sum, { runs }) => sum + runs.values.length, 0));
  const faults: EnsembleFault[] = [];
  let at = 0;
  for (const { runs } of shards) {
    values.set(runs.values, at);
    for (const fault of runs.faults) faults.push({ ...fault, member: at / kept + fault.member });
    at += runs.values.length;
  }
  return { values, faults };
}

/** An ensemble that knows its answers: whoever asks for the same points in the same order gets them. */
function replayed(width: number, results: ReadonlyMap<string, number>, { values, faults }: Runs): Ensemble {
  const kept = total(results);
  let at = 0;
  return {
    width,
    chunk: values.length / kept,
    evaluate(points) {
      const from = at;
      at += points.length / width;
      let column = 0;
      const found = new Map<string, Float64Array>();
      for (const [name, count] of results) {
        const ours = new Float64Array((at - from) * count);
        for (let run = from; run < at; run++) {
          const first = run * kept + column;
          ours.set(values.subarray(first, first + count), (run - from) * count);
        }
        found.set(name, ours);
        column += count;
      }
      const ours = faults.filter(({ member }) => member >= from && member < at);
      return Promise.resolve({
        values: found,
        faults: ours.map((fault) => ({ ...fault, member: fault.member - from })),
      });
    },
    release() {},
  };
}
