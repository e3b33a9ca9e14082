/**
 * Curves of further fields (adsorption, spectra, solids, economics, energy), as those of strangers.ts: no method here was made on
 * them. Each is fitted from 1, 10, 100, −1 and 0 times a plain start.
 */
import { noise, problemOf, upTo, type ClassicProblem, type Entry } from './problems.ts';

const { exp, log, sin, cos, sqrt } = Math;
const grid = (n: number, from: number, to: number): readonly number[] =>
  upTo(n).map((i) => from + ((to - from) * (i - 1)) / (n - 1));
const powers = (n: number, from: number, to: number): readonly number[] =>
  grid(n, log(from), log(to)).map((each) => exp(each));

/** `t`: where it is measured; `at`: what it is there; `error`: the largest noise. */
const curve = (
  name: string,
  start: readonly number[],
  formula: string,
  t: readonly number[],
  at: (t: number) => number,
  error: number,
): Entry => [
  ...([name, start, NaN, [`${formula} - y`]] as const),
  { t, y: t.map((each, i) => at(each) + error * noise(i + 37)) },
];

const curves: readonly Entry[] = [
  curve(
    'Gompertz from an offset',
    [1, 10, 0.1, 1],
    'x1 + x2*exp(-exp(-x3*(t - x4)))',
    upTo(24),
    (t) => 3 + 20 * exp(-exp(-0.4 * (t - 9))),
    0.3,
  ),
  curve(
    'Hill from an offset',
    [1, 10, 1, 1],
    'x1 + x2*t^x3/(x4^x3 + t^x3)',
    powers(14, 0.05, 200),
    (t) => 5 + (60 * t ** 1.7) / (4 ** 1.7 + t ** 1.7),
    1,
  ),
  curve(
    'Sips',
    [1, 1, 1],
    'x1*(x2*t)^x3/(1 + (x2*t)^x3)',
    powers(15, 0.01, 30),
    (t) => (3.2 * (0.9 * t) ** 0.7) / (1 + (0.9 * t) ** 0.7),
    0.02,
  ),
  curve(
    'Tóth',
    [1, 1, 1],
    'x1*t/(x2 + t^x3)^(1/x3)',
    powers(15, 0.01, 30),
    (t) => (4 * t) / (0.8 + t ** 0.6) ** (1 / 0.6),
    0.02,
  ),
  curve(
    'Redlich and Peterson',
    [1, 1, 1],
    'x1*t/(1 + x2*t^x3)',
    powers(15, 0.01, 30),
    (t) => (6 * t) / (1 + 2 * t ** 0.85),
    0.03,
  ),
  curve(
    'peak on a slope',
    [1, 1, 1, 1, 1],
    'x1 + x2*t + x3*exp(-((t - x4)/x5)^2)',
    grid(40, 0, 10),
    (t) => 2 + 0.3 * t + 5 * exp(-(((t - 6) / 0.9) ** 2)),
    0.15,
  ),
  curve(
    'rise and fall',
    [10, 1, 1, 10, 1],
    'x1/(1 + exp(-(t - x2)/x3))*(1 - 1/(1 + exp(-(t - x4)/x5)))',
    grid(40, 0, 20),
    (t) => (9 / (1 + exp(-(t - 6) / 0.8))) * (1 - 1 / (1 + exp(-(t - 13) / 1.6))),
    0.15,
  ),
  curve(
    'lognormal peak',
    [1, 1, 1],
    'x1/t*exp(-log(t/x2)^2/(2*x3^2))',
    powers(25, 0.1, 50),
    (t) => (12 / t) * exp(-(log(t / 4) ** 2) / (2 * 0.49)),
    0.05,
  ),
  curve(
    'gamma variate',
    [1, 1, 1],
    'x1*t^x2*exp(-t/x3)',
    grid(25, 0.5, 25),
    (t) => 0.4 * t ** 2.6 * exp(-t / 2.1),
    0.08,
  ),
  curve(
    'Morse',
    [1, 1, 1, 1],
    'x1*(1 - exp(-x2*(t - x3)))^2 + x4',
    grid(25, 0.6, 4),
    (t) => 4.5 * (1 - exp(-1.9 * (t - 0.75))) ** 2 - 4.4,
    0.03,
  ),
  curve(
    'Lennard and Jones',
    [1, 1],
    'x1*((x2/t)^12 - 2*(x2/t)^6)',
    grid(20, 3.2, 8),
    (t) => 0.24 * ((3.8 / t) ** 12 - 2 * (3.8 / t) ** 6),
    0.003,
  ),
  curve(
    'Birch and Murnaghan',
    [-1, 100, 1, 1],
    'x1 + 9*x2*x3/16*(((x2/t)^(2/3) - 1)^3*x4 + ((x2/t)^(2/3) - 1)^2*(6 - 4*(x2/t)^(2/3)))',
    grid(15, 60, 90),

    (t) => {
      const u = (75 / t) ** (2 / 3);
      return -12 + ((9 * 75 * 0.5) / 16) * ((u - 1) ** 3 * 4.2 + (u - 1) ** 2 * (6 - 4 * u));
    },
    0.002,
  ),
  curve(
    'Vogel, Fulcher and Tammann',
    [1, 100, 100],
    'x1 + x2/(t - x3)',
    grid(18, 300, 480),
    (t) => -4.5 + 1200 / (t - 210),
    0.03,
  ),
  curve(
    'Steinhart and Hart',
    [0.001, 0.0001, 1e-7],
    '1/(x1 + x2*log(t) + x3*log(t)^3)',
    powers(16, 200, 1e5),
    (t) => 1 / (1.1e-3 + 2.4e-4 * log(t) + 8e-8 * log(t) ** 3),
    0.05,
  ),
  curve(
    'Sellmeier',
    [1, 0.01],
    'sqrt(1 + x1*t^2/(t^2 - x2))',
    grid(16, 0.4, 2),
    (t) => sqrt(1 + (1.26 * t * t) / (t * t - 0.0105)),
    2e-4,
  ),
  curve(
    'Fano',
    [1, 1, 1, 1, 1],
    'x1*(x2 + (t - x3)/x4)^2/(1 + ((t - x3)/x4)^2) + x5',
    grid(50, 0, 10),
    (t) => (2 * (1.4 + (t - 4.5) / 0.6) ** 2) / (1 + ((t - 4.5) / 0.6) ** 2) + 0.8,
    0.06,
  ),
  curve(
    'resonance on a slope',
    [1, 1, 1, 1, 1],
    'x1/((t - x2)^2 + x3^2/4) + x4 + x5*t',
    grid(50, 0, 10),
    (t) => 1.5 / ((t - 3.2) ** 2 + 0.7 ** 2 / 4) + 1 + 0.2 * t,
    0.15,
  ),
  curve(
    'chirp',
    [1, 1, 0.1, 0.1],
    'x1*sin(x2*t + x3*t^2 + x4)',
    grid(60, 0, 8),
    (t) => 2 * sin(1.7 * t + 0.21 * t * t + 0.4),
    0.1,
  ),
  curve(
    'two tones',
    [1, 1, 1, 1, 2, 1],
    'x1*cos(x2*t) + x3*sin(x2*t) + x4*cos(x5*t) + x6*sin(x5*t)',
    grid(60, 0, 20),
    (t) => 2 * cos(1.3 * t) + sin(1.3 * t) + 0.8 * cos(2.9 * t) - 0.5 * sin(2.9 * t),
    0.2,
  ),
  curve(
    'power law with a cut',
    [1, 1, 1],
    'x1*t^(-x2)*exp(-t/x3)',
    powers(25, 0.1, 60),
    (t) => 8 * t ** -0.8 * exp(-t / 15),
    0.1,
  ),
  curve(
    'broken power law',
    [1, 1, 1, -1],
    'x1*(t/x2)^x3*(1 + (t/x2)^5)^((x4 - x3)*0.2)',
    powers(30, 0.1, 100),
    (t) => 10 * (t / 6) ** 0.9 * (1 + (t / 6) ** 5) ** (-2.4 * 0.2),
    0.08,
  ),
  curve(
    'tight binding',
    [1, 1, 1],
    'x1*((t + 5 + x2) - sqrt((t + 5 + x2)^2 - 20*t))/10 + x3',
    grid(16, 0, 20),
    (t) => (30 * (t + 5 + 0.3 - sqrt((t + 5.3) ** 2 - 20 * t))) / 10 + 4,
    0.4,
  ),
  curve(
    'Nelson and Siegel',
    [1, 1, 1, 1],
    'x1 + x2*(1 - exp(-t/x4))/(t/x4) + x3*((1 - exp(-t/x4))/(t/x4) - exp(-t/x4))',
    powers(14, 0.25, 30),

    (t) => {
      const s = (1 - exp(-t / 1.8)) / (t / 1.8);
      return 4.2 - 2.5 * s + 1.5 * (s - exp(-t / 1.8));
    },
    0.03,
  ),
  curve(
    'Ramberg and Osgood',
    [100, 100, 1],
    't/x1 + (t/x2)^x3',
    grid(18, 20, 420),
    (t) => t / 2100 + (t / 520) ** 8,
    0.004,
  ),
  curve(
    'Butler and Volmer',
    [1, 1, 1],
    'x1*(exp(x2*t) - exp(-x3*t))',
    grid(21, -0.2, 0.2),
    (t) => 0.3 * (exp(18 * t) - exp(-14 * t)),
    0.05,
  ),
  curve(
    'diode under light',
    [0.001, 0.1, 1, 1],
    'x1*(exp(t/x2) - 1) + t/x3 - x4',
    grid(25, -0.2, 0.62),
    (t) => 1e-6 * (exp(t / 0.045) - 1) + t / 80 - 0.7,
    0.004,
  ),
  curve(
    'photosynthesis by a bent hyperbola',
    [0.1, 10, 0.5, 1],
    '(x1*t + x2 - sqrt((x1*t + x2)^2 - 4*x3*x1*t*x2))/(2*x3) - x4',
    grid(18, 0, 1700),

    (t) => {
      const a = 0.055 * t;
      return (a + 28 - sqrt((a + 28) ** 2 - 4 * 0.8 * a * 28)) / 1.6 - 1.4;
    },
    0.3,
  ),
  curve(
    'photoinhibition',
    [1, 1, 0.1],
    'x1*(1 - exp(-x2*t/x1))*exp(-x3*t/x1)',
    grid(18, 10, 1500),
    (t) => 14 * (1 - exp((-0.09 * t) / 14)) * exp((-0.006 * t) / 14),
    0.2,
  ),
  curve(
    'bathtub',
    [1, 1, 1, 1],
    'x1*t^x2 + x3*exp(-x4*t)',
    grid(25, 0.2, 10),
    (t) => 0.01 * t ** 2.4 + 3 * exp(-1.1 * t),
    0.05,
  ),
  curve(
    'extreme-value peak',
    [1, 1, 1],
    'x1*exp(1 - exp(-(t - x2)/x3) - (t - x2)/x3)',
    grid(40, 0, 20),
    (t) => 6 * exp(1 - exp(-(t - 7) / 1.4) - (t - 7) / 1.4),
    0.1,
  ),
  curve(
    'relaxation with a spread',
    [1, 10, 1, 1],
    'x1 + x2/(1 + (t*x3)^x4)',
    powers(20, 1e-3, 1e3),
    (t) => 3 + 40 / (1 + (t * 0.6) ** 0.8),
    0.4,
  ),
  curve(
    'polynomial that decays',
    [1, 1, 1, 1],
    'x1*(1 + x2*t + x3*t^2)*exp(-x4*t)',
    grid(25, 0, 12),
    (t) => 5 * (1 - 0.8 * t + 0.3 * t * t) * exp(-0.7 * t),
    0.08,
  ),
  curve(
    'hyperbolic decline',
    [100, 1, 1],
    'x1/(1 + x2*x3*t)^(1/x3)',
    grid(30, 0, 60),
    (t) => 900 / (1 + 0.12 * 0.7 * t) ** (1 / 0.7),
    12,
  ),
];

const [capital, labour] = [
  upTo(24).map((i) => 2 + 8 * (noise(i) + 0.5) ** 2 + i / 4),
  upTo(24).map((i) => 3 + ((i * 7) % 11)),
];
const [substrate, inhibitor] = [
  upTo(20).map((i) => 0.5 * 2 ** (i % 5)),
  upTo(20).map((i) => 2 * Math.floor((i - 1) / 5)),
];

const surfaces: readonly Entry[] = [
  [
    ...([
      'constant elasticity of substitution',
      [1, 0.5, 0.5],
      NaN,
      ['x1*(x2*k^x3 + (1 - x2)*l^x3)^(1/x3) - y'],
    ] as const),
    {
      ...{ k: capital, l: labour },
      y: upTo(24).map(
        (i) => 2 * (0.4 * capital[i - 1]! ** -0.5 + 0.6 * labour[i - 1]! ** -0.5) ** -2 + 0.2 * noise(i + 3),
      ),
    },
  ],
  [
    ...(['mixed inhibition', [1, 1, 1, 1], NaN, ['x1*s/(x2*(1 + i/x3) + s*(1 + i/x4)) - y']] as const),
    {
      ...{ s: substrate, i: inhibitor },
      y: upTo(20).map((j) => {
        const [s, i] = [substrate[j - 1]!, inhibitor[j - 1]!];
        return (10 * s) / (2 * (1 + i / 1.5) + s * (1 + i / 9)) + 0.1 * noise(j + 5);
      }),
    },
  ],
];

export const newcomers: readonly ClassicProblem[] = [...curves, ...surfaces].flatMap((entry) =>
  [1, 10, 100, -1, 0].map((times) => problemOf(entry, times)),
);
