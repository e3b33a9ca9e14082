/** Random documents that compare a prediction with data: rows that stand alone, and rows that meet, through every kind of block. */
import fc from 'fast-check';

export type PlainBlock = Readonly<Record<string, unknown>>;
export type Columns = Readonly<Record<string, readonly (number | string | null)[]>>;

export interface RandomPlot {
  readonly document: PlainBlock;
  readonly columns: Columns;
  /** What the last block but the objective is made by, for a failure's message. */
  readonly steps: readonly string[];
}

/** From `a` (and `b`) of as many elements as there are rows to the last block's value, of as many. Ids begin with `id`. */
type Step = (id: string, a: string, b: string) => readonly PlainBlock[];

const map = (id: string, formula: string, inputs: Record<string, string> = {}): PlainBlock => ({
  id,
  kind: 'map',
  formula,
  inputs,
});
const byFormula =
  (formula: string): Step =>
  (id, a, b) => [map(id, formula, formula.includes('b') ? { a, b } : { a })];
const asColumn = (id: string, a: string): PlainBlock => ({ id, kind: 'reshape', values: a, shape: [-1, 1] });
const constant = (id: string, value: unknown, type?: string): PlainBlock => ({
  id,
  kind: 'constant',
  value,
  ...(type && { type }),
});
/** [rows, 3] of `a`, three waves. */
const features = (id: string, a: string): PlainBlock[] => [
  asColumn(`${id}r`, a),
  constant(`${id}f`, [1, 2, 0.5]),
  map(`${id}w`, 'sin(r * f)', { r: `${id}r`, f: `${id}f` }),
];

/** It has one root y, whatever is on the right. */
const rising = (right: string): string => `y + 0.1 * y^3 - (${right})`;

export const steps: Readonly<Record<string, Step>> = {
  map: byFormula('k * a + 0.1'),
  'map of two': byFormula('a - 0.3 * b'),
  'map by cases': byFormula('if(a > 1, k * a, a^2)'),
  'map beyond its domain': byFormula('sqrt(a - 1.2)'),
  'map with the index': byFormula('a + 0.1 * index'),
  'map with the length': byFormula('a / length(a)'),
  'map of a category': (id, a) => [map(id, 'a + 0.2 * g', { a })],
  'reduce over rows': (id, a, b) => [
    { id: `${id}s`, kind: 'reduce', operator: 'add', values: b },
    map(id, 'a - 0.1 * s', { a, s: `${id}s` }),
  ],
  'reduce by max': (id, a) => [
    { id: `${id}s`, kind: 'reduce', operator: 'max', values: a },
    map(id, 'a / (1 + abs(s))', { a, s: `${id}s` }),
  ],
  'reduce over features': (id, a) => [
    ...features(id, a),
    { id, kind: 'reduce', operator: 'add', values: `${id}w`, axis: 1 },
  ],
  scan: (id, a) => [{ id, kind: 'scan', operator: 'add', values: a }],
  'scan in reverse': (id, a) => [{ id, kind: 'scan', operator: 'max', values: a, reverse: true }],
  'scan over features': (id, a) => [
    ...features(id, a),
    { id: `${id}s`, kind: 'scan', operator: 'add', values: `${id}w`, axis: 1, exclusive: true },
    { id, kind: 'reduce', operator: 'max', values: `${id}s`, axis: 1 },
  ],
  'scan of one’s own': (id, a, b) => [
    {
      id: `${id}s`,
      kind: 'scan',
      values: [a, b],
      operator: {
        left: ['b1', 'c1'],
        right: ['b2', 'c2'],
        result: ['b2 + c2*b1', 'c2*c1'],
        neutral: [0, 1],
        commutative: false,
      },
    },
    map(id, 's', { s: `${id}s.0` }),
  ],
  histogram: (id, a) => [
    { id: `${id}h`, kind: 'histogram', operator: 'add', keys: 'g', values: a, bins: 'g' },
    { id: `${id}o`, kind: 'gather', from: `${id}h`, indices: 'g' },
    map(id, 'a + 0.1 * o', { a, o: `${id}o` }),
  ],
  'recurrence over rows': (id, a) => [
    { id, kind: 'recurrence', inputs: { u: a }, state: { x: { initial: 0, next: '0.5 * x + u' } } },
  ],
  'recurrence in each row': (id, a) => [
    { id, kind: 'recurrence', steps: 3, emit: 'final', state: { x: { initial: a, next: 'cos(k * x)' } } },
  ],
  interpolate: (id, a) => [
    constant(`${id}x`, [0, 1, 2.5]),
    constant(`${id}y`, [1, -1, 3]),
    { id, kind: 'interpolate', x: a, xs: `${id}x`, ys: `${id}y` },
  ],
  'interpolate among the rows': (id, a, b) => [
    constant(`${id}x`, [0, 1, 2.5]),
    { id: `${id}s`, kind: 'reduce', operator: 'min', values: b },
    map(`${id}y`, 'x + s', { x: `${id}x`, s: `${id}s` }),
    { id, kind: 'interpolate', x: a, xs: `${id}x`, ys: `${id}y` },
  ],
  'gather of parameters': (id, a) => [
    { id: `${id}o`, kind: 'gather', from: 'p', indices: 'g' },
    map(id, 'o * a', { a, o: `${id}o` }),
  ],
  'gather of rows': (id, a) => [
    constant(`${id}i`, 0, 'int'),
    { id: `${id}o`, kind: 'gather', from: a, indices: `${id}i` },
    map(id, 'a - o', { a, o: `${id}o` }),
  ],
  'gather by the category': (id, a) => [
    { id: `${id}o`, kind: 'gather', from: a, indices: 'g' },
    map(id, 'a + o', { a, o: `${id}o` }),
  ],
  scatter: (id, a) => [
    constant(`${id}i`, [0], 'int'),
    constant(`${id}v`, [2.5]),
    { id, kind: 'scatter', into: a, indices: `${id}i`, values: `${id}v` },
  ],
  reverse: (id, a) => [{ id, kind: 'reverse', values: a }],
  'reverse of features': (id, a) => [
    ...features(id, a),
    { id: `${id}b`, kind: 'reverse', values: `${id}w`, axis: 1 },
    { id, kind: 'reduce', operator: 'min', values: `${id}b`, axis: 1 },
  ],
  'slice of features': (id, a) => [
    ...features(id, a),
    { id: `${id}c`, kind: 'slice', values: `${id}w`, axis: 1, start: 1, stop: 2 },
    { id, kind: 'reshape', values: `${id}c`, shape: [-1] },
  ],
  shift: (id, a) => [{ id, kind: 'shift', values: a, by: 1, fill: 0.5 }],
  transpose: (id, a) => [
    ...features(id, a),
    { id: `${id}t`, kind: 'transpose', values: `${id}w` },
    { id, kind: 'reduce', operator: 'add', values: `${id}t`, axis: 0 },
  ],
  'transpose and reshape': (id, a) => [
    ...features(id, a),
    { id: `${id}t`, kind: 'transpose', values: `${id}w` },
    { id: `${id}m`, kind: 'reshape', values: `${id}t`, shape: [-1, 3] },
    { id, kind: 'reduce', operator: 'add', values: `${id}m`, axis: 1 },
  ],
  'concatenate and matmul': (id, a, b) => [
    asColumn(`${id}a`, a),
    asColumn(`${id}b`, b),
    { id: `${id}m`, kind: 'concatenate', values: [`${id}a`, `${id}b`], axis: 1 },
    { id, kind: 'matmul', left: `${id}m`, right: 'v' },
  ],
  'matmul of the rows': (id, a, b) => [
    { id: `${id}d`, kind: 'matmul', left: a, right: b },
    map(id, 'a + 0.1 * d', { a, d: `${id}d` }),
  ],
  'solve in each row': (id, a) => [
    // Of what is no number there is no root.
    map(`${id}u`, 'if(abs(a) < 1e3, a, 0)', { a }),
    { id, kind: 'solve', unknown: { y: { initial: `${id}u`, equation: rising(`k + ${id}u`) } } },
  ],
  'solve of the rows': (id, a, b) => [
    { id: `${id}s`, kind: 'reduce', operator: 'add', values: b },
    { id: `${id}y`, kind: 'solve', unknown: { y: { initial: 1, equation: rising(`${id}s`) } } },
    map(id, 'a + 0.1 * y', { a, y: `${id}y` }),
  ],
  quantity: (id, a) => [{ id: `${id}q`, kind: 'quantity', formula: '2 * k^2' }, map(id, 'q - a', { q: `${id}q`, a })],
  range: (id, a) => [
    { id: `${id}i`, kind: 'range', like: a, start: 0, step: 0.5 },
    map(id, 'a + i', { a, i: `${id}i` }),
  ],
  ode: (id, a) => [
    // Times that ascend with t, whatever it is: what stands before may fall.
    map(`${id}t`, '2 + t', {}),
    { id: `${id}x`, kind: 'ode', times: `${id}t`, state: { x: { initial: 1.5, rate: '-k * x' } } },
    map(id, 'x + 0.1 * a', { x: `${id}x`, a }),
  ],
  'ode from a time of its own': (id, a) => [
    { id: `${id}x`, kind: 'ode', times: 't', from: -1, state: { x: { initial: 'k', rate: '-0.3 * x + time' } } },
    map(id, 'x * a', { x: `${id}x`, a }),
  ],
};

/** Those of which effects of groups are drawn. */
const mixed: Readonly<Record<string, Step>> = {
  'random effects': (id, a) => [
    { id: `${id}u`, kind: 'random-effect', like: 'g', sd: 0.5 },
    { id: `${id}o`, kind: 'gather', from: `${id}u`, indices: 'g' },
    map(id, 'a * exp(o)', { a, o: `${id}o` }),
  ],
  'two correlated effects of a group': (id, a) => [
    { id: `${id}u`, kind: 'random-effect', like: 'g', names: ['level', 'slope'], covariance: 'full', sd: [0.5, 0.2] },
    { id: `${id}l`, kind: 'gather', from: `${id}u.level`, indices: 'g' },
    { id: `${id}s`, kind: 'gather', from: `${id}u.slope`, indices: 'g' },
    map(id, 'a + l + s * t', { a, l: `${id}l`, s: `${id}s` }),
  ],
};

const everyStep = { ...steps, ...mixed };

/** The blocks as one, in a group: what they take from outside comes in by ports. */
function grouped(id: string, step: Step, a: string, b: string): readonly PlainBlock[] {
  const ports = { in_a: a, in_b: b, k: 'k', p: 'p', v: 'v', g: 'g', t: 't' };
  const blocks = step('s', 'in_a', 'in_b');
  return [{ id, kind: 'group', inputs: ports, blocks, outputs: { out: 's' } }];
}

const likelihoods: Readonly<Record<string, PlainBlock>> = {
  'least squares': { kind: 'least-squares', prediction: 'curve' },
  'with sigma by row': { kind: 'least-squares', prediction: 'curve', sigma: 's' },
  weighted: { kind: 'least-squares', prediction: 'curve', weights: 's' },
  normal: { kind: 'likelihood', family: 'normal', mean: 'curve', sigma: 0.5 },
  'student-t': { kind: 'likelihood', family: 'student-t', mean: 'curve', scale: 0.5, degrees: 4 },
  'log-normal': { kind: 'likelihood', family: 'log-normal', mean: 'curve', sigma: 'k' },
  poisson: { kind: 'likelihood', family: 'poisson', mean: 'rate' },
  'negative-binomial': { kind: 'likelihood', family: 'negative-binomial', mean: 'rate', dispersion: 0.3 },
  binomial: { kind: 'likelihood', family: 'binomial', probability: 'chance', trials: 20 },
  gamma: { kind: 'likelihood', family: 'gamma', mean: 'rate', shape: 3 },
  'zero-inflated-poisson': { kind: 'likelihood', family: 'zero-inflated-poisson', mean: 'rate', inflation: 0.2 },
};

const cell = fc.integer({ min: 0, max: 12 }).map((i) => i / 4);
const rows = fc.integer({ min: 1, max: 7 });

export const randomPlot: fc.Arbitrary<RandomPlot> = plotOver(
  Object.keys(steps),
  fc.constantFrom('no', 'no', 'no', 'by another column', 'by the abscissa'),
);

/** With random effects, and a curve between the rows. */
export const randomMixedPlot = plotOver(
  ['map', 'map of two', 'interpolate', ...Object.keys(mixed), ...Object.keys(mixed)],
  fc.constant('no'),
).filter(({ steps: made }) => made.some((name) => name in mixed));

function plotOver(names: readonly string[], filters: fc.Arbitrary<string>): fc.Arbitrary<RandomPlot> {
  return rows.chain((n) => {
    const list = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(each, { minLength: n, maxLength: n });
    const step = fc.record({
      name: fc.constantFrom(...names),
      inGroup: fc.integer({ min: 0, max: 3 }).map((i) => i === 0),
      from: fc.nat(7),
      beside: fc.nat(7),
    });
    return fc
      .record({
        t: list(cell),
        // A second predictor, of few values or of none.
        w: list(fc.constantFrom(0.5, 1.5)),
        g: list(fc.constantFrom('red', 'blue')),
        q: list(fc.constantFrom(0, 1, 1, 1)),
        s: list(fc.constantFrom(0.5, 1, 2)),
        y: list(fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 9 }) }, fc.constant(null))),
        second: fc.boolean(),
        chain: fc.array(step, { minLength: 1, maxLength: 3 }),
        losses: fc.array(fc.constantFrom(...Object.keys(likelihoods)), { minLength: 1, maxLength: 2 }),
        filtered: filters,
        excluded: fc.option(fc.nat(n - 1), { freq: 3, nil: undefined }),
      })
      .map(({ chain, losses, filtered, excluded, second, ...columns }) =>
        documentOf(columns, chain, { losses, filtered, excluded, second }),
      );
  });
}

interface Chosen {
  readonly name: string;
  readonly inGroup: boolean;
  readonly from: number;
  readonly beside: number;
}

function documentOf(
  columns: Columns,
  chain: readonly Chosen[],
  more: {
    readonly losses: readonly string[];
    readonly filtered: string;
    readonly excluded: number | undefined;
    readonly second: boolean;
  },
): RandomPlot {
  const { losses, filtered, excluded, second } = more;
  const values = second ? ['t', 'w'] : ['t'];
  const made = chain.flatMap(({ name, inGroup, from, beside }, i) => {
    const [a, b] = [values[(values.length - 1 + from) % values.length]!, values[beside % values.length]!];
    const id = `z${i}`;
    const step = everyStep[name]!;
    values.push(inGroup ? `${id}.out` : id);
    return inGroup ? grouped(id, step, a, b) : step(id, a, b);
  });
  const last = values.at(-1)!;
  const where = filtered === 'by the abscissa' ? 't > 0.6 and t < 2.1' : 'q > 0';
  const ends =
    filtered === 'no'
      ? [map('curve', 'k + z', { z: last })]
      : [{ id: 'f', kind: 'filter', values: [last, 'y', 's'], where }, map('curve', 'k + z', { z: 'f.0' })];
  const [observed, scale] = filtered === 'no' ? ['y', 's'] : ['f.1', 'f.2'];
  const objectives = losses.map((name, i) => {
    const known = likelihoods[name]!;
    const given = Object.fromEntries(Object.entries(known).map(([key, ref]) => [key, ref === 's' ? scale : ref]));
    return { id: `loss${i}`, ...given, observed };
  });
  const blocks = [
    ...Object.keys(columns).map((name) => ({ id: name, kind: 'column', table: 'obs', column: name })),
    { id: 'k', kind: 'parameter', initial: 0.7 },
    { id: 'p', kind: 'parameter', initial: 0.4, like: 'g' },
    { id: 'v', kind: 'parameter', initial: [0.6, -0.2] },
    ...made,
    ...ends,
    map('rate', 'exp(0.1 * curve)'),
    map('chance', 'logistic(curve)'),
    ...objectives,
  ];
  const table = { columns, ...(excluded !== undefined && { excluded: [{ row: excluded, why: 'spilt' }] }) };
  const document = {
    format: 'cotangent/1',
    tables: { obs: table },
    blocks,
    objective: objectives.map(({ id }) => id),
  };
  return { document, columns, steps: [...chain.map(({ name }) => name), filtered, ...losses] };
}
