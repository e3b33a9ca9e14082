/**
 * Delay differential equations: against the method of steps, R's deSolve (`dede` within 10⁻¹²) and each other's way of
 * saying the same, derivatives against closed forms, forward mode and central differences.
 */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  json,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';

const tight = { relative: 1e-10, absolute: 1e-13 };

async function courseOf(block: PlainBlock, others: readonly PlainBlock[], times: readonly number[], output = 'x') {
  const path = written(documentOf([constant('t', times), ...others, { id: 'x', kind: 'ode', times: 't', ...block }]));
  const { values } = (await json('evaluate', path, '--output', output)) as { values: Record<string, number[]> };
  return values[output]!;
}

function expectClose(found: readonly number[], wanted: readonly number[], tolerance: number): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((value, i) => expect(Math.abs(found[i]! - value), `[${i}]`).toBeLessThan(tolerance));
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
/** x' = −a·x(t − lag), x = 1 until 0: Σ (−a)ᵏ(t − (k − 1)·lag)ᵏ/k! over k with t ≥ (k − 1)·lag. */
const steps = (t: number, a: number, lag: number): number =>
  Array.from({ length: Math.floor(t / lag) + 2 }, (_, k) => k)
    .filter((k) => t >= (k - 1) * lag)
    .reduce((sum, k) => sum + ((-a) ** k * (k === 0 ? 1 : (t - (k - 1) * lag) ** k)) / factorial(k), 0);
const stepsByLag = (t: number, a: number, lag: number): number =>
  Array.from({ length: Math.floor(t / lag) + 2 }, (_, k) => k)
    .filter((k) => k > 0 && t >= (k - 1) * lag)
    .reduce((sum, k) => sum + ((-a) ** k * (1 - k) * (t - (k - 1) * lag) ** (k - 1)) / factorial(k - 1), 0);

const times = [0, 0.3, 1, 1.7, 2, 3.4, 5, 7.9];

describe('what a solution is', () => {
  it('by the method of steps', async () => {
    const found = await courseOf({ state: { x: { initial: 1, rate: '-delay(x, 1)' } } }, [], times);
    expectClose(
      found,
      times.map((t) => steps(t, 1, 1)),
      1e-6,
    );
    const exact = await courseOf({ state: { x: { initial: 1, rate: '-delay(x, 1)' } }, tolerance: tight }, [], times);
    expectClose(
      exact,
      times.map((t) => steps(t, 1, 1)),
      1e-9,
    );
  });

  it('the chaos of Mackey and Glass, as dede has it', async () => {
    const found = await courseOf(
      { state: { x: { initial: 1.2, rate: '0.2*delay(x, 17)/(1 + delay(x, 17)^10) - 0.1*x' } }, tolerance: tight },
      [],
      [0, 10, 25, 50, 75, 100],
    );
    const dede = [1.2, 0.652404292503, 0.876691295677, 1.060954367929, 0.876042901562, 1.013724046405];
    expectClose(found, dede, 1e-7);
  });

  it('a history that is a formula of the time: x′ = x(t − 2), x = eᵗ⁻ᵖ before 0', async () => {
    const rate = 'delay(x, 2)';
    const found = await courseOf(
      { state: { x: { initial: 0.5, rate, history: 'exp(time - p)' } }, tolerance: tight },
      [parameter('p', 0.25)],
      [0, 1, 2, 3],
    );
    const first = (t: number): number => 0.5 + Math.exp(-2.25) * (Math.exp(t) - 1);
    const third = first(2) + 0.5 * 1 + Math.exp(-2.25) * (Math.exp(1) - 1 - 1);
    expectClose(found, [0.5, first(1), first(2), third], 1e-9);
  });

  it('what is delayed may be a formula, an input, a named formula, and delayed once more', async () => {
    const block = {
      state: { x: { initial: 1, rate: '-delay(x, 1)' }, y: { initial: 0, rate: 'delay(x^2 + u*time, 0.5)' } },
      inputs: { u: { times: 'ut', values: 'uv' } },
      formulas: { both: 'x^2 + u*time', before: 'delay(both, 0.5)', twice: 'delay(delay(x, 0.25), 0.25)' },
      tolerance: tight,
    };
    const others = [constant('ut', [0, 1.2]), constant('uv', [1, 3])];
    const at = [0.2, 0.5, 1.1, 1.7, 2.5];
    const x = (t: number): number => (t <= 0 ? 1 : steps(t, 1, 1));
    const u = (t: number): number => (t < 1.2 ? 1 : 3);
    const before = await courseOf(block, others, [0, ...at], 'x.before');
    expectClose(
      before.slice(1),
      at.map((t) => x(t - 0.5) ** 2 + u(t - 0.5) * (t - 0.5)),
      1e-9,
    );
    const twice = await courseOf(block, others, [0, ...at], 'x.twice');
    expectClose(
      twice.slice(1),
      at.map((t) => x(t - 0.5)),
      1e-9,
    );
    // Simpson's rule over pieces between the bends of what is integrated.
    const bends = [0, 0.5, 1.5, 1.7, 2.5];
    const integral = (to: number): number =>
      bends.slice(1).reduce((sum, b, i) => {
        const [low, high] = [bends[i]!, Math.min(b, to)];
        if (high <= low) return sum;
        const n = 400;
        const h = (high - low) / n;
        const f = (t: number, side: number): number => x(t - 0.5) ** 2 + u(t + side - 0.5) * (t - 0.5);
        let part = f(low, 1e-9) + f(high, -1e-9);
        for (let j = 1; j < n; j++) part += (j % 2 === 1 ? 4 : 2) * f(low + j * h, 0);
        return sum + (part * h) / 3;
      }, 0);
    const y = await courseOf({ ...block, inputs: { u: { times: 'ut', values: 'uv' } } }, others, [0, ...at], 'x.y');
    // Bends of u are at 1.2 + 0.5, of x at whole times and half of one.
    expectClose(y.slice(1), at.map(integral), 1e-8);
  });

  it('a dose comes back after the lag', async () => {
    // y collects what x was 0.7 ago: x is 0 until 1, then 2.
    const block = {
      state: { x: { initial: 0, rate: '0' }, y: { initial: 0, rate: 'delay(x, 0.7)' } },
      events: [{ times: 1, state: 'x', add: 2 }],
      tolerance: tight,
    };
    expectClose(await courseOf(block, [], [0, 1.5, 1.7, 2, 4], 'x.y'), [0, 0, 0, 0.6, 4.6], 1e-9);
  });

  it('an event may depend on the past, and set what will be looked back at', async () => {
    // x = t; where x was 1 half a unit ago (t = 1.5) it is set to 0, and y takes over what it was.
    const block = {
      state: { x: { initial: 0, rate: '1' }, y: { initial: 0, rate: 'delay(x, 0.25)' } },
      events: [{ when: 'delay(x, 0.5) >= 1', set: { x: '0' } }],
      tolerance: tight,
    };
    expectClose(await courseOf(block, [], [0, 1, 1.6, 1.75, 2], 'x.x'), [0, 1, 0.1, 0.25, 0.5], 1e-8);
    const y = (t: number): number => (t <= 0.25 ? 0 : t <= 1.75 ? (t - 0.25) ** 2 / 2 : 1.125 + (t - 1.75) ** 2 / 2);
    const found = await courseOf(block, [], [0, 1, 1.6, 1.75, 2], 'x.y');
    expectClose(found, [0, 1, 1.6, 1.75, 2].map(y), 1e-6);
  });

  it('series of their own lags', async () => {
    const path = written(
      documentOf([
        constant('t', times),
        constant('lag', [1, 0.6]),
        { id: 'x', kind: 'ode', times: 't', state: { x: { initial: 1, rate: '-delay(x, lag)' } }, tolerance: tight },
      ]),
    );
    const { values } = (await json('evaluate', path, '--output', 'x')) as { values: { x: number[][] } };
    for (const [i, lag] of [1, 0.6].entries())
      expectClose(
        values.x.map((row) => row[i]!),
        times.map((t) => steps(t, 1, lag)),
        1e-8,
      );
  });
});

const square: PlainBlock = { id: 's', kind: 'reduce', operator: 'add', values: 'w' };

describe('its derivatives', () => {
  it('by the lag, as the method of steps has them', async () => {
    for (const [i, t] of times.entries()) {
      const document = documentOf([
        constant('t', times),
        parameter('a', 1.3),
        parameter('lag', 0.8),
        { id: 'x', kind: 'ode', times: 't', state: { x: { initial: 1, rate: '-a*delay(x, lag)' } }, tolerance: tight },
        { id: 'last', kind: 'gather', from: 'x', indices: 'at' },
        { id: 'at', kind: 'constant', value: i, type: 'int' },
      ]);
      const { adjoints } = (await json('differentiate', written(document), '--of', 'last')) as {
        adjoints: { lag: number; a: number };
      };
      expect(adjoints.lag, `t = ${t}`).toBeCloseTo(stepsByLag(t, 1.3, 0.8), 7);
      const eps = 1e-5;
      expect(adjoints.a, `t = ${t}`).toBeCloseTo((steps(t, 1.3 + eps, 0.8) - steps(t, 1.3 - eps, 0.8)) / (2 * eps), 6);
    }
  });

  const state = {
    a: { initial: 'a0', rate: '-k*delay(a, lag)*b + delay(u, 2*lag)', history: 'h + 0.1*time' },
    b: { initial: 1, rate: 'k*delay(a*b, 0.7) - 0.3*b' },
  };
  const cases: [string, PlainBlock, PlainBlock[]][] = [
    ['parameters, starts, histories and lags', {}, []],
    ['a start that is a parameter', { from: 'from' }, [parameter('from', -0.4)]],
    [
      'a dose whose time and amount are parameters',
      { events: [{ times: 'tau', state: 'a', add: 'amount' }] },
      [parameter('tau', 0.45), parameter('amount', 0.7)],
    ],
    ['an event', { events: [{ when: 'delay(b, 0.3) > level', set: { a: 'a/2' } }] }, [parameter('level', 1.1)]],
  ];

  it.each(cases)('reverse mode = forward mode = central differences: %s', async (_, more, parameters) => {
    const solved = {
      ...{ id: 'x', kind: 'ode', state, times: 't', tolerance: { relative: 1e-11, absolute: 1e-13 } },
      inputs: { u: { times: 'ut', values: 'uv', interpolation: 'linear' } },
      ...more,
    };
    const sources = [
      parameter('k', 0.8),
      parameter('a0', 2),
      parameter('h', 1.5),
      parameter('lag', 0.55),
      parameter('uv', [1, 0.5, 2]),
      ...parameters,
    ];
    const blocks = (changed: readonly PlainBlock[]): PlainBlock[] => [
      ...changed,
      constant('t', [0, 0.4, 1.3, 2.9]),
      constant('ut', [0, 0.5, 1.6]),
      solved,
      { id: 'w', kind: 'map', formula: 'p^2 + 0.5*q', inputs: { p: 'x.a', q: 'x.b' } },
      square,
    ];
    const path = written(documentOf(blocks(sources)));
    const { adjoints } = (await json('differentiate', path, '--of', 's')) as {
      adjoints: Record<string, number | number[]>;
    };
    // What every case has is looked at in the first; beside its own parameters the others show the lag.
    const shown = sources.filter(
      (source) => parameters.length === 0 || source['id'] === 'lag' || parameters.includes(source),
    );
    for (const source of shown) {
      const { id, initial } = source as { id: string; initial: number | number[] };
      const elements = Array.isArray(initial) ? initial : [initial];
      for (const i of elements.keys()) {
        const moved = async (by: number): Promise<number> => {
          const value = elements.map((x, j) => (j === i ? x + by : x));
          const changed = sources.map((each) =>
            each === source ? { ...each, initial: Array.isArray(initial) ? value : value[0]! } : each,
          );
          const { values } = (await json('evaluate', written(documentOf(blocks(changed))), '--output', 's')) as {
            values: { s: number };
          };
          return values.s;
        };
        const eps = 1e-4;
        const difference =
          (8 * ((await moved(eps)) - (await moved(-eps))) - ((await moved(2 * eps)) - (await moved(-2 * eps)))) /
          (12 * eps);
        const found = adjoints[id];
        const adjoint = Array.isArray(found) ? found[i]! : found!;
        expect(Math.abs(adjoint - difference), `${id}[${i}]: ${adjoint}, ${difference}`).toBeLessThan(
          1e-5 * (1 + Math.abs(difference)),
        );
        const tangent = elements.map((__, j) => (j === i ? 1 : 0));
        const given = { [id]: Array.isArray(initial) ? tangent : 1 };
        const forward = (await json('differentiate', path, '--of', 's', '--tangent', JSON.stringify(given))) as {
          tangent: number;
        };
        expect(Math.abs(adjoint - forward.tangent), id).toBeLessThan(1e-9 * (1 + Math.abs(adjoint)));
      }
    }
  });
});

describe('what cannot be', () => {
  const t = constant('t', [0, 1]);
  const refused = (block: PlainBlock, ...others: PlainBlock[]): Promise<string> =>
    refusal(documentOf([t, ...others, { id: 'x', kind: 'ode', times: 't', ...block }]));
  const x = (rate: string, more: PlainBlock = {}): PlainBlock => ({ state: { x: { initial: 1, rate } }, ...more });

  it.each<[string, PlainBlock, RegExp]>([
    ['a lag that depends on a state', x('delay(x, 1 + x)'), /a delay\(\) whose lag depends on "x"/],
    ['a lag that depends on the time', x('delay(x, time/2)'), /whose lag depends on "time"/],
    ['a lag below 0', x('delay(x, -1)'), /looks ahead: the lag of a delay\(\) is -1/],
    ['fixed steps', x('delay(x, 1)', { substeps: 4 }), /has a delay\(\).*asks for "substeps"/],
    ['a method for stiff systems', x('delay(x, 1)', { method: 'stiff' }), /has a delay\(\).*asks for "stiff"/],
    ['a steady state', x('-delay(x, 1)', { times: 'late', from: 0 }), /a delay\(\) is followed over time alone/],
    ['one argument', x('delay(x)'), /takes two, as in delay\(x, lag\)/],
    ['a formula of its own past', x('f', { formulas: { f: 'delay(f, 1) + x' } }), /looks at the past of "f"/],
    ['a lag among data that is 0', x('delay(x, zero)'), /a delay\(\) whose lag is 0/],
  ])('%s', async (_, block, message) =>
    expect(await refused(block, constant('late', ['Infinity']), constant('zero', 0))).toMatch(message),
  );

  it('a history that uses a state, and delay() where nothing is solved', async () => {
    const block = { state: { x: { initial: 1, rate: '-delay(x, 1)', history: 'x + 1' } } };
    expect(await refused(block)).toMatch(/the history of "x" uses "x"/);
    const map = { id: 'm', kind: 'map', formula: 'delay(t, 1)' };
    expect(await refusal(documentOf([t, map]))).toMatch(/'delay' .*formulas of an ode block/);
  });
});
