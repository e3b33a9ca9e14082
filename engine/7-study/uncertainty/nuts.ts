/**
 * The no-U-turn sampler: Hamiltonian trajectories doubled until they turn back (Hoffman & Gelman 2014, JMLR 15), points
 * drawn from them by their weights (Betancourt 2017, arXiv:1701.02434), with a dense metric: momentum ~ N(0, Σ⁻¹), Σ the
 * covariance of what was drawn before. A trajectory whose energy rises by more than 1000 has left the typical set: a
 * divergence.
 */
import { cholesky } from '../../6-fit/cholesky.ts';
import { dot } from '../../6-fit/vectors.ts';
import type { Random } from '../../6-fit/ensembles/random.ts';

/** −log density, and its gradient. */
export interface Potential {
  readonly value: number;
  readonly gradient: Float64Array;
}
export type PotentialAt = (v: Float64Array) => Promise<Potential>;

/** Σ and its Cholesky factor. */
export interface Metric {
  readonly covariance: readonly Float64Array[];
  readonly factor: readonly Float64Array[];
}

/** Undefined where it is not positive definite. */
export function metricOf(covariance: readonly Float64Array[]): Metric | undefined {
  const factor = cholesky(covariance);
  return factor && { covariance, factor };
}

export interface State extends Potential {
  readonly position: Float64Array;
}

interface Phase extends State {
  readonly momentum: Float64Array;
}

export interface Transition {
  readonly state: State;
  /** The mean probability to accept a point of the trajectory: what the step size is tuned by. */
  readonly acceptance: number;
  readonly divergent: boolean;
  readonly depth: number;
}

const deepest = 10;
const divergence = 1000;

function times(matrix: readonly Float64Array[], x: Float64Array): Float64Array {
  return Float64Array.from(matrix, (row) => dot(row, x));
}

/** N(0, Σ⁻¹) = L⁻ᵀ·z: solved backward through the factor. */
export function drawMomentum({ factor }: Metric, random: Random): Float64Array {
  const n = factor.length;
  const momentum = Float64Array.from({ length: n }, () => random.normal());
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++)
      momentum[i] = (momentum[i] as number) - ((factor[k] as Float64Array)[i] as number) * (momentum[k] as number);
    momentum[i] = (momentum[i] as number) / ((factor[i] as Float64Array)[i] as number);
  }
  return momentum;
}

function hamiltonian({ value, momentum }: Phase, { covariance }: Metric): number {
  const energy = value + 0.5 * dot(momentum, times(covariance, momentum));
  return Number.isNaN(energy) ? Infinity : energy;
}

/** One step of the leapfrog: half a kick, a drift, half a kick. */
async function leapfrog(from: Phase, step: number, metric: Metric, at: PotentialAt): Promise<Phase> {
  const half = from.momentum.map((p, i) => p - 0.5 * step * (from.gradient[i] as number));
  const velocity = times(metric.covariance, half);
  const position = from.position.map((v, i) => v + step * (velocity[i] as number));
  const { value, gradient } = await at(position);
  return { position, value, gradient, momentum: half.map((p, i) => p - 0.5 * step * (gradient[i] as number)) };
}

interface Tree {
  readonly left: Phase;
  readonly right: Phase;
  /** Σ of the momenta. */
  readonly sum: Float64Array;
  readonly proposal: State;
  readonly logWeight: number;
  readonly stopped: boolean;
  readonly divergent: boolean;
  readonly acceptance: number;
  readonly points: number;
}

interface Walk {
  readonly step: number;
  readonly start: number;
  readonly metric: Metric;
  readonly at: PotentialAt;
  readonly random: Random;
}

async function leaf(from: Phase, direction: 1 | -1, { step, start, metric, at }: Walk): Promise<Tree> {
  const phase = await leapfrog(from, direction * step, metric, at);
  const rise = hamiltonian(phase, metric) - start;
  const divergent = !(rise <= divergence);
  return {
    left: phase,
    right: phase,
    sum: phase.momentum,
    proposal: phase,
    logWeight: -rise,
    stopped: divergent,
    divergent,
    acceptance: Math.min(1, Math.exp(-rise)) || 0,
    points: 1,
  };
}

async function subtree(from: Phase, direction: 1 | -1, depth: number, walk: Walk): Promise<Tree> {
  if (depth === 0) return leaf(from, direction, walk);
  const first = await subtree(from, direction, depth - 1, walk);
  if (first.stopped) return first;
  const second = await subtree(direction > 0 ? first.right : first.left, direction, depth - 1, walk);
  const logWeight = logSum(first.logWeight, second.logWeight);
  // Within a subtree every point is drawn by its weight.
  const takesSecond = Math.log(walk.random.uniform()) < second.logWeight - logWeight;
  return joined(first, second, direction, takesSecond, logWeight, walk.metric);
}

function joined(
  first: Tree,
  second: Tree,
  direction: 1 | -1,
  takesSecond: boolean,
  logWeight: number,
  metric: Metric,
): Tree {
  const [a, b] = direction > 0 ? [first, second] : [second, first];
  const sum = a.sum.map((p, i) => p + (b.sum[i] as number));
  const turns =
    turned(a.left, b.right, sum, metric) ||
    // Also between the halves: two that meet head on turn only there.
    turned(a.left, b.left, plus(a.sum, b.left.momentum), metric) ||
    turned(a.right, b.right, plus(b.sum, a.right.momentum), metric);
  return {
    left: a.left,
    right: b.right,
    sum,
    proposal: takesSecond ? second.proposal : first.proposal,
    logWeight,
    stopped: second.stopped || turns,
    divergent: first.divergent || second.divergent,
    acceptance: first.acceptance + second.acceptance,
    points: first.points + second.points,
  };
}

const plus = (x: Float64Array, y: Float64Array): Float64Array => x.map((value, i) => value + (y[i] as number));

function turned(left: Phase, right: Phase, sum: Float64Array, { covariance }: Metric): boolean {
  const velocity = times(covariance, sum);
  return !(dot(left.momentum, velocity) > 0 && dot(right.momentum, velocity) > 0);
}

function logSum(a: number, b: number): number {
  const larger = Math.max(a, b);
  return larger === -Infinity ? larger : larger + Math.log(Math.exp(a - larger) + Math.exp(b - larger));
}

export async function transition(
  state: State,
  step: number,
  metric: Metric,
  at: PotentialAt,
  random: Random,
): Promise<Transition> {
  const begin: Phase = { ...state, momentum: drawMomentum(metric, random) };
  const start = hamiltonian(begin, metric);
  const walk: Walk = { step, start, metric, at, random };
  let tree: Tree = {
    left: begin,
    right: begin,
    sum: begin.momentum,
    proposal: state,
    logWeight: 0,
    stopped: false,
    divergent: false,
    acceptance: 0,
    points: 0,
  };
  let depth = 0;
  while (depth < deepest && !tree.stopped) {
    const direction = random.uniform() < 0.5 ? -1 : 1;
    const next = await subtree(direction > 0 ? tree.right : tree.left, direction, depth, walk);
    depth++;
    if (next.stopped) {
      tree = {
        ...tree,
        stopped: true,
        divergent: next.divergent,
        acceptance: tree.acceptance + next.acceptance,
        points: tree.points + next.points,
      };
      break;
    }
    // Between the old half and the new one the new is preferred: it is further away.
    const takesNew = Math.log(random.uniform()) < next.logWeight - tree.logWeight;
    tree = joined(tree, next, direction, takesNew, logSum(tree.logWeight, next.logWeight), metric);
  }
  const { position, value, gradient } = tree.proposal;
  return {
    state: { position, value, gradient },
    acceptance: tree.points > 0 ? tree.acceptance / tree.points : 0,
    divergent: tree.divergent,
    depth,
  };
}

/** A first step size: doubled or halved until one leapfrog step is accepted with a probability around 0.8. */
export async function firstStep(state: State, metric: Metric, at: PotentialAt, random: Random): Promise<number> {
  let step = 1;
  const begin: Phase = { ...state, momentum: drawMomentum(metric, random) };
  const start = hamiltonian(begin, metric);
  const acceptance = async (): Promise<number> => start - hamiltonian(await leapfrog(begin, step, metric, at), metric);
  const grows = (await acceptance()) > Math.log(0.8);
  for (let k = 0; k < 50; k++) {
    step *= grows ? 2 : 0.5;
    if ((await acceptance()) > Math.log(0.8) !== grows) break;
  }
  return step;
}
