/**
 * Curves of textbooks and laboratories that no method here was made on, each from 1, 10, 100, −1 and 0 times a plain start. The
 * least sum of squares is that of the lowest end of all methods, SciPy's among them, from all five.
 */
import { noise, problemOf, upTo, type ClassicProblem, type Entry } from './problems.ts';

interface Stranger {
  readonly name: string;
  readonly formula: string;
  readonly at: (t: number) => number;
  readonly t: readonly number[];
  readonly error: number;
  readonly start: readonly number[];
}

const strange = ({ name, formula, at, t, error, start }: Stranger): Entry => [
  ...([name, start, NaN, [`${formula} - y`]] as const),
  { t, y: t.map((each, i) => at(each) + error * noise(i + 11)) },
];
const grid = (n: number, from: number, to: number): number[] =>
  upTo(n).map((i) => from + ((to - from) * (i - 1)) / (n - 1));
const { exp, log, cos, PI, sqrt } = Math;

const curves: readonly Stranger[] = [
  {
    ...{ name: 'Chapman–Richards', formula: 'x1*(1 - exp(-x2*t))^x3', t: upTo(20), error: 0.5, start: [10, 0.1, 1] },
    ...{ at: (t) => 30 * (1 - exp(-0.2 * t)) ** 2.2 },
  },
  {
    ...{ name: 'Morgan, Mercer and Flodin', formula: '(x1*x2 + x3*t^x4)/(x2 + t^x4)', t: upTo(18), error: 0.3 },
    ...{ start: [1, 10, 10, 1], at: (t) => (5 * 200 + 40 * t ** 2.5) / (200 + t ** 2.5) },
  },
  {
    ...{ name: 'Weibull growth', formula: 'x1 - x2*exp(-x3*t^x4)', t: upTo(16).map((i) => i / 2), error: 0.2 },
    ...{ start: [10, 10, 0.1, 1], at: (t) => 20 - 16 * exp(-0.15 * t ** 1.7) },
  },
  {
    ...{ name: 'dose and response, four parameters', formula: 'x1 + (x2 - x1)/(1 + exp(x3*(log(t) - x4)))', error: 2 },
    ...{ t: upTo(14).map((i) => 0.01 * 2.5 ** i), start: [1, 50, 1, 1] },
    ...{ at: (t) => 8 + 87 / (1 + exp(1.3 * (log(t) - 1.2))) },
  },
  {
    ...{
      name: 'dose and response, five parameters',
      formula: 'x1 + (x2 - x1)/(1 + exp(x3*(log(t) - x4)))^x5',
      error: 1,
    },
    ...{ t: upTo(24).map((i) => 0.01 * 1.8 ** i), start: [1, 50, 1, 1, 1] },
    ...{ at: (t) => 8 + 87 / (1 + exp(1.6 * (log(t) - 2))) ** 0.6 },
  },
  {
    ...{
      name: 'inhibition by substrate',
      formula: 'x1*t/(x2 + t + t^2/x3)',
      t: upTo(15),
      error: 0.15,
      start: [1, 1, 1],
    },
    ...{ at: (t) => (20 * t) / (3 + t + (t * t) / 6) },
  },
  {
    ...{ name: 'absorption and elimination', formula: 'x1*x2/(x2 - x3)*(exp(-x3*t) - exp(-x2*t))', error: 0.2 },
    ...{ t: upTo(18).map((i) => 0.7 * i), start: [1, 2, 1] },
    ...{ at: (t) => ((12 * 1.4) / (1.4 - 0.25)) * (exp(-0.25 * t) - exp(-1.4 * t)) },
  },
  {
    ...{ name: 'damped oscillation', formula: 'x1*exp(-x2*t)*cos(x3*t + x4) + x5', t: grid(40, 0, 12), error: 0.2 },
    ...{ start: [1, 0.1, 1, 0.1, 1], at: (t) => 6 * exp(-0.18 * t) * cos(2.1 * t + 0.7) + 3 },
  },
  {
    ...{ name: 'two Lorentzian lines', formula: 'x1/(1 + ((t - x2)/x3)^2) + x4/(1 + ((t - x5)/x6)^2)', error: 0.1 },
    ...{ t: grid(50, 0, 10), start: [1, 2, 1, 1, 8, 1] },
    ...{ at: (t) => 5 / (1 + ((t - 3) / 0.8) ** 2) + 3 / (1 + ((t - 6.2) / 0.5) ** 2) },
  },
  {
    ...{ name: 'van Genuchten', formula: 'x1 + (x2 - x1)/(1 + (x3*t)^x4)^(1 - 1/x4)', error: 0.004 },
    ...{ t: upTo(16).map((i) => 2 * 1.7 ** i), start: [0.1, 0.5, 0.1, 2] },
    ...{ at: (t) => 0.08 + 0.37 / (1 + (0.02 * t) ** 1.8) ** (1 - 1 / 1.8) },
  },
  {
    ...{ name: 'Antoine', formula: 'x1 - x2/(x3 + t)', t: grid(15, 10, 150), error: 0.002, start: [1, 100, 100] },
    ...{ at: (t) => 8.07 - 1730.6 / (233.4 + t) },
  },
  {
    ...{
      name: 'rational of degree two',
      formula: '(x1 + x2*t + x3*t^2)/(1 + x4*t + x5*t^2)',
      t: grid(25, 0, 6),
      error: 0.05,
    },
    ...{ start: [1, 1, 1, 1, 1], at: (t) => (1 + 4 * t + 0.5 * t * t) / (1 - 0.3 * t + 0.2 * t * t) },
  },
  {
    ...{ name: 'cosine of unknown period', formula: 'x1 + x2*cos(2*pi*t/x3 + x4)', t: upTo(48), error: 0.8 },
    ...{ start: [10, 1, 20, 0.1], at: (t) => 37 + 4 * cos((2 * PI * t) / 24.6 + 1.1) },
  },
  {
    ...{ name: 'two sites', formula: 'x1*x2*t/(1 + x2*t) + x3*x4*t/(1 + x4*t)', error: 0.05, start: [1, 1, 1, 0.1] },
    ...{ t: upTo(16).map((i) => 0.02 * 2 ** i) },
    ...{ at: (t) => (4 * 3 * t) / (1 + 3 * t) + (9 * 0.04 * t) / (1 + 0.04 * t) },
  },
  {
    ...{ name: 'stretched exponential', formula: 'x1*exp(-(t/x2)^x3)', t: upTo(20), error: 0.1, start: [1, 1, 1] },
    ...{ at: (t) => 9 * exp(-((t / 6) ** 0.6)) },
  },
  {
    ...{ name: 'von Bertalanffy', formula: 'x1*(1 - exp(-x2*(t - x3)))^3', t: upTo(18), error: 0.8, start: [10, 1, 1] },
    ...{ at: (t) => 40 * (1 - exp(-0.25 * (t + 0.5))) ** 3 },
  },
  {
    ...{ name: 'three exponentials', formula: 'x1*exp(-x4*t) + x2*exp(-x5*t) + x3*exp(-x6*t)', error: 0.01 },
    ...{ t: grid(40, 0, 20), start: [1, 1, 1, 1, 0.1, 0.01] },
    ...{ at: (t) => 5 * exp(-2 * t) + 3 * exp(-0.4 * t) + 2 * exp(-0.06 * t) },
  },
  {
    ...{ name: 'rise in two steps', formula: 'x1/(1 + exp(-x2*(t - x3))) + x4/(1 + exp(-x5*(t - x6)))', error: 0.5 },
    ...{ t: upTo(40), start: [10, 1, 5, 10, 1, 20] },
    ...{ at: (t) => 30 / (1 + exp(-0.8 * (t - 9))) + 50 / (1 + exp(-0.5 * (t - 26))) },
  },
  {
    ...{ name: 'black body', formula: 'x1*t^(-5)/(exp(x2/t) - 1)', t: grid(20, 0.3, 3), error: 0.1, start: [1, 1] },
    ...{ at: (t) => (400 * t ** -5) / (exp(4.8 / t) - 1) },
  },
  {
    ...{ name: 'hyperbola in two pieces, smooth', formula: 'x1 + x2*t + x3*sqrt((t - x4)^2 + x5^2)', error: 0.1 },
    ...{ t: upTo(25), start: [1, 1, 1, 1, 1], at: (t) => 2 + 0.7 * t + 0.5 * sqrt((t - 13) ** 2 + 4) },
  },
  {
    ...{
      name: 'Lambert and Beer with stray light',
      formula: '-log(x1 + (1 - x1)*exp(-x2*t))',
      t: upTo(14),
      error: 0.01,
    },
    ...{ start: [0.1, 1], at: (t) => -log(0.015 + 0.985 * exp(-0.45 * t)) },
  },
  {
    ...{
      name: 'Arrhenius about a temperature',
      formula: 'x1*exp(-x2*(1/t - 1/300))',
      t: grid(14, 270, 340),
      error: 0.05,
    },
    ...{ start: [1, 1000], at: (t) => 2 * exp(-6000 * (1 / t - 1 / 300)) },
  },
];

/** Rates of a reaction by the pressures of three gases (Bates & Watts 1988, appendix 2): four of five parameters hardly seen apart. */
const hougenWatson: Entry = [
  'Hougen and Watson',
  [1, 0.05, 0.02, 0.1, 2],
  NaN,
  ['(x1*n - p/x5)/(1 + x2*h + x3*n + x4*p) - y'],
  {
    h: [470, 285, 470, 470, 470, 100, 100, 470, 100, 100, 100, 285, 285],
    n: [300, 80, 300, 80, 80, 190, 80, 190, 300, 300, 80, 300, 190],
    p: [10, 10, 120, 120, 10, 10, 65, 65, 54, 120, 120, 10, 120],
    y: [8.55, 3.79, 4.82, 0.02, 2.75, 14.39, 2.54, 4.35, 13, 8.5, 0.05, 11.32, 3.13],
  },
];

export const strangers: readonly ClassicProblem[] = [...curves.map(strange), hougenWatson].flatMap((entry) =>
  [1, 10, 100, -1, 0].map((times) => problemOf(entry, times)),
);
