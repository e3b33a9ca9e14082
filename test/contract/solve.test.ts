/** Block `solve`: roots with closed forms, their derivatives to second order, and what is said where there is no root. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  refusal,
  values,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const solve = (
  id: string,
  unknown: Readonly<Record<string, readonly [initial: unknown, equation: string]>>,
): PlainBlock => ({
  id,
  kind: 'solve',
  unknown: Object.fromEntries(
    Object.entries(unknown).map(([name, [initial, equation]]) => [name, { initial, equation }]),
  ),
});

const total = { id: 'total', kind: 'reduce', operator: 'add', values: 'w' };

describe('Lambert W, w·exp(w) = k·x', () => {
  const blocks = [
    constant('x', [0.5, 1, 2.5, 10, 100]),
    parameter('k', 1),
    solve('w', { w: [1, 'w*exp(w) - k*x'] }),
    total,
  ];
  // scipy.special.lambertw
  const w = [0.3517337112491958, 0.5671432904097838, 0.9585863567287029, 1.7455280027406994, 3.38563014029005];

  it.each(['cpu', 'reference'])('is found on %s', async (device) =>
    expectClose(
      await json('evaluate', written(documentOf(blocks)), '--output', 'w', '--device', device),
      {
        values: { w },
      },
      1e-13,
    ),
  );

  it('has the derivatives W/(1 + W) and −W²(2 + W)/(1 + W)³, by ln x', async () => {
    const path = written(documentOf(blocks));
    const sum = (of: (w: number) => number): number => w.reduce((all, each) => all + of(each), 0);
    const first = sum((each) => each / (1 + each));
    expectClose(await json('differentiate', path, '--of', 'total'), {
      value: sum((each) => each),
      adjoints: { k: first },
    });
    expectClose(await json('differentiate', path, '--of', 'total', '--tangent', '{"k": 2}'), {
      value: sum((each) => each),
      tangent: 2 * first,
    });
    const second = sum((each) => (-(each ** 2) * (2 + each)) / (1 + each) ** 3);
    expectClose(await json('hessian', path, '--of', 'total'), { parameters: ['k'], hessian: [[second]] }, 1e-11);
  });
});

it("is Morrison's equation of tight binding, from its implicit form", async () => {
  const blocks = [
    constant('I', [0, 0.1, 1, 10, 1000]),
    parameter('E', 0.5),
    parameter('K', 1e-3),
    solve('free', { c: ['I', '(E - (I - c))*c - K*(I - c)'] }),
    map('closed', '((I - E - K) + sqrt((I - E - K)^2 + 4*K*I))/2'),
    map('off', 'free - closed'),
    { id: 'w', kind: 'reduce', operator: 'add', values: 'free' },
    { id: 'v', kind: 'reduce', operator: 'add', values: 'closed' },
  ];
  const found = await values(blocks, ['free', 'closed']);
  expectClose(found['free'], found['closed'], 1e-9);
  const path = written(documentOf(blocks));
  const implicit = await json('differentiate', path, '--of', 'w');
  expectClose(implicit, await json('differentiate', path, '--of', 'v'), 1e-9);
});

it('is the equilibrium of an acid, whose unknowns lie ten orders of magnitude apart', async () => {
  const blocks = [
    parameter('Ka', 1.8e-5),
    parameter('C', 0.1),
    constant('Kw', 1e-14),
    solve('eq', {
      h: [1e-7, 'h*a - Ka*ha'],
      a: [0.01, 'a + ha - C'],
      ha: [0.1, 'h - a - oh'],
      oh: [1e-7, 'h*oh - Kw'],
    }),
    // h³ + Ka·h² − (Ka·C + Kw)·h − Ka·Kw = 0
    solve('cubic', { y: [0.01, 'y^3 + Ka*y^2 - (Ka*C + Kw)*y - Ka*Kw'] }),
  ];
  const found = (await values(blocks, ['eq.h', 'cubic'])) as Record<string, number>;
  expectClose(found['eq.h'], found['cubic'], 1e-12);
  const path = written(documentOf(blocks));
  const adjoints = async (of: string) =>
    ((await json('differentiate', path, '--of', of)) as { adjoints: unknown }).adjoints;
  expectClose(await adjoints('eq.h'), await adjoints('cubic'), 1e-11);
});

describe('a root far smaller than what it is looked for from', () => {
  it.each([
    ['x - k/x', 1e-12, 1, 1e-6],
    ['x - k/x', 1e-12, 100, 1e-6],
    ['2*log(x) - log(k)', 2e-53, 1e-3, Math.sqrt(2e-53)],
    ['x^2/k - 1', 2e-53, 1e-3, Math.sqrt(2e-53)],
    ['x^2 - k', 1e-40, 1, 1e-20],
    ['x - k', 1e-30, 1, 1e-30],
    // scipy.optimize.brentq
    ['x - k/x - 1e-9*6.2e-10/(6.2e-10 + x)', 1e-14, 1, 1.0000308085155635e-7],
  ] as const)('of %s = 0, k = %s, from %s', async (equation, k, initial, root) => {
    const blocks = [parameter('k', k), solve('x', { x: [initial, equation] })];
    const found = await json('evaluate', written(documentOf(blocks)), '--output', 'x');
    expect((found as { values: { x: number } }).values.x / root).toBeCloseTo(1, 12);
  });

  it('has the derivatives of the root', async () => {
    const path = written(documentOf([parameter('k', 1e-12), solve('x', { x: [1, 'x - k/x'] })]));
    expectClose(await json('differentiate', path, '--of', 'x'), { value: 1e-6, adjoints: { k: 5e5 } }, 1e-9);
  });

  it.each(['x', '(x + 1) - 1', 'exp(x) - 1', 'log(1 + x)', 'cos(x) - 1 + x', 'x + x^2'])(
    'is 0 to rounding, of %s',
    async (equation) => {
      for (const device of ['cpu', 'reference']) {
        const path = written(documentOf([solve('x', { x: [0.5, equation] })]));
        const { values } = (await json('evaluate', path, '--output', 'x', '--device', device)) as {
          values: { x: number };
        };
        expect(Math.abs(values.x)).toBeLessThan(1e-15);
      }
    },
  );

  it('is one of several unknowns', async () => {
    const blocks = [
      parameter('k', 1e-25),
      solve('s', { x: [1, 'x*y - k'], y: [1, 'y - 3 - x'], z: [1, 'z*y + x - k/3'] }),
    ];
    const { values } = (await json('evaluate', written(documentOf(blocks)), '--output', 's.x,s.y,s.z')) as {
      values: Record<string, number>;
    };
    expect(values['s.x']! / (1e-25 / 3)).toBeCloseTo(1, 12);
    expect(values['s.y']).toBeCloseTo(3, 14);
    expect(Math.abs(values['s.z']!)).toBeLessThan(1e-41);
  });
});

describe('where no root is found', () => {
  it.each([
    ['a*exp(-x)', 1],
    ['a*x*exp(-x)', 3],
    ['tanh(x) - a', 1],
    ['x^2 + 1e-30*a', 1],
    ['a - a*1 + 0*x', 1],
  ])('is refused where rounding alone makes 0 of %s', async (equation, initial) => {
    const path = written(documentOf([parameter('a', 1), solve('x', { x: [initial, equation] })]));
    const { status, stderr } = await cotangent('evaluate', path, '--output', 'x', '--json');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"x" finds no values for its unknowns/);
  });
  it('says of which block, and how far it came', async () => {
    const blocks = [parameter('k', 1), solve('root', { y: [1, 'y^2 + k'] })];
    const { status, stderr } = await cotangent('evaluate', written(documentOf(blocks)), '--output', 'root', '--json');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"root" finds no values for its unknowns: its equations are off by 1\.00/);
  });
  it.each([
    ['where they hold', 0.5],
    ['from afar', 0],
  ])('says what two equations that say the same leave open, %s', async (_, start) => {
    const twice = { x: [start, 'x + y - a'], y: [start, '2*x + 2*y - 2*a'] } as const;
    const path = written(documentOf([parameter('a', 1), solve('r', twice)]));
    for (const more of [
      ['differentiate', '--of', 'r.x'],
      ['evaluate', '--output', 'r.x'],
      ['evaluate', '--output', 'r.x', '--device', 'reference'],
    ]) {
      const { status, stderr } = await cotangent(more[0]!, path, ...more.slice(1), '--json');
      expect([more, status]).toEqual([more, 3]);
      expect(stderr).toMatch(/"r" finds no values for its unknowns/);
    }
    expect((await cotangent('differentiate', path, '--of', 'r.x')).stderr).toMatch(
      /unknowns "x", "y": its equations are off by 0\.00 where they do not determine the unknowns.*an equation that says what others say/,
    );
  });
  it('takes a flat root beside others', async () => {
    const blocks = [parameter('a', 2), solve('r', { x: [0, 'x^2'], y: [2, 'y - a'] })];
    expect(await values(blocks, ['r.x', 'r.y'])).toEqual({ 'r.x': 0, 'r.y': 2 });
  });
  it('is an error of one element of many', async () => {
    const blocks = [constant('k', [-1, -4, 1]), solve('root', { y: [1, 'y^2 + k'] })];
    const { status } = await cotangent('evaluate', written(documentOf(blocks)), '--output', 'root', '--json');
    expect(status).toBe(3);
  });
});

describe('a root at which others fall together', () => {
  const rooted = (equation: string, p: number, initial: number): string =>
    written(documentOf([constant('d', 0), parameter('p', p), solve('s', { x: [initial, equation] })]));

  // The root, which is right, and whose slope by p is infinite or has no value.
  it.each([
    ['x^2 - p', 1.5, 0],
    ['x^2 - p', 0, 0],
    ['x^3 - p', 1.5, 0],
    ['(x - 1)^2 - p', 1.5, 1],
    ['(x - 1/3)^2 - p', 1.5, 1 / 3],
    ['x^2 - 2*x + 1 - p', 1.5, 1],
    ['x^2 + p*x', 1.5, 0],
  ])('has a value and no derivative: %s = 0 at p = 0, from %s', async (equation, initial, root) => {
    const path = rooted(equation, 0, initial);
    for (const device of ['cpu', 'reference']) {
      const { values } = (await json('evaluate', path, '--output', 's', '--device', device)) as {
        values: { s: number };
      };
      expect(Math.abs(values.s - root)).toBeLessThan(1e-7);
    }
    for (const command of [['differentiate'], ['differentiate', '--tangent', '{"p": 1}'], ['hessian']]) {
      const { status, stderr } = await cotangent(command[0]!, path, ...command.slice(1), '--of', 's', '--json');
      expect([command, status]).toEqual([command, 3]);
      expect(stderr).toMatch(/"s" has no derivative of its unknown "x"/);
    }
  });

  it.each([
    ['x^2*(1 + p)', 0, 0],
    ['x^2 - p*d', 1, 0],
    ['x - p', 0, 1],
    ['x^3 + x - p', 0, 1],
  ])('has a derivative where the root stays, or is a simple one: %s at p = %s', async (equation, p, slope) => {
    const { adjoints } = (await json('differentiate', rooted(equation, p, 0.5), '--of', 's')) as {
      adjoints: { p: number };
    };
    expect(adjoints.p).toBeCloseTo(slope, 12);
  });

  it.each([0, 0.5])('does not make up for equations that say the same, from %s', async (initial) => {
    const unknown = { x: [initial, 'x^2'], y: [0.5, 'y + z - p'], z: [0.5, '2*y + 2*z - 2*p'] } as const;
    const path = written(documentOf([parameter('p', 1), solve('s', unknown)]));
    for (const device of ['cpu', 'reference'])
      expect((await cotangent('evaluate', path, '--output', 's.y', '--device', device)).status).toBe(3);
    const { status, stderr } = await cotangent('differentiate', path, '--of', 's.y');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"s" finds no values for its unknowns/);
  });

  // The root is 0 of each; the reference, which takes slopes by differences, has none left where squares underflow.
  it.each([
    { y: [1, 'y - p'], x: [1, 'x^2 - y'] },
    { x: [1, 'x^2 - y'], y: [1, 'y - p'] },
    { y: [0, 'y - 2*p'], x: [0.5, 'x^2 + 3*y'] },
    { y: [1, 'y - p'], x: [1, 'x^4 - y'] },
    { x: [0.3, 'x*z'], y: [1, 'y - p'], z: [0.7, 'z - x - y'] },
  ] as const)('is found where another equation says the same there: %j', async (unknown) => {
    const path = written(documentOf([parameter('p', 0), solve('s', unknown)]));
    const { values: found } = (await json('evaluate', path, '--output', 's.x,s.y')) as {
      values: Record<string, number>;
    };
    for (const value of Object.values(found)) expect(Math.abs(value)).toBeLessThan(1e-15);
    const { status, stderr } = await cotangent('differentiate', path, '--of', 's.x');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"s" has no derivative of its unknown "x"/);
  });

  it('is told of one element of many, and of one unknown of several', async () => {
    const blocks = [
      parameter('p', 1),
      constant('c', [1, 0, 4]),
      map('a', 'c*p'),
      solve('s', { y: [1, 'y - 3*a - 1'], x: [1, 'x^2 - a'] }),
    ];
    const path = written(documentOf([...blocks, { id: 'sum', kind: 'reduce', operator: 'add', values: 's.x' }]));
    const { values } = (await json('evaluate', path, '--output', 's.x')) as { values: Record<string, number[]> };
    expectClose(
      values['s.x']!.map((x) => Math.round(x * 1e9) / 1e9),
      [1, 0, 2],
    );
    const { status, stderr } = await cotangent('differentiate', path, '--of', 'sum');
    expect(status).toBe(3);
    expect(stderr).toMatch(/"s" has no derivative of its unknown "x"/);
  });
});

it('refuses what is no equation, and an export that has no counterpart', async () => {
  expect(await refusal(documentOf([solve('r', { time_: [1, 'time_ + nowhere'] })]))).toMatch(/nowhere/);
  // Its start would be taken for a root, and have no derivative.
  const apart = documentOf([parameter('a', 3), solve('r', { y: [1, 'a - 3'] })]);
  expect(await refusal(apart)).toMatch(/block "r": the equation of "y" has none of the unknowns/);
  const unread = documentOf([parameter('a', 3), solve('r', { y: [1, 'z - a'], z: [1, 'z^2 - a'] })]);
  expect(await refusal(unread)).toMatch(/block "r": no equation has the unknown "y"/);
  const document = documentOf([parameter('k', 1), solve('r', { y: [1, 'y - k'] })]);
  expect(await refusal(document, {}, ['export', '--to', 'jax'])).toMatch(/no counterpart of a block "solve"/);
});
