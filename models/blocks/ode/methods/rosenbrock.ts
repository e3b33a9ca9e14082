/**
 * Rodas3, a stiffly accurate, L-stable Rosenbrock method of order 3 with four stages, for stiff systems. With the
 * Jacobian J = ∂f/∂x and f_t = ∂f/∂t at the start, both exact:
 *
 *   (I/γ − hJ)·Kᵢ = h·f(x + Σⱼ aᵢⱼKⱼ, t + αᵢh) + Σⱼ cᵢⱼKⱼ + γᵢh²·f_t,    γ = ½
 *   x(t + h) = x + 2K₁ + K₃ + K₄
 *
 * Sandu et al., Benchmarking stiff ODE solvers for atmospheric chemistry problems II: Rosenbrock solvers,
 * Atmospheric Environment 31 (1997) 3459 (doi:10.1016/S1352-2310(97)83212-8).
 */
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { Equations } from './equations.ts';
import { factorized } from './linear-solve.ts';
import { increment, type OdeMethod } from './method.ts';

interface Stage {
  /** aᵢⱼ, cᵢⱼ for the stages before. */
  readonly a: readonly number[];
  readonly c: readonly number[];
  readonly alpha: number;
  readonly gamma: number;
}

const gamma = 1 / 2;
const stages: readonly Stage[] = [
  { a: [], c: [], alpha: 0, gamma: 1 / 2 },
  { a: [0], c: [4], alpha: 0, gamma: 3 / 2 },
  { a: [2, 0], c: [1, -1], alpha: 1, gamma: 0 },
  { a: [2, 0, 1], c: [1, -1, -8 / 3], alpha: 1, gamma: 0 },
];
const weights = [2, 0, 1, 1];

export const rosenbrock: OdeMethod = {
  order: 3,
  step(s, equations, states, h) {
    const e = expression(s);
    const solve = factorized(s, iterationMatrix(s, equations, states, h));
    const drift = equations.byTime(states);
    const found: ScalarOperand[][] = [];
    for (const { a, c, alpha, gamma: share } of stages) {
      const places = states.map((x, i) => e.add(x, ...combined(s, a, found, i)));
      const rates = equations.rates(places, e.multiply(realLiteral(alpha), h));
      const right = rates.map((rate, i) => {
        const time = share === 0 ? undefined : drift[i];
        const moved = time && e.multiply(realLiteral(share), h, increment(s, h, time));
        return e.add(increment(s, h, rate), ...combined(s, c, found, i), ...(moved ? [moved] : []));
      });
      found.push(solve(right));
    }
    return states.map((x, i) => e.add(x, ...combined(s, weights, found, i)));
  },
};

/** I/γ − hJ */
function iterationMatrix(
  s: ScalarBuilder,
  equations: Equations,
  states: readonly ScalarOperand[],
  h: ScalarOperand,
): ScalarOperand[][] {
  const e = expression(s);
  return equations.byState(states).map((row, i) =>
    row.map((entry, j) => {
      const diagonal = realLiteral(i === j ? 1 / gamma : 0);
      return entry ? e.subtract(diagonal, increment(s, h, entry)) : diagonal;
    }),
  );
}

/** The terms of Σⱼ factorⱼ·Kⱼ in component i. */
function combined(
  s: ScalarBuilder,
  factors: readonly number[],
  found: readonly (readonly ScalarOperand[])[],
  component: number,
): ScalarOperand[] {
  const e = expression(s);
  return factors.flatMap((factor, j) => {
    const k = found[j]?.[component];
    return factor === 0 || !k ? [] : [e.multiply(realLiteral(factor), k)];
  });
}
