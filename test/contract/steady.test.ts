/** A time of ∞ in an ode block: the steady state that the solution goes to, with what reactions conserve as it began. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const ode = (more: PlainBlock): PlainBlock => ({ id: 'model', kind: 'ode', times: 't', from: 0, ...more });

it('is the equilibrium of A <-> B, and the course before it, with derivatives', async () => {
  const blocks = [
    constant('t', [0, 0.5, 'Infinity']),
    parameter('k1', 3),
    parameter('k2', 0.5),
    parameter('a0', 2),
    ode({
      state: { A: { initial: 'a0' }, B: { initial: 1 } },
      reactions: [{ reaction: 'A <-> B', rate: 'k1*A - k2*B' }],
    }),
  ];
  const path = written(documentOf(blocks));
  const [k, total] = [3.5, 3];
  const end = (total * 0.5) / k;
  expectClose(
    await json('evaluate', path, '--output', 'model.A'),
    {
      values: { 'model.A': [2, end + (2 - end) * Math.exp(-0.5 * k), end] },
      odeError: { model: 0 },
    },
    1e-7,
  );
  expectClose(
    await json('differentiate', path, '--of', 'model.A', '--cotangent', '[0, 0, 1]'),
    {
      value: [2, end + (2 - end) * Math.exp(-0.5 * k), end],
      adjoints: { k1: (-total * 0.5) / k ** 2, k2: (total * 3) / k ** 2, a0: 0.5 / k },
    },
    1e-7,
  );
});

it('keeps both totals of an enzyme in a cycle, in compartments of two sizes', async () => {
  // S and E in volume 1; the product in volume 2, consumed and made again.
  const blocks = [
    constant('t', ['Infinity']),
    parameter('kf', 2),
    parameter('e0', 0.1),
    constant('V', 2),
    ode({
      state: {
        S: { initial: 1 },
        E: { initial: 'e0' },
        C: { initial: 0 },
        P: { initial: 0, per: 'V' },
      },
      reactions: [
        { reaction: 'S + E <-> C', rate: 'kf*S*E - 1e3*C' },
        { reaction: 'C -> E + P', rate: '50*C' },
        { reaction: 'P -> S', rate: '0.3*P' },
      ],
    }),
    // S + C + V·P = 1, E + C = e0, kf·S·E = 1050·C, 50·C = 0.3·P
    {
      id: 'root',
      kind: 'solve',
      unknown: { C: { initial: 1e-4, equation: 'kf*(1 - C - V*50*C/0.3)*(e0 - C) - 1050*C' } },
    },
  ];
  const path = written(documentOf(blocks));
  const found = (await json('evaluate', path, '--output', 'model.C,root')) as { values: Record<string, unknown> };
  const root = found.values['root'] as number;
  expectClose(found.values['model.C'], [root], 1e-10);
  const slopes = async (of: string): Promise<unknown> =>
    (
      (await json('differentiate', path, '--of', of, ...(of === 'root' ? [] : ['--cotangent', '[1]']))) as {
        adjoints: unknown;
      }
    ).adjoints;
  expectClose(await slopes('model.C'), await slopes('root'), 1e-9);
});

it('says where there is none, and where events go on', async () => {
  const grows = [constant('t', ['Infinity']), parameter('k', 1), ode({ state: { x: { initial: 0, rate: 'k' } } })];
  const { status, stderr } = await cotangent('evaluate', written(documentOf(grows)), '--output', 'model', '--json');
  expect(status).toBe(3);
  expect(stderr).toMatch(/"model" .*no steady state/);
  const comes = [
    constant('t', ['Infinity']),
    ode({
      state: { x: { initial: 0, rate: '-x' }, next: { initial: 1e9, rate: '0' } },
      events: [{ when: 'time >= next', set: { x: '1', next: 'next + 1e9' } }],
    }),
  ];
  const later = await cotangent('evaluate', written(documentOf(comes)), '--output', 'model.x', '--json');
  expect(later.status).toBe(3);
  expect(later.stderr).toMatch(/"model" .*events still happen/);
});

it.each([
  [
    'an oscillator',
    { x: { initial: 1, rate: 'v' }, v: { initial: 0, rate: '-x' } },
    {},
    'it still changes, as what oscillates',
  ],
  ['what the time drives', { x: { initial: 0, rate: 'cos(time) - x' } }, {}, 'it still changes, as what oscillates'],
  [
    'what fires again and again',
    { x: { initial: 0, rate: '1.5 - x' } },
    { events: [{ when: 'x > 1', set: { x: 0 } }] },
    'set going again and again',
  ],
  ['a growth', { x: { initial: 1, rate: '0.1*x' } }, {}, 'a state grows without bound'],
  ['an end before', { x: { initial: 1, rate: 'x^2' } }, {}, 'it stops at 1.0000'],
])('says of %s that it comes to no steady state, and what to do', async (_, state, more, words) => {
  const path = written(documentOf([constant('t', [1e-3, 'Infinity']), ode({ state, ...more })]));
  const { status, stderr } = await cotangent('evaluate', path, '--output', 'model.x', '--json');
  expect(status).toBe(3);
  expect(stderr).toContain('"model" is not finite: it comes to no steady state');
  expect(stderr).toContain(words);
  expect(stderr).toContain('ask for it at times that are finite');
});

it('is that after the last event, with what events have changed', async () => {
  const blocks = [
    constant('t', ['Infinity']),
    parameter('k1', 3),
    parameter('a1', 1.5),
    ode({
      state: { A: { initial: 2 }, B: { initial: 1 } },
      reactions: [{ reaction: 'A <-> B', rate: 'k1*A - 0.5*B' }],
      events: [
        { when: 'time >= 1', set: { A: 'A + a1' } },
        { times: 2, state: 'B', add: 3 },
      ],
    }),
  ];
  expectClose(
    await json('differentiate', written(documentOf(blocks)), '--of', 'model.A', '--cotangent', '[1]'),
    {
      value: [(7.5 * 0.5) / 3.5],
      adjoints: { k1: (-7.5 * 0.5) / 3.5 ** 2, a1: 0.5 / 3.5 },
    },
    1e-6,
  );
});

it('is the one of many that the solution reaches, where rates conserve what no reaction says', async () => {
  const blocks = [
    constant('t', ['Infinity']),
    parameter('a0', 2),
    parameter('k', 3),
    ode({
      state: {
        A: { initial: 'a0', rate: 'B - k*A' },
        B: { initial: 1, rate: 'k*A - B' },
      },
    }),
  ];
  expectClose(
    await json('differentiate', written(documentOf(blocks)), '--of', 'model.A', '--cotangent', '[1]'),
    { value: [0.75], adjoints: { a0: 0.25, k: -3 / 16 } },
    1e-5,
  );
});

describe('a steady state at which others fall together', () => {
  const forever = constant('t', ['Infinity']);

  // Its slope by p is infinite, or another on each side.
  it.each<[string, PlainBlock, number, number]>([
    ['two meet: x² = p', { state: { x: { initial: 1, rate: 'p - x^2' } } }, 0, 0],
    ['one leaves another: x² = p·x', { state: { x: { initial: 1, rate: 'p*x - x^2' } } }, 0, 0],
    ['two meet at a half', { state: { x: { initial: 1, rate: 'p - (x - 0.5)^2' } } }, 0, 0.5],
    [
      'as much of one as of the other is used up',
      {
        state: { x: { initial: 'p' }, y: { initial: 1 } },
        reactions: [{ reaction: 'x + y -> ', rate: 'x*y' }],
      },
      1,
      0,
    ],
  ])('has a value and no derivative: %s', async (_, block, p, value) => {
    const path = written(documentOf([forever, parameter('p', p), ode(block)]));
    const { values } = (await json('evaluate', path, '--output', 'model.x')) as { values: { 'model.x': number[] } };
    expect(Math.abs(values['model.x'][0]! - value)).toBeLessThan(1e-7);
    for (const command of [
      ['differentiate', '--cotangent', '[1]'],
      ['differentiate', '--tangent', '{"p": 1}'],
    ]) {
      const { status, stderr } = await cotangent(command[0]!, path, '--of', 'model.x', ...command.slice(1), '--json');
      expect([command, status]).toEqual([command, 3]);
      expect(stderr).toMatch(/"model" has no derivative of its state "x" at the time Infinity/);
    }
  });

  it('is told of one lane of many, and of one state of several', async () => {
    const blocks = [
      forever,
      parameter('p', 1),
      constant('c', [1, 0, 4]),
      map('a', 'c*p'),
      ode({ state: { y: { initial: 0, rate: '3*a + 1 - y' }, x: { initial: 1, rate: 'a - x^2' } } }),
      { id: 'sum', kind: 'reduce', operator: 'add', values: 'model.x', axis: 1 },
    ];
    const path = written(documentOf(blocks));
    expectClose(
      await json('evaluate', path, '--output', 'sum'),
      { values: { sum: [3] }, odeError: { model: 0 } },
      1e-6,
    );
    const { status, stderr } = await cotangent('differentiate', path, '--of', 'sum', '--cotangent', '[1]');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"model" has no derivative of its state "x"/);
  });

  // In closed form, beside a place where there is none.
  it.each([
    ['p - x^2', 1e-4, 50],
    ['p - x - x^2', 0, 1],
    ['-x*(1 + p)', 0, 0],
    ['-x^2*(1 + p)', 0, 0],
    ['p - 2*x/(0.1 + x)', 0, 0.05],
  ])('has a derivative where it is a simple one, or stays: dx/dt = %s at p = %s', async (rate, p, slope) => {
    const path = written(documentOf([forever, parameter('p', p), ode({ state: { x: { initial: 1, rate } } })]));
    const { adjoints } = (await json('differentiate', path, '--of', 'model.x', '--cotangent', '[1]')) as {
      adjoints: { p: number };
    };
    expect(adjoints.p / (slope || 1)).toBeCloseTo(slope && 1, 6);
  });
});
