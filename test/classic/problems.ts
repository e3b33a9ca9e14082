/**
 * Least squares that are known to be hard, from further and further away: Moré, Garbow & Hillstrom (1981,
 * DOI 10.1145/355934.355936) from 1, 10 and 100 times their starts, NIST's from 3 and 10 times start 1, growth curves from
 * absurd starts. A residual is a formula over the parameters and the columns of the data.
 */
import { nistFormulas, readNist } from '../nist/problems.ts';

export interface ClassicProblem {
  readonly name: string;
  /** Without a column in it, one row. */
  readonly residuals: readonly string[];
  readonly columns: Readonly<Record<string, readonly number[]>>;
  readonly parameters: readonly string[];
  readonly start: readonly number[];
  /** The least sum of squares that is known, or NaN. */
  readonly least: number;
}

export const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
export const names = (n: number): string[] => upTo(n).map((i) => `x${i}`);

export type Entry = readonly [
  name: string,
  start: readonly number[],
  least: number,
  residuals: readonly string[],
  columns?: Readonly<Record<string, readonly number[]>>,
];

const bard = [0.14, 0.18, 0.22, 0.25, 0.29, 0.32, 0.35, 0.39, 0.37, 0.58, 0.73, 0.96, 1.34, 2.1, 4.39];
const bell = [0.0009, 0.0044, 0.0175, 0.054, 0.1295, 0.242, 0.3521];
const meyer = [34780, 28610, 23650, 19630, 16370, 13720, 11540, 9744, 8261, 7030, 6005, 5147, 4427, 3820, 3307, 2872];
const kowalik = {
  u: [4, 2, 1, 0.5, 0.25, 0.167, 0.125, 0.1, 0.0833, 0.0714, 0.0625],
  y: [0.1957, 0.1947, 0.1735, 0.16, 0.0844, 0.0627, 0.0456, 0.0342, 0.0323, 0.0235, 0.0246],
};
const osborne1 = [
  0.844, 0.908, 0.932, 0.936, 0.925, 0.908, 0.881, 0.85, 0.818, 0.784, 0.751, 0.718, 0.685, 0.658, 0.628, 0.603, 0.58,
  0.558, 0.538, 0.522, 0.506, 0.49, 0.478, 0.467, 0.457, 0.448, 0.438, 0.431, 0.424, 0.42, 0.414, 0.411, 0.406,
];
const osborne2 = [
  1.366, 1.191, 1.112, 1.013, 0.991, 0.885, 0.831, 0.847, 0.786, 0.725, 0.746, 0.679, 0.608, 0.655, 0.616, 0.606, 0.602,
  0.626, 0.651, 0.724, 0.649, 0.649, 0.694, 0.644, 0.624, 0.661, 0.612, 0.558, 0.533, 0.495, 0.5, 0.423, 0.395, 0.375,
  0.372, 0.391, 0.396, 0.405, 0.428, 0.429, 0.523, 0.562, 0.607, 0.653, 0.672, 0.708, 0.633, 0.668, 0.645, 0.632, 0.591,
  0.559, 0.597, 0.625, 0.739, 0.71, 0.729, 0.72, 0.636, 0.581, 0.428, 0.292, 0.162, 0.098, 0.054,
];
const osborne2Model = 'x1*exp(-t*x5) + x2*exp(-(t-x9)^2*x6) + x3*exp(-(t-x10)^2*x7) + x4*exp(-(t-x11)^2*x8)';
const biggs = upTo(13).map((i) => i / 10);
const watson = upTo(29).map((i) => i / 29);

const moreGarbowHillstrom: readonly Entry[] = [
  ['Rosenbrock', [-1.2, 1], 0, ['10*(x2 - x1^2)', '1 - x1']],
  ['Freudenstein and Roth', [0.5, -2], 0, ['-13 + x1 + ((5 - x2)*x2 - 2)*x2', '-29 + x1 + ((x2 + 1)*x2 - 14)*x2']],
  ['Powell badly scaled', [0, 1], 0, ['1e4*x1*x2 - 1', 'exp(-x1) + exp(-x2) - 1.0001']],
  ['Brown badly scaled', [1, 1], 0, ['x1 - 1e6', 'x2 - 2e-6', 'x1*x2 - 2']],
  ['Beale', [1, 1], 0, ['1.5 - x1*(1 - x2)', '2.25 - x1*(1 - x2^2)', '2.625 - x1*(1 - x2^3)']],
  ['Jennrich and Sampson', [0.3, 0.4], 124.36218235562, ['2 + 2*i - (exp(i*x1) + exp(i*x2))'], { i: upTo(10) }],
  [
    'Helical valley',
    [-1, 0, 0],
    0,
    ['10*(x3 - 10*(atan(x2/x1)/(2*pi) + if(x1 > 0, 0, 0.5)))', '10*(sqrt(x1^2 + x2^2) - 1)', 'x3'],
  ],
  [
    'Bard',
    [1, 1, 1],
    0.00821487730657897,
    ['y - (x1 + u/(x2*v + x3*w))'],
    {
      y: bard,
      u: upTo(15),
      v: upTo(15).map((i) => 16 - i),
      w: upTo(15).map((i) => Math.min(i, 16 - i)),
    },
  ],
  [
    'Gaussian',
    [0.4, 1, 0],
    1.12793276961912e-8,
    ['x1*exp(-x2*(t - x3)^2/2) - y'],
    { t: upTo(15).map((i) => (8 - i) / 2), y: [...bell, 0.3989, ...[...bell].reverse()] },
  ],
  [
    'Meyer',
    [0.02, 4000, 250],
    87.9458551706048,
    ['x1*exp(x2/(t + x3)) - y'],
    { t: upTo(16).map((i) => 45 + 5 * i), y: meyer },
  ],
  [
    'Gulf',
    [5, 2.5, 0.15],
    0,
    ['exp(-(abs(y - x2)^x3)/x1) - t'],
    { t: upTo(99).map((i) => i / 100), y: upTo(99).map((i) => 25 + (-50 * Math.log(i / 100)) ** (2 / 3)) },
  ],
  [
    'Box in three dimensions',
    [0, 10, 20],
    0,
    ['exp(-t*x1) - exp(-t*x2) - x3*(exp(-t) - exp(-10*t))'],
    { t: upTo(10).map((i) => i / 10) },
  ],
  ['Powell singular', [3, -1, 0, 1], 0, ['x1 + 10*x2', 'sqrt(5)*(x3 - x4)', '(x2 - 2*x3)^2', 'sqrt(10)*(x1 - x4)^2']],
  [
    'Wood',
    [-3, -1, -3, -1],
    0,
    [...['10*(x2 - x1^2)', '1 - x1', 'sqrt(90)*(x4 - x3^2)', '1 - x3', 'sqrt(10)*(x2 + x4 - 2)'], '(x2 - x4)/sqrt(10)'],
  ],
  [
    'Kowalik and Osborne',
    [0.25, 0.39, 0.415, 0.39],
    3.07505603849238e-4,
    ['y - x1*(u^2 + u*x2)/(u^2 + u*x3 + x4)'],
    kowalik,
  ],
  [
    'Brown and Dennis',
    [25, 5, -5, -1],
    85822.2016263563,
    ['(x1 + t*x2 - exp(t))^2 + (x3 + x4*sin(t) - cos(t))^2'],
    { t: upTo(20).map((i) => i / 5) },
  ],
  [
    'Osborne 1',
    [0.5, 1.5, -1, 0.01, 0.02],
    5.46489469748294e-5,
    ['y - (x1 + x2*exp(-t*x4) + x3*exp(-t*x5))'],
    { t: upTo(33).map((i) => 10 * (i - 1)), y: osborne1 },
  ],
  [
    'Biggs EXP6',
    [1, 2, 1, 1, 1, 1],
    0,
    ['x3*exp(-t*x1) - x4*exp(-t*x2) + x6*exp(-t*x5) - y'],
    { t: biggs, y: biggs.map((t) => Math.exp(-t) - 5 * Math.exp(-10 * t) + 3 * Math.exp(-4 * t)) },
  ],
  [
    'Osborne 2',
    [1.3, 0.65, 0.65, 0.7, 0.6, 3, 5, 7, 2, 4.5, 5.5],
    0.0401377362935477,
    [`y - (${osborne2Model})`],
    { t: upTo(65).map((i) => (i - 1) / 10), y: osborne2 },
  ],
  [
    'Watson',
    [0, 0, 0, 0, 0, 0],
    0.00228767005355237,
    [
      'x2 + 2*x3*t + 3*x4*t^2 + 4*x5*t^3 + 5*x6*t^4 - (x1 + x2*t + x3*t^2 + x4*t^3 + x5*t^4 + x6*t^5)^2 - 1',
      ...['x1', 'x2 - x1^2 - 1'],
    ],
    { t: watson },
  ],
];

/** A uniform number in (-1, 1) for each n, the same for ever (Weyl's sequence). */
export const noise = (n: number): number => 2 * ((n * 0.6180339887498949) % 1) - 1;

const days = upTo(51).map((i) => i - 1);
export const growth = (
  name: string,
  model: string,
  at: (t: number) => number,
  error: number,
  start: readonly number[],
  least: number,
): Entry => [name, start, least, [`${model} - y`], { t: days, y: days.map((t) => at(t) + error * noise(t + 1)) }];
/** What the data of growth curves were drawn about. */
export const growthAt = {
  exponential: (t: number): number => 3 * Math.exp(0.04 * t),
  logistic: (t: number): number => 100 / (1 + 20 * Math.exp(-0.2 * t)),
  gompertz: (t: number): number => 50 * Math.exp(-4 * Math.exp(-0.15 * t)),
  richards: (t: number): number => 100 / (1 + 20 * Math.exp(-0.2 * t)) ** 0.5,
};
const { exponential, logistic, gompertz } = growthAt;
const decay = (t: number): number => 10 * Math.exp(-0.1 * t) + 2;

const growthCurves: readonly Entry[] = [
  growth('exponential growth', 'x1*exp(x2*t)', exponential, 0.1, [1, 1], 0.16496475223158652),
  growth('exponential growth, further', 'x1*exp(x2*t)', exponential, 0.1, [100, 5], 0.16496475223158652),
  growth('exponential growth, downwards', 'x1*exp(x2*t)', exponential, 0.1, [1, -1], 0.16496475223158652),
  growth('logistic growth', 'x1/(1 + x2*exp(-x3*t))', logistic, 1, [1, 1, 1], 16.494519977327418),
  growth('logistic growth, further', 'x1/(1 + x2*exp(-x3*t))', logistic, 1, [1000, 1, 0.01], 16.494519977327418),
  growth('Gompertz growth', 'x1*exp(-x2*exp(-x3*t))', gompertz, 0.5, [1, 1, 1], 4.125964730598379),
  growth('Gompertz growth, further', 'x1*exp(-x2*exp(-x3*t))', gompertz, 0.5, [500, 0.1, 0.01], 4.125964730598379),
  growth('decay to a level', 'x1*exp(-x2*t) + x3', decay, 0.05, [1, 10, 1], 0.04125399901051016),
  growth('decay to a level, upwards', 'x1*exp(-x2*t) + x3', decay, 0.05, [1, -1, 1], 0.04125399901051016),
];

export const problemOf = ([name, start, least, residuals, columns = {}]: Entry, times: number): ClassicProblem => ({
  name: times === 1 ? name : `${name} from ${times} times the start`,
  ...{ residuals, columns, least },
  parameters: names(start.length),
  start: start.map((x) => times * x),
});

export const classicProblems: readonly ClassicProblem[] = [
  ...moreGarbowHillstrom.flatMap((entry) => [1, 10, 100].map((times) => problemOf(entry, times))),
  ...growthCurves.map((entry) => problemOf(entry, 1)),
];

export function nistFrom(times: number, start: 1 | 2 = 1): ClassicProblem[] {
  return Object.keys(nistFormulas).map((name) => {
    const { formula, starts, columns, sumOfSquares } = readNist(name);
    return {
      name: `${name} from ${times} times start ${start}`,
      residuals: [`${formula} - y`],
      columns: Object.fromEntries(columns),
      parameters: starts[0].map((_, i) => `b${i + 1}`),
      start: starts[start - 1]!.map((b) => times * b),
      least: sumOfSquares,
    };
  });
}
