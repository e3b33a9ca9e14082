import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
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
  /** A step's error is kept within the tolerance divided by these, as errors of steps add up. */
  readonly caution: { readonly relative: number; readonly absolute: number };
  /** Of h·|λ|: short of where the method is unstable, as within a tight tolerance steps are held off before that. */
  readonly edge?: number;
  readonly step: (
    s: ScalarBuilder,
    equations: Equations,
    states: readonly ScalarOperand[],
    h: ScalarOperand,
    scales: readonly Scale[],
  ) => EmbeddedStep;
}

/** By how much a state may be wrong. */
export interface Scale {
  readonly by: ScalarOperand;
  /** Whether it may have no value, and `by` be `unmeasured`: of others that is not asked. */
  readonly open: boolean;
}

/** The scale of what may be wrong by anything. */
export const unmeasured = -1;

/** A difference in units of what may be wrong. */
export function measured(s: ScalarBuilder, difference: ScalarOperand, { by, open }: Scale): ScalarOperand {
  const e = expression(s);
  if (!open) return e.divide(difference, by);
  return e.choose(
    e.apply('eq', by, realLiteral(unmeasured)),
    () => realLiteral(0),
    () => e.divide(difference, by),
  );
}

/** The stages of an explicit method from a step's start, the last at its end. */
export interface Stages {
  readonly places: readonly (readonly ScalarOperand[])[];
  /** kᵢ = f(x + h Σⱼ aᵢⱼkⱼ, t + cᵢh), by stage and state. */
  readonly rates: readonly (readonly ScalarOperand[])[];
  /** h Σⱼ weightⱼ·kⱼ of a state. */
  readonly combined: (weights: readonly number[], state: number) => ScalarOperand;
}

export function stagesOf(
  s: ScalarBuilder,
  { a, shares }: { readonly a: readonly (readonly number[])[]; readonly shares: readonly number[] },
  equations: Equations,
  states: readonly ScalarOperand[],
  h: ScalarOperand,
): Stages {
  const e = expression(s);
  const rates: ScalarOperand[][] = [];
  const combined = (weights: readonly number[], state: number): ScalarOperand =>
    e.multiply(h, weighted(s, weights, rates, state));
  const places = a.map((weights, stage) => {
    const place = stage === 0 ? [...states] : states.map((x, i) => e.add(x, combined(weights, i)));
    rates.push(equations.rates(place, e.multiply(realLiteral(shares[stage]!), h), shares[stage]));
    return place;
  });
  return { places, rates, combined };
}

/** Σⱼ weightⱼ·kⱼ of a state. */
function weighted(
  s: ScalarBuilder,
  weights: readonly number[],
  k: readonly (readonly ScalarOperand[])[],
  state: number,
): ScalarOperand {
  const e = expression(s);
  const terms = weights.flatMap((weight, j) => (weight === 0 ? [] : [e.multiply(realLiteral(weight), k[j]![state]!)]));
  return e.add(...terms);
}

/**
 * h·|λ| by two places at the same time and their rates: |f(x) − f(y)|/|x − y| (Hairer & Wanner, Solving Ordinary
 * Differential Equations II, section IV.2), states measured by what may be wrong of them: else the largest, which may be
 * the slowest, hide the others.
 */
export function stiffnessOf(
  s: ScalarBuilder,
  h: ScalarOperand,
  scales: readonly Scale[],
  [x, ofX]: readonly [readonly ScalarOperand[], readonly ScalarOperand[]],
  [y, ofY]: readonly [readonly ScalarOperand[], readonly ScalarOperand[]],
): ScalarOperand {
  const e = expression(s);
  const apart = (left: readonly ScalarOperand[], right: readonly ScalarOperand[]): ScalarOperand =>
    e.apply(
      'sqrt',
      e.add(
        ...left.map((value, i) => {
          const difference = measured(s, e.subtract(value, right[i]!), scales[i]!);
          return e.multiply(difference, difference);
        }),
      ),
    );
  return e.divide(e.multiply(h, apart(ofY, ofX)), apart(y, x));
}
