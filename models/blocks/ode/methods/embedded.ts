import type { ScalarBuilder, ScalarOperand } from '../../../../engine/index.ts';
import type { Equations } from './equations.ts';

/** What a step of an embedded pair gives. */
export interface EmbeddedStep {
  /** x(t + h) by the better of the two. */
  readonly states: readonly ScalarOperand[];
  /** By how much the two differ, state by state. */
  readonly errors: readonly ScalarOperand[];
  /** An estimate of h·|λ| for the largest eigenvalue λ of ∂f/∂x, where the method has one for nothing. */
  readonly stiffness?: ScalarOperand;
  /** Of a state x: q with x(t + θh) = x(t) + θ(q₁ + θ(q₂ + …)), for 0 ≤ θ ≤ 1. */
  readonly course?: (state: number) => ScalarOperand[];
}

/** A one-step method with an estimate of its own error. */
export interface EmbeddedMethod {
  /** The error estimate is of the order hᵖ. */
  readonly order: number;
  readonly step: (
    s: ScalarBuilder,
    equations: Equations,
    states: readonly ScalarOperand[],
    h: ScalarOperand,
    /** How much of each state may be wrong. */
    scales: readonly ScalarOperand[],
  ) => EmbeddedStep;
}
