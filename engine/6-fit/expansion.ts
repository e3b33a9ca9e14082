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

/**
 * A point to which a step may go. Where the value is not below that, or NaN, it does not, and nothing else is asked for there; where
 * it is, the gradient is: the Hessian stays what it was, as the gradient's change tells it.
 */
export interface Below {
  readonly point: Float64Array;
  readonly below: number;
}

/** Without a Hessian. */
export const sloped = (value: number, gradient: Float64Array): Quadratic => ({ value, gradient, hessian: [] });
