/**
 * Coordinates v on the whole line for parameters with bounds, in which a Markov chain moves:
 *
 *   no bound p = v;  below l: p = l + eᵛ;  above h: p = h − eᵛ;  both: p = l + (h − l)/(1 + e⁻ᵛ)
 *
 * The density of v is that of p times |dp/dv|; `logJacobian` is its logarithm, and `slope` its derivative by v.
 */
export interface Transform {
  /** Whether v is another scale than p. */
  readonly bounded: boolean;
  readonly toValue: (v: number) => number;
  readonly fromValue: (p: number) => number;
  /** dp/dv. */
  readonly derivative: (v: number) => number;
  readonly logJacobian: (v: number) => number;
  readonly slope: (v: number) => number;
}

export function unconstrained(lower: number, upper: number): Transform {
  if (lower === -Infinity && upper === Infinity)
    return {
      bounded: false,
      ...{ toValue: (v) => v, fromValue: (p) => p, derivative: () => 1, logJacobian: () => 0, slope: () => 0 },
    };
  if (lower === -Infinity || upper === Infinity) {
    const [bound, sign] = upper === Infinity ? [lower, 1] : [upper, -1];
    return {
      bounded: true,
      toValue: (v) => bound + sign * Math.exp(v),
      fromValue: (p) => Math.log(sign * (p - bound)),
      derivative: (v) => sign * Math.exp(v),
      logJacobian: (v) => v,
      slope: () => 1,
    };
  }
  const width = upper - lower;
  const share = (v: number): number => 1 / (1 + Math.exp(-v));
  return {
    bounded: true,
    toValue: (v) => lower + width * share(v),
    fromValue: (p) => Math.log((p - lower) / (upper - p)),
    derivative: (v) => width * share(v) * share(-v),
    // log σ(v) + log σ(−v), without overflow at either end.
    logJacobian: (v) => Math.log(width) - Math.abs(v) - 2 * Math.log1p(Math.exp(-Math.abs(v))),
    slope: (v) => 1 - 2 * share(v),
  };
}
