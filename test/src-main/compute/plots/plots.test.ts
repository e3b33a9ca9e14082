import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/index.ts';
import { catalogue as examples } from '../../../../models/catalogue/index.ts';
import { createPlotter } from '../../../../src-main/compute/plots/plots.ts';
import { residualsAt } from '../../../../src-main/compute/plots/residuals.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { lowerModel } from '../../../../models/lower/lower.ts';
import { startInstance } from '../../../../src-main/compute/running/run.ts';
import { drawingsOf } from '../../../../models/plots/drawings.ts';
import type { Table } from '../../../../models/tables/table.ts';
import type { Model } from '../../../../models/load/model.ts';
import { shownPoints, undrawnText, type Plot, type PlotGroup } from '../../../../src-main/contract/plots.ts';
import { plotSvg } from '../../../../src-main/export/plots/svg.ts';

const device = cpuDevice();
afterAll(() => device.close());

type PlainBlock = Record<string, unknown>;

const folderOfExamples = join(import.meta.dirname, '../../../../models/catalogue');

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

function document(
  blocks: readonly PlainBlock[],
  columns: PlainBlock = rows,
  types: Readonly<Record<string, string>> = {},
): PlainBlock {
  const column = (name: string): PlainBlock => ({
    ...{ id: name, kind: 'column', table: 'obs', column: name },
    ...(types[name] && { type: types[name] }),
  });
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

async function comparisonOf(
  blocks: readonly PlainBlock[],
  columns?: PlainBlock,
  types?: Readonly<Record<string, string>>,
): Promise<Plot> {
  const [plot] = await plotsOf(await modelOf(document(blocks, columns, types)));
  return plot!;
}

it('has hundredths written as percent, and what is in percent already as it is', async () => {
  const scaleIn = async (unit: string) => {
    const curve = { id: 'curve', kind: 'map', formula: 'exp(-k * t)' };
    const plain = document([curve]);
    const blocks = (plain['blocks'] as PlainBlock[]).map((block) => (block['id'] === 'y' ? { ...block, unit } : block));
    const view = { plots: { loss: { y: { scale: 'percent' } } } };
    const [plot] = await plotsOf(await modelOf({ ...plain, blocks, view }));
    return plot!.y.scale;
  };
  expect(await scaleIn('1')).toBe('percent');
  expect(await scaleIn('%')).toBe('linear');
});

it('names an axis by the column, where the id is no more than its name as ids are written', async () => {
  const labelOf = async (id: string, column: string, unit: string, label?: string): Promise<string> => {
    const plain = document([{ id: 'curve', kind: 'map', formula: `exp(-k * ${id})` }], { [column]: rows.t, y: rows.y });
    const blocks = (plain['blocks'] as PlainBlock[]).map((block) =>
      block['column'] === column ? { ...block, id, unit, ...(label !== undefined && { label }) } : block,
    );
    const [plot] = await plotsOf(await modelOf({ ...plain, blocks }));
    expect(plot!.x.id).toBe(id);
    return plot!.x.label;
  };
  expect(await labelOf('length_', 'length', 'mm')).toBe('length');
  expect(await labelOf('cell_count', 'cell count', '1')).toBe('cell count');
  expect(await labelOf('Conc_mg_L', 'Conc. (mg/L)', 'mg/L')).toBe('Conc.');
  expect(await labelOf('girth', 'circumference', 'mm')).toBe('girth');
  expect(await labelOf('length_', 'length', 'mm', 'Stem')).toBe('Stem');
}, 60_000);

describe('what is looked up by place', () => {
  /** Two courses at three times, of which five values were measured, not in their order. */
  const lookedUp = (columns: PlainBlock): Promise<Plot> =>
    comparisonOf(
      [
        { id: 'times', kind: 'constant', value: [1, 1, 2, 2, 4, 4] },
        { id: 'all', kind: 'map', formula: 'exp(-k * times)' },
        { id: 'curve', kind: 'gather', from: 'all', indices: 'at' },
      ],
      { at: [4, 0, 2, 1, 5], y: [0.2, 0.7, 0.5, 0.6, 0.3], ...columns },
      { at: 'int' },
    );

  it('stands at the time that the place knows, by its experiment', async () => {
    const { x, groups } = await lookedUp({ when: [4, 1, 2, 1, 4], whose: ['b', 'b', 'b', 'a', 'a'] });
    expect(x.id).toBe('when');
    expect(groups.map(({ key, points }) => [key, [...points.x]])).toEqual([
      ['b', [4, 1, 2]],
      ['a', [1, 4]],
    ]);
    expect(groups[0]!.points.predicted![2]).toBeCloseTo(Math.exp(-0.8), 12);
  });

  it('stands at its place where nothing else is known of it', async () => {
    expect((await lookedUp({})).x.id).toBe('at');
    expect((await lookedUp({ whose: ['b', 'b', 'b', 'a', 'a'] })).x.id).toBe('at');
  });

  it('does not stand at what the place does not know', async () => {
    expect((await lookedUp({ at: [0, 0, 2, 1, 5], noise: [1, 2, 3, 4, 5] })).x.id).toBe('at');
  });
});

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
    'a filter beside rows that none has left out': [
      { id: 'kept', kind: 'filter', values: 't', where: 't >= 0' },
      { id: 'curve', kind: 'map', formula: 'k * kept + t' },
    ],
    'a filter by the row number': [
      { id: 'kept', kind: 'filter', values: 't', where: 't + index >= 0' },
      { id: 'curve', kind: 'map', formula: 'k * kept' },
    ],
    'a filter by a mean': [
      { id: 's', kind: 'reduce', operator: 'add', values: 'w' },
      { id: 'kept', kind: 'filter', values: 't', where: 't < s' },
      { id: 'curve', kind: 'map', formula: 'k * kept' },
    ],
    'a sum over what a filter keeps': [
      { id: 'kept', kind: 'filter', values: 't', where: 't >= 0' },
      { id: 's', kind: 'reduce', operator: 'add', values: 'kept' },
      { id: 'curve', kind: 'map', formula: 'k * t * s' },
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
    'a filter that keeps all': [
      { id: 'kept', kind: 'filter', values: 't', where: 't >= 0' },
      { id: 'curve', kind: 'map', formula: 'k * kept' },
    ],
    'a filter by what was observed': [
      { id: 'kept', kind: 'filter', values: 't', where: 'y > 0.01' },
      { id: 'curve', kind: 'map', formula: 'k * kept' },
    ],
    'a filter of a filter': [
      { id: 'kept', kind: 'filter', values: 't', where: 'w > 0' },
      { id: 'again', kind: 'filter', values: 'kept', where: 'kept < 9' },
      { id: 'curve', kind: 'map', formula: 'exp(-k * again)' },
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

describe('a document that nobody thought of', () => {
  const blocks = [{ id: 'curve', kind: 'map', formula: 'k * t' }];

  it('has its only row at its abscissa', async () => {
    const { x, groups } = await comparisonOf(blocks, { t: [3], y: [2] });
    expect(x.id).toBe('t');
    expect(groups).toEqual([{ key: null, points: { x: [3], y: [2], rows: [0], predicted: [0.4 * 3] } }]);
  });

  it('has an abscissa and nothing on it where the table is empty', async () => {
    const { x, groups } = await comparisonOf(blocks, { t: [], y: [] });
    expect(x.id).toBe('t');
    expect(groups[0]!.points.x).toEqual([]);
  });

  it('has a gap in its curve where the model has no value', async () => {
    const [t, y] = [
      [1, 2, 5, 6],
      [1, 1, 3, 4],
    ];
    const { groups } = await comparisonOf([{ id: 'curve', kind: 'map', formula: 'k * sqrt((t - 2.5) * (t - 4.5))' }], {
      ...{ t, y },
    });
    const { curve } = groups[0]!;
    curve!.x.forEach((at, i) => {
      const wanted = 0.4 * Math.sqrt((at - 2.5) * (at - 4.5));
      if (Number.isNaN(wanted)) expect(curve!.y[i]).toBeNaN();
      else expect(curve!.y[i]).toBeCloseTo(wanted, 12);
    });
    expect(curve!.y.filter(Number.isNaN).length).toBeGreaterThan(50);
  });

  it('keeps its abscissa where what was observed is scaled by it', async () => {
    const plain = document([...blocks, { id: 'r', kind: 'map', formula: 'y / (1 + t)' }]);
    const last = (plain['blocks'] as PlainBlock[]).at(-1)!;
    last['observed'] = 'r';
    const model = await modelOf(plain);
    const [plot] = await plotsOf(model);
    expect(plot!.x.id).toBe('t');
    expect(plot!.groups[0]!.curve!.x.length).toBe(200);
    await holds(plain, model, plot!);
  });

  it('stands over what varies within its groups, not over what is the same in each', async () => {
    const subject = ['a', 'b', 'c', 'd', 'e', 'f'];
    const visits = [1, 2, 3];
    const columns = {
      subject: subject.flatMap((id) => visits.map(() => id)),
      weight: subject.flatMap((_, i) => visits.map(() => 60 + 3.5 * i)),
      visit: subject.flatMap(() => visits),
      y: subject.flatMap((_, i) => visits.map((visit) => visit + i / 10)),
    };
    const grouped = (type: 'category' | 'real', formula: string): PlainBlock[] => [
      ...(type === 'category'
        ? [
            { id: 'whose', kind: 'column', table: 'obs', column: 'subject', type },
            { id: 'effect', kind: 'parameter', initial: subject.map((_, i) => i / 7) },
            { id: 'own', kind: 'gather', from: 'effect', indices: 'whose' },
          ]
        : [{ id: 'own', kind: 'map', formula: '0 * weight' }]),
      { id: 'curve', kind: 'map', formula },
    ];
    const { subject: ids, ...numbers } = columns;
    const plain = document(grouped('category', 'own + k * visit * log(weight)'), numbers);
    (plain['tables'] as { obs: { columns: PlainBlock } }).obs.columns['subject'] = ids;
    const model = await modelOf(plain);
    const [plot] = await plotsOf(model);
    expect(plot).toMatchObject({ x: { id: 'visit' }, by: 'whose' });
    expect(plot!.groups.map(({ key, curve }) => [key, curve?.x.length])).toEqual(subject.map((id) => [id, 200]));
    await holds(plain, model, plot!);
    // Without curves too: rows that meet are drawn over the same.
    const total = { id: 'total', kind: 'reduce', operator: 'add', values: 'visit' };
    const summed = grouped('category', 'own + k * visit * log(weight) / total');
    const met = document([total, ...summed], numbers);
    (met['tables'] as { obs: { columns: PlainBlock } }).obs.columns['subject'] = ids;
    const [drawn] = await plotsOf(await modelOf(met));
    expect(drawn).toMatchObject({ x: { id: 'visit' }, by: 'whose' });
    expect(drawn!.groups[0]!.curve).toBeUndefined();
    // Of numbers alone the one with the most values says most.
    expect((await comparisonOf(grouped('real', 'own + k * visit * log(weight)'), numbers)).x.id).toBe('weight');
  });

  it('stands over a constant or a range that goes along its rows, and over no table that is looked up', async () => {
    const constant = { id: 'at', kind: 'constant', value: [5, 6, 7, 9] };
    const over = async (more: readonly PlainBlock[], formula: string) =>
      (await comparisonOf([...more, { id: 'curve', kind: 'map', formula }], { y: [1, 2, 3, 4] })).x.id;
    expect(await over([constant], 'k * at')).toBe('at');
    expect(await over([{ id: 'at', kind: 'range', like: 'y', start: 0, step: 0.5 }], 'k * at')).toBe('at');
    const looked = { id: 'f', kind: 'interpolate', x: 'k', xs: 'at', ys: 'at' };
    expect(await over([constant, looked], 'k * f')).toBeNull();
  });

  it('compares a number with data too', async () => {
    const plain = {
      ...{ format: 'cotangent/1', tables: { obs: { columns: { y: [1, 2, 4] } } }, objective: 'loss' },
      blocks: [
        { id: 'y', kind: 'column', table: 'obs', column: 'y' },
        { id: 's', kind: 'parameter', initial: 2 },
        { id: 'loss', kind: 'likelihood', family: 'normal', mean: 3, sigma: 's', observed: 'y' },
      ],
    };
    const [plot, residuals] = await plotsOf(await modelOf(plain));
    expect(plot!.prediction).toBeNull();
    expect(plot!.groups[0]!.points).toMatchObject({ x: [0, 1, 2], y: [1, 2, 4], predicted: [3, 3, 3] });
    expect(residuals!.groups[0]!.points.y).toEqual([-1, -0.5, 0.5]);
  });

  it('of many points some are drawn, and how many there are is told', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => i);
    const columns = { t: many.map((i) => i / 1000), y: many.map((i) => (i % 100 === 99 ? null : i % 7)) };
    const json = document([{ id: 'curve', kind: 'map', formula: 'k*t' }], columns);
    const plotter = await createPlotter(await modelOf(json), device);
    const [drawn] = await plotter.at({}, { thinned: true });
    const [all] = await plotter.at({});
    plotter.release();
    const [few, every] = [drawn!.groups[0]!, all!.groups[0]!];
    expect(few.points.x.length).toBeLessThan(10_000);
    expect(few.whole).toEqual({ points: every.points.x.length, censored: 0, unplaced: 0 });
    expect(every.whole).toBeUndefined();
    expect(every.points.x).toHaveLength(29_700);
  });

  it('says of many points how many are drawn, and of all how many have no place on a logarithmic axis', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => i);
    const columns = { t: many.map((i) => i / 1000), y: many.map((i) => (i % 3 === 0 ? -1 : 1 + (i % 7))) };
    const json = document([{ id: 'curve', kind: 'map', formula: 'k*t' }], columns);
    const look = { plots: { loss: { x: { scale: 'log' }, y: { scale: 'log' } } } };
    const plotter = await createPlotter(await modelOf({ ...json, view: look }), device);
    const [drawn, residuals] = await plotter.at({}, { thinned: true });
    plotter.release();
    const points = drawn!.groups[0]!.points.x.length;
    // A third of them lies at -1; of the others none is at the time 0.
    expect(undrawnText(drawn!)).toBe(
      `${points} of 30\u2009000 points drawn, peaks among them; 10\u2009000 points have no place: not above 0`,
    );
    // Residuals have no logarithms; the first row has no place along x.
    expect(undrawnText(residuals!)).toMatch(/ of 30\u2009000 points drawn, peaks among them; 1 point has no place: /);
  });

  it('shows a group of which no row counts, with what was measured and nothing else', async () => {
    const plain = document(
      [
        { id: 'p', kind: 'parameter', initial: 0.5, like: 'g' },
        { id: 'own', kind: 'gather', from: 'p', indices: 'g' },
        { id: 'curve', kind: 'map', formula: 'own * t' },
      ],
      { t: [0, 1, 2, 0, 1, 2, 3], y: [0, 1, 2, 0, 2, 4, 9], g: ['a', 'a', 'a', 'b', 'b', 'b', 'c'] },
    );
    const { obs } = plain['tables'] as { obs: PlainBlock };
    obs['excluded'] = [{ row: 6, why: 'the pump failed' }];
    const [plot] = await plotsOf(await modelOf(plain));
    expect(plot!.groups.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(plot!.groups[2]).toEqual({
      key: 'c',
      points: { x: [3], y: [9], predicted: [NaN], rows: [6], excluded: [true] },
    });
    expect(plot!.groups[1]!.points.excluded).toBeUndefined();
    expect(plot!.groups[1]!.points.rows).toEqual([3, 4, 5]);
  });

  it('says which row of the table each point is, where observations are made of a column and a filter chooses rows', async () => {
    const plain = document(
      [
        { id: 'a', kind: 'parameter', initial: 1 },
        { id: 'logged', kind: 'map', formula: 'log(y)' },
        { id: 'early', kind: 'filter', values: ['t', 'logged'], where: 't < 5' },
        { id: 'curve', kind: 'map', formula: 'a * x', inputs: { x: 'early.0' } },
      ],
      { t: [9, 0, 1, 2, 3, 8], y: [1, 1, 2, 4, 8, 16] },
    );
    for (const block of plain['blocks'] as PlainBlock[])
      if (block['kind'] === 'least-squares') block['observed'] = 'early.1';
    const { obs } = plain['tables'] as { obs: PlainBlock };
    obs['excluded'] = [{ row: 2 }, { row: 5 }];
    const [plot, residuals] = await plotsOf(await modelOf(plain));
    const { x, y, rows, excluded } = plot!.groups[0]!.points;
    expect(plot!.table).toBe('obs');
    expect({ x, rows, excluded }).toEqual({
      x: [0, 2, 3, 1],
      rows: [1, 3, 4, 2],
      excluded: [false, false, false, true],
    });
    expect(y.at(-1)).toBe(Math.log(2));
    expect(residuals!.groups[0]!.points.rows).toEqual([1, 3, 4]);
  });

  it('stands against the numbers that rows have in the table, whichever are left out', async () => {
    const plain = document([{ id: 'curve', kind: 'parameter', initial: 1 }], { t: [0, 0, 0, 0], y: [1, 2, 3, 4] });
    const { obs } = plain['tables'] as { obs: PlainBlock };
    obs['excluded'] = [{ row: 1 }];
    const [plot] = await plotsOf(await modelOf(plain));
    expect(plot!.groups[0]!.points).toMatchObject({ x: [0, 2, 3, 1], y: [1, 3, 4, 2], rows: [0, 2, 3, 1] });
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

describe('observations of which a limit alone is known', () => {
  const columns = { t: [0, 1, 2, 3, 4, 5], y: [1, 0.6, 0, 9, 0.2, 0.1], lod: [0.1, 0.1, 0.3, 0.1, 0.1, 0.1] };
  const censored = (censored: PlainBlock, cells: PlainBlock = {}): PlainBlock => {
    const { blocks, ...rest } = document([{ id: 'curve', kind: 'map', formula: 'exp(-k * t)' }], {
      ...columns,
      ...cells,
    });
    const loss = {
      id: 'loss',
      kind: 'likelihood',
      family: 'normal',
      mean: 'curve',
      sigma: 0.1,
      observed: 'y',
      censored,
    };
    return { ...rest, blocks: [...(blocks as PlainBlock[]).slice(0, -1), loss] };
  };
  const shown = async (document: PlainBlock) => {
    const model = await modelOf(document);
    const [plot, residuals] = (await plotsOf(model)).map(({ groups }) => groups[0]!.points);
    const [alone] = await residualsAt(model, device, {});
    return { plot: plot!, residuals: residuals!, alone: alone!.groups[0]!.residuals };
  };

  it('stand at their limits, whatever is in their cells, and leave no residual', async () => {
    const { plot, residuals, alone } = await shown(censored({ left: 'lod', right: 5 }));
    expect(plot.censored).toEqual([null, null, 'left', 'right', null, 'left']);
    expect(plot.y).toEqual([1, 0.6, 0.3, 5, 0.2, 0.1]);
    expect(plot.error).toEqual([0.1, 0.1, NaN, NaN, 0.1, NaN]);
    expect(residuals.rows).toEqual([0, 1, 4]);
    expect([...alone]).toEqual(residuals.y);
  });

  it('are told by marks, and by where an interval ends', async () => {
    const marks = { low: [0, 0, 1, 0, 0, 0], end: [null, 2, null, null, 0.2, null] };
    const { plot, residuals } = await shown(censored({ left: 'low', interval: 'end' }, marks));
    expect(plot.censored).toEqual([null, 'interval', 'left', null, null, null]);
    expect(plot.y).toEqual(columns.y);
    expect(residuals.rows).toEqual([0, 3, 4, 5]);
  });

  it('are in no mean, and drawn beside it', async () => {
    const replicates = { t: [0, 0, 1, 1, 2, 2], y: [1, 1.2, 0.5, 0.7, 0, 0.4] };
    const plain = censored({ left: 'lod' }, replicates);
    const [plot] = await plotsOf(await modelOf({ ...plain, view: { plots: { loss: { errors: 'sd' } } } }));
    const { means } = plot!.groups[0]!;
    expect(means!.x).toEqual([0, 1, 2]);
    [1.1, 0.6, 0.4].forEach((mean, i) => expect(means!.y[i]).toBeCloseTo(mean, 12));
    expect(shownPoints(plot!.groups[0]!).y.at(-1)).toBe(0.1);
    expect(plotSvg(plot!)).toContain('1 censored');
  });
});

describe('as a picture', () => {
  const axis = { id: 't', label: 't', unit: '', scale: 'linear' } as const;
  const pictureOf = (points: PlotGroup['points'], more: Partial<PlotGroup> = {}): string =>
    plotSvg({
      ...{
        of: 'loss',
        kind: 'comparison',
        prediction: 'curve',
        by: null,
        x: axis,
        y: { ...axis, id: 'y', label: 'y' },
      },
      groups: [{ key: null, points, ...more }],
    });

  it('has as many points as there are', () => {
    // More than a call takes arguments.
    const x = Array.from({ length: 130_000 }, (_, i) => i);
    expect(pictureOf({ x, y: x }).match(/<circle/g)).toHaveLength(x.length);
  });

  it('has room for the ends of its error bars, and for what is beside its means', () => {
    // An end that were cut off would stand on the frame, where another end or a point is.
    const barred = pictureOf({ x: [1, 2, 3], y: [5, 5, 5], error: [1, 40, 80] });
    const ends = [...barred.matchAll(/class="error"[^>]*y1="([\d.]+)" y2="([\d.]+)"/g)].map(
      ([, a, b]) => Number(a) - Number(b),
    );
    expect(ends[1]! / ends[0]!).toBeCloseTo(40, 0);
    expect(ends[2]! / ends[1]!).toBeCloseTo(2, 1);
    const aside = pictureOf(
      { x: [1, 1, 2], y: [1, 3, 500], excluded: [false, false, true] },
      { means: { x: [1], y: [2], error: [1] } },
    );
    expect(aside).toMatch(/>500<\/text>/);
  });
});

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

describe('residuals by themselves', () => {
  const shuffled = { t: [4, 1, NaN, 0, 1, 2], y: [0.1, 0.6, 0.7, 1, 0.5, 0.4], g: ['b', 'a', 'a', 'a', 'a', 'b'] };

  it.each<readonly [string, string | PlainBlock]>([
    ['groups whose rows are in no order', document([{ id: 'curve', kind: 'map', formula: 'exp(-k * t)' }], shuffled)],
    ...examples
      .filter(({ name }) => /dnase|puromycin|chick|faithful|orange|fiji/.test(name))
      .map(({ name }) => [name, name] as const),
  ])('are those of the plots, in the order of the abscissa: %s', async (_, source) => {
    const file = (name: string): unknown =>
      JSON.parse(readFileSync(join(folderOfExamples, `${name}.cot.json`), 'utf8'));
    const model = await modelOf(typeof source === 'string' ? file(source) : source, folderOfExamples);
    const plotted = (await plotsOf(model)).filter(({ kind }) => kind === 'residuals');
    const found = await residualsAt(model, device, {});
    expect(found.map(({ of, x }) => ({ of, x }))).toEqual(plotted.map(({ of, x }) => ({ of, x })));
    plotted.forEach(({ groups }, i) => {
      const ordered = groups.map(({ key, points }) => {
        const rows = points.x.map((x, j) => ({ x, r: points.y[j]! })).sort((a, b) => a.x - b.x);
        return { key, x: rows.map(({ x }) => x), residuals: rows.map(({ r }) => r) };
      });
      const told = found[i]?.groups.map(({ key, xAt, residuals }) => ({
        key,
        x: Array.from(residuals, (_, at) => xAt(at)),
        residuals: [...residuals],
      }));
      expect(told).toEqual(ordered);
    });
  });
});
