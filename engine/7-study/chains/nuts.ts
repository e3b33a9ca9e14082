/**
 * The no-U-turn sampler: Hamiltonian trajectories doubled until they turn back (Hoffman & Gelman 2014, JMLR 15), points
 * drawn from them by their weights (Betancourt 2017, arXiv:1701.02434). A trajectory whose energy rises by more than 1000
 * has left the typical set: a divergence.
 */
import type { Random } from '../../6-fit/ensembles/random.ts';
import { dot, numbers } from '../../6-fit/algebra/vectors.ts';
import type { Metric } from './metric.ts';
import type { Following, State } from './potential.ts';

/** A point of a trajectory. One product with the metric serves the two half kicks around it. */
interface Phase extends State {
  readonly momentum: Float64Array;
  /** Σ·momentum */
  readonly velocity: Float64Array;
  /** Σ·gradient */
  readonly pull: Float64Array;
}

export interface Transition {
  readonly state: State;
  /** The mean probability to accept a point of the trajectory: what the step size is tuned by. */
  readonly acceptance: number;
  readonly divergent: boolean;
  readonly depth: number;
  /** Gradients that it took. */
  readonly gradients: number;
}

export const deepest = 10;
const divergence = 1000;

function energyOf({ value, momentum, velocity }: Phase): number {
  const energy = value + 0.5 * dot(momentum, velocity);
  return Number.isNaN(energy) ? Infinity : energy;
}

/** With a momentum drawn anew. */
function begun(state: State, metric: Metric, random: Random): Phase {
  const momentum = metric.momentum(random);
  return { ...state, momentum, velocity: metric.times(momentum), pull: metric.times(state.gradient) };
}

/** x − ½·step·y */
const kicked = (x: Float64Array, y: Float64Array, step: number): Float64Array =>
  numbers(x.length, (i) => x[i]! - 0.5 * step * y[i]!);

/** One step of the leapfrog: half a kick, a drift, half a kick. */
function* leapfrog(from: Phase, step: number, metric: Metric): Following<Phase> {
  const half = kicked(from.momentum, from.gradient, step);
  const drift = kicked(from.velocity, from.pull, step);
  const position = numbers(half.length, (i) => from.position[i]! + step * drift[i]!);
  const { value, gradient } = yield position;
  const pull = metric.times(gradient);
  return {
    ...{ position, value, gradient, pull },
    momentum: kicked(half, gradient, step),
    velocity: kicked(drift, pull, step),
  };
}

interface Tree {
  readonly left: Phase;
  readonly right: Phase;
  /** Σ of the momenta. */
  readonly sum: Float64Array;
  readonly proposal: State;
  readonly logWeight: number;
  readonly turns: boolean;
}

interface Walk {
  readonly step: number;
  /** The energy that it began with. */
  readonly start: number;
  readonly metric: Metric;
  readonly random: Random;
  acceptance: number;
  points: number;
  divergent: boolean;
}

/** 2^depth steps on from `from`; undefined where they diverge or turn back among themselves. */
function* subtree(from: Phase, direction: 1 | -1, depth: number, walk: Walk): Following<Tree | undefined> {
  // Trees of rising size, joined as the digits of a binary counter carry.
  const stack: Tree[] = [];
  let edge = from;
  for (let k = 0; k < 2 ** depth; k++) {
    edge = yield* leapfrog(edge, direction * walk.step, walk.metric);
    const rise = energyOf(edge) - walk.start;
    walk.points++;
    walk.acceptance += Math.min(1, Math.exp(-rise)) || 0;
    if (!(rise <= divergence)) {
      walk.divergent = true;
      return undefined;
    }
    let tree: Tree = { left: edge, right: edge, sum: edge.momentum, proposal: edge, logWeight: -rise, turns: false };
    for (let carry = k; carry & 1; carry >>= 1) {
      const first = stack.pop()!;
      const logWeight = logSum(first.logWeight, tree.logWeight);
      // Within a subtree every point is drawn by its weight.
      const takesSecond = Math.log(walk.random.uniform()) < tree.logWeight - logWeight;
      tree = joined(first, tree, direction, takesSecond, logWeight);
      if (tree.turns) return undefined;
    }
    stack.push(tree);
  }
  return stack[0];
}

function joined(first: Tree, second: Tree, direction: 1 | -1, takesSecond: boolean, logWeight: number): Tree {
  const [a, b] = direction > 0 ? [first, second] : [second, first];
  const sum = plus(a.sum, b.sum);
  const turns =
    turned(a.left, b.right, sum) ||
    // Also between the halves: two that meet head on turn only there.
    turned(a.left, b.left, plus(a.sum, b.left.momentum)) ||
    turned(a.right, b.right, plus(b.sum, a.right.momentum));
  return {
    left: a.left,
    right: b.right,
    sum,
    proposal: takesSecond ? second.proposal : first.proposal,
    logWeight,
    turns,
  };
}

const plus = (x: Float64Array, y: Float64Array): Float64Array => numbers(x.length, (i) => x[i]! + y[i]!);

const turned = (left: Phase, right: Phase, sum: Float64Array): boolean =>
  !(dot(left.velocity, sum) > 0 && dot(right.velocity, sum) > 0);

function logSum(a: number, b: number): number {
  const larger = Math.max(a, b);
  return larger === -Infinity ? larger : larger + Math.log(Math.exp(a - larger) + Math.exp(b - larger));
}

/** `most`: doublings of the trajectory. */
export function* transition(
  state: State,
  step: number,
  metric: Metric,
  random: Random,
  most = deepest,
): Following<Transition> {
  const begin = begun(state, metric, random);
  const walk: Walk = {
    ...{ step, metric, random, start: energyOf(begin) },
    ...{ acceptance: 0, points: 0, divergent: false },
  };
  let tree: Tree = {
    ...{ left: begin, right: begin, sum: begin.momentum, proposal: state, logWeight: 0, turns: false },
  };
  let depth = 0;
  while (depth < most && !tree.turns) {
    const direction = random.uniform() < 0.5 ? -1 : 1;
    const next = yield* subtree(direction > 0 ? tree.right : tree.left, direction, depth, walk);
    depth++;
    if (!next) break;
    // Between the old half and the new one the new is preferred: it is further away.
    const takesNew = Math.log(random.uniform()) < next.logWeight - tree.logWeight;
    tree = joined(tree, next, direction, takesNew, logSum(tree.logWeight, next.logWeight));
  }
  const { position, value, gradient } = tree.proposal;
  return {
    state: { position, value, gradient },
    acceptance: walk.points > 0 ? walk.acceptance / walk.points : 0,
    divergent: walk.divergent,
    depth,
    gradients: walk.points,
  };
}

/** A first step size: doubled or halved until one leapfrog step is accepted with a probability around 0.8. */
export function* firstStep(state: State, metric: Metric, random: Random): Following<number> {
  let step = 1;
  const begin = begun(state, metric, random);
  const start = energyOf(begin);
  const accepts = function* (): Following<boolean> {
    return start - energyOf(yield* leapfrog(begin, step, metric)) > Math.log(0.8);
  };
  const grows = yield* accepts();
  for (let k = 0; k < 50; k++) {
    step *= grows ? 2 : 0.5;
    if ((yield* accepts()) !== grows) break;
  }
  return step;
}
