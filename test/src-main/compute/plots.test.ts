import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { catalogue as examples } from '../../../models/catalogue/index.ts';
import { createPlotter } from '../../../src-main/compute/plots.ts';
import { demandModel, load } from '../../../src-main/compute/load.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { startInstance } from '../../../src-main/compute/run.ts';
import { drawingsOf } from '../../../models/plots/drawings.ts';
import type { Table } from '../../../models/tables/table.ts';
import type { Model } from '../../../models/load/model.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';

const device = cpuDevice();
afterAll(() => device.close());

type PlainBlock = Record<string, unknown>;

const folderOfExamples = join(import.meta.dirname, '../../../models/catalogue');

async function modelOf(document: unknown, folder?: string): Promise<Model> {
  return demandModel(await load(document, folder));
}

async function plotsOf(model: Model): Promise<Plot[]> {
  const plotter = await createPlotter(model, device);
  try {
    return await plotter.at({});
  } finally {
    plotter.release();
  }
}

const rows = { t: [0, 1, 2, 4], y: [1, 0.6, 0.4, 0.1], g: ['a', 'a', 'b', 'b'], w: [1, 2, 3, 4] };

function document(blocks: readonly PlainBlock[], columns: PlainBlock = rows): PlainBlock {
  const column = (name: string): PlainBlock => ({ id: name, kind: 'column', table: 'obs', column: name });
  return {
    format: 'cotangent/1',
    tables: { obs: { columns } },
    blocks: [
      ...Object.keys(columns).map(column),
      { id: 'k', kind: 'parameter', initial: 0.4 },
      ...blocks,
      { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
    ],
    objective: 'loss',
  };
}

async function comparisonOf(blocks: readonly PlainBlock[], columns?: PlainBlock): Promise<Plot> {
  const [plot] = await plotsOf(await modelOf(document(blocks, columns)));
  return plot!;
}

describe('a curve between the data', () => {
  it('is drawn where rows are independent', async () => {
    const { x, groups } = await comparisonOf([{ id: 'curve', kind: 'map', formula: 'exp(-k * t)' }]);
    expect(x.id).toBe('t');
    const { curve } = groups[0]!;
    expect(curve!.x.length).toBeGreaterThan(100);
    curve!.x.forEach((at, i) => expect(curve!.y[i]).toBeCloseTo(Math.exp(-0.4 * at), 12));
  });

  const none: Record<string, readonly PlainBlock[]> = {
    'a sum over the rows': [
      { id: 's', kind: 'reduce', operator: 'add', values: 't' },
      { id: 'curve', kind: 'map', formula: 'k * (t - s/5)' },
    ],
    'a sum over another column of the table': [
      { id: 's', kind: 'reduce', operator: 'add', values: 'w' },
      { id: 'curve', kind: 'map', formula: 'k * t * s' },
    ],
    'the number of rows': [{ id: 'curve', kind: 'map', formula: 'k * t / length(t)' }],
    'the row number': [{ id: 'curve', kind: 'map', formula: 'k * t + index' }],
    'a scan in a group': [
      {
        id: 'box',
        kind: 'group',
        inputs: { x: 't' },
        blocks: [{ id: 'total', kind: 'scan', operator: 'add', values: 'x' }],
        outputs: { total: 'total' },
      },
      { id: 'curve', kind: 'map', formula: 'k * s', inputs: { s: 'box.total' } },
    ],
    'a scan': [
      { id: 's', kind: 'scan', operator: 'add', values: 't' },
      { id: 'curve', kind: 'map', formula: 'k * s' },
    ],
    'a recurrence': [
      { id: 's', kind: 'recurrence', inputs: { u: 't' }, state: { a: { initial: 0, next: 'a + u' } } },
      { id: 'curve', kind: 'map', formula: 'k * s' },
    ],
    'a shift': [
      { id: 's', kind: 'shift', values: 't', by: 1 },
      { id: 'curve', kind: 'map', formula: 'k * (t + s)' },
    ],
    'a reverse': [
      { id: 's', kind: 'reverse', values: 't' },
      { id: 'curve', kind: 'map', formula: 'k * s' },
    ],
    'a gather by a constant': [
      { id: 'i', kind: 'constant', value: [0, 0, 1, 2], type: 'int' },
      { id: 's', kind: 'gather', from: 't', indices: 'i' },
      { id: 'curve', kind: 'map', formula: 'k * s' },
    ],
    'a histogram over the rows': [
      { id: 's', kind: 'histogram', operator: 'add', keys: 'g', values: 't', bins: 'g' },
      { id: 'own', kind: 'gather', from: 's', indices: 'g' },
      { id: 'curve', kind: 'map', formula: 'k * t / own' },
    ],
    'a filter': [
      { id: 'kept', kind: 'filter', values: 't', where: 't >= 0' },
      { id: 'curve', kind: 'map', formula: 'k * kept' },
    ],
    'an array of its own': [
      { id: 's', kind: 'constant', value: [1, 2, 3, 4] },
      { id: 'curve', kind: 'map', formula: 'k * t * s' },
    ],
    'a column that varies beside the abscissa': [{ id: 'curve', kind: 'map', formula: 'k * t * w' }],
    'what was observed': [{ id: 'curve', kind: 'map', formula: 'k * t + 0 * y' }],
  };
  it.each(Object.entries(none))('is not drawn over %s', async (_, blocks) => {
    const { groups } = await comparisonOf(blocks);
    expect(groups.map(({ curve }) => curve)).toEqual(groups.map(() => undefined));
    expect(groups.flatMap(({ points }) => [...points.y]).toSorted()).toEqual(rows.y.toSorted());
  });

  const drawn: Record<string, readonly PlainBlock[]> = {
    'a map in a group': [
      {
        id: 'box',
        kind: 'group',
        inputs: { x: 't' },
        blocks: [{ id: 'inner', kind: 'map', formula: 'exp(-x)' }],
        outputs: { out: 'inner' },
      },
      { id: 'curve', kind: 'map', formula: 'k * s', inputs: { s: 'box.out' } },
    ],
    'parameters gathered by a category': [
      { id: 'p', kind: 'parameter', initial: 0.5, like: 'g' },
      { id: 'own', kind: 'gather', from: 'p', indices: 'g' },
      { id: 'curve', kind: 'map', formula: 'k * exp(-own * t)' },
    ],
    'a matrix product over features': [
      { id: 'square', kind: 'map', formula: 't^2' },
      { id: 'c1', kind: 'reshape', values: 't', shape: [-1, 1] },
      { id: 'c2', kind: 'reshape', values: 'square', shape: [-1, 1] },
      { id: 'X', kind: 'concatenate', values: ['c1', 'c2'], axis: 1 },
      { id: 'b', kind: 'parameter', initial: [0.5, -0.1] },
      { id: 'Xb', kind: 'matmul', left: 'X', right: 'b' },
      { id: 'curve', kind: 'map', formula: 'k + Xb' },
    ],
    'a table that is looked up': [
      { id: 'xs', kind: 'constant', value: [0, 2, 5] },
      { id: 'ys', kind: 'constant', value: [1, 0, 3] },
      { id: 'f', kind: 'interpolate', x: 't', xs: 'xs', ys: 'ys' },
      { id: 'curve', kind: 'map', formula: 'k * f' },
    ],
    'a sum over features': [
      { id: 'r', kind: 'reshape', values: 't', shape: [-1, 1] },
      { id: 'freq', kind: 'constant', value: [1, 2, 3] },
      { id: 'waves', kind: 'map', formula: 'sin(r * freq)' },
      { id: 'curve', kind: 'reduce', operator: 'add', values: 'waves', axis: 1 },
    ],
    'a differential equation at its own times': [
      { id: 'x', kind: 'ode', times: 't', state: { a: { initial: 1, rate: '-k * a' } } },
      { id: 'curve', kind: 'map', formula: '2 * x' },
    ],
  };
  it.each(Object.entries(drawn))('is drawn over %s', async (_, blocks) => {
    const model = await modelOf(document(blocks));
    const [plot] = await plotsOf(model);
    expect(plot!.x.id).toBe('t');
    for (const { curve } of plot!.groups) expect(curve!.x.length).toBeGreaterThan(20);
    await holds(document(blocks), model, plot!);
  });
});

/** Each point of each curve is what is computed for a table with that abscissa, everything else as it is. */
async function holds(plain: PlainBlock, model: Model, plot: Plot, folder?: string): Promise<void> {
  const column = model.blocks.get(plot.x.id!)!.node.block as unknown as { table: string; column: string };
  const cells = cellsOf(model.tables.get(column.table)!);
  const { groups } = drawingsOf(model).find(({ comparison }) => comparison.of === plot.of)!;
  const solved = [...model.blocks.values()].some(({ node }) => node.block.kind === 'ode');
  const at = async (of: (name: string, known: readonly unknown[]) => readonly unknown[]): Promise<number[]> => {
    const columns = Object.fromEntries([...cells].map(([name, known]) => [name, of(name, known)]));
    const tables = { ...(plain['tables'] as PlainBlock), [column.table]: { columns } };
    return predictions(await modelOf({ ...plain, tables }, folder), plot.of);
  };
  for (const [group, { curve }] of plot.groups.entries()) {
    const row = groups.of.indexOf(group);
    if (!curve) continue;
    if (solved) {
      const found = await at((name, known) => (name === column.column ? curve.x : curve.x.map(() => known[row])));
      curve.y.forEach((y, i) => expect(y).toBeCloseTo(found[i]!, 9));
      continue;
    }
    for (let i = 0; i < curve.x.length; i += Math.ceil(curve.x.length / 7)) {
      const found = await at((name, known) => (name === column.column ? known.with(row, curve.x[i]) : known));
      expect(Math.abs(curve.y[i]! - found[row]!)).toBeLessThanOrEqual(1e-12 * Math.max(1, Math.abs(found[row]!)));
    }
  }
}

async function predictions(model: Model, of: string): Promise<number[]> {
  const lowered = lowerModel(model, { links: new Map([['p', predictionOf(model, of)]]) });
  const instance = await startInstance(device, lowered);
  await instance.run();
  const values = await instance.read('p');
  instance.release();
  const block = model.blocks.get(of)!.node.block as unknown as { family?: string };
  return Array.from(values, (value) => (block.family === 'log-normal' ? Math.exp(value) : value));
}

function cellsOf({ columns }: Table): Map<string, unknown[]> {
  return new Map(
    [...columns].map(([name, raw]) => [
      name,
      raw.kind === 'numbers'
        ? Array.from(raw.values, (value) => (Number.isNaN(value) ? null : value))
        : Array.from({ length: raw.length }, (_, row) => numberOrText(raw.cell(row), raw.quoted(row))),
    ]),
  );
}

function predictionOf(model: Model, of: string) {
  const { links } = model.blocks.get(of)!;
  return (links.get('prediction') ?? links.get('mean') ?? links.get('probability'))!;
}

function numberOrText(cell: string, quoted: boolean): unknown {
  if (cell === '') return null;
  return !quoted && cell.trim() !== '' && Number.isFinite(Number(cell)) ? Number(cell) : cell;
}

describe('the catalogue', () => {
  it.each(examples.map(({ name }) => name))('%s', async (name) => {
    const plain = JSON.parse(readFileSync(join(folderOfExamples, `${name}.cot.json`), 'utf8')) as PlainBlock;
    const model = await modelOf(plain, folderOfExamples);
    for (const plot of await plotsOf(model)) {
      if (plot.kind === 'comparison' && plot.groups.some(({ curve }) => curve))
        await holds(plain, model, plot, folderOfExamples);
    }
  });
});
