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
import { morris, morrisDesign } from '../sensitivity/morris.ts';
import type { SampleOptions, SensitivityProblem, SensitivityResult } from '../sensitivity/problem.ts';
import { sobolDesign, sobolIndices } from '../sensitivity/sobol.ts';

const studies = {
  sobol: { design: sobolDesign, study: sobolIndices },
  morris: { design: morrisDesign, study: morris },
} as const;

/** The methods whose rows are points that are known before anything is run. */
export type ShardedMethod = keyof typeof studies;

/** What the model gave in a range of rows, run by run. */
export interface Runs {
  readonly values: Float64Array;
  /** Runs, counted from the first of these, in which a kernel met a fault. */
  readonly faults: readonly EnsembleFault[];
}

export interface Shard {
  readonly part: Part;
  readonly runs: Runs;
}

/** How often the model is run for each row. */
export function runsInRow(problem: Pick<SensitivityProblem, 'distributions'>, method: ShardedMethod): number {
  return studies[method].design(problem, 0).runs;
}

/** Points held at once. */
const mostPoints = 2 ** 14;

export async function runRows(
  problem: SensitivityProblem,
  device: Device,
  method: ShardedMethod,
  { seed, part }: { readonly seed: number; readonly part: Part },
): Promise<Runs> {
  const design = studies[method].design(problem, seed);
  const width = problem.distributions.length;
  const values = new Float64Array((part.to - part.from) * design.runs);
  const faults: EnsembleFault[] = [];
  const ensemble = await createEnsemble(device, problem);
  const block = Math.max(1, Math.floor(mostPoints / design.runs));
  try {
    for (let from = part.from; from < part.to; from += block) {
      const rows = Math.min(block, part.to - from);
      const points = new Float64Array(rows * design.runs * width);
      for (let row = 0; row < rows; row++) design.write(points, row, from + row);
      const found = await ensemble.evaluate(points);
      const first = (from - part.from) * design.runs;
      values.set(found.values.get(problem.output) as Float64Array, first);
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
  return studies[method].study(problem, device, {
    ...options,
    ensemble: replayed(problem, joined(shards)),
    parts: shards.map(({ part }) => part),
  });
}

function joined(shards: readonly Shard[]): Runs {
  const values = new Float64Array(shards.reduce((total, { runs }) => total + runs.values.length, 0));
  const faults: EnsembleFault[] = [];
  let at = 0;
  for (const { runs } of shards) {
    values.set(runs.values, at);
    for (const fault of runs.faults) faults.push({ ...fault, member: at + fault.member });
    at += runs.values.length;
  }
  return { values, faults };
}

/** An ensemble that knows its answers: whoever asks for the same points in the same order gets them. */
function replayed({ output, distributions }: SensitivityProblem, { values, faults }: Runs): Ensemble {
  const width = distributions.length;
  let at = 0;
  return {
    width,
    chunk: values.length,
    evaluate(points) {
      const from = at;
      at += points.length / width;
      const ours = faults.filter(({ member }) => member >= from && member < at);
      return Promise.resolve({
        values: new Map([[output, values.subarray(from, at)]]),
        faults: ours.map((fault) => ({ ...fault, member: fault.member - from })),
      });
    },
    release() {},
  };
}
