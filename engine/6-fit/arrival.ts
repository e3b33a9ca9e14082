/**
 * The stop test (stationary.ts) for methods that know no curvature: where one of them can go no further, residuals with
 * their Jacobian or the Hessian are asked for, and settle.ts has the last word. Of more parameters than a Hessian is formed
 * for, the undamped step comes from conjugate gradients on exact products H·d.
 */
import { Cancelled, OutOfMemory } from '../0-ir/errors.ts';
import { putting } from './asking.ts';
import type { Coordinate } from './coordinates.ts';
import { pointOf } from './expansion.ts';
import { inStep, type AnswerAll } from './ensembles/lanes.ts';
import type { Curved, CurvatureQuestion } from './stationary/stationary.ts';
import { steihaug } from './optimisers/newton-cg.ts';
import { DOUBLE, stoppedAt, type Ending, type OptimiserOptions } from './problem.ts';
import { beyondNumbers } from './stationary/far-sizes.ts';
import { ARRIVED, settle, STUCK } from './stationary/settle.ts';
import {
  energyAt,
  isFiniteExpansion,
  isFiniteSlope,
  LEAST_DECREMENT,
  type Expansion,
} from './stationary/stationary.ts';
import { dot } from './algebra/vectors.ts';

export interface Judged extends Ending {
  /** A lower point lies beyond: a method may go on from it. */
  readonly left?: boolean;
}

const UNKNOWN = 'no step reduces the objective, but its derivatives are not finite there';

/** In their order. */
export async function judgeAll<E extends Expansion>(
  endings: readonly Ending[],
  all: readonly Coordinate[],
  { rounding = DOUBLE, sigmaKnown, observations, robust }: OptimiserOptions,
  answerAll: AnswerAll<Float64Array, E>,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  await inStep(endings, answerAll, {
    begin: function* ({ point, iterations, history }): Generator<Float64Array, Judged, E> {
      const expansion = yield point;
      if (!isFiniteExpansion(expansion))
        return {
          point,
          iterations,
          history,
          status: 'not-converged',
          reason: beyondNumbers(point, expansion, all) ?? UNKNOWN,
        };
      const settled = yield* putting(
        settle(point, expansion, all, { rounding, sigmaKnown, observations, robust }),
        pointOf,
      );
      return {
        ...{ point: settled.point, reason: settled.reason, left: settled.left, iterations: iterations + 1 },
        ...(settled.endless && { endless: true }),
        status: settled.arrived ? 'converged' : 'not-converged',
        history: [...history, energyAt(settled.expansion)],
      };
    },
    stopped({ unjudged, ...ending }, error): Judged {
      void unjudged;
      if (!(error instanceof Cancelled)) throw error;
      return stoppedAt(ending);
    },
    onEnd: (ending, index) => void (judged[index] = ending),
  });
  return endings.map(({ unjudged, ...ending }, i) => {
    void unjudged;
    return judged[i] ?? stoppedAt(ending);
  });
}

/** One of many parameters. */
export async function judgeByProducts(
  ending: Ending,
  all: readonly Coordinate[],
  ask: (question: CurvatureQuestion) => Promise<Curved>,
): Promise<Judged> {
  const { point, iterations, history } = ending;
  const end = (status: Ending['status'], reason: string, decrement = NaN): Judged => ({
    ...{ point, iterations, history, status, reason, decrement },
  });
  const { value, gradient } = await ask({ point, direction: new Float64Array(point.length) });
  if (!isFiniteSlope({ value, gradient })) return end('not-converged', UNKNOWN);
  const timesHessian = async (direction: Float64Array): Promise<Float64Array> =>
    (await ask({ point, direction })).product;
  const { step, curvature } = await steihaug({ point, value, gradient }, timesHessian, Infinity, all, 1e-3);
  const lowered = -(dot(gradient, step) + curvature / 2);
  return Number.isFinite(lowered) && curvature >= 0 && lowered <= LEAST_DECREMENT * Math.min(1, Math.abs(value))
    ? end('converged', ARRIVED, lowered)
    : end('not-converged', STUCK, lowered);
}

/** What the device has no room for is not judged. */
export async function unlessOutOfMemory(ending: Ending, judge: () => Promise<Judged>): Promise<Judged> {
  try {
    return await judge();
  } catch (error) {
    if (!(error instanceof OutOfMemory)) throw error;
    return { ...ending, reason: `${ending.reason}; whether this is a minimum is not known: ${error.message}` };
  }
}
