/** What a method of fitting says of itself. Each is a file of methods/, and the list is methods.ts. */
import type { Answers } from './answers.ts';
import type { Asking } from './asking.ts';
import type { FitContext } from './context.ts';
import type { Ending, FitProblem, OptimiserOptions } from './problem.ts';
import type { Question } from './questions.ts';

/** An optimiser with the one question that it asks; `minimise` may be given any way of having it answered. */
export interface Minimiser<Q, A> {
  readonly question: Question<Q, A>;
  readonly minimise: (ask: (at: Q) => Promise<A>, start: Float64Array, options: OptimiserOptions) => Promise<Ending>;
  /** The same without a promise for each question, where a step is so short that it counts. */
  readonly steps?: (start: Float64Array, options: OptimiserOptions) => Asking<Q, A, Ending>;
}

/** What is done with a minimiser, whatever it asks. */
export type WithMinimiser<R> = <Q, A>(minimiser: Minimiser<Q, A>) => R;

export interface Method {
  /** How many iterations it may take, unless the user says. */
  readonly iterations: number;
  minimiser<R>(context: FitContext, use: WithMinimiser<R>): R;
  /** From one start, where that is not merely to answer the minimiser's questions; undefined where it is. */
  readonly alone?: (
    context: FitContext,
    answers: Answers,
    start: Float64Array,
    options: OptimiserOptions,
  ) => Promise<Ending> | undefined;
  /** One sentence for the user where it cannot fit such a problem. */
  readonly refuses?: (problem: FitProblem) => string | undefined;
  /** It solves for the parameters in which the residuals are linear (optimisers/variable-projection.ts). */
  readonly solvesLinear?: true;
  /** Where its start has led nowhere, a small fit looks elsewhere (wider.ts). */
  readonly looksElsewhere?: true;
  /** Whether its ends from many starts lack their last digits, so that the lowest is fitted once more. */
  readonly isRough?: (context: FitContext) => boolean;
}
