/** Which solutions a model's experiments need, at what times, and where each measurement is found in them. */
import { refuse } from '../sbml/refusal.ts';
import { printExpression } from '../formula/print.ts';
import type { Experiment, Measurement, Period, SubProblem } from './problem.ts';
import { Stage, type Lane, type Shared } from './stage.ts';

export interface Placed {
  readonly stage: Stage;
  readonly lane: number;
}

export interface Stages {
  readonly stages: readonly Stage[];
  readonly placeOf: (measurement: Measurement) => Placed;
}

const isSteady = ({ time }: Period): boolean => time === -Infinity;

export function experimentStages(shared: Shared, part: SubProblem): Stages {
  const { experiments } = part;
  const timed = experiments.map(({ periods }) => periods.filter((period) => !isSteady(period)));
  const periodOf = ({ experiment, time, where }: Measurement): number => {
    const found = timed[experiment]?.findLastIndex((period) => period.time <= time) ?? -1;
    return found >= 0 ? found : refuse(`${where} is of the time ${time}, before its experiment begins`);
  };
  // Periods after the last measurement change nothing that is seen.
  const last = experiments.map(() => -1);
  for (const measurement of part.measurements)
    last[measurement.experiment] = Math.max(last[measurement.experiment]!, periodOf(measurement));
  const asked = experiments.map(() => [] as Set<number>[]);
  for (const measurement of part.measurements) {
    const times = asked[measurement.experiment]!;
    const period = periodOf(measurement);
    (times[period] ??= new Set()).add(measurement.time);
  }
  const stages: Stage[] = [];
  const steady = steadyLanes(experiments, last);
  let before: Stage | undefined;
  let laneBefore: ReadonlyMap<number, number> = steady.laneOf;
  if (steady.lanes.length > 0) {
    before = new Stage(
      shared,
      { id: 'equilibrium', suffix: '_before' },
      steady.lanes,
      steady.lanes.map(() => [Infinity]),
      undefined,
    );
    stages.push(before);
  }
  const found: { readonly stage: Stage; readonly laneOf: ReadonlyMap<number, number> }[] = [];
  for (let k = 0; last.some((period) => period >= k); k++) {
    const lanes: Lane[] = [];
    const times: number[][] = [];
    const laneOf = new Map<number, number>();
    for (const [experiment, periods] of timed.entries()) {
      if (last[experiment]! < k) continue;
      const end = last[experiment]! > k ? periods[k + 1]?.time : undefined;
      laneOf.set(experiment, lanes.length);
      lanes.push({ experiment, period: periods[k]!, before: laneBefore.get(experiment), until: end });
      const own = new Set([...(asked[experiment]?.[k] ?? []), ...(end === undefined ? [] : [end])]);
      times.push([...own].sort((a, b) => a - b));
    }
    const suffix = k === 0 ? '' : `_${k + 1}`;
    const stage = new Stage(shared, { id: `model${suffix}`, suffix }, lanes, times, before);
    stages.push(stage);
    found.push({ stage, laneOf });
    [before, laneBefore] = [stage, laneOf];
  }
  return {
    stages,
    placeOf(measurement) {
      const { stage, laneOf } = found[periodOf(measurement)]!;
      return { stage, lane: laneOf.get(measurement.experiment)! };
    },
  };
}

/** One for each set of changes before a measured experiment. */
function steadyLanes(
  experiments: readonly Experiment[],
  last: readonly number[],
): { readonly lanes: Lane[]; readonly laneOf: Map<number, number> } {
  const lanes: Lane[] = [];
  const known = new Map<string, number>();
  const laneOf = new Map<number, number>();
  for (const [experiment, { periods }] of experiments.entries()) {
    const [period] = periods;
    if (!period || !isSteady(period) || last[experiment]! < 0) continue;
    const key = JSON.stringify([...period.changes].map(([id, value]) => [id, printExpression(value)]));
    const lane = known.get(key) ?? lanes.length;
    if (lane === lanes.length) lanes.push({ experiment, period, before: undefined, until: undefined });
    known.set(key, lane);
    laneOf.set(experiment, lane);
  }
  return { lanes, laneOf };
}
