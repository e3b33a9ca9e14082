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

/** A point at which the expected information may take the Hessian's place (long/scoring.ts). */
export interface Expected {
  readonly expected: Float64Array;
}

/** What is asked of a point: all, or less where all costs much. */
export type Look = Float64Array | Below | Expected;

export function pointOf(look: Look): Float64Array {
  if (look instanceof Float64Array) return look;
  return 'below' in look ? look.point : look.expected;
}

/** Answers all that is known of a point, whatever was asked. */
export const wholly =
  <A>(expand: (point: Float64Array) => Promise<A>) =>
  (look: Look): Promise<A> =>
    expand(pointOf(look));

/** Without a Hessian. */
export const sloped = (value: number, gradient: Float64Array): Quadratic => ({ value, gradient, hessian: [] });
