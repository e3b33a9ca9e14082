/**
 * Rodas5P, a stiffly accurate, L-stable Rosenbrock pair of orders 5 and 4 with eight stages, for stiff systems. With the
 * Jacobian J = ∂f/∂x and f_t = ∂f/∂t at the start, both exact:
 *
 *   (I/γ − hJ)·Kᵢ = h·f(x + Σⱼ aᵢⱼKⱼ, t + αᵢh) + Σⱼ cᵢⱼKⱼ + γᵢh²·f_t
 *   x(t + h) = x + Σⱼ a₈ⱼKⱼ + K₈,   error = K₈
 *
 * Absolute errors are kept smaller: what is fast in a stiff system is small as a rule, and drives the rest.
 *
 * Steinebach, Construction of Rosenbrock–Wanner method Rodas5P and numerical benchmarks within the Julia Differential
 * Equations package, BIT 63 (2023) 27 (doi:10.1007/s10543-023-00967-x).
 */
import { realLiteral, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import type { EmbeddedMethod } from './embedded.ts';
import { eliminated } from './elimination.ts';

const gamma = 0.21193756319429014;
/** a₆ is the base of the three last stages, each of which adds the stage before. */
const a: readonly (readonly number[])[] = [
  [],
  [3],
  [2.849394379747939, 0.45842242204463923],
  [-6.954028509809101, 2.489845061869568, -10.358996098473584],
  [2.8029986275628964, 0.5072464736228206, -0.3988312541770524, -0.04721187230404641],
  [-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946],
  [-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1],
  [-7.502846399306121, 2.561846144803919, -11.627539656261098, -0.18268767659942256, 0.030198172008377946, 1, 1],
];
const c: readonly (readonly number[])[] = [
  [],
  [-14.155112264123755],
  [-17.97296035885952, -2.859693295451294],
  [147.12150275711716, -1.41221402718213, 71.68940251302358],
  [165.43517024871676, -0.4592823456491126, 42.90938336958603, -5.961986721573306],
  [24.854864614690072, -3.0009227002832186, 47.4931110020768, 5.5814197821558125, -0.6610691825249471],
  [
    30.91273214028599, -3.1208243349937974, 77.79954646070892, 34.28646028294783, -19.097331116725623,
    -28.087943162872662,
  ],
  [
    37.80277123390563, -3.2571969029072276, 112.26918849496327, 66.9347231244047, -40.06618937091002,
    -54.66780262877968, -9.48861652309627,
  ],
];
const alpha = [0, 0.6358126895828704, 0.4095798393397535, 0.9769306725060716, 0.4288403609558664, 1, 1, 1];
const shares = [
  0.21193756319429014, -0.42387512638858027, -0.3384627126235924, 1.8046452872882734, 2.325825639765069, 0, 0, 0,
];

export const rodas5p: EmbeddedMethod = {
  order: 5,
  caution: { relative: 1, absolute: 100 },
  step(s, equations, states, h) {
    const e = expression(s);
    const zero = realLiteral(0);
    const matrix = equations.byState(states).map((row, i) =>
      row.map((entry, j) => {
        const scaled = entry && e.multiply(h, entry);
        if (i !== j) return scaled && e.subtract(zero, scaled);
        return scaled ? e.subtract(realLiteral(1 / gamma), scaled) : realLiteral(1 / gamma);
      }),
    );
    const solve = eliminated(s, matrix);
    const drift = equations.byTime(states);
    const k: (readonly ScalarOperand[])[] = [];
    const combined = (weights: readonly number[], i: number): ScalarOperand[] =>
      weights.map((weight, j) => {
        const value = k[j]![i]!;
        return weight === 1 ? value : e.multiply(realLiteral(weight), value);
      });
    let place: readonly ScalarOperand[] = states;
    for (const [stage, weights] of a.entries()) {
      // The last stages are at the place before, moved by the stage before.
      if (stage > 0)
        place =
          stage < 6
            ? states.map((x, i) => e.add(x, ...combined(weights, i)))
            : place.map((x, i) => e.add(x, k[stage - 1]![i]!));
      const rates = equations.rates(place, e.multiply(realLiteral(alpha[stage]!), h));
      const share = shares[stage]!;
      const right = rates.map((rate, i) => {
        const slope = share === 0 ? undefined : drift[i];
        const moved = slope ? [e.multiply(realLiteral(share), h, h, slope)] : [];
        return e.add(e.multiply(h, rate), ...combined(c[stage]!, i), ...moved);
      });
      k.push(solve(right));
    }
    const last = k[7]!;
    return { states: place.map((x, i) => e.add(x, last[i]!)), errors: last };
  },
};
