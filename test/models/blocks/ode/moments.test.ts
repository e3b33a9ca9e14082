/** What holds for a moment within a step of the solver: conditions of events and of rates, against closed forms. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  json,
  written,
  type PlainBlock,
} from '../../../support/command-line.ts';

async function lastOf(more: PlainBlock, end: number, output: string): Promise<number> {
  const blocks = [constant('t', [end]), { id: 'x', kind: 'ode', times: 't', from: 0, ...more }];
  const { values } = (await json('evaluate', written(documentOf(blocks)), '--output', output)) as {
    values: Record<string, [number]>;
  };
  return values[output]?.[0] ?? NaN;
}

const still = { initial: 0, rate: '0' };

/** How often a condition becomes true until `end`. */
const counted = (when: string, end: number, state: PlainBlock = {}, more: PlainBlock = {}): Promise<number> =>
  lastOf({ state: { n: still, ...state }, events: [{ when, set: { n: 'n + 1' } }], ...more }, end, 'x.n');

/** For how long a condition holds until `end`. */
const held = (when: string, end: number, state: PlainBlock = {}, more: PlainBlock = {}): Promise<number> =>
  lastOf({ state: { b: { initial: 0, rate: `if(${when}, 1, 0)` }, ...state }, ...more }, end, 'x.b');

describe('a condition of the time that holds for a moment', () => {
  it.each([
    ['sin(time) > 0.999', 100, 16],
    ['cos(7*time) > 0.999999', 20, 22],
    ['abs(time - 61.8) < 0.003', 100, 1],
    ['(time - 61.8)^2 < 1e-6', 100, 1],
    ['exp(-((time - 61.8)/0.001)^2) > 0.5', 100, 1],
    ['1/(1 + (time - 61.8)^2/1e-6) > 0.5', 100, 1],
    ['mod(time, 24) > 6 and mod(time, 24) < 6.001', 100, 4],
    ['floor(1.0001*sin(time)) > 0.5', 100, 16],
    ['tanh((time - 10)/1e-3) - tanh((time - 10.002)/1e-3) > 1', 40, 1],
    ['time > 1 and time < 1/0', 40, 1],
  ])('makes an event: %s', async (when, end, times) => {
    expect(await counted(when, end)).toBe(times);
  });

  it.each([
    ['abs(time - 61.8) < 0.003', 100, 0.006],
    ['(time - 61.8)^2 < 1e-6', 100, 0.002],
    ['exp(-((time - 61.8)/0.001)^2) > 0.5', 100, 0.002 * Math.sqrt(Math.log(2))],
    ['sin(time) > 0.999', 100, 16 * (Math.PI - 2 * Math.asin(0.999))],
  ])('changes a rate for as long: %s', async (when, end, time) => {
    expectClose(await held(when, end), time, 1e-6);
  });
});

/** Numbers that look random, the same in every run. */
function draws(seed: number): (low: number, high: number) => number {
  let state = seed;
  return (low, high) => low + (high - low) * ((state = (state * 16807) % 2147483647) / 2147483647);
}
const cases = Array.from({ length: 12 }, (_, i) => i + 1);

describe('a condition of states that holds for a moment', () => {
  it.each(cases)('at the turning points of an oscillator, case %i', async (seed) => {
    const draw = draws(1000 * seed);
    draw(0, 1);
    const [pace, phase, near] = [draw(0.2, 5), draw(0, 6), 10 ** draw(-7, -1)];
    const state = {
      y: { initial: Math.sin(phase), rate: `${pace}*v` },
      v: { initial: Math.cos(phase), rate: `-${pace}*y` },
    };
    const end = 30;
    const width = Math.acos(1 - near);
    // y = sin(pace·t + phase) is past 1 − near from π/2 − width on, once a turn.
    const turns = (angle: number): number => Math.floor((angle - (Math.PI / 2 - width)) / (2 * Math.PI));
    const method = ['auto', 'explicit', 'stiff'][seed % 3];
    const found = await counted(`y > ${1 - near}`, end, state, { method });
    expect(found).toBe(turns(pace * end + phase) - turns(phase));
    expect(await counted(`y > ${1 + near}`, end, state, { method })).toBe(0);
    expect(await counted(`y^2 < ${near ** 2}`, end, state, { method })).toBe(
      Math.floor((pace * end + phase + Math.asin(near)) / Math.PI) - Math.floor((phase + Math.asin(near)) / Math.PI),
    );
  });

  it.each(cases)('at the peak of a pulse, case %i', async (seed) => {
    const draw = draws(77 * seed);
    draw(0, 1);
    const [fast, slow, near] = [draw(1, 20), draw(0.05, 0.9), 10 ** draw(-6, -1)];
    const at = Math.log(fast / slow) / (fast - slow);
    const peak = Math.exp(-slow * at) - Math.exp(-fast * at);
    const state = { a: { initial: 1, rate: `-${slow}*a` }, c: { initial: 1, rate: `-${fast}*c` } };
    expect(await counted(`a - c > ${peak * (1 - near)}`, 50, state)).toBe(1);
    expect(await counted(`a - c > ${peak * (1 + near)}`, 50, state)).toBe(0);
  });

  it('where the time and a state meet', async () => {
    // y is 3 throughout but grows by 1 in 100.
    const state = { y: { initial: 3, rate: '0.01' } };
    expect(await counted('y < 4*sin(11*time)^40', 10, state)).toBe(35);
    expect(await counted('y < 5*exp(-((time - 61.8)/0.001)^2)', 100, state)).toBe(1);
  });

  it('of the past', async () => {
    const state = { y: { initial: 0, rate: 'cos(time)', history: 'sin(time)' } };
    expect(await counted('delay(y, 1) > 0.9999', 60, state)).toBe(9 + 1);
  });
});

it('that comes ever faster, and no step tells whether it holds, is no solution', async () => {
  const ode = {
    ...{ id: 'x', kind: 'ode', times: 't', from: 0 },
    state: { n: still },
    events: [{ when: 'sin(1/(1 - time)) > 1.0000001', set: { n: 1 } }],
  };
  const { status, stderr } = await cotangent(
    'evaluate',
    written(documentOf([constant('t', [2]), ode])),
    '--output',
    'x.n',
  );
  expect(stderr).toContain('for moments too short to be told apart');
  expect(status).toBe(3);
});
