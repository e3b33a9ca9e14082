/**
 * Models of every day as a document has them, and their objectives as plain functions that share nothing with the engine: of
 * squares half their number of rows times the log of their sum, else −log L without its constants.
 */
type Blocks = readonly Readonly<Record<string, unknown>>[];
type Columns = Readonly<Record<string, readonly number[]>>;

export interface Parameter {
  readonly id: string;
  readonly start: number | readonly number[];
  /** What else its block says. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Where it may lie. */
  readonly lower?: number;
  readonly upper?: number;
}

export interface EverydayModel {
  readonly name: string;
  readonly columns: Columns;
  readonly parameters: readonly Parameter[];
  /** The others, the last of them `loss`. */
  readonly blocks: Blocks;
  /** Σr², or −log L but for a constant; all elements of all parameters in a row. */
  readonly value: (p: readonly number[]) => number;
  readonly squares: boolean;
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);
const uniform = (k: number): number => (k * 0.6180339887498949) % 1;
/** Of mean 0, between −1 and 1, and of no pattern. */
const noise = (k: number): number => 2 * uniform(k * k + 3) - 1;
const sum = (n: number, term: (i: number) => number): number => upTo(n).reduce((total, i) => total + term(i - 1), 0);

type Curve = (x: number, p: readonly number[]) => number;
interface Shape {
  readonly name: string;
  readonly formula: string;
  readonly curve: Curve;
  readonly x: readonly number[];
  readonly truth: readonly number[];
  readonly start: readonly number[];
  readonly noise: number;
  readonly ids: readonly string[];
}

const named = (ids: readonly string[], start: readonly number[]): Parameter[] =>
  ids.map((id, i) => ({ id, start: start[i]! }));

function squaresOf(shape: Shape): EverydayModel {
  const { name, formula, curve, x, truth, start, ids } = shape;
  const y = x.map((at, i) => curve(at, truth) + shape.noise * noise(i));
  return {
    ...{ name, columns: { x, y }, parameters: named(ids, start), squares: true },
    blocks: [
      { id: 'curve', kind: 'map', formula },
      { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
    ],
    value: (p) => sum(x.length, (i) => (curve(x[i]!, p) - y[i]!) ** 2),
  };
}

/** Two rows lie far off. */
function robustOf(shape: Shape, loss: 'laplace' | 'huber'): EverydayModel {
  const plain = squaresOf(shape);
  const { x = [], y: near = [] } = plain.columns;
  const y = near.map((value, i) => value + (i % 7 === 3 ? 15 * shape.noise : 0));
  const scale = shape.noise;
  const huber = (u: number): number => (Math.abs(u) <= 1 ? u * u : 2 * Math.abs(u) - 1);
  const off = (i: number, p: readonly number[]): number => shape.curve(x[i]!, p) - y[i]!;
  return {
    ...{ ...plain, name: `${shape.name}, ${loss}`, columns: { x, y }, squares: loss === 'huber' },
    blocks: [
      plain.blocks[0]!,
      loss === 'huber'
        ? { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y', loss: { kind: loss, scale } }
        : { id: 'loss', kind: 'likelihood', family: loss, location: 'curve', scale, observed: 'y' },
    ],
    value: (p) =>
      sum(
        x.length,
        loss === 'huber' ? (i) => scale ** 2 * huber(off(i, p) / scale) : (i) => Math.abs(off(i, p)) / scale,
      ),
  };
}

const tens = upTo(10);
const years = upTo(30).map((i) => 1989 + i);
const doses = [0.1, 0.3, 1, 3, 10, 30, 100, 300];

const shapes = {
  decay: {
    ...{ name: 'decay', formula: 'a*exp(-k*x)', ids: ['a', 'k'], x: upTo(12).map((i) => i - 1), noise: 0.2 },
    ...{ truth: [10, 0.3], start: [5, 0.1], curve: (x, [a = NaN, k = NaN]) => a * Math.exp(-k * x) },
  },
  yearlyGrowth: {
    ...{ name: 'growth by years', formula: 'exp(a + b*x)', ids: ['a', 'b'], x: years, noise: 2 },
    ...{ truth: [-95, 0.049], start: [0, 0.001], curve: (x, [a = NaN, b = NaN]) => Math.exp(a + b * x) },
  },
  saturation: {
    ...{ name: 'Michaelis–Menten', formula: 'V*x/(K + x)', ids: ['V', 'K'], x: tens, noise: 0.1 },
    ...{ truth: [8, 3], start: [1, 1], curve: (x, [V = NaN, K = NaN]) => (V * x) / (K + x) },
  },
  logistic: {
    ...{ name: 'logistic growth', formula: 'L/(1 + exp(-(x - m)/s))', ids: ['L', 'm', 's'], x: upTo(15), noise: 0.3 },
    ...{ truth: [20, 7, 1.5], start: [10, 5, 1] },
    curve: (x, [L = NaN, m = NaN, s = NaN]) => L / (1 + Math.exp(-(x - m) / s)),
  },
  rat: {
    ...{
      name: 'Rat42',
      formula: 'b1/(1 + exp(b2 - b3*x))',
      ids: ['b1', 'b2', 'b3'],
      x: [9, 14, 21, 28, 42, 57, 63, 70, 79],
    },
    ...{ truth: [72, 2.6, 0.067], start: [100, 1, 0.1], noise: 1 },
    curve: (x, [a = NaN, b = NaN, c = NaN]) => a / (1 + Math.exp(b - c * x)),
  },
  broken: {
    ...{ name: 'broken line', formula: 'a + b*x + c*max(0, x - k)', ids: ['a', 'b', 'c', 'k'], x: upTo(16), noise: 1 },
    ...{ truth: [2, 0.5, 1.5, 7.3], start: [1, 1, 1, 3] },
    curve: (x, [a = NaN, b = NaN, c = NaN, k = NaN]) => a + b * x + c * Math.max(0, x - k),
  },
  delayed: {
    ...{ name: 'delayed decay', formula: 'if(x < t, a, a*exp(-k*(x - t)))', ids: ['a', 'k', 't'], x: upTo(14) },
    ...{ truth: [10, 0.4, 4.4], start: [5, 0.1, 2], noise: 0.4 },
    curve: (x, [a = NaN, k = NaN, t = NaN]) => (x < t ? a : a * Math.exp(-k * (x - t))),
  },
  reciprocal: {
    ...{ name: 'reciprocal', formula: '1/(a + b*x)', ids: ['a', 'b'], x: tens, noise: 0.01 },
    ...{ truth: [1, 0.5], start: [1, 1], curve: (x, [a = NaN, b = NaN]) => 1 / (a + b * x) },
  },
  yearlyReciprocal: {
    ...{ name: 'reciprocal by years', formula: '1/(a + b*x)', ids: ['a', 'b'], x: years, noise: 0.02 },
    ...{ truth: [-198, 0.1], start: [1, 0.01], curve: (x, [a = NaN, b = NaN]) => 1 / (a + b * x) },
  },
  hill: {
    ...{ name: 'Hill', formula: 'E*x^h/(K^h + x^h)', ids: ['E', 'K', 'h'], x: doses, noise: 0.02 },
    ...{ truth: [1, 8, 1.6], start: [1, 1, 1] },
    curve: (x, [E = NaN, K = NaN, h = NaN]) => (E * x ** h) / (K ** h + x ** h),
  },
  twoExponentials: {
    ...{ name: 'two exponentials', formula: 'a*exp(-k*x) + b*exp(-l*x)', ids: ['a', 'k', 'b', 'l'], noise: 0.02 },
    ...{ x: upTo(20).map((i) => (i - 1) / 2), truth: [4, 2, 2, 0.2], start: [1, 1, 1, 0.1] },
    curve: (x, [a = NaN, k = NaN, b = NaN, l = NaN]) => a * Math.exp(-k * x) + b * Math.exp(-l * x),
  },
  power: {
    ...{ name: 'power', formula: 'a*x^b', ids: ['a', 'b'], x: tens, noise: 0.5 },
    ...{ truth: [2, 1.5], start: [1, 1], curve: (x, [a = NaN, b = NaN]) => a * x ** b },
  },
  peak: {
    ...{ name: 'peak', formula: 'a*exp(-(x - m)^2/(2*s^2))', ids: ['a', 'm', 's'], x: upTo(20), noise: 0.2 },
    ...{ truth: [10, 9, 2], start: [5, 5, 1] },
    curve: (x, [a = NaN, m = NaN, s = NaN]) => a * Math.exp(-((x - m) ** 2) / (2 * s * s)),
  },
  wave: {
    ...{ name: 'wave', formula: 'a*sin(w*x + q)', ids: ['a', 'w', 'q'], x: upTo(25), noise: 0.2 },
    ...{ truth: [3, 0.6, 0.5], start: [1, 0.5, 0.1] },
    curve: (x, [a = NaN, w = NaN, q = NaN]) => a * Math.sin(w * x + q),
  },
  arrhenius: {
    ...{
      name: 'Arrhenius',
      formula: 'A*exp(-E/(8.314*x))',
      ids: ['A', 'E'],
      x: tens.map((i) => 280 + 10 * i),
      noise: 0.02,
    },
    ...{ truth: [2e6, 40000], start: [1e5, 30000], curve: (x, [A = NaN, E = NaN]) => A * Math.exp(-E / (8.314 * x)) },
  },
  gompertz: {
    ...{ name: 'Gompertz', formula: 'a*exp(-b*exp(-c*x))', ids: ['a', 'b', 'c'], x: upTo(15), noise: 0.2 },
    ...{ truth: [15, 5, 0.4], start: [10, 2, 0.1] },
    curve: (x, [a = NaN, b = NaN, c = NaN]) => a * Math.exp(-b * Math.exp(-c * x)),
  },
  brokenStick: {
    ...{ name: 'broken stick', formula: 'a + b*max(x - c, 0)', ids: ['a', 'b', 'c'], x: upTo(15), noise: 0.3 },
    ...{ truth: [2, 1.2, 6.4], start: [1, 1, 3] },
    curve: (x, [a = NaN, b = NaN, c = NaN]) => a + b * Math.max(x - c, 0),
  },
  line: {
    ...{ name: 'line', formula: 'a + b*x', ids: ['a', 'b'], x: tens, noise: 0.5 },
    ...{ truth: [1, 2], start: [3, 1], curve: (x, [a = NaN, b = NaN]) => a + b * x },
  },
  exact: {
    ...{ name: 'exact decay', formula: 'a*exp(-k*x)', ids: ['a', 'k'], x: upTo(8), noise: 0 },
    ...{ truth: [3, 0.5], start: [1, 1], curve: (x, [a = NaN, k = NaN]) => a * Math.exp(-k * x) },
  },
} satisfies Record<string, Shape>;

interface Counted {
  readonly name: string;
  readonly columns: Columns;
  readonly parameters: readonly Parameter[];
  readonly curve?: string;
  readonly likelihood: Readonly<Record<string, unknown>>;
  readonly value: (p: readonly number[]) => number;
}

const likelihoodOf = ({ name, columns, parameters, curve, likelihood, value }: Counted): EverydayModel => ({
  ...{ name, columns, parameters, value, squares: false },
  blocks: [
    ...(curve === undefined ? [] : [{ id: 'curve', kind: 'map', formula: curve }]),
    { id: 'loss', kind: 'likelihood', observed: 'y', ...likelihood },
  ],
});

const counts = years.map((_, i) => Math.floor(2 + 0.3 * i + 4 * uniform(i + 1)));
const yes = years.map((_, i) => Math.min(20, Math.floor(3 + 0.45 * i + 4 * uniform(i + 7))));
const amounts = years.map((_, i) => Math.exp(1 + 0.03 * i) * (0.5 + uniform(i + 3)));
const few = [0, 1, 1, 2, 2, 2, 3, 3, 4, 2, 1, 2];
const [a, b] = [(start: number): Parameter => ({ id: 'a', start }), (start: number): Parameter => ({ id: 'b', start })];
const softplus = (z: number): number => (z > 0 ? z + Math.log1p(Math.exp(-z)) : Math.log1p(Math.exp(z)));
const logFactorial = (k: number): number => sum(k, (i) => Math.log(i + 1));

const likelihoods: readonly Counted[] = [
  {
    name: 'Poisson by years',
    ...{ columns: { x: years, y: counts }, parameters: [a(1), b(0.001)], curve: 'exp(a + b*x)' },
    likelihood: { family: 'poisson', mean: 'curve' },
    value: ([a = NaN, b = NaN]) =>
      sum(30, (i) => {
        const z = a + b * years[i]!;
        return Math.exp(z) - counts[i]! * z;
      }),
  },
  {
    name: 'binomial by years',
    ...{ columns: { x: years, y: yes }, parameters: [a(1), b(0.001)], curve: 'logistic(a + b*x)' },
    likelihood: { family: 'binomial', probability: 'curve', trials: 20 },
    value: ([a = NaN, b = NaN]) =>
      sum(30, (i) => {
        const z = a + b * years[i]!;
        return 20 * softplus(z) - yes[i]! * z;
      }),
  },
  {
    name: 'gamma by years',
    ...{ columns: { x: years, y: amounts }, parameters: [a(1), b(0.001)], curve: 'exp(a + b*x)' },
    likelihood: { family: 'gamma', mean: 'curve', shape: 4 },
    value: ([a = NaN, b = NaN]) =>
      sum(30, (i) => {
        const z = a + b * years[i]!;
        return 4 * (z + amounts[i]! * Math.exp(-z));
      }),
  },
  {
    name: 'normal with its deviation',
    columns: { x: tens, y: tens.map((x, i) => 1 + 2 * x + 0.5 * noise(i)) },
    parameters: [a(3), b(1), { id: 's', start: 1, more: { support: 'positive' }, lower: 0 }],
    ...{ curve: 'a + b*x', likelihood: { family: 'normal', mean: 'curve', sigma: 's' } },
    value: ([a = NaN, b = NaN, s = NaN]) =>
      sum(10, (i) => {
        const x = i + 1;
        return Math.log(s) + ((1 + 2 * x + 0.5 * noise(i) - a - b * x) / s) ** 2 / 2;
      }),
  },
  {
    name: 'separated binomial',
    columns: { x: tens, y: tens.map((x) => (x > 5 ? 1 : 0)) },
    ...{ parameters: [a(0), b(1)], curve: 'logistic(a + b*x)' },
    likelihood: { family: 'binomial', probability: 'curve', trials: 1 },
    value: ([a = NaN, b = NaN]) => sum(10, (i) => softplus(a + b * (i + 1)) - (i + 1 > 5 ? a + b * (i + 1) : 0)),
  },
  {
    name: 'Poisson of a rate at its edge',
    columns: { x: tens, y: tens.map(() => 0) },
    parameters: [{ id: 'r', start: 1, more: { lower: 0 }, lower: 0 }],
    ...{ curve: 'r*x', likelihood: { family: 'poisson', mean: 'curve' }, value: ([r = NaN]) => 55 * r },
  },
  {
    name: 'negative binomial of too even counts',
    columns: { y: few },
    parameters: [
      { id: 'm', start: 1, more: { support: 'positive' }, lower: 0 },
      { id: 'd', start: 1, more: { support: 'positive' }, lower: 0 },
    ],
    likelihood: { family: 'negative-binomial', mean: 'm', dispersion: 'd' },
    value: ([m = NaN, d = NaN]) =>
      few.reduce((total, y) => {
        const choose = sum(y, (i) => Math.log1p(d * i)) - logFactorial(y);
        return total - choose - y * Math.log(m) + (y + 1 / d) * Math.log1p(d * m);
      }, 0),
  },
  {
    name: 'zero-inflated Poisson without inflation',
    columns: { y: few },
    parameters: [
      { id: 'm', start: 1, more: { support: 'positive' }, lower: 0 },
      { id: 'z', start: 0.2, more: { lower: 0, upper: 1 }, lower: 0, upper: 1 },
    ],
    likelihood: { family: 'zero-inflated-poisson', mean: 'm', inflation: 'z' },
    value: ([m = NaN, z = NaN]) =>
      few.reduce(
        (total, y) =>
          total -
          (y === 0 ? Math.log(z + (1 - z) * Math.exp(-m)) : Math.log(1 - z) - m + y * Math.log(m) - logFactorial(y)),
        0,
      ),
  },
];

const even = [1, 2, 3, 5, 8, 9, 11, 20];
const kinks: readonly EverydayModel[] = [
  {
    name: 'a median between two',
    ...{ columns: { y: even }, parameters: [a(1)], squares: false },
    blocks: [{ id: 'loss', kind: 'likelihood', family: 'laplace', location: 'a', scale: 1, observed: 'y' }],
    value: ([a = NaN]) => even.reduce((total, y) => total + Math.abs(y - a), 0),
  },
  {
    name: 'a lasso that leaves one out',
    ...{ columns: { x: tens, y: tens.map((x, i) => 2 * x + noise(i)) }, parameters: [a(3), b(1)], squares: false },
    blocks: [
      { id: 'term', kind: 'map', formula: '(a*noisy + b*x - y)^2' },
      { id: 'noisy', kind: 'map', formula: 'sin(7*x)' },
      { id: 'squares', kind: 'reduce', operator: 'add', values: 'term' },
      { id: 'loss', kind: 'map', formula: 'squares + 40*abs(a) + abs(b)' },
    ],
    value: ([a = NaN, b = NaN]) =>
      40 * Math.abs(a) +
      Math.abs(b) +
      sum(10, (i) => (a * Math.sin(7 * (i + 1)) + b * (i + 1) - 2 * (i + 1) - noise(i)) ** 2),
  },
];

const atBounds: readonly EverydayModel[] = [
  {
    ...squaresOf({ ...shapes.line, name: 'line held below its slope' }),
    parameters: [a(3), { ...b(1), more: { upper: 1.5 }, upper: 1.5 }],
  },
  {
    ...squaresOf({ ...shapes.line, name: 'line with a positive level that is none', truth: [-2, 2] }),
    parameters: [{ ...a(3), more: { support: 'positive' }, lower: 0 }, b(1)],
  },
  {
    ...squaresOf({ ...shapes.twoExponentials, name: 'two exponentials of one, held', truth: [4, 2, 0, 0.2] }),
    parameters: named(['a', 'k', 'b', 'l'], [1, 1, 1, 0.1]).map((each) => ({ ...each, more: { lower: 0 }, lower: 0 })),
  },
  {
    name: 'shares of which one is 0',
    columns: {},
    parameters: [{ id: 'w', start: [0.2, 0.3, 0.5], more: { support: 'simplex' }, lower: 0, upper: 1 }],
    blocks: [
      { id: 'y', kind: 'constant', value: [30, 0, 70] },
      { id: 'each', kind: 'map', formula: 'if(y == 0, 0, -y*log(w))' },
      { id: 'loss', kind: 'reduce', operator: 'add', values: 'each' },
    ],
    squares: false,
    value: ([u = NaN, v = NaN, w = NaN]) => {
      const all = u + v + w;
      return -30 * Math.log(u / all) - 70 * Math.log(w / all);
    },
  },
];

export const everydayModels: readonly EverydayModel[] = [
  ...Object.values(shapes).map((shape) => squaresOf(shape)),
  ...(['laplace', 'huber'] as const).flatMap((loss) =>
    [shapes.line, shapes.decay, shapes.saturation, shapes.logistic].map((shape) => robustOf(shape, loss)),
  ),
  ...likelihoods.map(likelihoodOf),
  ...atBounds,
  ...kinks,
];
