/** Models with known parameters, and data drawn from them: what the coverage of intervals is counted on. */
import { drawBinomial, drawGamma, drawPoisson } from '../../engine/index.ts';
import type { Random } from '../../engine/6-fit/ensembles/random.ts';

type PlainBlock = Readonly<Record<string, unknown>>;

export interface Design {
  readonly truth: Readonly<Record<string, number>>;
  /** Blocks beside the columns x and y; the objective is `loss`. */
  readonly blocks: readonly PlainBlock[];
  /** Where a flat density has no end: wide priors, for chains alone. */
  readonly priors?: Readonly<Record<string, PlainBlock>>;
  readonly x: readonly number[];
  readonly draw: (x: number, random: Random, row: number) => number;
}

const grid = (count: number, from: number, to: number): number[] =>
  Array.from({ length: count }, (_, i) => from + ((to - from) * i) / (count - 1));
const parameter = (id: string, initial: number, more: PlainBlock = {}): PlainBlock => ({
  ...{ id, kind: 'parameter', initial },
  ...more,
});
const curve = (formula: string): PlainBlock => ({ id: 'curve', kind: 'map', formula });
const squares = (more: PlainBlock = {}): PlainBlock => ({
  ...{ id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
  ...more,
});
const likelihood = (family: string, more: PlainBlock): PlainBlock => ({
  ...{ id: 'loss', kind: 'likelihood', family, observed: 'y' },
  ...more,
});

const line = (more: PlainBlock): readonly PlainBlock[] => [
  parameter('a', 1),
  parameter('b', 2),
  curve('a + b*x'),
  squares(more),
];

/** One in ten from a wider normal distribution. */
const contaminated = (random: Random): number => (random.uniform() < 0.1 ? 10 : 1) * random.normal();
const robust = (kind: string, scale: number): Design => ({
  truth: { a: 1, b: 2 },
  blocks: line({ loss: { kind, scale } }),
  x: grid(30, 0, 3),
  draw: (x, random) => 1 + 2 * x + 0.3 * contaminated(random),
});

export const designs: Readonly<Record<string, Design>> = {
  'a line through 5 points': {
    truth: { a: 1, b: 2 },
    blocks: line({}),
    x: grid(5, 0, 2),
    draw: (x, random) => 1 + 2 * x + 0.5 * random.normal(),
  },
  'exponential decay, 8 points': {
    truth: { A: 10, k: 0.5 },
    blocks: [parameter('A', 10), parameter('k', 0.5), curve('A*exp(-k*x)'), squares()],
    priors: { k: { family: 'normal', mean: 0, sd: 5 } },
    x: grid(8, 0, 5),
    draw: (x, random) => 10 * Math.exp(-0.5 * x) + 0.6 * random.normal(),
  },
  'Michaelis–Menten, 7 points, much curved': {
    truth: { V: 10, K: 2 },
    blocks: [
      parameter('V', 10, { lower: 0, scale: 'log' }),
      parameter('K', 2, { lower: 0, scale: 'log' }),
      curve('V*x/(K + x)'),
      squares(),
    ],
    priors: { V: { family: 'half-normal', sd: 100 }, K: { family: 'half-normal', sd: 20 } },
    x: [0.25, 0.5, 1, 2, 3, 4, 6],
    draw: (x, random) => (10 * x) / (2 + x) + 0.7 * random.normal(),
  },
  'a peak, sigma known': {
    truth: { h: 5, c: 1, w: 0.8 },
    blocks: [
      parameter('h', 5),
      parameter('c', 1),
      parameter('w', 0.8, { lower: 0.01, scale: 'log' }),
      curve('h*exp(-((x - c)/w)^2/2)'),
      squares({ sigma: 'sigma' }),
      { id: 'sigma', kind: 'constant', value: 0.6 },
    ],
    priors: { h: { family: 'normal', mean: 0, sd: 50 }, w: { family: 'half-normal', sd: 10 } },
    x: grid(12, -1.5, 3.5),
    draw: (x, random) => 5 * Math.exp(-(((x - 1) / 0.8) ** 2) / 2) + 0.6 * random.normal(),
  },
  'an offset near its bound': {
    truth: { A: 10, k: 0.8, c: 0.15 },
    blocks: [
      parameter('A', 10),
      parameter('k', 0.8),
      parameter('c', 0.15, { lower: 0 }),
      curve('A*exp(-k*x) + c'),
      squares(),
    ],
    priors: { k: { family: 'normal', mean: 0, sd: 8 } },
    x: grid(12, 0, 8),
    draw: (x, random) => 10 * Math.exp(-0.8 * x) + 0.15 + 0.4 * random.normal(),
  },
  'Poisson regression, 15 counts': {
    truth: { a: 1, b: 0.6 },
    blocks: [parameter('a', 1), parameter('b', 0.6), curve('exp(a + b*x)'), likelihood('poisson', { mean: 'curve' })],
    x: grid(15, -1, 1),
    draw: (x, random) => drawPoisson(random, Math.exp(1 + 0.6 * x)),
  },
  'logistic regression, 20 rows of 5': {
    truth: { a: -0.3, b: 1 },
    blocks: [
      parameter('a', -0.3),
      parameter('b', 1),
      curve('logistic(a + b*x)'),
      likelihood('binomial', { probability: 'curve', trials: 5 }),
    ],
    x: grid(20, -2, 2),
    draw: (x, random) => drawBinomial(random, 5, 1 / (1 + Math.exp(0.3 - x))),
  },
  'negative binomial, 40 counts': {
    truth: { a: 1.5, b: 0.5, d: 0.4 },
    blocks: [
      parameter('a', 1.5),
      parameter('b', 0.5),
      parameter('d', 0.4, { lower: 0, scale: 'log' }),
      curve('exp(a + b*x)'),
      likelihood('negative-binomial', { mean: 'curve', dispersion: 'd' }),
    ],
    x: grid(40, -1, 1),
    draw: (x, random) => drawPoisson(random, 0.4 * Math.exp(1.5 + 0.5 * x) * drawGamma(random, 1 / 0.4)),
  },
  'a line of Laplace noise, 100 points': {
    truth: { a: 1, b: 2 },
    blocks: [
      parameter('a', 1),
      parameter('b', 2),
      parameter('s', 0.5, { support: 'positive' }),
      curve('a + b*x'),
      likelihood('laplace', { location: 'curve', scale: 's' }),
    ],
    x: grid(100, 0, 3),
    draw: (x, random) => 1 + 2 * x + 0.5 * Math.log(1 - random.uniform()) * (random.uniform() < 0.5 ? -1 : 1),
  },
  'huber, a tenth far off, 30 points': robust('huber', 0.4),
  'soft-l1, a tenth far off, 30 points': robust('soft-l1', 0.3),
  'cauchy, a tenth far off, 30 points': robust('cauchy', 0.6),
};
