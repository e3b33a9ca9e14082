/** One chain: a start, a warm-up that learns step and metric, and the draws that count. */
import type { Random } from '../../6-fit/ensembles/random.ts';
import { metricFrom } from './metric.ts';
import { deepest, firstStep, transition } from './nuts.ts';
import type { Path } from './pathfinder.ts';
import type { Following } from './potential.ts';
import { dualAveraging, warmupFor, windowEnds } from './warmup.ts';

/** What a chain has drawn; it grows while the chain runs, so that one that is stopped leaves what it has. */
export interface Chain {
  /** Unconstrained. */
  readonly draws: Float64Array[];
  /** U of each. */
  readonly potentials: number[];
  /** By draw: whether the trajectory that it was drawn from diverged. */
  readonly divergent: boolean[];
  /** Trajectories that were cut before they turned. */
  deep: number;
  /** Gradients that the draws took, and the warm-up before them. */
  gradients: number;
  warmupGradients: number;
}

export const emptyChain = (): Chain => ({
  ...{ draws: [], potentials: [], divergent: [] },
  ...{ deep: 0, gradients: 0, warmupGradients: 0 },
});

/** While little is known of the metric, a long trajectory costs more than it teaches. */
const early = { until: 0.2, depth: 7 };

export function* runChain(
  into: Chain,
  start: Pick<Path, 'state' | 'metric'>,
  samples: number,
  random: Random,
  onShare: (share: number) => void,
): Following<void> {
  const warmup = warmupFor(samples);
  const { from, ends } = windowEnds(warmup);
  let { state, metric } = start;
  let window: Float64Array[] = [];
  let step = dualAveraging(yield* firstStep(state, metric, random));
  for (let k = 0; k < warmup + samples; k++) {
    const counts = k >= warmup;
    const depth = k < early.until * warmup ? early.depth : deepest;
    const moved = yield* transition(state, counts ? step.settled : step.now, metric, random, depth);
    state = moved.state;
    if (counts) {
      into.draws.push(state.position);
      into.potentials.push(state.value);
      into.divergent.push(moved.divergent);
      if (moved.depth >= deepest) into.deep++;
      into.gradients += moved.gradients;
    } else {
      into.warmupGradients += moved.gradients;
      step.learn(moved.acceptance);
      if (k >= from && k < (ends.at(-1) ?? 0)) window.push(state.position);
      if (ends.includes(k + 1)) {
        metric = metricFrom(window, metric);
        window = [];
        step = dualAveraging(yield* firstStep(state, metric, random));
      }
    }
    onShare((k + 1) / (warmup + samples));
  }
}
