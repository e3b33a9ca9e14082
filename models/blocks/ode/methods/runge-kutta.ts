/**
 * The classical Runge–Kutta method, of order 4:
 *
 *   k₁ = f(x, t),  k₂ = f(x + ½hk₁, t + ½h),  k₃ = f(x + ½hk₂, t + ½h),  k₄ = f(x + hk₃, t + h)
 *   x(t + h) = x + h/6·(k₁ + 2k₂ + 2k₃ + k₄)
 *
 * Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, section II.1 (doi:10.1007/978-3-540-78862-1).
 */
import { realLiteral, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import { increment, type OdeMethod } from './method.ts';

export const rungeKutta: OdeMethod = {
  order: 4,
  step(s, equations, states, h) {
    const e = expression(s);
    const half = e.multiply(realLiteral(0.5), h);
    const moved = (rates: readonly ScalarOperand[], by: ScalarOperand): ScalarOperand[] =>
      states.map((x, i) => e.add(x, increment(s, by, rates[i]!)));
    const k1 = equations.rates(states, realLiteral(0));
    const k2 = equations.rates(moved(k1, half), half);
    const k3 = equations.rates(moved(k2, half), half);
    const k4 = equations.rates(moved(k3, h), h);
    const mean = k1.map((k, i) => {
      const [b, c, d] = [k2[i], k3[i], k4[i]] as [ScalarOperand, ScalarOperand, ScalarOperand];
      return e.divide(e.add(k, e.multiply(realLiteral(2), e.add(b, c)), d), realLiteral(6));
    });
    return moved(mean, h);
  },
};
