/**
 * Problems that no method here was made on: the rest of Moré, Garbow & Hillstrom (21 to 35), growth curves from other absurd
 * starts, and generalised linear models on raw calendar years. `search.test.ts` fits them with those of `problems.ts`.
 */
import { growth, growthAt, names, problemOf, upTo, type ClassicProblem, type Entry } from './problems.ts';

const sum = (terms: readonly string[]): string => terms.join(' + ');
const n = 10;
const x = (i: number): string => `x${i}`;
const all = names(n);
const h = 1 / (n + 1);
const at = (i: number): number => i * h;

/** The Chebyshev polynomial T_k of 2x − 1, by Horner's rule. */
function chebyshev(k: number, of: string): string {
  let [before, here]: [number[], number[]] = [[1], [0, 1]];
  for (let i = 1; i < k; i++) {
    const next = [0, ...here.map((c) => 2 * c)];
    before.forEach((c, j) => (next[j] = next[j]! - c));
    [before, here] = [here, next];
  }
  return here.reduceRight((inner, c) => (inner === '' ? `${c}` : `(${c} + (2*${of} - 1)*${inner})`), '');
}

const cubed = (j: number): string => `(x${j} + ${at(j)} + 1)^3`;

const rest: readonly Entry[] = [
  [
    'Extended Rosenbrock',
    upTo(n).map((i) => (i % 2 ? -1.2 : 1)),
    0,
    upTo(n / 2).flatMap((i) => [`10*(${x(2 * i)} - ${x(2 * i - 1)}^2)`, `1 - ${x(2 * i - 1)}`]),
  ],
  [
    'Extended Powell singular',
    [3, -1, 0, 1, 3, -1, 0, 1],
    0,
    [1, 5].flatMap((i) => [
      ...[`${x(i)} + 10*${x(i + 1)}`, `sqrt(5)*(${x(i + 2)} - ${x(i + 3)})`],
      ...[`(${x(i + 1)} - 2*${x(i + 2)})^2`, `sqrt(10)*(${x(i)} - ${x(i + 3)})^2`],
    ]),
  ],
  [
    'Penalty I',
    [1, 2, 3, 4],
    2.249977500152e-5,
    [...names(4).map((v) => `sqrt(1e-5)*(${v} - 1)`), `${sum(names(4).map((v) => `${v}^2`))} - 0.25`],
  ],
  [
    'Penalty II',
    [0.5, 0.5, 0.5, 0.5],
    9.376293134e-6,
    [
      'x1 - 0.2',
      ...[2, 3, 4].map(
        (i) => `sqrt(1e-5)*(exp(x${i}/10) + exp(x${i - 1}/10) - ${Math.exp(i / 10) + Math.exp((i - 1) / 10)})`,
      ),
      ...[2, 3, 4].map((i) => `sqrt(1e-5)*(exp(x${i}/10) - exp(-1/10))`),
      '4*x1^2 + 3*x2^2 + 2*x3^2 + x4^2 - 1',
    ],
  ],
  [
    'Variably dimensioned',
    upTo(n).map((j) => 1 - j / n),
    0,
    [
      ...all.map((v) => `${v} - 1`),
      sum(upTo(n).map((j) => `${j}*(x${j} - 1)`)),
      `(${sum(upTo(n).map((j) => `${j}*(x${j} - 1)`))})^2`,
    ],
  ],
  [
    'Trigonometric',
    upTo(n).map(() => 1 / n),
    0,
    upTo(n).map((i) => `${n} - (${sum(all.map((v) => `cos(${v})`))}) + ${i}*(1 - cos(x${i})) - sin(x${i})`),
  ],
  [
    'Brown almost-linear',
    upTo(n).map(() => 0.5),
    0,
    [...upTo(n - 1).map((i) => `x${i} + ${sum(all)} - ${n + 1}`), `${all.join('*')} - 1`],
  ],
  [
    'Discrete boundary value',
    upTo(n).map((j) => at(j) * (at(j) - 1)),
    0,
    upTo(n).map(
      (i) => `2*x${i}${i > 1 ? ` - x${i - 1}` : ''}${i < n ? ` - x${i + 1}` : ''} + ${(h * h) / 2}*${cubed(i)}`,
    ),
  ],
  [
    'Discrete integral equation',
    upTo(n).map((j) => at(j) * (at(j) - 1)),
    0,
    upTo(n).map((i) => {
      const terms = upTo(n).map((j) => `${(h / 2) * (j <= i ? (1 - at(i)) * at(j) : at(i) * (1 - at(j)))}*${cubed(j)}`);
      return `x${i} + ${sum(terms)}`;
    }),
  ],
  [
    'Broyden tridiagonal',
    upTo(n).map(() => -1),
    0,
    upTo(n).map((i) => `(3 - 2*x${i})*x${i}${i > 1 ? ` - x${i - 1}` : ''}${i < n ? ` - 2*x${i + 1}` : ''} + 1`),
  ],
  [
    'Broyden banded',
    upTo(n).map(() => -1),
    0,
    upTo(n).map((i) => {
      const near = upTo(n).filter((j) => j !== i && j >= i - 5 && j <= i + 1);
      return `x${i}*(2 + 5*x${i}^2) + 1 - (${sum(near.map((j) => `x${j}*(1 + x${j})`))})`;
    }),
  ],
  [
    'Linear, full rank',
    upTo(n).map(() => 1),
    10,
    upTo(20).map((i) => `${i <= n ? `x${i} - ` : '-'}(${sum(all)})/10 - 1`),
  ],
  [
    'Linear, rank 1',
    upTo(n).map(() => 1),
    (20 * 19) / (2 * 41),
    upTo(20).map((i) => `${i}*(${sum(upTo(n).map((j) => `${j}*x${j}`))}) - 1`),
  ],
  [
    'Linear, rank 1, columns of zeros',
    upTo(n).map(() => 1),
    454 / 74,
    ['-1 + 0*x1', ...upTo(18).map((i) => `${i}*(${sum(upTo(8).map((j) => `${j + 1}*x${j + 1}`))}) - 1`), '-1 + 0*x10'],
  ],
  [
    'Chebyquad',
    upTo(8).map((j) => j / 9),
    3.516873725677e-3,
    upTo(8).map((i) => `(${sum(names(8).map((v) => chebyshev(i, v)))})/8 ${i % 2 ? '' : `+ ${1 / (i * i - 1)}`}`),
  ],
];

const { exponential, logistic, gompertz, richards } = growthAt;
const curves: readonly Entry[] = [
  ...[
    [0, 0],
    [-5, 0.5],
    [1e6, -3],
    [1e-6, 2],
  ].map((start) =>
    growth(`exponential growth from ${start.join(', ')}`, 'x1*exp(x2*t)', exponential, 0.1, start, 0.16496475223158652),
  ),
  ...[
    [0, 0, 0],
    [-10, 1, -1],
    [1e5, 1e5, 5],
    [1, -1, 1],
    [10, 1e-3, 1e-3],
  ].map((start) =>
    growth(
      `logistic growth from ${start.join(', ')}`,
      'x1/(1 + x2*exp(-x3*t))',
      logistic,
      1,
      start,
      16.494519977327418,
    ),
  ),
  ...[
    [0, 0, 0],
    [-1, -1, -1],
    [1e4, 30, 3],
    [1, 0.01, 10],
  ].map((start) =>
    growth(
      `Gompertz growth from ${start.join(', ')}`,
      'x1*exp(-x2*exp(-x3*t))',
      gompertz,
      0.5,
      start,
      4.125964730598379,
    ),
  ),
  ...[
    [1, 1, 1, 1],
    [1000, 1, 0.01, 5],
    [10, 100, 2, 0.1],
    [1, 0.1, 0.1, 20],
    [100, 1e4, 1, 1],
  ].map((start) =>
    growth(
      `Richards growth from ${start.join(', ')}`,
      'x1/(1 + x2*exp(-x3*t))^(1/x4)',
      richards,
      1,
      start,
      16.487402917250144,
    ),
  ),
];

export const freshProblems: readonly ClassicProblem[] = [
  ...rest.flatMap((entry) => [1, 10, 100].map((times) => problemOf(entry, times))),
  ...curves.map((entry) => problemOf(entry, 1)),
];

/** A −log likelihood as a document has it, and its terms, without constants, for whoever judges an end. */
interface YearsModel {
  readonly name: string;
  readonly columns: Readonly<Record<string, readonly number[]>>;
  readonly blocks: readonly Readonly<Record<string, unknown>>[];
  /** Of one row; the −log likelihood is their sum. */
  readonly term: string;
  readonly parameters: readonly string[];
  readonly start: readonly number[];
}

const years = upTo(30).map((i) => 1989 + i);
const uniform = (k: number): number => (k * 0.6180339887498949) % 1;
const counts = years.map((_, i) => Math.floor(2 + 0.3 * i + 4 * uniform(i + 1)));
const yes = years.map((_, i) => Math.min(20, Math.floor(3 + 0.45 * i + 4 * uniform(i + 7))));
const amounts = years.map((_, i) => Math.exp(1 + 0.03 * i) * (0.5 + uniform(i + 3)));

const family = (name: string, y: readonly number[], curve: string, likelihood: Record<string, unknown>, term: string) =>
  [
    [0, 0],
    [0, 0.05],
    [1, 1],
    [-100, 0.05],
    [100, -0.05],
    [0, -0.01],
    [10, 0.3],
  ].map((start): YearsModel => ({
    name: `${name} regression on calendar years from ${start.join(', ')}`,
    columns: { yr: years, y },
    blocks: [
      ...['a', 'b'].map((id, i) => ({ id, kind: 'parameter', initial: start[i]! })),
      { id: 'curve', kind: 'map', formula: curve },
      { id: 'loss', kind: 'likelihood', observed: 'y', ...likelihood },
    ],
    ...{ term, start, parameters: ['a', 'b'] },
  }));

export const yearsModels: readonly YearsModel[] = [
  ...family('Poisson', counts, 'exp(a + b*yr)', { family: 'poisson', mean: 'curve' }, 'exp(a + b*yr) - y*(a + b*yr)'),
  ...family(
    ...(['binomial', yes, 'logistic(a + b*yr)'] as const),
    { family: 'binomial', probability: 'curve', trials: 20 },
    '20*log(1 + exp(a + b*yr)) - y*(a + b*yr)',
  ),
  ...family(
    ...(['gamma', amounts, 'exp(a + b*yr)'] as const),
    { family: 'gamma', mean: 'curve', shape: 4 },
    '4*(a + b*yr + y*exp(-(a + b*yr)))',
  ),
];
