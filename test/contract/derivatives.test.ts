/** What `differentiate` gives at the edges that the contract names, on the plain interpreter and on the CPU. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });

/** Adjoints under a cotangent, equal on both devices; forward mode along each basis vector agrees with them. */
async function adjoints(
  blocks: readonly PlainBlock[],
  of: string,
  cotangent?: unknown,
  tolerance = 1e-12,
): Promise<Record<string, unknown>> {
  const path = written(documentOf(blocks));
  const options = cotangent === undefined ? [] : ['--cotangent', JSON.stringify(cotangent)];
  const found: Record<string, unknown>[] = [];
  for (const device of ['reference', 'cpu'])
    found.push(
      (
        (await json('differentiate', path, '--of', of, ...options, '--device', device)) as {
          adjoints: Record<string, unknown>;
        }
      ).adjoints,
    );
  expectClose(found[1], found[0], tolerance);
  return found[0]!;
}

const reduceOf = (operator: unknown, values: unknown): PlainBlock[] => [
  parameter('x', values),
  b('r', 'reduce', { operator, values: 'x' }),
];

describe('an operator within a domain, min(a + b, 3.5) where nothing is negative', () => {
  const saturating = {
    ...{ left: ['a'], right: ['b'], result: ['min(a + b, 3.5)'], neutral: [0], domain: [[0, 'Infinity']] },
    commutative: true,
  };
  // What has not reached 3.5 is a sum, what is beyond it stays: also for elements at 0, the edge.
  it.each([[[0, 2, 2]], [[0, 0, 4]], [[2, 0, 1]], [[1, 2, 0, 2]], [[4, 0]]])('%j', async (values) => {
    const wanted = values.map(() => (values.reduce((sum, x) => sum + x, 0) < 3.5 ? 1 : 0));
    const histogram = [
      parameter('x', values),
      { id: 'k', kind: 'constant', type: 'int', value: values.map(() => 0) },
      b('r', 'histogram', { operator: saturating, values: 'x', keys: 'k', bins: 1 }),
    ];
    expect(await adjoints(reduceOf(saturating, values), 'r')).toEqual({ x: wanted });
    expect(await adjoints(histogram, 'r', [1])).toEqual({ x: wanted });
  });
});

describe('reduce', () => {
  it.each([
    ['min', [3, 1, 1, 2], [0, 1, 0, 0]],
    ['max', [3, 1, 3, 2], [1, 0, 0, 0]],
    ['min', [3, 'NaN', 1, 'NaN'], [0, 1, 0, 0]],
    ['max', [3, 'NaN', 'Infinity'], [0, 1, 0]],
    ['max', ['-Infinity', '-Infinity'], [1, 0]],
    ['min', ['Infinity', 'Infinity'], [1, 0]],
    ['max', [0, -0], [1, 0]],
    ['min', [], []],
    ['add', [], []],
    ['multiply', [], []],
    ['multiply', [7], [1]],
    ['multiply', [2, 3, 4], [12, 8, 6]],
    ['multiply', [2, 0, 4], [0, 8, 0]],
    ['multiply', [2, -0, 4], [-0, 8, -0]],
    ['multiply', [0, 3, 0], [0, 0, 0]],
    ['multiply', [1e200, 1e200, 1e-200, 1e-200], [1e-200, 1e-200, 1e200, 1e200]],
    ['multiply', [1e-200, 1e-200, 1e200, 1e200], [1e200, 1e200, 1e-200, 1e-200]],
    ['multiply', [1e-300, 1e-300, 5], [5e-300, 5e-300, 0]],
    ['logaddexp', [0, 0], [0.5, 0.5]],
    ['logaddexp', ['-Infinity', '-Infinity'], [0, 0]],
    ['logaddexp', [1000, 1000, '-Infinity'], [0.5, 0.5, 0]],
  ])('%s of %j', async (operator, values, wanted) => {
    // −0 is written as 0 in JSON.
    expectClose(await adjoints(reduceOf(operator, values), 'r'), { x: wanted.map((v) => v + 0) }, 1e-12);
  });

  it('along either axis', async () => {
    const P = parameter('P', [
      [1, 5, 2],
      [4, 0, 2],
    ]);
    expect(await adjoints([P, b('r', 'reduce', { operator: 'max', values: 'P', axis: 1 })], 'r', [1, 10])).toEqual({
      P: [
        [0, 1, 0],
        [10, 0, 0],
      ],
    });
    expect(await adjoints([P, b('r', 'reduce', { operator: 'max', values: 'P' })], 'r', [1, 10, 100])).toEqual({
      P: [
        [0, 10, 100],
        [1, 0, 0],
      ],
    });
    expect(await adjoints([P, b('r', 'reduce', { operator: 'multiply', values: 'P', axis: 1 })], 'r', [1, 10])).toEqual(
      {
        P: [
          [10, 2, 5],
          [0, 80, 0],
        ],
      },
    );
  });

  it('by an operator of three components', async () => {
    // count, mean and M2 merged (Chan): ∂M2/∂x_i = 2(x_i − mean), ∂mean/∂x_i = 1/n
    const merge = {
      left: ['n1', 'm1', 's1'],
      right: ['n2', 'm2', 's2'],
      result: ['n1 + n2', '(n1*m1 + n2*m2)/(n1 + n2)', 's1 + s2 + (m2 - m1)^2*n1*n2/(n1 + n2)'],
      neutral: [0, 0, 0],
      commutative: true,
      domain: [
        [0.5, 100],
        ['-Infinity', 'Infinity'],
        [0, 'Infinity'],
      ],
    };
    const x = [1, 4, -2, 7];
    const blocks = [
      parameter('x', x),
      constant('one', 1),
      constant('zero', 0),
      b('r', 'reduce', { operator: merge, values: ['one', 'x', 'zero'], outputs: ['n', 'mean', 'M2'] }),
    ];
    expectClose(await adjoints(blocks, 'r.mean'), { x: [0.25, 0.25, 0.25, 0.25] }, 1e-12);
    expectClose(await adjoints(blocks, 'r.M2'), { x: x.map((v) => 2 * (v - 2.5)) }, 1e-12);
  });
});

describe('scan', () => {
  const scanOf = (operator: unknown, values: unknown, more: PlainBlock = {}): PlainBlock[] => [
    parameter('x', values),
    b('s', 'scan', { operator, values: 'x', ...more }),
  ];
  it.each([
    ['add', {}, [1, 2, 3], [111, 110, 100]],
    ['add', { exclusive: true }, [1, 2, 3], [110, 100, 0]],
    ['add', { reverse: true }, [1, 2, 3], [1, 11, 111]],
    ['add', { reverse: true, exclusive: true }, [1, 2, 3], [0, 1, 11]],
    ['multiply', {}, [2, 3, 5], [1 + 30 + 1500, 20 + 1000, 600]],
    ['multiply', { exclusive: true }, [2, 3, 5], [10 + 300, 200, 0]],
    ['multiply', { reverse: true }, [2, 3, 5], [15, 10 + 50, 6 + 30 + 100]],
    ['multiply', {}, [2, 0, 5], [1, 20 + 1000, 0]],
    ['max', {}, [1, 3, 2], [1, 110, 0]],
    ['max', {}, [2, 2, 2], [111, 0, 0]],
    ['max', { exclusive: true }, [1, 3, 2], [10, 100, 0]],
    ['min', { reverse: true }, [1, 3, 2], [1, 0, 110]],
    ['min', {}, [3, 'NaN', 2], [1, 110, 0]],
  ] as [string, PlainBlock, unknown[], number[]][])('%s %j of %j', async (operator, more, values, wanted) => {
    expectClose(await adjoints(scanOf(operator, values, more), 's', [1, 10, 100]), { x: wanted }, 1e-12);
  });
  it('of one element and of none', async () => {
    for (const operator of ['add', 'multiply', 'min', 'logaddexp']) {
      expect(await adjoints(scanOf(operator, [3]), 's', [5])).toEqual({ x: [5] });
      expect(await adjoints(scanOf(operator, [3], { exclusive: true }), 's', [5])).toEqual({ x: [0] });
      expect(await adjoints(scanOf(operator, []), 's', [])).toEqual({ x: [] });
    }
  });
  it('as a linear recurrence that grows past the largest number', async () => {
    const n = 1990;
    const linear = {
      left: ['b1', 'c1'],
      right: ['b2', 'c2'],
      result: ['b2 + c2*b1', 'c2*c1'],
      neutral: [0, 1],
      commutative: false,
    };
    const u = Array.from({ length: n }, () => 0);
    const blocks = [
      parameter('u', u),
      constant('three', 3),
      b('s', 'scan', { operator: linear, values: ['u', 'three'], outputs: ['x', 'c'] }),
      b('r', 'recurrence', { state: { x: { initial: 0, next: '3*x + u' } }, inputs: { u: 'u' } }),
    ];
    const first = u.map((_, i) => (i === 0 ? 1 : 0));
    expect(((await adjoints(blocks, 'r', first)) as { u: number[] }).u).toEqual(first);
    expect(((await adjoints(blocks, 's.x', first)) as { u: number[] }).u).toEqual(first);
    const path = written(documentOf(blocks));
    for (const output of ['r', 's.x'])
      for (const device of ['reference', 'cpu'])
        expect(
          (
            (await json('evaluate', path, '--output', output, '--device', device)) as {
              values: Record<string, number[]>;
            }
          ).values[output],
        ).toEqual(u);
  });
  it('of × over 800 values of 100 with a cotangent at 0 alone', async () => {
    const x = Array.from({ length: 800 }, () => 100);
    const first = x.map((_, i) => (i === 0 ? 1 : 0));
    expect(await adjoints(scanOf('multiply', x), 's', first)).toEqual({ x: first });
  });
  it('with matrices of 2×2', async () => {
    const product = {
      left: ['a1', 'b1', 'c1', 'd1'],
      right: ['a2', 'b2', 'c2', 'd2'],
      result: ['a1*a2 + b1*c2', 'a1*b2 + b1*d2', 'c1*a2 + d1*c2', 'c1*b2 + d1*d2'],
      neutral: [1, 0, 0, 1],
    };
    const blocks = [
      parameter('p', [1, 2, 3]),
      constant('one', 1),
      constant('zero', 0),
      b('s', 'scan', { operator: product, values: ['one', 'p', 'zero', 'one'] }),
    ];
    // Unit upper triangles: the corner is the running sum.
    expectClose(await adjoints(blocks, 's.1', [1, 10, 100]), { p: [111, 110, 100] });
    expectClose(await adjoints(blocks, 's.0', [1, 10, 100]), { p: [0, 0, 0] });
  });
});

describe('histogram', () => {
  const h = (operator: unknown, keys: number[], values: unknown, bins: number, initial?: unknown): PlainBlock[] => [
    constant('k', keys),
    parameter('v', values),
    ...(initial === undefined ? [] : [parameter('i', initial)]),
    b('h', 'histogram', { operator, keys: 'k', values: 'v', bins, ...(initial !== undefined && { initial: 'i' }) }),
  ];
  it.each([
    ['add', [1, 0, 1, 9], [1, 2, 3, 4], 2, undefined, { v: [10, 1, 10, 0] }],
    ['min', [1, 0, 1, 1], [3, 2, 3, 5], 2, undefined, { v: [10, 1, 0, 0] }],
    ['max', [0, 0, 0, 1], [3, 5, 5, -1], 2, undefined, { v: [0, 1, 0, 10] }],
    ['min', [0, 0], [3, 2], 2, [2, 7], { v: [0, 0], i: [1, 10] }],
    ['max', [0, 0], [3, 2], 2, [2, 7], { v: [1, 0], i: [0, 10] }],
    ['multiply', [0, 1, 0, 1], [2, 3, 5, 0], 2, undefined, { v: [5, 0, 2, 30] }],
    ['multiply', [0, 0, 0], [0, 0, 4], 1, undefined, { v: [0, 0, 0] }],
    ['multiply', [0, 1, 0], [2, 3, 5], 2, [7, 0], { v: [35, 0, 14], i: [10, 30] }],
    ['add', [0, 1], [2, 3], 3, [1, 1, 1], { v: [1, 10], i: [1, 10, 100] }],
    ['logaddexp', [0, 0, 1], [0, 0, 5], 2, undefined, { v: [0.5, 0.5, 10] }],
    ['add', [], [], 2, [3, 4], { v: [], i: [1, 10] }],
    ['min', [], [], 2, [3, 4], { v: [], i: [1, 10] }],
    ['multiply', [], [], 2, [3, 4], { v: [], i: [1, 10] }],
  ] as [string, number[], unknown, number, unknown, object][])(
    '%s of keys %j, values %j',
    async (operator, keys, values, bins, initial, wanted) => {
      const cotangent = [1, 10, 100].slice(0, bins);
      expectClose(await adjoints(h(operator, keys, values, bins, initial), 'h', cotangent), wanted);
    },
  );
  it('by an operator that the model writes, saturating', async () => {
    const saturated = {
      left: ['a'],
      right: ['b'],
      result: ['min(a + b, 10)'],
      neutral: [0],
      commutative: true,
      domain: [[0, 'Infinity']],
    };
    expectClose(await adjoints(h(saturated, [0, 1, 0, 1], [1, 4, 2, 9], 2), 'h', [1, 10]), { v: [1, 0, 1, 0] });
  });
  it('of rows and of an operator on pairs', async () => {
    const rows = [
      constant('k', [1, 0, 1]),
      parameter('R', [
        [1, 2],
        [3, 4],
        [5, 6],
      ]),
      b('h', 'histogram', { operator: 'multiply', keys: 'k', values: 'R', bins: 2 }),
    ];
    expectClose(
      await adjoints(rows, 'h', [
        [1, 10],
        [100, 1000],
      ]),
      {
        R: [
          [500, 6000],
          [1, 10],
          [100, 2000],
        ],
      },
    );
    const pair = {
      left: ['n1', 's1'],
      right: ['n2', 's2'],
      result: ['n1 + n2', 's1 + s2 + n1*n2'],
      neutral: [0, 0],
      commutative: true,
    };
    const blocks = [
      constant('k', [0, 1, 0, 0]),
      parameter('v', [2, 3, 5, 7]),
      constant('z', 0),
      b('h', 'histogram', { operator: pair, keys: 'k', values: ['v', 'z'], bins: 2 }),
    ];
    // Σ of pairwise products within the bin.
    expectClose(await adjoints(blocks, 'h.1', [1, 1]), { v: [12, 0, 9, 7] });
  });
});

describe('the others', () => {
  it('gather and histogram are each other’s transpose', async () => {
    expect(
      await adjoints(
        [parameter('x', [1, 2, 3]), constant('i', [2, 2, 0]), b('g', 'gather', { from: 'x', indices: 'i' })],
        'g',
        [1, 10, 100],
      ),
    ).toEqual({ x: [100, 0, 11] });
    expect(
      await adjoints(
        [
          parameter('X', [
            [1, 2],
            [3, 4],
          ]),
          constant('i', [[1], [1]]),
          b('g', 'gather', { from: 'X', indices: 'i' }),
        ],
        'g',
        [[[1, 2]], [[10, 20]]],
      ),
    ).toEqual({
      X: [
        [0, 0],
        [11, 22],
      ],
    });
  });
  it('slice, shift, reverse, transpose, reshape, concatenate', async () => {
    const x = parameter('x', [1, 2, 3, 4]);
    expect(await adjoints([x, b('y', 'slice', { values: 'x', start: 1, step: 2 })], 'y', [1, 10])).toEqual({
      x: [0, 1, 0, 10],
    });
    expect(await adjoints([x, b('y', 'shift', { values: 'x', by: 1, fill: 9 })], 'y', [1, 10, 100, 1000])).toEqual({
      x: [10, 100, 1000, 0],
    });
    expect(await adjoints([x, b('y', 'shift', { values: 'x', by: -6 })], 'y', [1, 10, 100, 1000])).toEqual({
      x: [0, 0, 0, 0],
    });
    expect(await adjoints([x, b('y', 'reverse', { values: 'x' })], 'y', [1, 10, 100, 1000])).toEqual({
      x: [1000, 100, 10, 1],
    });
    expect(
      await adjoints(
        [x, b('M', 'reshape', { values: 'x', shape: [2, -1] }), b('y', 'transpose', { values: 'M' })],
        'y',
        [
          [1, 10],
          [100, 1000],
        ],
      ),
    ).toEqual({ x: [1, 100, 10, 1000] });
    expect(
      await adjoints([x, b('y', 'concatenate', { values: ['x', 'x'] })], 'y', [1, 2, 3, 4, 10, 20, 30, 40]),
    ).toEqual({ x: [11, 22, 33, 44] });
  });
  it('matmul', async () => {
    const blocks = [
      parameter('A', [
        [1, 2],
        [3, 4],
      ]),
      parameter('v', [5, 6]),
      b('y', 'matmul', { left: 'A', right: 'v' }),
    ];
    expect(await adjoints(blocks, 'y', [1, 10])).toEqual({
      A: [
        [5, 6],
        [50, 60],
      ],
      v: [31, 42],
    });
    expect(await adjoints([parameter('v', [5, 6]), b('y', 'matmul', { left: 'v', right: 'v' })], 'y')).toEqual({
      v: [10, 12],
    });
  });
  it('broadcasting sums what was spread', async () => {
    const blocks = [parameter('s', 2), parameter('r', [1, 2, 3]), parameter('c', [[1], [2]]), map('y', 's * r * c')];
    expect(
      await adjoints(blocks, 'y', [
        [1, 1, 1],
        [10, 10, 10],
      ]),
    ).toEqual({ s: 6 + 120, r: [42, 42, 42], c: [[12], [120]] });
  });
  it('a computed condition, a loop over batches, an emit of the end', async () => {
    const blocks = [
      parameter('x0', [1, 2]),
      parameter('a', 3),
      b('r', 'recurrence', { state: { x: { initial: 'x0', next: 'if(x > 10, x, a*x)' } }, steps: 3, emit: 'final' }),
    ];
    // 1 → 3 → 9 → 27; 2 → 6 → 18 → 18
    expect(await adjoints(blocks, 'r', [1, 1])).toEqual({ x0: [27, 9], a: 27 + 12 });
  });
  it('ints and bools end the chain', async () => {
    expect(
      await adjoints(
        [
          parameter('p', 2.6),
          constant('v', [1, 2, 3]),
          map('i', 'floor(p)'),
          b('g', 'gather', { from: 'v', indices: 'i' }),
          map('y', 'g + real(p > 1) + i'),
        ],
        'y',
      ),
    ).toEqual({ p: 0 });
  });
});
