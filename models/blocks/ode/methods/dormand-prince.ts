/**
 * DOP853, the Runge–Kutta method of order 8 by Dormand and Prince with errors of orders 5 and 3, for systems that are not
 * stiff:
 *
 *   kᵢ = f(x + h Σⱼ aᵢⱼkⱼ, t + cᵢh),   x(t + h) = x + h Σⱼ a₁₃ⱼkⱼ,   error = e₅·‖e₅‖/√(‖e₅‖² + ‖e₃‖²/100)
 *
 * Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I (1993), sections II.5 and II.10.
 *
 * Its caution costs 300^(1/8) = 2 times the steps, and keeps seven digits of an orbit within a tolerance of 10⁻¹⁰.
 *
 * Stages 12 and 13 are both at t + h, so that |k₁₃ − k₁₂|/|x₁₃ − x₁₂| estimates |λ|, as with Tsitouras's pair.
 */
import { realLiteral, type ScalarOperand } from '../../../../engine/index.ts';
import { expression } from '../../../objective/expression.ts';
import { measured, stagesOf, stiffnessOf, type EmbeddedMethod } from './embedded.ts';

const a: readonly (readonly number[])[] = [
  [],
  [0.05260015195876773],
  [0.0197250569845379, 0.0591751709536137],
  [0.02958758547680685, 0, 0.08876275643042054],
  [0.2413651341592667, 0, -0.8845494793282861, 0.924834003261792],
  [0.037037037037037035, 0, 0, 0.17082860872947386, 0.12546768756682242],
  [0.037109375, 0, 0, 0.17025221101954405, 0.06021653898045596, -0.017578125],
  [0.03709200011850479, 0, 0, 0.17038392571223998, 0.10726203044637328, -0.015319437748624402, 0.008273789163814023],
  [
    0.6241109587160757, 0, 0, -3.3608926294469414, -0.868219346841726, 27.59209969944671, 20.154067550477894,
    -43.48988418106996,
  ],
  [
    0.47766253643826434, 0, 0, -2.4881146199716677, -0.590290826836843, 21.230051448181193, 15.279233632882423,
    -33.28821096898486, -0.020331201708508627,
  ],
  [
    -0.9371424300859873, 0, 0, 5.186372428844064, 1.0914373489967295, -8.149787010746927, -18.52006565999696,
    22.739487099350505, 2.4936055526796523, -3.0467644718982196,
  ],
  [
    2.273310147516538, 0, 0, -10.53449546673725, -2.0008720582248625, -17.9589318631188, 27.94888452941996,
    -2.8589982771350235, -8.87285693353063, 12.360567175794303, 0.6433927460157636,
  ],
  [
    0.054293734116568765, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, 0.3111643669578199,
    -0.1521609496625161, 0.20136540080403034, 0.04471061572777259,
  ],
];
const shares = [
  0, 0.05260015195876773, 0.0789002279381516, 0.1183503419072274, 0.2816496580927726, 0.3333333333333333, 0.25,
  0.3076923076923077, 0.6512820512820513, 0.6, 0.8571428571428571, 1, 1,
];
const error5 = [
  0.01312004499419488, 0, 0, 0, 0, -1.2251564463762044, -0.4957589496572502, 1.6643771824549864, -0.35032884874997366,
  0.3341791187130175, 0.08192320648511571, -0.022355307863886294,
];
const error3 = [
  -0.18980075407240762, 0, 0, 0, 0, 4.450312892752409, 1.8915178993145003, -5.801203960010585, -0.4226823213237919,
  -0.1521609496625161, 0.20136540080403034, 0.02265179219836082,
];

export const dormandPrince: EmbeddedMethod = {
  order: 8,
  edge: 2,
  caution: { relative: 300, absolute: 300 },
  step(s, equations, states, h, scales) {
    const e = expression(s);
    const { places, rates, combined } = stagesOf(s, { a, shares }, equations, states, h);
    const [fifth, third] = [error5, error3].map((weights) => states.map((_, i) => combined(weights, i))) as [
      ScalarOperand[],
      ScalarOperand[],
    ];
    const squared = (errors: readonly ScalarOperand[]): ScalarOperand =>
      e.add(
        ...errors.map((error, i) => {
          const ratio = measured(s, error, scales[i]!);
          return e.multiply(ratio, ratio);
        }),
      );
    const [of5, of3] = [squared(fifth), squared(third)];
    const share = e.choose(
      // Both may be 0.
      e.apply('eq', of5, realLiteral(0)),
      () => realLiteral(0),
      () => e.apply('sqrt', e.divide(of5, e.add(of5, e.multiply(realLiteral(0.01), of3)))),
    );
    return {
      states: places[12]!,
      errors: fifth.map((error) => e.multiply(share, error)),
      stiffness: stiffnessOf(
        s,
        h,
        scales,
        [places[11], rates[11]] as [ScalarOperand[], ScalarOperand[]],
        [places[12], rates[12]] as [ScalarOperand[], ScalarOperand[]],
      ),
    };
  },
};
