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
