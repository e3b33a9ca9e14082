/** Curves of what rows look up in a solution, against the solution in closed form. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { drawingsOf } from '../../../models/plots/drawings.ts';
import { createPlotter } from '../../../src-main/compute/plots/plots.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';

const device = cpuDevice();
afterAll(() => device.close());

type PlainBlock = Record<string, unknown>;

const decay = 0.3;
/** By experiment: where it starts, and when it is looked at. */
const experiments = { low: { start: 1, times: [0, 1, 4] }, high: { start: 5, times: [0, 2] } };

/** dx/dt = −k·x in a lane for each experiment, of which `obs` looks up one value a row; [slot, lane] is at 2·slot + lane. */
const obs = {
  time: [0, 1, 4, 0, 2],
  experiment: ['low', 'low', 'low', 'high', 'high'],
  at: [0, 2, 4, 1, 3],
  y: [2, 1.4, 0.5, 9, 6],
};

const column = (name: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id: name, kind: 'column', table: 'obs', column: name },
  ...more,
});

const solved: readonly PlainBlock[] = [
  { id: 'k', kind: 'parameter', initial: decay },
  { id: 'start', kind: 'constant', value: [experiments.low.start, experiments.high.start] },
  {
    id: 'times',
    kind: 'constant',
    value: [
      [0, 0],
      [1, 2],
      [4, 'NaN'],
    ],
  },
  { id: 'model', kind: 'ode', times: 'times', from: 0, state: { x: { initial: 'start', rate: '-k*x' } } },
  { id: 'all', kind: 'reshape', values: 'model', shape: [-1] },
  { id: 'x', kind: 'gather', from: 'all', indices: 'at' },
];

const loss = (prediction: string, id = 'loss'): PlainBlock => ({
  ...{ id, kind: 'least-squares', prediction, observed: 'y' },
});

const documentOf = (
  blocks: readonly PlainBlock[],
  {
    columns = obs,
    objective = ['loss'],
  }: { readonly columns?: PlainBlock; readonly objective?: readonly string[] } = {},
): PlainBlock => ({
  format: 'cotangent/1',
  tables: { obs: { columns } },
  blocks: [
    ...Object.keys(columns).map((name) => column(name, name === 'at' ? { type: 'int' } : {})),
    ...solved,
    ...blocks,
  ],
  objective,
});

const modelOf = async (document: PlainBlock): Promise<Model> => demandModel(await load(document, undefined));

async function comparisonsIn(document: PlainBlock): Promise<Plot[]> {
  const plotter = await createPlotter(await modelOf(document), device);
  try {
    return (await plotter.at({})).filter(({ kind }) => kind === 'comparison');
  } finally {
    plotter.release();
  }
}

describe('what rows look up in a solution', () => {
  it('has a curve along its times, from the first to the last of each experiment', async () => {
    const [plot] = await comparisonsIn(documentOf([{ id: 'twice', kind: 'map', formula: '2*x' }, loss('twice')]));
    expect(plot).toMatchObject({ x: { id: 'time' }, by: 'experiment' });
    for (const { key, points, curve } of plot!.groups) {
      const { start, times } = experiments[key as keyof typeof experiments];
      const exact = (t: number): number => 2 * start * Math.exp(-decay * t);
      expect([curve!.x[0], curve!.x.at(-1)]).toEqual([times[0], times.at(-1)]);
      expect(curve!.x.length).toBeGreaterThan(50);
      curve!.x.forEach((t, i) => expect(curve!.y[i]).toBeCloseTo(exact(t), 5));
      expect(points.x).toEqual(times);
      for (const [i, t] of times.entries()) expect(curve!.y[curve!.x.indexOf(t)]).toBeCloseTo(points.predicted![i]!, 6);
    }
  });

  it('stands at the time, and not at what else differs from row to row', async () => {
    const columns = { ...obs, which: [0, 0, 0, 1, 1] };
    const [plot] = await comparisonsIn(
      documentOf([{ id: 'shifted', kind: 'map', formula: 'x + which' }, loss('shifted')], { columns }),
    );
    expect(plot!.x.id).toBe('time');
    const high = plot!.groups.find(({ points }) => points.y.includes(9))!;
    high.curve!.x.forEach((t, i) => expect(high.curve!.y[i]).toBeCloseTo(5 * Math.exp(-decay * t) + 1, 5));
  });

  it('is solved once for all that is compared', async () => {
    const blocks = [{ id: 'twice', kind: 'map', formula: '2*x' }, loss('twice'), loss('x', 'other')];
    const drawings = drawingsOf(await modelOf(documentOf(blocks, { objective: ['loss', 'other'] })));
    expect(drawings.map(({ curve }) => curve !== undefined)).toEqual([true, true]);
    expect(drawings[0]!.curve!.model).toBe(drawings[1]!.curve!.model);
  });

  const last: readonly PlainBlock[] = [
    { id: 'end', kind: 'constant', value: 4, type: 'int' },
    { id: 'final', kind: 'gather', from: 'all', indices: 'end' },
  ];
  it.each<[why: string, document: PlainBlock]>([
    [
      'it is made of another place of the solution too',
      documentOf([...last, { id: 'share', kind: 'map', formula: 'x/final' }, loss('share')]),
    ],
    ['its place counts as a number', documentOf([{ id: 'moved', kind: 'map', formula: 'x + at' }, loss('moved')])],
    ['no column tells the time', documentOf([loss('x')], { columns: { ...obs, time: [0, 1, 3, 0, 2] } })],
    [
      'what else it is made of differs from row to row',
      documentOf([{ id: 'moved', kind: 'map', formula: 'x + noise' }, loss('moved')], {
        columns: { ...obs, noise: [0.1, 0.2, 0.3, 0.4, 0.5] },
      }),
    ],
  ])('has no curve where %s', async (_, document) => {
    const [plot] = await comparisonsIn(document);
    expect(plot!.groups.every(({ curve }) => curve === undefined)).toBe(true);
  });
});
