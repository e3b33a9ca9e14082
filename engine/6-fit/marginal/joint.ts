/** What is asked of the joint density of data and effects. */
import { coordinateSlopes, type Coordinate } from '../coordinates.ts';
import type { EffectLayout } from '../effects.ts';
import type { Ask, PlainQuestion, Question } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';

/** A point θ, in the optimiser's coordinates, and effects. */
export interface Joint {
  readonly point: Float64Array;
  readonly effects: Float64Array;
}

export interface Slopes {
  readonly byTheta: Float64Array;
  readonly byEffects: Float64Array;
}

export type PlainAtJoint<A, Q = unknown> = PlainQuestion<Joint & Q, A>;
export type AtJoint<A, Q = unknown> = Question<Joint & Q, A>;

/** −log of a likelihood of the parameters alone: several results at a point, and the gradient of the energy. */
export interface Likelihood {
  readonly values: (ask: Ask, point: Float64Array, results: readonly string[]) => Promise<readonly number[]>;
  readonly slope: (ask: Ask, point: Float64Array) => Promise<Slope>;
}

/** (d/2)·log 2π of all effects. */
export const effectsConstant = ({ length }: EffectLayout): number => (length / 2) * Math.log(2 * Math.PI);

/** A gradient by parameters as one by the optimiser's coordinates. */
export const byCoordinates = (all: readonly Coordinate[], point: Float64Array, gradient: Float64Array): Float64Array =>
  gradient.map((g, j) => g * coordinateSlopes(all[j]!, point[j]!)[0]);
