/**
 * The Runge–Kutta pair of orders 5 and 4 by Tsitouras, with seven stages, for systems that are not stiff:
 *
 *   kᵢ = f(x + h Σⱼ aᵢⱼkⱼ, t + cᵢh),   x(t + h) = x + h Σⱼ a₇ⱼkⱼ,   error = h Σⱼ eⱼkⱼ
 *
 * Tsitouras, Runge–Kutta pairs of order 5(4) satisfying only the first column simplifying assumption, Computers &
 * Mathematics with Applications 62 (2011) 770 (doi:10.1016/j.camwa.2011.06.002).
 *
 * Stages 6 and 7 are both at t + h, so that |k₇ − k₆|/|x₇ − x₆| estimates |λ|.
 */
import type { ScalarOperand } from '../../../../engine/index.ts';
import { stagesOf, stiffnessOf, type EmbeddedMethod } from './embedded.ts';

const a: readonly (readonly number[])[] = [
  [],
  [0.161],
  [-0.008480655492356989, 0.335480655492357],
  [2.8971530571054935, -6.359448489975075, 4.3622954328695815],
  [5.325864828439257, -11.748883564062828, 7.4955393428898365, -0.09249506636175525],
  [5.86145544294642, -12.92096931784711, 8.159367898576159, -0.071584973281401, -0.028269050394068383],
  [0.09646076681806523, 0.01, 0.4798896504144996, 1.379008574103742, -3.290069515436081, 2.324710524099774],
];
/** Of the step, where rates are asked for. */
export const shares = [0, 0.161, 0.327, 0.9, 0.9800255409045097, 1, 1];
const error = [
  -0.00178001105222577714,
  -0.0008164344596567469,
  0.007880878010261995,
  -0.1447110071732629,
  0.5823571654525552,
  -0.45808210592918697,
  1 / 66,
];

/**
 * xᵢ(t + θh) = xᵢ + h Σⱼ bⱼ(θ)kⱼ, of order 4: bⱼ = Σₘ courseⱼₘθᵐ, m from 1. Tsitouras 2011, section 4; at θ = 1 they are the last
 * row of `a`.
 */
const course: readonly (readonly number[])[] = [
  [1, -2.763706197274826, 2.9132554618219126, -1.0530884977290216],
  [0, 0.1317, -0.2234, 0.1017],
  [0, 3.9302962368947516, -5.941033872131505, 2.490627285651253],
  [0, -12.411077166933676, 30.33818863028232, -16.548102889244902],
  [0, 37.50931341651104, -88.1789048947664, 47.37952196281928],
  [0, -27.896526289197286, 65.09189467479366, -34.87065786149661],
  [0, 1.5, -4, 2.5],
];
export const courseTerms = 4;

export const tsitouras: EmbeddedMethod = {
  order: 5,
  edge: 2,
  caution: { relative: 1, absolute: 1 },
  step(s, equations, states, h, scales) {
    const { places, rates, combined } = stagesOf(s, { a, shares }, equations, states, h);
    const [sixth, seventh] = [5, 6].map((stage) => [places[stage], rates[stage]]) as [
      [ScalarOperand[], ScalarOperand[]],
      [ScalarOperand[], ScalarOperand[]],
    ];
    return {
      states: seventh[0],
      errors: states.map((_, i) => combined(error, i)),
      course: (state) =>
        Array.from({ length: courseTerms }, (_, m) =>
          combined(
            course.map((weights) => weights[m]!),
            state,
          ),
        ),
      stiffness: stiffnessOf(s, h, scales, sixth, seventh),
    };
  },
};
