/** Events of ode blocks, and jumps of their rates, against closed forms, and derivatives against theirs. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  json,
  parameter,
  refusal,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';

async function valuesOf(blocks: readonly PlainBlock[], ...outputs: string[]): Promise<Record<string, number[]>> {
  const path = written(documentOf(blocks));
  return ((await json('evaluate', path, '--output', outputs.join(','))) as { values: Record<string, number[]> }).values;
}

async function adjointsOf(blocks: readonly PlainBlock[], output: string): Promise<Record<string, number>> {
  const picked = [...blocks, constant('last', 0, 'int'), { id: 'end', kind: 'gather', from: output, indices: 'last' }];
  return (
    (await json('differentiate', written(documentOf(picked)), '--of', 'end')) as { adjoints: Record<string, number> }
  ).adjoints;
}

const x = (more: PlainBlock, times: unknown = [0, 1, 2, 3]): PlainBlock[] => [
  constant('t', times),
  { id: 'x', kind: 'ode', times: 't', from: 0, ...more },
];

it('happens where its condition moves by less than its own rounding in a tick of the clock', async () => {
  const clock = x({
    state: { s: { initial: -5.3, rate: '1' }, p: { initial: 0, rate: '0' } },
    events: [{ when: 's > -5.2', set: { p: 's' } }],
  });
  const { 'x.p': p } = await valuesOf(clock, 'x.p');
  expectClose(p, [0, -5.2, -5.2, -5.2], 1e-12);
});

it('happens where the step to it is as short as can be, and a little longer', async () => {
  // A hundred times in a time of 1, and outputs between, so that steps end all over.
  const times = Array.from({ length: 320 }, (_, i) => i * 0.00999101);
  const still = { initial: 0, rate: '0' };
  const counted = x(
    {
      state: { last: still, n: still, other: still },
      events: [
        { when: 'time - last >= 0.01', set: { last: 'time', n: 'n + 1' } },
        { when: 'time - other >= 0.01', set: { other: 'time' } },
      ],
    },
    times,
  );
  expect((await valuesOf(counted, 'x.n'))['x.n']).toEqual(times.map((t) => Math.floor(t / 0.01)));
});

describe('a ball that bounces', () => {
  const [height, gravity, rest] = [1, 9.81, 0.8];
  const ball = (times: number[]): PlainBlock[] => [
    parameter('height', height),
    parameter('g', gravity),
    parameter('rest', rest),
    ...x(
      {
        state: { y: { initial: 'height', rate: 'v' }, v: { initial: 0, rate: '-g' } },
        events: [{ when: 'y < 0', set: { v: '-rest*v' } }],
      },
      times,
    ),
  ];
  const first = Math.sqrt((2 * height) / gravity);

  it('is where the closed form has it, bounce after bounce', async () => {
    // Between bounce n and the next: y = vₙτ − gτ²/2, vₙ = restⁿ·√(2g·height).
    const at = (time: number): number => {
      let [start, speed] = [first, rest * gravity * first];
      while (time > start + (2 * speed) / gravity) [start, speed] = [start + (2 * speed) / gravity, rest * speed];
      return speed * (time - start) - (gravity / 2) * (time - start) ** 2;
    };
    const times = [0.6, 1, 1.5, 2, 2.5];
    const { 'x.y': y } = await valuesOf(ball(times), 'x.y');
    expectClose(y, times.map(at), 1e-7);
  });

  it('has the derivatives of the closed form, those by the times of its bounces too', async () => {
    const time = 0.8;
    // y = rest·g·t₁·τ − gτ²/2 with τ = t − t₁, t₁ = √(2·height/g)
    const tau = time - first;
    const byFirst = rest * gravity * (tau - first) + gravity * tau;
    const found = await adjointsOf(ball([time]), 'x.y');
    expectClose(found['rest'], gravity * first * tau, 1e-7);
    expectClose(found['height'], byFirst / (gravity * first), 1e-7);
    expectClose(found['g'], rest * first * tau - tau ** 2 / 2 - (byFirst * first) / (2 * gravity), 1e-7);
  });
});

describe('a neuron that integrates and fires', () => {
  // v′ = I − v, back to 0 at 1: a period of log(I/(I − 1)).
  const current = 1.5;
  const period = Math.log(current / (current - 1));
  const neuron = (times: number[]): PlainBlock[] => [
    parameter('I', current),
    ...x(
      {
        state: { v: { initial: 0, rate: 'I - v' }, spikes: { initial: 0, rate: '0' } },
        events: [{ when: 'v >= 1', set: { v: 0, spikes: 'spikes + 1' } }],
      },
      times,
    ),
  ];

  it('has the period of the closed form', async () => {
    const times = [0.5, 5, 10];
    const { 'x.v': v, 'x.spikes': spikes } = await valuesOf(neuron(times), 'x.v', 'x.spikes');
    expect(spikes).toEqual(times.map((time) => Math.floor(time / period)));
    expectClose(
      v,
      times.map((time) => current * (1 - Math.exp(-(time % period)))),
      1e-7,
    );
  });

  it('has its derivative by the current through all spikes', async () => {
    const time = 5;
    const n = Math.floor(time / period);
    const phase = time - n * period;
    const byPeriod = -1 / (current * (current - 1));
    const wanted = 1 - Math.exp(-phase) - current * Math.exp(-phase) * n * byPeriod;
    expectClose((await adjointsOf(neuron([time]), 'x.v'))['I'], wanted, 1e-6);
  });
});

describe('an event', () => {
  const still = { initial: 0, rate: '0' };

  it('that is delayed sets what it was worth when it was triggered, or when it is carried out', async () => {
    const of = (values: string): Promise<Record<string, number[]>> =>
      valuesOf(
        x(
          {
            state: { a: { initial: 0, rate: '1' }, b: still },
            events: [{ when: 'a > 0.5', delay: 0.7, set: { b: 'a' }, values }],
          },
          [1, 1.5],
        ),
        'x.b',
      );
    expectClose((await of('trigger'))['x.b'], [0, 0.5], 1e-9);
    expectClose((await of('execution'))['x.b'], [0, 1.2], 1e-9);
  });

  it('that is delayed sets what it was worth when it was triggered times what something is when it is carried out', async () => {
    // c = a + t is a + 1 when it is triggered, and a + 2 a time of 1 later.
    const scaled = [
      parameter('a', 1),
      ...x({
        state: { c: { initial: 'a', rate: '1' }, y: { initial: 0, rate: '0' } },
        events: [{ when: 'time >= 1', set: { y: 'c' }, scaled: { y: 'c' }, delay: 1 }],
      }),
    ];
    expectClose((await valuesOf(scaled, 'x.y'))['x.y'], [0, 0, 6, 6], 1e-9);
    const { a } = await adjointsOf([...scaled, { id: 'y', kind: 'slice', values: 'x.y', start: 2 }], 'y');
    expect(a).toBeCloseTo(5, 8);
  });

  it('that is delayed has the derivative of its time', async () => {
    // b′ = 1 from 0, set to 0 at c + d: b(2) = 2 − c − d.
    const blocks = [
      parameter('c', 0.4),
      parameter('d', 0.3),
      ...x({ state: { b: { initial: 0, rate: '1' } }, events: [{ when: 'time > c', delay: 'd', set: { b: 0 } }] }, [2]),
    ];
    expectClose(await adjointsOf(blocks, 'x.b'), { c: -1, d: -1 }, 1e-9);
  });

  it('of a higher priority goes first, and others see what it has done', async () => {
    const blocks = x(
      {
        state: { order: still, low: still, high: still },
        events: [
          { when: 'time > 0.5', priority: 1, set: { order: 'order + 1', low: 'order + 1' }, values: 'execution' },
          { when: 'time > 0.5', priority: 2, set: { order: 'order + 1', high: 'order + 1' }, values: 'execution' },
        ],
      },
      [1],
    );
    expect(await valuesOf(blocks, 'x.low', 'x.high')).toEqual({ 'x.low': [2], 'x.high': [1] });
  });

  it('that is not persistent is forgotten where its condition ceases to hold', async () => {
    const events = (persistent: boolean): PlainBlock[] =>
      x(
        {
          state: { b: still },
          events: [{ when: 'time > 0.2 and time < 0.3', delay: 0.5, persistent, set: { b: 1 } }],
        },
        [1],
      );
    expect(await valuesOf(events(true), 'x.b')).toEqual({ 'x.b': [1] });
    expect(await valuesOf(events(false), 'x.b')).toEqual({ 'x.b': [0] });
  });

  it('whose condition holds at the start happens there where it is taken not to have held before', async () => {
    const events = (initial: boolean): PlainBlock[] =>
      x({ state: { b: still }, events: [{ when: 'b < 1', initial, set: { b: 3 } }] }, [0, 1]);
    expect(await valuesOf(events(false), 'x.b')).toEqual({ 'x.b': [3, 3] });
    expect(await valuesOf(events(true), 'x.b')).toEqual({ 'x.b': [0, 0] });
  });

  it('is carried out before the value at its time is given', async () => {
    const blocks = x({ state: { b: still }, events: [{ when: 'time >= 1', set: { b: 1 } }] }, [0.5, 1, 1.5]);
    expect(await valuesOf(blocks, 'x.b')).toEqual({ 'x.b': [0, 1, 1] });
  });

  it.each([
    [{ when: 'b > 1', set: { c: 1 } }, 'event 0 sets "c", which is no state'],
    [{ when: 'b > 1', set: { b: 1 }, scaled: { c: 2 } }, 'event 0 scales "c", which it does not set'],
    [{ when: 'b + 1', set: { b: 1 } }, 'a condition is wanted'],
    [{ when: 'b > 1', set: { b: 'q' } }, "'q'"],
  ])('that cannot be is refused: %j', async (event, words) => {
    expect(await refusal(documentOf(x({ state: { b: still }, events: [event] })))).toContain(words);
  });
});

describe('a rate that jumps', () => {
  it('is followed up to the jump and from there on, and has the derivative of its time', async () => {
    // b′ = 1, 5 from c on: b(2) = c + 5·(2 − c).
    const blocks = [parameter('c', 0.7), ...x({ state: { b: { initial: 0, rate: 'if(time < c, 1, 5)' } } }, [2])];
    expectClose((await valuesOf(blocks, 'x.b'))['x.b'], [0.7 + 5 * 1.3], 1e-12);
    expectClose(await adjointsOf(blocks, 'x.b'), { c: -4 }, 1e-9);
  });

  it('has the derivative of its time where nothing moves before it', async () => {
    const blocks = [parameter('a', 3.85), ...x({ state: { b: { initial: 0, rate: 'if(time > a, 1, 0)' } } }, [9])];
    expectClose(await adjointsOf(blocks, 'x.b'), { a: -1 }, 1e-9);
  });

  it.each([
    [3.85, 4.11, 'auto'],
    [3.85, 4.11, 'stiff'],
    [0.7, 0.7001, 'explicit'],
    [2.3, 8.99, 'stiff'],
    [1e-3, 6.5, 'auto'],
  ])('has the derivatives of both its times from %d to %d, %s', async (a, u, method) => {
    const state = {
      b: { initial: 0, rate: 'if(time > a and time < u, 1 + b, 0.2)' },
      y: { initial: 0, rate: 'v' },
      v: { initial: 1, rate: '-y' },
    };
    const blocks = [parameter('a', a), parameter('u', u), ...x({ state, method }, [9])];
    // b(a) = a/5, b(u) = (1 + b(a))·exp(u − a) − 1, and from there by 1/5.
    const grown = (1 + 0.2 * a) * Math.exp(u - a);
    const expected = { a: 0.2 * Math.exp(u - a) - grown, u: grown - 0.2 };
    const found = await adjointsOf(blocks, 'x.b');
    expectClose([found['a']! / expected.a, found['u']! / expected.u], [1, 1], 1e-6);
  });

  it('is not stepped over, however short it is', async () => {
    const pulse = 'if(time > 1 and time < 1.001, 1000, 0)';
    expectClose((await valuesOf(x({ state: { b: { initial: 0, rate: pulse } } }, [10]), 'x.b'))['x.b'], [1], 1e-9);
    const stairs = x({ state: { b: { initial: 0, rate: 'floor(time)' } } }, [3.5]);
    expectClose((await valuesOf(stairs, 'x.b'))['x.b'], [0 + 1 + 2 + 1.5], 1e-9);
  });

  it.each(['auto', 'stiff', 'explicit'])(
    'is passed by %s where it is too high for any step that the clock tells',
    async (method) => {
      // b′ = −b, 10⁹ − b from 60 on, where an output lies too.
      const blocks = x({ state: { b: { initial: 0, rate: 'if(time - 60 < 0, 0, 1e9) - b' } }, method }, [60, 60.5, 61]);
      const after = (time: number): number => 1e9 * (1 - Math.exp(60 - time));
      const { 'x.b': b } = await valuesOf(blocks, 'x.b');
      expectClose(b!.slice(1), [after(60.5), after(61)], 1);
    },
  );

  it.each(['auto', 'stiff'])('is passed by %s where a state comes to rest at its threshold', async (method) => {
    // a − b = 1.3·e^(−7.3t), so that c goes to 1.3/7.3.
    const state = {
      a: { initial: 2, rate: '7.3*(b - a)' },
      b: { initial: 0.7, rate: '0' },
      c: { initial: 0, rate: 'if(a > b, a - b, 0)' },
    };
    const { 'x.c': c } = await valuesOf(x({ state, method }, [10, 4000]), 'x.c');
    expectClose(c, [1.3 / 7.3, 1.3 / 7.3], 1e-8);
  });
});
