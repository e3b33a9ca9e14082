/** Curves of data across doses, against the solution in closed form: what jumps is drawn as a jump. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { drawingsOf } from '../../../models/plots/drawings.ts';
import { createPlotter } from '../../../src-main/compute/plots/plots.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';

const device = cpuDevice();
afterAll(() => device.close());

const k = 0.12;
const doses = [5.05, 11.3];
const amount = 9;
const exact = (t: number): number =>
  [0, ...doses].filter((dose) => dose <= t).reduce((sum, dose) => sum + amount * Math.exp(-k * (t - dose)), 0);

const t = [1, 4, 7, 10, 13, 16, 19, 22];

const documentOf = (blocks: readonly Record<string, unknown>[], columns: Record<string, unknown>) => ({
  format: 'cotangent/1',
  tables: { T: { columns } },
  blocks: [
    ...Object.keys(columns).map((id) => ({
      id,
      kind: 'column',
      table: 'T',
      column: id,
      ...(id === 'at' && { type: 'int' }),
    })),
    { id: 'k', kind: 'parameter', initial: k },
    { id: 'doses', kind: 'constant', value: doses },
    ...blocks,
  ],
  objective: 'l',
});
const ode = (times: string) => ({
  ...{ id: 's', kind: 'ode', times, from: 0, state: { c: { initial: amount, rate: '-k*c' } } },
  events: [{ state: 'c', times: 'doses', add: amount }],
});
const loss = (prediction: string) => ({ id: 'l', kind: 'least-squares', prediction, observed: 'y' });

it.each([
  ['at the times of its rows', documentOf([ode('t'), loss('s')], { t, y: t })],
  [
    'that rows look up',
    documentOf(
      [
        { id: 'slots', kind: 'constant', value: t },
        ode('slots'),
        { id: 'x', kind: 'gather', from: 's', indices: 'at' },
        loss('x'),
      ],
      { t, at: t.map((_, i) => i), y: t },
    ),
  ],
])('a curve jumps at its doses, of a solution %s', async (_, document) => {
  const model = demandModel(await load(document, undefined));
  expect(drawingsOf(model)).toHaveLength(1);
  const plotter = await createPlotter(model, device);
  try {
    const [plot] = await plotter.at({});
    const { x, y } = plot!.groups[0]!.curve!;
    for (const [i, time] of x.entries()) expect(Math.abs(y[i]! - exact(time))).toBeLessThan(1e-4);
    for (const dose of doses) {
      const at = x.indexOf(dose);
      expect(at).toBeGreaterThan(0);
      expect(x[at]! - x[at - 1]!).toBeLessThan(1e-4);
      expect(y[at]! - y[at - 1]!).toBeCloseTo(amount, 2);
    }
  } finally {
    plotter.release();
  }
});
