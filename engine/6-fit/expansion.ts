/** What is known of a function to minimise around a point. */

export interface Linearisation {
  readonly residuals: Float64Array;
  /** Columns ∂r/∂u. */
  readonly jacobian: readonly Float64Array[];
}

export interface Quadratic {
  readonly value: number;
  readonly gradient: Float64Array;
  /** By rows. */
  readonly hessian: readonly Float64Array[];
}

/** A point to which a step may go: where the value is not below that, or NaN, it does not, and nothing else is asked for there. */
export interface Below {
  readonly point: Float64Array;
  readonly below: number;
}

/** What a step that goes nowhere needs to know. */
export const valueAlone = (value: number): Quadratic => ({ value, gradient: new Float64Array(0), hessian: [] });
