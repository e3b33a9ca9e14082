/**
 * A problem at many points at once, for optimisers and chains that advance in lanes (lanes.ts): any question about it
 * (questions.ts), asked of an ensemble.
 */
import type { Device } from '../../5-runtime/device.ts';
import { openAnswers } from '../answers.ts';
import type { Coordinate } from '../coordinates.ts';
import type { Linearisation, Quadratic } from '../expansion.ts';
import type { FitProblem } from '../problem.ts';
import { quadraticOf, slopeOf } from '../marginal/questions.ts';
import { linearisationOf, sweepOptions, type Question } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import { createEnsemble } from './ensemble.ts';
import type { AnswerAll } from './lanes.ts';

export interface Batched<Q, A> {
  /** One answer for each question; NaN where the model has no value. Throws `Cancelled`. */
  readonly at: AnswerAll<Q, A>;
  release(): void;
}

type Batch<A> = Promise<Batched<Float64Array, A>>;

export async function batched<Q, A>(
  question: Question<Q, A>,
  { parameters, data, sizes }: Pick<FitProblem, 'parameters' | 'data' | 'sizes'>,
  device: Device,
  cancel?: Int32Array,
): Promise<Batched<Q, A>> {
  if ('parts' in question) return oneByOne(question, { parameters, data, sizes }, device, cancel);
  const varying = question.inputs.map((input) => ({ ...input, fixed: false }));
  const constant = parameters.filter(({ fixed }) => fixed);
  const { program } = question;
  const ensemble = await createEnsemble(
    device,
    { program, parameters: [...varying, ...constant], data, sizes },
    { cancel },
  );
  return {
    async at(questions) {
      const points = new Float64Array(questions.length * ensemble.width);
      questions.forEach((asked, m) => question.write(asked, points, m * ensemble.width));
      const { values } = await ensemble.evaluate(points, cancel);
      return questions.map((asked, m) =>
        question.read((name) => {
          const every = values.get(name)!;
          const length = every.length / questions.length;
          return every.subarray(m * length, (m + 1) * length);
        }, asked),
      );
    },
    release: () => ensemble.release(),
  };
}

/** A question that asks others has no program to map over points. */
function oneByOne<Q, A>(
  question: Question<Q, A>,
  problem: Pick<FitProblem, 'parameters' | 'data' | 'sizes'>,
  device: Device,
  cancel?: Int32Array,
): Batched<Q, A> {
  const answers = openAnswers(device, problem, cancel);
  return {
    async at(questions) {
      const all: A[] = [];
      for (const asked of questions) all.push(await answers.ask(question, asked));
      return all;
    },
    release: () => answers.release(),
  };
}

/** All residuals one after the other, and their Jacobian's columns by u. */
export function batchedLinearisation(
  problem: FitProblem,
  device: Device,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Batch<Linearisation> {
  return batched(linearisationOf(problem, all), problem, device, cancel);
}

/** The energy with gradient and Hessian by u. */
export function batchedQuadratic(
  problem: FitProblem,
  device: Device,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Batch<Quadratic> {
  const question = quadraticOf(problem, all, problem.energy, sweepOptions(problem, device));
  return batched(question, problem, device, cancel);
}

/** The result `of` with its gradient by u: what a Markov chain follows. */
export function batchedSlope(
  problem: Pick<FitProblem, 'program' | 'parameters' | 'data' | 'sizes' | 'sweep'>,
  of: string,
  device: Device,
  all: readonly Coordinate[],
  cancel?: Int32Array,
): Batch<Slope> {
  return batched(slopeOf(problem, all, of, sweepOptions(problem, device)), problem, device, cancel);
}
