/** What a Markov chain follows: U(v) = −log density of unconstrained coordinates v, and its gradient. */
import type { Asking } from '../../6-fit/asking.ts';

export interface Potential {
  readonly value: number;
  readonly gradient: Float64Array;
}

export interface State extends Potential {
  readonly position: Float64Array;
}

/** An algorithm that asks for U at points, one after the other. */
export type Following<R> = Asking<Float64Array, Potential, R>;

export function isFinitePotential({ value, gradient }: Potential): boolean {
  return Number.isFinite(value) && gradient.every(Number.isFinite);
}

export function* stateAt(position: Float64Array): Following<State> {
  return { position, ...(yield position) };
}
