/** Curves of data across doses, against the solution in closed form: what jumps is drawn as a jump. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice, type Device } from '../../../engine/index.ts';
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

/** From 9 down to 3, and then from 12 to 3, again and again. */
const refill = (t: number): number => {
  const first = Math.log(3) / k;
  const each = Math.log(4) / k;
  return t < first ? 9 * Math.exp(-k * t) : 12 * Math.exp(-k * ((t - first) % each));
};
const refills = [Math.log(3) / k, Math.log(12) / k];
const many = Array.from({ length: 300 }, (_, i) => 0.51 + 0.07 * i);
const timed = (more: Record<string, unknown>) => ({
  ...{ id: 's', kind: 'ode', times: 't', from: 0, state: { c: { initial: amount, rate: '-k*c' } } },
  ...more,
});
const when = [{ when: 'c <= 3', set: { c: '12' } }];
const lookedUp = [
  { id: 'slots', kind: 'constant', value: t },
  timed({ times: 'slots', events: when }),
  { id: 'x', kind: 'gather', from: 's', indices: 'at' },
];
const added = (at: readonly number[], by: number) => (time: number) =>
  amount * Math.exp(-k * time) +
  at.filter((dose) => dose <= time).reduce((sum, dose) => sum + by * Math.exp(-k * (time - dose)), 0);
const hours = { id: 'hours', kind: 'map', formula: 'minutes/60' };

it.each([
  ['by a condition', documentOf([timed({ events: when }), loss('s')], { t, y: t }), refill, refills, 1],
  [
    'by a condition, where rows look it up',
    documentOf([...lookedUp, loss('x')], { t, at: t.map((_, i) => i), y: t }),
    ...([refill, refills, 1] as const),
  ],
  [
    'when a parameter says so',
    documentOf(
      [
        { id: 'lag', kind: 'parameter', initial: 7.77 },
        timed({ events: [{ state: 'c', times: 'lag', add: 4 }] }),
        loss('s'),
      ],
      { t, y: t },
    ),
    ...([added([7.77], 4), [7.77], 1] as const),
  ],
  [
    'by a clock of its own',
    documentOf([hours, timed({ times: 'hours', events: [{ state: 'c', times: 'doses', add: 9 }] }), loss('s')], {
      minutes: t.map((hour) => 60 * hour),
      y: t,
    }),
    ...([added(doses, 9), doses, 60] as const),
  ],
  [
    'by a condition and a clock of its own',
    documentOf([hours, timed({ times: 'hours', events: when }), loss('s')], {
      minutes: t.map((hour) => 60 * hour),
      y: t,
    }),
    ...([refill, refills, 60] as const),
  ],
  [
    '300 times',
    documentOf(
      [
        { id: 'often', kind: 'constant', value: many },
        timed({ events: [{ state: 'c', times: 'often', add: 1 }] }),
        loss('s'),
      ],
      { t, y: t },
    ),
    ...([added(many, 1), many.filter((dose) => dose > 1), 1] as const),
  ],
])('a curve jumps at once %s', async (_, document, closed, jumps, rate) => {
  const model = demandModel(await load(document, undefined));
  const plotter = await createPlotter(model, device);
  try {
    const [plot] = await plotter.at({});
    const { x, y } = plot!.groups[0]!.curve!;
    const span = x.at(-1)! - x[0]!;
    for (const time of jumps) {
      const after = x.findIndex((at) => at / rate >= time);
      expect(after).toBeGreaterThan(0);
      expect(x[after]! - x[after - 1]!).toBeLessThan(2.1e-5 * span);
      expect(y[after - 1]!).toBeCloseTo(closed(time - 1e-9), 2);
      expect(y[after]!).toBeCloseTo(closed(time + 1e-9), 2);
    }
    for (const [i, at] of x.entries())
      if (jumps.every((time) => Math.abs(at / rate - time) > 1e-5))
        expect(Math.abs(y[i]! - closed(at / rate))).toBeLessThan(1e-3);
    // Smooth between, and no more points than that takes.
    expect(x.length).toBeLessThan(1000);
  } finally {
    plotter.release();
  }
});

it('nothing is compiled for a jump that moves, once one was looked for', async () => {
  const refilled = [
    { id: 'full', kind: 'parameter', initial: 12 },
    timed({ events: [{ when: 'c <= 3', set: { c: 'full' } }] }),
  ];
  const model = demandModel(await load(documentOf([...refilled, loss('s')], { t, y: t }), undefined));
  let compiled = 0;
  let released = 0;
  const counting: Device = {
    ...device,
    load(program, options) {
      compiled++;
      const executable = device.load(program, options);
      return {
        ...executable,
        bind: (sizes) => executable.bind(sizes),
        release() {
          released++;
          executable.release();
        },
      };
    },
  };
  const plotter = await createPlotter(model, counting);
  const before = compiled;
  const first = await plotter.at({ full: 12 });
  const searched = compiled;
  expect(searched).toBeGreaterThan(before);
  await plotter.at({ full: 9 });
  const again = await plotter.at({ full: 12 });
  expect(compiled).toBe(searched);
  expect(again).toEqual(first);
  plotter.release();
  await Promise.resolve();
  expect(released).toBe(searched - before);
});

it('a jump moves with the parameter that says when, in each group where it lies', async () => {
  const twice = [...t, ...t];
  const dose = { state: 'c', times: 'lag', add: 4 };
  const model = demandModel(
    await load(
      documentOf(
        [
          { id: 'lag', kind: 'parameter', initial: 7.77 },
          timed({ events: [dose] }),
          { id: 'scaled', kind: 'map', formula: 'if(which > 0.5, 2*s, s)' },
          loss('scaled'),
        ],
        { t: twice, which: twice.map((_, i) => Number(i >= t.length)), y: twice },
      ),
      undefined,
    ),
  );
  const plotter = await createPlotter(model, device);
  try {
    for (const lag of [7.77, 12.34, 3.21]) {
      const { groups } = (await plotter.at({ lag }))[0]!;
      expect(groups).toHaveLength(2);
      for (const [i, { curve }] of groups.entries()) {
        const after = curve!.x.findIndex((at) => at >= lag);
        expect(curve!.x[after]! - curve!.x[after - 1]!).toBeLessThan(5e-4);
        expect(curve!.y[after]! - curve!.y[after - 1]!).toBeCloseTo(4 * (i + 1), 2);
      }
    }
  } finally {
    plotter.release();
  }
});
