/** The shapes that are tried, plain ones first: of two that explain data alike, the first is suggested. */
import type { DataRange, Nonlinear, Shape } from './shape.ts';

/** A rate by which a change takes from three times to a fortieth of the span. */
const rate = (name: string): Nonlinear => ({
  name,
  range: ({ span }) => ({ low: 0.3 / span, high: 40 / span, log: true }),
});

/** A place between the first and the last. */
const place = (name: string): Nonlinear => ({ name, range: ({ low, high }) => ({ low, high, log: false }) });

/** A width from the distance of two neighbours to the half of the span. */
const width = (name: string): Nonlinear => ({
  name,
  range: ({ span, places }) => ({ low: span / Math.max(places, 10), high: span / 2, log: true }),
});

const positive = ({ low }: DataRange): boolean => low >= 0;

const line: Shape = {
  name: 'line',
  title: 'Straight line',
  formula: '{a} + {b} * {x}',
  coefficients: ['a', 'b'],
  nonlinear: [],
  basis: (x) => [1, x],
};

const decay: Shape = {
  name: 'decay',
  title: 'Exponential decay',
  formula: '{A} * exp(-{k} * {x})',
  coefficients: ['A'],
  nonlinear: [rate('k')],
  basis: (x, [k = 0]) => [Math.exp(-k * x)],
};

const growth: Shape = {
  name: 'growth',
  title: 'Exponential growth',
  formula: '{A} * exp({k} * {x})',
  coefficients: ['A'],
  nonlinear: [rate('k')],
  basis: (x, [k = 0]) => [Math.exp(k * x)],
};

const rise: Shape = {
  name: 'rise',
  title: 'Rise to a limit',
  formula: '{A} * (1 - exp(-{k} * {x}))',
  coefficients: ['A'],
  nonlinear: [rate('k')],
  basis: (x, [k = 0]) => [-Math.expm1(-k * x)],
  suits: positive,
};

const saturation: Shape = {
  name: 'saturation',
  title: 'Saturation (Michaelis–Menten)',
  formula: '{V} * {x} / ({K} + {x})',
  coefficients: ['V'],
  nonlinear: [{ name: 'K', range: ({ high }) => ({ low: high / 200, high: 5 * high, log: true }) }],
  basis: (x, [K = 1]) => [x === 0 ? 0 : x / (K + x)],
  suits: positive,
};

const power: Shape = {
  name: 'power',
  title: 'Power law',
  formula: '{A} * {x}^{p}',
  coefficients: ['A'],
  nonlinear: [{ name: 'p', range: () => ({ low: -4, high: 4, log: false }) }],
  basis: (x, [p = 1]) => [x ** p],
  suits: ({ low }) => low > 0,
};

const parabola: Shape = {
  name: 'parabola',
  title: 'Parabola',
  formula: '{a} + {b} * {x} + {c} * {x}^2',
  coefficients: ['a', 'b', 'c'],
  nonlinear: [],
  basis: (x) => [1, x, x * x],
  suits: ({ places }) => places > 4,
};

const relaxation: Shape = {
  name: 'relaxation',
  title: 'Decay to a level',
  formula: '{A} * exp(-{k} * {x}) + {c}',
  coefficients: ['A', 'c'],
  nonlinear: [rate('k')],
  basis: (x, [k = 0]) => [Math.exp(-k * x), 1],
  suits: ({ places }) => places > 4,
};

const absorption: Shape = {
  name: 'absorption',
  title: 'Absorption and elimination',
  formula: '{A} * (exp(-{k} * {x}) - exp(-{ka} * {x}))',
  coefficients: ['A'],
  // ka > k, or the two would be one another's.
  nonlinear: [rate('k'), { name: 'ka', range: ({ span }) => ({ low: 0.6 / span, high: 400 / span, log: true }) }],
  basis: (x, [k = 0, ka = 0]) => [ka > k ? Math.exp(-k * x) - Math.exp(-ka * x) : NaN],
  suits: (range) => positive(range) && range.places > 5,
};

const sigmoid: Shape = {
  name: 'sigmoid',
  title: 'Sigmoid',
  formula: '{c} + {d} / (1 + exp(-({x} - {m}) / {s}))',
  coefficients: ['c', 'd'],
  nonlinear: [place('m'), width('s')],
  basis: (x, [m = 0, s = 1]) => [1, 1 / (1 + Math.exp(-(x - m) / s))],
  suits: ({ places }) => places > 5,
};

const peak: Shape = {
  name: 'peak',
  title: 'Peak on a level',
  formula: '{c} + {h} * exp(-(({x} - {m}) / {w})^2 / 2)',
  coefficients: ['c', 'h'],
  nonlinear: [place('m'), width('w')],
  basis: (x, [m = 0, w = 1]) => [1, Math.exp(-(((x - m) / w) ** 2) / 2)],
  suits: ({ places }) => places > 5,
};

const wave: Shape = {
  name: 'wave',
  title: 'Wave',
  formula: '{c} + {a} * sin({w} * {x}) + {b} * cos({w} * {x})',
  coefficients: ['c', 'a', 'b'],
  // From half a period in the span to two rows for each half.
  nonlinear: [
    {
      name: 'w',
      range: ({ span, places }) => ({ low: Math.PI / span, high: (Math.PI * places) / (2 * span), log: false }),
    },
  ],
  basis: (x, [w = 1]) => [1, Math.sin(w * x), Math.cos(w * x)],
  suits: ({ places }) => places > 8,
};

export const shapes: readonly Shape[] = [
  line,
  decay,
  growth,
  rise,
  saturation,
  power,
  parabola,
  relaxation,
  absorption,
  sigmoid,
  peak,
  wave,
];
