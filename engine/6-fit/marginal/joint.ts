/** What is asked of the joint density of data and effects. */
import { coordinateSlopes, type Coordinate } from '../coordinates.ts';
import type { EffectLayout } from '../effects.ts';
import type { Ask, PlainQuestion, Question, Result } from '../questions.ts';
import type { Slope } from '../stationary/stationary.ts';
import type { Blocks } from './blocks.ts';

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

/** What the slopes of seed·E + A∘H are asked with: A is held. */
export interface Contracted {
  readonly seed: number;
  readonly contracted: Blocks;
}

export interface Direction {
  readonly direction: Float64Array;
}

/** What the programs take, and how their results are put together. */
export interface Wiring {
  readonly layout: EffectLayout;
  /** The parameters that vary. */
  readonly names: readonly string[];
  readonly inputs: PlainAtJoint<unknown>['inputs'];
  readonly write: (joint: Joint, into: Float64Array, at: number) => void;
  readonly byEffects: (result: Result, name: (effect: string) => string) => Float64Array;
  readonly byTheta: (result: Result, name: (parameter: string) => string) => Float64Array;
}

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

/** Inputs as long as the effects are, one for each, by names of their own. */
export const besideEffects = ({ effects }: EffectLayout, name: (effect: string) => string): Wiring['inputs'] =>
  effects.map(({ name: effect, groups }) => ({ name: name(effect), initial: new Array<number>(groups).fill(0) }));

/** How many elements `write` writes. */
export const writtenBy = ({ inputs }: Wiring): number =>
  inputs.reduce((total, { initial }) => total + initial.length, 0);
