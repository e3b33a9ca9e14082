/** Calibration lines of assays and instruments. */
import { aboveZero, all, coefficient, level, places, power, slope } from '../parameters.ts';
import type { Shape } from '../shape.ts';

export const calibration: readonly Shape[] = [
  {
    name: 'proportional',
    title: 'Line through the origin',
    field: 'calibration',
    formula: 'b*x',
    parameters: { b: slope('sensitivity') },
    suits: ({ low }) => low >= 0,
    use: 'A signal that is proportional to what is measured, with no blank left in it: Beer–Lambert.',
    reference:
      'Miller and Miller, Statistics and Chemometrics for Analytical Chemistry, 6th ed., Pearson 2010, chapter 5',
  },
  {
    name: 'quadratic-through-origin',
    title: 'Bent line through the origin',
    field: 'calibration',
    formula: 'b*x + c*x^2',
    parameters: { b: slope('sensitivity at small x'), c: coefficient('how it bends', 'y/x^2') },
    suits: all(({ low }) => low >= 0, places(4)),
    use: 'A proportional signal whose detector begins to saturate.',
    reference:
      'Miller and Miller, Statistics and Chemometrics for Analytical Chemistry, 6th ed., Pearson 2010, chapter 5',
  },
  {
    name: 'log-log-line',
    title: 'Line on two log axes, with a blank',
    field: 'calibration',
    formula: 'blank + exp(a)*x^p',
    parameters: {
      blank: level('signal of the blank'),
      a: {
        meaning: 'logarithm of the signal at x = 1',
        unit: '',
        start: ({ yHigh, high }) => ({
          low: Math.log(Math.max(yHigh, 1e-12) / high) - 5,
          high: Math.log(Math.max(yHigh, 1e-12)) + 3,
          log: false,
        }),
      },
      p: power('slope on log axes', 0.2, 3),
    },
    suits: all(aboveZero, places(6), ({ yHigh, trend }) => yHigh > 0 && trend > 0),
    use: 'A detector with a curved response, such as evaporative light scattering.',
    reference: 'Mathews, Higham and Sutherland, J. Chromatogr. Sci. 42 (2004) 1',
  },
  {
    name: 'standard-addition',
    narrow: true,
    title: 'Standard addition',
    field: 'calibration',
    formula: 'b*(x + c)',
    parameters: {
      b: slope('sensitivity'),
      c: {
        meaning: 'concentration of the sample',
        unit: 'x',
        start: ({ high, least }) => ({ low: least / 20, high: 5 * high, log: true }),
        positive: true,
      },
    },
    suits: ({ low, trend, yLow }) => low >= 0 && trend > 0.5 && yLow > 0,
    use: 'Known amounts are added to the sample; where the line meets 0 is minus its concentration.',
    reference: 'Harvey, Modern Analytical Chemistry, McGraw-Hill 2000, section 5B',
  },
];
