/** Solutions of ode blocks against closed ones. */
import { describe, expect, it } from 'vitest';
import { c, evaluate, type PlainBlock } from '../../../support/documents.ts';

const ode = (state: PlainBlock, more: PlainBlock = {}): PlainBlock => ({
  id: 'x',
  kind: 'ode',
  state,
  times: 't',
  ...more,
});
const grid = [0, 0.5, 1, 2, 4];
const t = c('t', grid);

function expectClose(found: number | number[], wanted: readonly number[], tolerance: number): void {
  expect(found).toHaveLength(wanted.length);
  wanted.forEach((value, i) => expect(Math.abs((found as number[])[i]! - value)).toBeLessThanOrEqual(tolerance));
}

describe('closed solutions', () => {
  it.each(['rk4', 'rosenbrock'])('decay by %s', async (method) => {
    const found = await evaluate([t, ode({ a: { initial: 3, rate: '-0.7 * a' } }, { method })], 'x');
    expectClose(
      found,
      grid.map((time) => 3 * Math.exp(-0.7 * time)),
      method === 'rk4' ? 1e-6 : 2e-5,
    );
  });

  it.each(['rk4', 'rosenbrock'])('an oscillator by %s, its two states by name', async (method) => {
    const state = { q: { initial: 1, rate: 'p' }, p: { initial: 0, rate: '-q' } };
    const blocks = [t, ode(state, { method, substeps: 64 })];
    expectClose(await evaluate(blocks, 'x.q'), grid.map(Math.cos), 1e-5);
    expectClose(
      await evaluate(blocks, 'x.p'),
      grid.map((time) => -Math.sin(time)),
      1e-5,
    );
  });

  it.each(['rk4', 'rosenbrock'])('a rate that depends on time by %s', async (method) => {
    const found = await evaluate(
      [t, ode({ a: { initial: 1, rate: '2 * time * a' } }, { method, times: 'u', substeps: 64 }), c('u', [0, 0.5, 1])],
      'x',
    );
    expectClose(found, [1, Math.exp(0.25), Math.E], 1e-5);
  });

  it('a stiff system, by rosenbrock, with steps far longer than its fast scale', async () => {
    const found = await evaluate(
      [t, ode({ y: { initial: 0, rate: '-1e6 * (y - cos(time))' } }, { method: 'rosenbrock' })],
      'x',
    );
    expectClose((found as number[]).slice(1), grid.slice(1).map(Math.cos), 1e-4);
  });

  it("Robertson's reaction, whose rates lie nine powers of ten apart, by rosenbrock (Hairer & Wanner II, section IV.1)", async () => {
    const state = {
      a: { initial: 1, rate: '-0.04*a + 1e4*b*c' },
      b: { initial: 0, rate: '0.04*a - 1e4*b*c - 3e7*b^2' },
      c: { initial: 0, rate: '3e7*b^2' },
    };
    const times = c('t', [0, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.4, 4, 40]);
    const blocks = [times, ode(state, { method: 'rosenbrock', substeps: 32 })];
    const published = {
      a: [0.9851721139, 0.9055186786, 0.7158270688],
      b: [3.386395379e-5, 2.240475688e-5, 9.185534765e-6],
      c: [0.01479402206, 0.09445891636, 0.2841637457],
    };
    for (const [name, wanted] of Object.entries(published)) {
      const found = (await evaluate(blocks, `x.${name}`)) as number[];
      wanted.forEach((value, i) => expect(Math.abs(found[6 + i]! / value - 1), name).toBeLessThan(1e-4));
    }
  });

  it.each([
    ['rk4', 4],
    ['rosenbrock', 3],
  ] as const)('%s is of order %i', async (method, order) => {
    const error = async (substeps: number): Promise<number> => {
      const found = await evaluate(
        [c('t', [0, 1]), ode({ a: { initial: 1, rate: 'a * cos(time) - 0.3 * a^2' } }, { method, substeps })],
        'x',
      );
      const exact = await evaluate(
        [c('t', [0, 1]), ode({ a: { initial: 1, rate: 'a * cos(time) - 0.3 * a^2' } }, { substeps: 512 })],
        'x',
      );
      return Math.abs((found as number[])[1]! - (exact as number[])[1]!);
    };
    expect(Math.log2((await error(8)) / (await error(16)))).toBeGreaterThan(order - 0.35);
  });
});

it('an epidemic ends at the size that its equations have in closed form: log(s₀/s) = R₀·(1 − s)', async () => {
  const state = { s: { initial: 0.999, rate: '-2 * s * i' }, i: { initial: 0.001, rate: '2 * s * i - i' } };
  const [s] = (await evaluate([c('t', [80]), ode(state, { from: 0, substeps: 400 })], 'x.s')) as number[];
  expect(Math.log(0.999 / s!) - 2 * (1 - s!)).toBeCloseTo(0, 6);
});

describe('times', () => {
  it('are in any order, twice, missing, none at all', async () => {
    const decay = { a: { initial: 1, rate: '-a' } };
    const found = await evaluate([c('t', [2, 0, 'NaN', 1, 1]), ode(decay)], 'x');
    expectClose(
      (found as number[]).filter((_, i) => i !== 2),
      [Math.exp(-2), 1, Math.exp(-1), Math.exp(-1)],
      1e-6,
    );
    expect((found as number[])[2]).toBeNaN();
    expect(await evaluate([c('t', []), ode(decay)], 'x')).toEqual([]);
  });

  it('begin at "from", and each series has its own', async () => {
    const decay = { a: { initial: 1, rate: '-a' } };
    expectClose(
      await evaluate([t, ode(decay, { from: -1 })], 'x'),
      grid.map((time) => Math.exp(-1 - time)),
      1e-6,
    );
    const times = c('t', [
      [0, 1],
      [1, 3],
      [2, 2],
    ]);
    const found = await evaluate([times, c('k', [1, 2]), ode({ a: { initial: 1, rate: '-k * a' } })], 'x');
    expectClose(found, [1, 1, Math.exp(-1), Math.exp(-4), Math.exp(-2), Math.exp(-2)], 1e-5);
  });

  it('are shared by a batch of states', async () => {
    const found = await evaluate([t, c('a0', [1, 2]), ode({ a: { initial: 'a0', rate: '-a' } })], 'x');
    expectClose(
      found,
      grid.flatMap((time) => [Math.exp(-time), 2 * Math.exp(-time)]),
      1e-6,
    );
  });
});

describe('doses and inputs', () => {
  const decay = { a: { initial: 0, rate: '-a' } };

  it('a dose is in the state at its own time and after', async () => {
    const events = [
      { times: 'd', state: 'a', add: 'amount' },
      { times: 0.5, state: 'a', add: 5 },
    ];
    const found = await evaluate(
      [t, c('d', [0, 1, 99, 'NaN']), c('amount', [3, 4, 1e9, 1e9]), ode(decay, { events })],
      'x',
    );
    const at = (time: number): number =>
      3 * Math.exp(-time) + (time >= 0.5 ? 5 * Math.exp(0.5 - time) : 0) + (time >= 1 ? 4 * Math.exp(1 - time) : 0);
    expectClose(found, grid.map(at), 1e-5);
  });

  it('each series has its own dose', async () => {
    const events = [{ times: 0, state: 'a', add: 'amount' }];
    const found = await evaluate([t, c('amount', [1, 2]), ode(decay, { events })], 'x');
    expectClose(
      found,
      grid.flatMap((time) => [Math.exp(-time), 2 * Math.exp(-time)]),
      1e-6,
    );
  });

  it('a step input holds its last value, a linear one runs between', async () => {
    const integral = { a: { initial: 0, rate: 'u' } };
    const points = [c('ut', [0.25, 1, 3]), c('uv', [2, 4, 0])];
    const input = (interpolation: string) => ({ inputs: { u: { times: 'ut', values: 'uv', interpolation } } });
    const stepped = [0, 1, 2, 6, 2 + 8];
    expectClose(await evaluate([t, ...points, ode(integral, input('step'))], 'x'), stepped, 1e-12);
    // 2 up to ¼, then 2 → 4 over ¾, then 4 → 0 over 2.
    const area = (time: number): number => {
      if (time <= 0.25) return 2 * time;
      if (time <= 1) return 0.5 + 2 * (time - 0.25) + ((time - 0.25) ** 2 * 2) / 0.75 / 2;
      const u = Math.min(time, 3) - 1;
      return 0.5 + 2.25 + 4 * u - u ** 2;
    };
    for (const method of ['rk4', 'rosenbrock'])
      expectClose(
        await evaluate([t, ...points, ode(integral, { ...input('linear'), method })], 'x'),
        grid.map(area),
        1e-9,
      );
  });
});
