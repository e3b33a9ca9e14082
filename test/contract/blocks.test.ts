/** The contract on blocks: every kind and every key, against values worked out by hand. */
import { describe, expect, it } from 'vitest';
import {
  column,
  constant,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  refusal,
  value,
  values,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });
const M = constant('M', [
  [1, 2, 3],
  [4, 5, 6],
]);
const cube = constant('C', [
  [
    [1, 2],
    [3, 4],
  ],
  [
    [5, 6],
    [7, 8],
  ],
]);

describe('parameter', () => {
  it('is a number or a nested array', async () => {
    const blocks = [
      parameter('p', 1.5),
      parameter('q', [
        [1, 2],
        [3, 4],
      ]),
      map('s', 'p * q'),
    ];
    expect(await values(blocks, ['p', 'q', 's'])).toEqual({
      p: 1.5,
      q: [
        [1, 2],
        [3, 4],
      ],
      s: [
        [1.5, 3],
        [4.5, 6],
      ],
    });
  });

  it('has one element for each label of a category', async () => {
    const T = { tables: { T: { columns: { g: ['x', 'y', 'x', 'z'] } } } };
    const blocks = [column('g'), parameter('p', 2, { like: 'g', lower: 0, upper: [5, 6, 7] }), map('m', 'p + index')];
    expect(await values(blocks, ['p', 'm'], T)).toEqual({ p: [2, 2, 2], m: [2, 3, 4] });
    expect(await refusal(documentOf([column('g'), constant('v', [1]), parameter('p', 2, { like: 'v' })], T))).toMatch(
      /"p".*category/,
    );
  });

  it('keeps its bounds and its scale', async () => {
    for (const [more, reason] of [
      [{ lower: 2 }, /"p".*initial.*2/],
      [{ lower: 3, upper: 2 }, /"p".*lower.*upper/],
      [{ scale: 'log', initial: -1 }, /"p".*log/],
      [{ scale: 'logit', initial: 1 }, /"p".*(logit|bounds)/],
      [{ scale: 'sqrt' }, /"p".*scale.*linear/],
      [{ fixed: 1 }, /"p".*fixed.*true or false/],
      [{ prior: { family: 'normal', mean: 0 } }, /"p".*sd/],
      [{ prior: { family: 'normal', mean: 0, sd: 0 } }, /"p".*sd/],
      [{ prior: { family: 'laplace' } }, /"p".*laplace/],
      [{ prior: { family: 'normal', mean: 0, sd: 1, rate: 2 } }, /"p".*rate/],
    ] as const)
      expect(await refusal(documentOf([{ ...parameter('p', 1), ...more }]))).toMatch(reason);
  });
});

describe('constant', () => {
  it('is real unless it is said to be int', async () => {
    const { blocks } = (await json(
      'check',
      written(documentOf([constant('a', [1, 2]), constant('i', [1, 2], 'int'), constant('r', 3, 'real')])),
    )) as { blocks: { type: string }[] };
    expect(blocks.map(({ type }) => type)).toEqual(['real', 'int', 'real']);
    expect(await refusal(documentOf([constant('i', 1.5, 'int')]))).toMatch(/"i".*1\.5/);
  });
});

describe('range', () => {
  it('has length, like, start and step', async () => {
    const blocks = [
      b('a', 'range', { length: 3 }),
      b('c', 'range', { length: 3, start: 2, step: -2 }),
      b('d', 'range', { length: 3, start: 0.5 }),
      b('f', 'range', { length: 3, step: 0.25 }),
      b('g', 'range', { like: 'M' }),
      b('h', 'range', { length: 0 }),
      M,
    ];
    expect(await values(blocks, ['a', 'c', 'd', 'f', 'g', 'h'])).toEqual({
      a: [0, 1, 2],
      c: [2, 0, -2],
      d: [0.5, 1.5, 2.5],
      f: [0, 0.25, 0.5],
      g: [0, 1],
      h: [],
    });
    const { blocks: listed } = (await json('check', written(documentOf(blocks)))) as { blocks: { type: string }[] };
    expect(listed.slice(0, 6).map(({ type }) => type)).toEqual(['int', 'int', 'real', 'real', 'int', 'int']);
    for (const more of [{}, { length: 2, like: 'M' }, { length: -1 }, { length: 1.5 }])
      expect(await refusal(documentOf([M, b('r', 'range', more)]))).toMatch(/"r"/);
  });
});

describe('map', () => {
  it('has several outputs, and ports by hand', async () => {
    const blocks = [
      constant('x', [1, 2]),
      b('m', 'map', { outputs: { s: 'u + 1', d: 'u * x' }, inputs: { u: 'x' } }),
      map('n', 'v', { inputs: { v: 'm.d' } }),
    ];
    expect(await values(blocks, ['m.s', 'm.d', 'n'])).toEqual({ 'm.s': [2, 3], 'm.d': [1, 4], n: [1, 4] });
    expect(await value([constant('x', 2), b('m', 'map', { outputs: { only: 'x' } }), map('n', 'm + 1')], 'n')).toBe(3);
    expect(await refusal(documentOf([constant('x', 1), b('m', 'map', {})]))).toMatch(/"m".*formula/);
    expect(await refusal(documentOf([constant('x', 1), b('m', 'map', { formula: 'x', outputs: { a: 'x' } })]))).toMatch(
      /"m".*formula/,
    );
  });
  it('may shadow a block by a port of the same name', async () => {
    expect(await value([constant('x', 1), constant('y', 5), map('m', 'x + 1', { inputs: { x: 'y' } })], 'm')).toBe(6);
  });
  it('knows index along axis 0 and length', async () => {
    expect(await value([M, map('m', '10 * index + length(M) + M')], 'm')).toEqual([
      [3, 4, 5],
      [16, 17, 18],
    ]);
  });
});

describe('reduce', () => {
  const x = constant('x', [3, -1, 2]);
  it.each([
    ['add', 4],
    ['multiply', -6],
    ['min', -1],
    ['max', 3],
    ['logaddexp', Math.log(Math.exp(3) + Math.exp(-1) + Math.exp(2))],
  ])('%s', async (operator, wanted) => {
    expectClose(await value([x, b('r', 'reduce', { operator, values: 'x' })], 'r'), wanted);
  });
  it('drops the axis', async () => {
    const blocks = [
      M,
      cube,
      b('r', 'reduce', { operator: 'add', values: 'M' }),
      b('s', 'reduce', { operator: 'add', values: 'M', axis: 1 }),
      b('t', 'reduce', { operator: 'max', values: 'C', axis: 2 }),
      b('u', 'reduce', { operator: 'add', values: 'C', axis: 1 }),
    ];
    expect(await values(blocks, ['r', 's', 't', 'u'])).toEqual({
      r: [5, 7, 9],
      s: [6, 15],
      t: [
        [2, 4],
        [6, 8],
      ],
      u: [
        [4, 6],
        [12, 14],
      ],
    });
  });
  it('of ints is int, and NaN wins min and max', async () => {
    expect(
      await value([constant('i', [2147483647, 1], 'int'), b('r', 'reduce', { operator: 'add', values: 'i' })], 'r'),
    ).toBe(-2147483648);
    expect(await value([constant('n', [1, 'NaN', 3]), b('r', 'reduce', { operator: 'min', values: 'n' })], 'r')).toBe(
      'NaN',
    );
    expect(await value([constant('n', [1, 'NaN', 3]), b('r', 'reduce', { operator: 'max', values: 'n' })], 'r')).toBe(
      'NaN',
    );
  });
  const linear = {
    left: ['b1', 'c1'],
    right: ['b2', 'c2'],
    result: ['b2 + c2*b1', 'c2*c1'],
    neutral: [0, 1],
    commutative: false,
  };
  it('takes an operator that the model writes, on tuples', async () => {
    // x ↦ 1 + 2x, then 3 − x, then 5 + x/2: 5 + (3 − (1 + 2x))/2 = 6 − x
    const blocks = [
      constant('u', [1, 3, 5]),
      constant('v', [2, -1, 0.5]),
      b('r', 'reduce', { operator: linear, values: ['u', 'v'] }),
      b('q', 'reduce', { operator: linear, values: ['u', 'v'], outputs: ['shift', 'factor'] }),
      map('m', 's + f', { inputs: { s: 'q.shift', f: 'r.1' } }),
    ];
    expect(await values(blocks, ['r.0', 'r.1', 'q.shift', 'q.factor', 'm'])).toEqual({
      'r.0': 6,
      'r.1': -1,
      'q.shift': 6,
      'q.factor': -1,
      m: 5,
    });
  });
  it('broadcasts its values together', async () => {
    const blocks = [
      constant('u', [1, 3, 5]),
      constant('k', 0.5),
      b('r', 'reduce', { operator: linear, values: ['u', 'k'] }),
    ];
    expect(await values(blocks, ['r.0', 'r.1'])).toEqual({ 'r.0': 5 + 0.5 * (3 + 0.5 * 1), 'r.1': 0.125 });
  });
  it('refuses an operator that breaks its laws with a counter-example, and one that uses another name', async () => {
    const of = (operator: object) => documentOf([x, parameter('k', 1), b('r', 'reduce', { operator, values: 'x' })]);
    expect(await refusal(of({ left: ['a'], right: ['b'], result: ['a - b'], neutral: [0] }))).toMatch(
      /"r".*associative.*\d/,
    );
    expect(await refusal(of({ left: ['a'], right: ['b'], result: ['a + b'], neutral: [1] }))).toMatch(
      /"r".*neutral.*\d/,
    );
    expect(await refusal(of({ left: ['a'], right: ['b'], result: ['b'], neutral: [0], commutative: true }))).toMatch(
      /"r"/,
    );
    expect(await refusal(of({ left: ['a'], right: ['b'], result: ['a + k*b'], neutral: [0] }))).toMatch(/"r".*"?k"?/);
    expect(
      await refusal(of({ left: ['a'], right: ['b'], result: ['a + b'], neutral: [0], inverse: ['a + b'] })),
    ).toMatch(/"r".*inverse/);
    expect(await refusal(of({ left: ['exp'], right: ['b'], result: ['b'], neutral: [0] }))).toMatch(/"r".*exp/);
    expect(
      await refusal(of({ left: ['a', 'c'], right: ['b', 'd'], result: ['a + b', 'c + d'], neutral: [0, 0] })),
    ).toMatch(/"r".*(1|2)/);
    expect(await refusal(of({ left: ['a'], right: ['a'], result: ['a'], neutral: [0] }))).toMatch(/"r".*"a"/);
  });
  it('takes a saturating operator on its domain', async () => {
    const saturated = { left: ['a'], right: ['b'], result: ['min(a + b, 10)'], neutral: [0], commutative: true };
    expect(await refusal(documentOf([x, b('r', 'reduce', { operator: saturated, values: 'x' })]))).toMatch(
      /associative/,
    );
    const onDomain = { ...saturated, domain: [[0, 'Infinity']] };
    expect(await value([constant('y', [4, 5, 6]), b('r', 'reduce', { operator: onDomain, values: 'y' })], 'r')).toBe(
      10,
    );
  });
  it('takes an inverse and a lift', async () => {
    const sumOfProducts = {
      left: ['p1', 's1'],
      right: ['p2', 's2'],
      result: ['p1 + p2 + s1*s2', 's1 + s2'],
      neutral: [0, 0],
      commutative: true,
      inverse: ['p1 - p2 - (s1 - s2)*s2', 's1 - s2'],
    };
    const blocks = [
      constant('z', [0, 0, 0]),
      parameter('y', [2, 3, 5]),
      b('r', 'reduce', { operator: sumOfProducts, values: ['z', 'y'] }),
    ];
    expect(await values(blocks, ['r.0', 'r.1'])).toEqual({ 'r.0': 31, 'r.1': 10 });
    for (const device of ['reference', 'cpu'])
      expect(await json('differentiate', written(documentOf(blocks)), '--of', 'r.0', '--device', device)).toEqual({
        value: 31,
        adjoints: { y: [8, 7, 5] },
      });
  });
  it('acts on the rows of rank 2 with axis 0', async () => {
    expect(
      await value(
        [
          M,
          b('r', 'reduce', {
            operator: { left: ['a'], right: ['b'], result: ['a * b'], neutral: [1] },
            values: 'M',
            axis: 0,
          }),
        ],
        'r',
      ),
    ).toEqual([4, 10, 18]);
  });
});

describe('scan', () => {
  const x = constant('x', [1, 2, 3, 4]);
  it.each([
    [{}, [1, 3, 6, 10]],
    [{ exclusive: true }, [0, 1, 3, 6]],
    [{ reverse: true }, [10, 9, 7, 4]],
    [{ reverse: true, exclusive: true }, [9, 7, 4, 0]],
    [{ exclusive: false, reverse: false, axis: 0 }, [1, 3, 6, 10]],
  ])('%j', async (more, wanted) => {
    expect(await value([x, b('s', 'scan', { operator: 'add', values: 'x', ...more })], 's')).toEqual(wanted);
  });
  it('along an axis', async () => {
    const blocks = [
      M,
      b('s', 'scan', { operator: 'add', values: 'M' }),
      b('t', 'scan', { operator: 'multiply', values: 'M', axis: 1 }),
      b('u', 'scan', { operator: 'max', values: 'M', axis: 1, reverse: true, exclusive: true }),
    ];
    expect(await values(blocks, ['s', 't', 'u'])).toEqual({
      s: [
        [1, 2, 3],
        [5, 7, 9],
      ],
      t: [
        [1, 2, 6],
        [4, 20, 120],
      ],
      u: [
        [3, 3, '-Infinity'],
        [6, 6, '-Infinity'],
      ],
    });
  });
  it('in reverse as reverse(scan(reverse(x))) for an operator that does not commute', async () => {
    const linear = {
      left: ['b1', 'c1'],
      right: ['b2', 'c2'],
      result: ['b2 + c2*b1', 'c2*c1'],
      neutral: [0, 1],
      commutative: false,
    };
    const blocks = [
      constant('u', [1, 3, 5]),
      constant('v', [2, -1, 0.5]),
      b('s', 'scan', { operator: linear, values: ['u', 'v'] }),
      b('r', 'scan', { operator: linear, values: ['u', 'v'], reverse: true, outputs: ['q', 'f'] }),
      b('e', 'scan', { operator: linear, values: ['u', 'v'], exclusive: true }),
    ].map((block) => (block.id === 'e' ? { ...block, id: 'ex' } : block));
    expect(await values(blocks, ['s.0', 's.1', 'r.q', 'r.f', 'ex.0', 'ex.1'])).toEqual({
      // y_t = u_t + v_t y_{t−1}
      's.0': [1, 3 - 1, 5 + 0.5 * 2],
      's.1': [2, -2, -1],
      // the same from the last to the first
      'r.q': [1 + 2 * (3 - 5), 3 - 5, 5],
      'r.f': [-1, -0.5, 0.5],
      'ex.0': [0, 1, 2],
      'ex.1': [1, 2, -2],
    });
  });
  it('has the adjoint of + as a reverse scan', async () => {
    const path = written(documentOf([parameter('x', [1, 2, 3]), b('s', 'scan', { operator: 'add', values: 'x' })]));
    expect(await json('differentiate', path, '--of', 's', '--cotangent', '[1, 10, 100]')).toEqual({
      value: [1, 3, 6],
      adjoints: { x: [111, 110, 100] },
    });
    expect(await json('differentiate', path, '--of', 's', '--tangent', '{"x": [1, 0, 5]}')).toEqual({
      value: [1, 3, 6],
      tangent: [1, 1, 6],
    });
  });
});

describe('histogram', () => {
  const k = constant('k', [2, 0, 2, -1, 5, 1]);
  const v = constant('v', [1, 2, 3, 4, 5, 6]);
  it.each([
    ['add', [2, 6, 4]],
    ['multiply', [2, 6, 3]],
    ['min', [2, 6, 1]],
    ['max', [2, 6, 3]],
  ])('%s ignores a key outside the bins', async (operator, wanted) => {
    expect(await value([k, v, b('h', 'histogram', { operator, keys: 'k', values: 'v', bins: 3 })], 'h')).toEqual(
      wanted,
    );
  });
  it('gives the neutral element to an empty bin', async () => {
    const blocks = [
      k,
      v,
      ...['add', 'multiply', 'min', 'max', 'logaddexp'].map((operator) =>
        b(
          operator === 'min' || operator === 'max' || operator === 'logaddexp' ? `h${operator}` : operator,
          'histogram',
          { operator, keys: 'k', values: 'v', bins: 5 },
        ),
      ),
    ];
    const found = await values(blocks, ['add', 'multiply', 'hmin', 'hmax', 'hlogaddexp']);
    expect(Object.values(found).map((bins) => (bins as unknown[])[4])).toEqual([
      0,
      1,
      'Infinity',
      '-Infinity',
      '-Infinity',
    ]);
  });
  it('takes a scalar, rows, initial contents and several values', async () => {
    const rows = constant('R', [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
      [9, 10],
      [11, 12],
    ]);
    const pairs = {
      left: ['n1', 'm1'],
      right: ['n2', 'm2'],
      result: ['n1 + n2', 'max(m1, m2)'],
      neutral: [0, '-Infinity'],
      commutative: true,
    };
    const blocks = [
      k,
      v,
      rows,
      constant('one', 1),
      constant('i', [100, 200, 300]),
      constant('I', [
        [1, 1],
        [2, 2],
        [3, 3],
      ]),
      constant('w', [-50, 50, -50]),
      b('n', 'histogram', { operator: 'add', keys: 'k', values: 'one', bins: 3 }),
      b('hi', 'histogram', { operator: 'add', keys: 'k', values: 'v', bins: 3, initial: 'i' }),
      b('hr', 'histogram', { operator: 'add', keys: 'k', values: 'R', bins: 3 }),
      b('hR', 'histogram', { operator: 'add', keys: 'k', values: 'R', bins: 3, initial: 'I' }),
      b('hp', 'histogram', {
        operator: pairs,
        keys: 'k',
        values: ['one', 'v'],
        bins: 3,
        outputs: ['count', 'largest'],
      }),
      b('hq', 'histogram', { operator: pairs, keys: 'k', values: ['one', 'v'], bins: 3, initial: ['i', 'w'] }),
      b('hm', 'histogram', { operator: pairs, keys: 'k', values: ['one', 'R'], bins: 3 }),
    ];
    expect(
      await values(blocks, ['n', 'hi', 'hr', 'hR', 'hp.count', 'hp.largest', 'hq.0', 'hq.1', 'hm.0', 'hm.1']),
    ).toEqual({
      n: [1, 1, 2],
      hi: [102, 206, 304],
      hr: [
        [3, 4],
        [11, 12],
        [6, 8],
      ],
      hR: [
        [4, 5],
        [13, 14],
        [9, 11],
      ],
      'hp.count': [1, 1, 2],
      'hp.largest': [2, 6, 3],
      'hq.0': [101, 201, 302],
      'hq.1': [2, 50, 3],
      'hm.0': [
        [1, 1],
        [1, 1],
        [2, 2],
      ],
      'hm.1': [
        [3, 4],
        [11, 12],
        [5, 6],
      ],
    });
  });
  it('has a bin for each label of a category, and its adjoints', async () => {
    const T = { tables: { T: { columns: { g: ['x', 'y', 'x', 'z'], y: [1, 2, 3, 4] } } } };
    const blocks = [
      column('g'),
      column('y'),
      parameter('a', 2),
      map('v', 'a * y'),
      parameter('h0', [0, 0, 1]),
      b('h', 'histogram', { operator: 'add', keys: 'g', values: 'v', bins: 'g', initial: 'h0' }),
    ];
    expect(await value(blocks, 'h', T)).toEqual([8, 4, 9]);
    const path = written(documentOf(blocks, T));
    for (const device of ['reference', 'cpu'])
      expect(
        await json(
          'differentiate',
          path,
          '--of',
          'h',
          '--cotangent',
          '[1, 10, 100]',
          '--device',
          device,
          '--wrt',
          'a,h0,y',
        ),
      ).toEqual({ value: [8, 4, 9], adjoints: { a: 4 + 20 + 400, h0: [1, 10, 100], y: [2, 20, 2, 200] } });
  });
  it('wants an operator that commutes, and a category or a number of bins', async () => {
    const first = { left: ['a', 'p'], right: ['b', 'q'], result: ['b + q*a', 'p*q'], neutral: [0, 1] };
    expect(
      await refusal(
        documentOf([k, v, b('h', 'histogram', { operator: first, keys: 'k', values: ['v', 'v'], bins: 3 })]),
      ),
    ).toMatch(/"h".*commut/);
    expect(
      await refusal(documentOf([k, v, b('h', 'histogram', { operator: 'add', keys: 'k', values: 'v', bins: 'v' })])),
    ).toMatch(/"h".*category/);
    expect(
      await refusal(documentOf([k, v, b('h', 'histogram', { operator: 'add', keys: 'k', values: 'v', bins: -3 })])),
    ).toMatch(/"h".*bins/);
    expect(
      await refusal(
        documentOf([
          k,
          constant('w', [1, 2]),
          b('h', 'histogram', { operator: 'add', keys: 'k', values: 'w', bins: 3 }),
        ]),
      ),
    ).toMatch(/"h"/);
    expect(
      await refusal(
        documentOf([
          k,
          v,
          constant('i', [1, 2]),
          b('h', 'histogram', { operator: 'add', keys: 'k', values: 'v', bins: 3, initial: 'i' }),
        ]),
      ),
    ).toMatch(/"h".*initial/);
    expect(
      await refusal(documentOf([M, b('h', 'histogram', { operator: 'add', keys: 'M', values: 'M', bins: 3 })])),
    ).toMatch(/"h".*keys/);
    expect(await value([k, v, b('h', 'histogram', { operator: 'add', keys: 'k', values: 'v', bins: 0 })], 'h')).toEqual(
      [],
    );
  });
  it('gives a key outside an exact zero as its adjoint', async () => {
    const path = written(
      documentOf([
        constant('k', [0, 7, -2]),
        parameter('v', [1, 2, 3]),
        b('h', 'histogram', { operator: 'multiply', keys: 'k', values: 'v', bins: 1 }),
      ]),
    );
    expect(await json('differentiate', path, '--of', 'h', '--cotangent', '["Infinity"]')).toEqual({
      value: [1],
      adjoints: { v: ['Infinity', 0, 0] },
    });
  });
});

describe('recurrence', () => {
  it('steps all states together from the old values', async () => {
    const state = { x: { initial: 1, next: 'y' }, y: { initial: 2, next: 'x + y' } };
    const blocks = [
      b('r', 'recurrence', { state, steps: 4 }),
      b('f', 'recurrence', { state, steps: 4, emit: 'final' }),
      b('z', 'recurrence', { state, steps: 0 }),
      b('zf', 'recurrence', { state, steps: 0, emit: 'final' }),
    ];
    expect(await values(blocks, ['r.x', 'r.y', 'f.x', 'f.y', 'z.x', 'zf.y'])).toEqual({
      'r.x': [2, 3, 5, 8],
      'r.y': [3, 5, 8, 13],
      'f.x': 8,
      'f.y': 13,
      'z.x': [],
      'zf.y': 2,
    });
  });
  it('is `id` where there is one state, and `id.name` too', async () => {
    const blocks = [
      b('r', 'recurrence', { state: { x: { initial: 1, next: '2*x + index' } }, steps: 3 }),
      map('m', 'r + 1'),
    ];
    expect(await values(blocks, ['r', 'r.x', 'm'])).toEqual({ r: [2, 5, 12], 'r.x': [2, 5, 12], m: [3, 6, 13] });
  });
  it('steps its inputs along axis 0, and has every other name the same at every step', async () => {
    const blocks = [
      constant('u', [1, 2, 3]),
      parameter('a', 0.5),
      parameter('x0', 8),
      b('r', 'recurrence', { state: { x: { initial: 'x0', next: 'a*x + w' } }, inputs: { w: 'u' } }),
    ];
    expect(await value(blocks, 'r')).toEqual([5, 4.5, 5.25]);
    const path = written(documentOf(blocks));
    for (const device of ['reference', 'cpu'])
      expect(
        await json(
          'differentiate',
          path,
          '--of',
          'r',
          '--cotangent',
          '[0, 0, 1]',
          '--wrt',
          'a,x0,u',
          '--device',
          device,
        ),
      ).toEqual({ value: [5, 4.5, 5.25], adjoints: { a: 4.5 + 0.5 * 5 + 0.25 * 8, x0: 0.125, u: [0.25, 0.5, 1] } });
  });
  it('runs a batch where a state or an input has further axes', async () => {
    const blocks = [
      constant('x0', [1, 2]),
      constant('u', [
        [1, 10],
        [2, 20],
      ]),
      constant('a', [1, 3]),
      b('r', 'recurrence', { state: { x: { initial: 'x0', next: 'a*x + u' } }, inputs: { u: 'u' } }),
      b('s', 'recurrence', { state: { x: { initial: 0, next: 'x + a' } }, steps: 2, emit: 'final' }),
      b('q', 'recurrence', { state: { x: { initial: 'x0', next: 'x + index' } }, steps: 3 }),
    ];
    expect(await values(blocks, ['r', 's', 'q'])).toEqual({
      r: [
        [2, 16],
        [4, 68],
      ],
      s: [2, 6],
      q: [
        [1, 2],
        [2, 3],
        [4, 5],
      ],
    });
  });
  it('has the number of the inputs’ rows, and refuses another', async () => {
    const u = constant('u', [1, 2, 3]);
    const r = (more: PlainBlock) =>
      documentOf([u, M, b('r', 'recurrence', { state: { x: { initial: 0, next: 'x + u' } }, ...more })]);
    expect(await refusal(r({ inputs: { u: 'u' }, steps: 4 }))).toMatch(/"r".*4.*3/);
    expect(await refusal(r({}))).toMatch(/"r".*steps/);
    expect(await refusal(r({ inputs: { u: 'u', w: 'M' } }))).toMatch(/"r"/);
    expect(await refusal(r({ inputs: { u: 'u' }, emit: 'last' }))).toMatch(/"r".*final.*last/);
    expect(
      await value(
        [u, b('r', 'recurrence', { state: { x: { initial: 0, next: 'x + u' } }, inputs: { u: 'u' }, steps: 3 })],
        'r',
      ),
    ).toEqual([1, 3, 6]);
    // Without "inputs" a vector is the same at every step: a batch.
    expect(
      await value([u, b('r', 'recurrence', { state: { x: { initial: 0, next: 'x + u' } }, steps: 2 })], 'r'),
    ).toEqual([
      [1, 2, 3],
      [2, 4, 6],
    ]);
  });
  it('takes a state that is called as a block is', async () => {
    expect(
      await value(
        [
          constant('x', 100),
          constant('y', 1),
          b('r', 'recurrence', { state: { x: { initial: 0, next: 'x + y' } }, steps: 2 }),
        ],
        'r',
      ),
    ).toEqual([1, 2]);
  });
  it('has int and bool states', async () => {
    const blocks = [
      constant('n0', 2147483646, 'int'),
      b('r', 'recurrence', { state: { n: { initial: 'n0', next: 'n + 1' } }, steps: 2 }),
    ];
    expect(await value(blocks, 'r')).toEqual([2147483647, -2147483648]);
    const flags = [constant('t', true)].slice(1);
    expect(
      await value(
        [
          ...flags,
          constant('one', 1),
          map('on', 'one > 0'),
          b('r', 'recurrence', { state: { f: { initial: 'on', next: 'not f' } }, steps: 3 }),
        ],
        'r',
      ),
    ).toEqual([false, true, false]);
  });
});

describe('gather', () => {
  const x = constant('x', [10, 20, 30]);
  it('takes indices of any rank', async () => {
    const blocks = [
      x,
      M,
      constant('i', [
        [2, 0],
        [1, 1],
      ]),
      constant('j', 1),
      constant('l', [1, 0, 1]),
      b('g', 'gather', { from: 'x', indices: 'i' }),
      b('h', 'gather', { from: 'x', indices: 'j' }),
      b('r', 'gather', { from: 'M', indices: 'l' }),
      b('s', 'gather', { from: 'M', indices: 'j' }),
      b('t', 'gather', { from: 'M', indices: 'i1' }),
      constant('i1', [[1, 0]]),
    ];
    expect(await values(blocks, ['g', 'h', 'r', 's', 't'])).toEqual({
      g: [
        [30, 10],
        [20, 20],
      ],
      h: 20,
      r: [
        [4, 5, 6],
        [1, 2, 3],
        [4, 5, 6],
      ],
      s: [4, 5, 6],
      t: [
        [
          [4, 5, 6],
          [1, 2, 3],
        ],
      ],
    });
  });
  it('refuses an index out of range that is data', async () => {
    for (const i of [[3], [-1], ['NaN']])
      expect(await refusal(documentOf([x, constant('i', i), b('g', 'gather', { from: 'x', indices: 'i' })]))).toMatch(
        /"g".*(3|-1|missing)/,
      );
    // data that a formula makes
    const made = documentOf([
      x,
      constant('i', [1, 3]),
      map('j', 'floor(i)'),
      b('g', 'gather', { from: 'x', indices: 'j' }),
    ]);
    for (const device of ['reference', 'cpu'])
      expect(await refusal(made, {}, ['evaluate', '--output', 'g', '--device', device])).toMatch(/"g".*3/);
  });
  it('gives NaN and no adjoint where a computed index is out of range', async () => {
    const blocks = [
      parameter('x', [10, 20, 30]),
      parameter('p', [0.5, 7, -2, 2]),
      map('i', 'floor(p)'),
      b('g', 'gather', { from: 'x', indices: 'i' }),
    ];
    expect(await value(blocks, 'g')).toEqual([10, 'NaN', 'NaN', 30]);
    for (const device of ['reference', 'cpu'])
      expect(
        await json(
          'differentiate',
          written(documentOf(blocks)),
          '--of',
          'g',
          '--cotangent',
          '[1, 1, 1, 1]',
          '--device',
          device,
        ),
      ).toEqual({ value: [10, 'NaN', 'NaN', 30], adjoints: { x: [1, 0, 1], p: [0, 0, 0, 0] } });
  });
  it('refuses a computed index out of range for an int', async () => {
    const blocks = [
      constant('x', [10, 20], 'int'),
      parameter('p', 7),
      map('i', 'floor(p)'),
      b('g', 'gather', { from: 'x', indices: 'i' }),
    ];
    for (const device of ['reference', 'cpu'])
      expect(await refusal(documentOf(blocks), {}, ['evaluate', '--output', 'g', '--device', device])).toMatch(
        /"g".*7/,
      );
  });
});

describe('scatter', () => {
  const into = constant('x', [1, 2, 3]);
  it('replaces elements and rows, and ignores an index out of bounds', async () => {
    const blocks = [
      into,
      M,
      constant('i', [2, 0]),
      constant('j', [0, 9, -1]),
      constant('w', [7, 8]),
      constant('u', [7, 8, 9]),
      constant('R', [[9, 9, 9]]),
      constant('k', [1]),
      b('s', 'scatter', { into: 'x', indices: 'i', values: 'w' }),
      b('t', 'scatter', { into: 'x', indices: 'j', values: 'u' }),
      b('r', 'scatter', { into: 'M', indices: 'k', values: 'R' }),
    ];
    expect(await values(blocks, ['s', 't', 'r'])).toEqual({
      s: [8, 2, 7],
      t: [7, 2, 3],
      r: [
        [1, 2, 3],
        [9, 9, 9],
      ],
    });
  });
  it('refuses a repeated index, as data and as computed', async () => {
    expect(
      await refusal(
        documentOf([
          into,
          constant('i', [1, 1]),
          constant('w', [7, 8]),
          b('s', 'scatter', { into: 'x', indices: 'i', values: 'w' }),
        ]),
      ),
    ).toMatch(/"s".*1/);
    const computed = documentOf([
      into,
      parameter('p', [1, 1]),
      map('i', 'floor(p)'),
      constant('w', [7, 8]),
      b('s', 'scatter', { into: 'x', indices: 'i', values: 'w' }),
    ]);
    for (const device of ['reference', 'cpu'])
      expect(await refusal(computed, {}, ['evaluate', '--output', 's', '--device', device])).toMatch(/"s".*1/);
    // A repeated index that is out of bounds replaces nothing.
    expect(
      await value(
        [
          into,
          constant('i', [5, 5]),
          constant('w', [7, 8]),
          b('s', 'scatter', { into: 'x', indices: 'i', values: 'w' }),
        ],
        's',
      ),
    ).toEqual([1, 2, 3]);
  });
  it('has adjoints of into and values', async () => {
    const blocks = [
      parameter('x', [1, 2, 3]),
      constant('i', [2, 5]),
      parameter('w', [7, 8]),
      b('s', 'scatter', { into: 'x', indices: 'i', values: 'w' }),
    ];
    for (const device of ['reference', 'cpu'])
      expect(
        await json(
          'differentiate',
          written(documentOf(blocks)),
          '--of',
          's',
          '--cotangent',
          '[1, 10, 100]',
          '--device',
          device,
        ),
      ).toEqual({ value: [1, 2, 7], adjoints: { x: [1, 10, 0], w: [100, 0] } });
  });
});

describe('reverse, slice, shift', () => {
  const x = constant('x', [1, 2, 3, 4, 5]);
  it('reverse along an axis', async () => {
    expect(
      await values(
        [
          x,
          M,
          b('r', 'reverse', { values: 'x' }),
          b('s', 'reverse', { values: 'M' }),
          b('t', 'reverse', { values: 'M', axis: 1 }),
        ],
        ['r', 's', 't'],
      ),
    ).toEqual({
      r: [5, 4, 3, 2, 1],
      s: [
        [4, 5, 6],
        [1, 2, 3],
      ],
      t: [
        [3, 2, 1],
        [6, 5, 4],
      ],
    });
  });
  it.each([
    [{ start: 1 }, [2, 3, 4, 5]],
    [{ stop: 2 }, [1, 2]],
    [{ start: 1, stop: 4 }, [2, 3, 4]],
    [{ start: 0, stop: 5, step: 2 }, [1, 3, 5]],
    [{ step: 3 }, [1, 4]],
    [{ start: 2, stop: 99 }, [3, 4, 5]],
    [{ start: 9 }, []],
    [{ start: 3, stop: 1 }, []],
    [{}, [1, 2, 3, 4, 5]],
  ])('slice %j', async (more, wanted) => {
    expect(await value([x, b('s', 'slice', { values: 'x', ...more })], 's')).toEqual(wanted);
  });
  it('slice along an axis, and refuses negatives and a step of 0', async () => {
    expect(await value([M, b('s', 'slice', { values: 'M', axis: 1, start: 1 })], 's')).toEqual([
      [2, 3],
      [5, 6],
    ]);
    for (const more of [{ start: -1 }, { stop: -1 }, { step: 0 }, { step: -1 }])
      expect(await refusal(documentOf([x, b('s', 'slice', { values: 'x', ...more })]))).toMatch(/"s"/);
  });
  it.each([
    [{ by: 1 }, [0, 1, 2, 3, 4]],
    [{ by: 2, fill: 9 }, [9, 9, 1, 2, 3]],
    [{ by: -1 }, [2, 3, 4, 5, 0]],
    [{ by: 0 }, [1, 2, 3, 4, 5]],
    [{ by: 7 }, [0, 0, 0, 0, 0]],
    [{ by: -7, fill: 'NaN' }, ['NaN', 'NaN', 'NaN', 'NaN', 'NaN']],
  ])('shift %j', async (more, wanted) => {
    expect(await value([x, b('s', 'shift', { values: 'x', ...more })], 's')).toEqual(wanted);
  });
  it('shift along an axis, of ints and their fill', async () => {
    expect(await value([M, b('s', 'shift', { values: 'M', axis: 1, by: 1, fill: -1 })], 's')).toEqual([
      [-1, 1, 2],
      [-1, 4, 5],
    ]);
    expect(await value([constant('i', [1, 2], 'int'), b('s', 'shift', { values: 'i', by: 1, fill: 7 })], 's')).toEqual([
      7, 1,
    ]);
  });
});

describe('transpose, reshape, concatenate', () => {
  it('transpose', async () => {
    expect(
      await values(
        [
          M,
          cube,
          b('t', 'transpose', { values: 'M' }),
          b('u', 'transpose', { values: 'C', axes: [1, 0, 2] }),
          b('w', 'transpose', { values: 'C' }),
        ],
        ['t', 'u', 'w'],
      ),
    ).toEqual({
      t: [
        [1, 4],
        [2, 5],
        [3, 6],
      ],
      u: [
        [
          [1, 2],
          [5, 6],
        ],
        [
          [3, 4],
          [7, 8],
        ],
      ],
      w: [
        [
          [1, 5],
          [3, 7],
        ],
        [
          [2, 6],
          [4, 8],
        ],
      ],
    });
    for (const axes of [[0, 0], [0, 2], [0], [0, 1, 2]])
      expect(await refusal(documentOf([M, b('t', 'transpose', { values: 'M', axes })]))).toMatch(/"t".*axes/);
  });
  it('reshape with −1 and with references', async () => {
    const blocks = [
      M,
      constant('x', [1, 2, 3, 4, 5, 6]),
      constant('y', [0, 0]),
      b('r', 'reshape', { values: 'x', shape: [2, -1] }),
      b('s', 'reshape', { values: 'M', shape: [-1] }),
      b('t', 'reshape', { values: 'x', shape: ['y', 3] }),
      b('u', 'reshape', { values: 'x', shape: [-1, 'y'] }),
      constant('o', [7]),
      b('w', 'reshape', { values: 'o', shape: [] }),
      b('z', 'reshape', { values: 'w', shape: [1, 1] }),
    ];
    expect(await values(blocks, ['r', 's', 't', 'u', 'w', 'z'])).toEqual({
      r: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      s: [1, 2, 3, 4, 5, 6],
      t: [
        [1, 2, 3],
        [4, 5, 6],
      ],
      u: [
        [1, 2],
        [3, 4],
        [5, 6],
      ],
      w: 7,
      z: [[7]],
    });
    for (const shape of [[4], [-1, -1], [4, -1], [-2, 3], [2, 1, 3, 1], ['nothing']])
      expect(await refusal(documentOf([M, b('t', 'reshape', { values: 'M', shape })]))).toMatch(/"t"/);
  });
  it('concatenate', async () => {
    const blocks = [
      M,
      constant('x', [1, 2]),
      constant('y', [3]),
      constant('i', [9], 'int'),
      constant('n', []),
      b('c', 'concatenate', { values: ['x', 'y', 'x'] }),
      b('d', 'concatenate', { values: ['M', 'M'], axis: 1 }),
      b('f', 'concatenate', { values: ['M', 'M'] }),
      b('g', 'concatenate', { values: ['x', 'i', 'n'] }),
      b('h', 'concatenate', { values: ['i', 'i'] }),
    ];
    expect(await values(blocks, ['c', 'd', 'f', 'g', 'h'])).toEqual({
      c: [1, 2, 3, 1, 2],
      d: [
        [1, 2, 3, 1, 2, 3],
        [4, 5, 6, 4, 5, 6],
      ],
      f: [
        [1, 2, 3],
        [4, 5, 6],
        [1, 2, 3],
        [4, 5, 6],
      ],
      g: [1, 2, 9],
      h: [9, 9],
    });
    expect(
      await refusal(documentOf([M, constant('x', [1, 2]), b('c', 'concatenate', { values: ['M', 'x'] })])),
    ).toMatch(/"c"/);
    expect(await refusal(documentOf([constant('s', 1), b('c', 'concatenate', { values: ['s', 's'] })]))).toMatch(
      /"c".*array/,
    );
  });
});

describe('matmul', () => {
  it('as NumPy', async () => {
    const blocks = [
      M,
      cube,
      constant('v', [1, 2, 3]),
      constant('w', [1, 10]),
      b('t', 'transpose', { values: 'M' }),
      b('mt', 'matmul', { left: 'M', right: 't' }),
      b('mv', 'matmul', { left: 'M', right: 'v' }),
      b('wm', 'matmul', { left: 'w', right: 'M' }),
      b('vv', 'matmul', { left: 'v', right: 'v' }),
      b('cc', 'matmul', { left: 'C', right: 'C' }),
      b('cw', 'matmul', { left: 'C', right: 'w' }),
      b('wc', 'matmul', { left: 'w', right: 'C' }),
      constant('I', [
        [0, 1],
        [1, 0],
      ]),
      b('ci', 'matmul', { left: 'C', right: 'I' }),
      b('ic', 'matmul', { left: 'I', right: 'C' }),
    ];
    expect(await values(blocks, ['mt', 'mv', 'wm', 'vv', 'cc', 'cw', 'wc', 'ci', 'ic'])).toEqual({
      mt: [
        [14, 32],
        [32, 77],
      ],
      mv: [14, 32],
      wm: [41, 52, 63],
      vv: 14,
      cc: [
        [
          [7, 10],
          [15, 22],
        ],
        [
          [67, 78],
          [91, 106],
        ],
      ],
      cw: [
        [21, 43],
        [65, 87],
      ],
      wc: [
        [31, 42],
        [75, 86],
      ],
      ci: [
        [
          [2, 1],
          [4, 3],
        ],
        [
          [6, 5],
          [8, 7],
        ],
      ],
      ic: [
        [
          [3, 4],
          [1, 2],
        ],
        [
          [7, 8],
          [5, 6],
        ],
      ],
    });
    expect(await refusal(documentOf([M, b('p', 'matmul', { left: 'M', right: 'M' })]))).toMatch(/"p".*3.*2/);
    expect(await refusal(documentOf([M, constant('s', 2), b('p', 'matmul', { left: 'M', right: 's' })]))).toMatch(
      /"p".*array/,
    );
  });
});

describe('group', () => {
  const inner = b('g', 'group', {
    inputs: { u: 'x' },
    blocks: [constant('k', 10), map('m', 'k * u'), map('n', 'm + 1')],
    outputs: { a: 'm', z: 'n' },
  });
  it('has ids of its own inside and outputs outside', async () => {
    const blocks = [constant('x', [1, 2]), constant('k', 3), inner, map('r', 'k * q', { inputs: { q: 'g.z' } })];
    expect(await values(blocks, ['g.a', 'g.z', 'r'])).toEqual({ 'g.a': [10, 20], 'g.z': [11, 21], r: [33, 63] });
    expect(
      await refusal(
        documentOf([constant('x', 1), inner, { id: 's', kind: 'map', formula: 'q', inputs: { q: 'g.m' } }]),
      ),
    ).toMatch(/"s".*"m"/);
    expect(await refusal(documentOf([constant('x', 1), inner, map('s', 'm + 1')]))).toMatch(/"s".*'m'/);
  });
  it('nests, sees no names from outside, and holds parameters', async () => {
    const nested = b('o', 'group', {
      inputs: { v: 'x' },
      blocks: [
        b('p', 'group', { inputs: { w: 'v' }, blocks: [parameter('s', 2), map('y', 's * w')], outputs: { y: 'y' } }),
        map('t', 'p + 1'),
      ],
      outputs: { t: 't', deep: 'p.y' },
    });
    expect(await values([constant('x', [1, 2]), nested], ['o.t', 'o.deep'])).toEqual({
      'o.t': [3, 5],
      'o.deep': [2, 4],
    });
    const path = written(
      documentOf([constant('x', [1, 2]), nested, b('sum', 'reduce', { operator: 'add', values: 'o.t' })]),
    );
    expect(await json('differentiate', path, '--of', 'sum')).toEqual({ value: 8, adjoints: { 'o/p/s': 3 } });
    expect(
      ((await json('evaluate', path, '--output', 'sum', '--set', 'o/p/s=5')) as { values: object }).values,
    ).toEqual({ sum: 17 });
    const outside = b('h', 'group', { blocks: [map('y', '2 * x')], outputs: { y: 'y' } });
    expect(await refusal(documentOf([constant('x', 1), outside]))).toMatch(/"h\/y".*"?x"?/);
  });
  it('gives the value of an inner block of several outputs, and passes an input on', async () => {
    const g = b('g', 'group', {
      inputs: { u: 'x' },
      blocks: [b('m', 'map', { outputs: { p: 'u + 1', q: 'u + 2' } })],
      outputs: { q: 'm.q', same: 'u' },
    });
    expect(await values([constant('x', 1), g], ['g.q', 'g.same'])).toEqual({ 'g.q': 3, 'g.same': 1 });
  });
  it('refuses what is at fault inside by its path', async () => {
    const g = (blocks: PlainBlock[], more: PlainBlock = {}) =>
      documentOf([constant('x', 1), b('g', 'group', { inputs: { u: 'x' }, blocks, outputs: { o: 'm' }, ...more })]);
    expect(await refusal(g([map('m', 'u + nothing')]))).toMatch(/"g\/m".*nothing/);
    expect(await refusal(g([map('m', 'u'), map('m', 'u')]))).toMatch(/g\/m.*twice/);
    expect(await refusal(g([map('n', 'u')]))).toMatch(/"g".*"m"/);
    expect(await refusal(g([map('m', 'u')], { inputs: { u: 'y' } }))).toMatch(/"g".*"y"/);
    expect(await refusal(g([{ ...map('m', 'u'), formla: 'u' }]))).toMatch(/g\/m.*formla.*formula/);
    expect(await refusal(g([map('u', '1')], { outputs: { o: 'u' } }))).toMatch(/u/);
  });
});
