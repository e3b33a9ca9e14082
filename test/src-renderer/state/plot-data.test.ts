import { describe, expect, it } from 'vitest';
import type { ArrayValue, CheckReport } from '../../../src-main/contract.ts';
import { curveDraft, denseCurves } from '../../../src-renderer/state/curve-draft.ts';
import type { Draft } from '../../../src-renderer/state/draft.ts';
import { plotData, plotRequests, referencesOf } from '../../../src-renderer/state/plot-data.ts';

function array(values: readonly number[], element: 'real' | 'int' = 'real'): ArrayValue {
  return {
    element,
    shape: [values.length],
    values: element === 'int' ? Int32Array.from(values) : Float64Array.from(values),
  };
}

type Row = [
  id: string,
  kind: string,
  inputs: Record<string, string>,
  element: 'real' | 'int',
  sizes: number[],
  labels?: string[],
];

function report(rows: readonly Row[]): CheckReport {
  return {
    blocks: rows.map(([id, kind, inputs, element, sizes, labels]) => ({
      id,
      kind,
      inputs: Object.entries(inputs).map(([port, source]) => ({ port, source })),
      outputs: [{ name: '', element, shape: sizes, sizes, ...(labels ? { labels } : {}) }],
    })),
    problems: [],
  };
}

const decay: Draft = {
  format: 'cotangent/1',
  tables: { obs: { file: 'decay.csv' } },
  blocks: [
    { id: 't', kind: 'column', table: 'obs', column: 'time' },
    { id: 'y', kind: 'column', table: 'obs', column: 'y' },
    { id: 'k', kind: 'parameter', initial: 0.1 },
    { id: 'curve', kind: 'map', formula: 'exp(-k * t)' },
    { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y', sigma: 0.5 },
  ],
  objective: 'loss',
};
const decayReport = report([
  ['t', 'column', {}, 'real', [3]],
  ['y', 'column', {}, 'real', [3]],
  ['k', 'parameter', {}, 'real', []],
  ['curve', 'map', { k: 'k', t: 't' }, 'real', [3]],
  ['loss', 'least-squares', { prediction: 'curve', observed: 'y' }, 'real', []],
]);

describe('a fit of a curve to points', () => {
  const [request] = plotRequests(decay, decayReport);

  it('finds the column that feeds the prediction', () => {
    expect(request).toMatchObject({
      form: 'points',
      observed: 'y',
      prediction: 'curve',
      candidates: ['t'],
      sigma: 0.5,
    });
    expect(referencesOf(request!)).toEqual(['y', 'curve', 't']);
  });

  it('sorts the curve by the abscissa and leaves missing values out of the points', () => {
    const values = new Map([
      ['t', array([2, 0, 1])],
      ['y', array([0.3, NaN, 0.6])],
      ['curve', array([0.2, 1, 0.5])],
    ]);
    expect(plotData(request!, values)).toEqual({
      objective: 'loss',
      form: 'points',
      x: 't',
      observed: 'y',
      series: [
        {
          label: '',
          band: [],
          points: [
            { x: 2, y: 0.3, error: 0.5, predicted: 0.2 },
            { x: 1, y: 0.6, error: 0.5, predicted: 0.5 },
          ],
          curve: [
            [0, 1],
            [1, 0.5],
            [2, 0.2],
          ],
        },
      ],
    });
  });

  it('has no picture before its values are there', () => {
    expect(plotData(request!, new Map())).toBeNull();
  });

  it('asks for the curve on a grid with the part of the document that makes it', () => {
    const values = new Map([
      ['t', array([2, 0, 1])],
      ['curve', array([0.2, 1, 0.5])],
    ]);
    const curve = curveDraft(decay, decayReport, request!, values);
    expect(curve?.draft.blocks.map((block) => block.id)).toEqual(['t', 'k', 'curve']);
    expect(curve?.grid.at(0)).toBe(0);
    expect(curve?.grid.at(-1)).toBe(2);
    expect(curve?.draft['tables']).toEqual({ obs: { columns: { time: curve?.grid } } });
    const dense = denseCurves(curve!, curve!.grid);
    expect(dense.get(0)?.at(-1)).toEqual([2, 2]);
  });
});

describe('several subjects', () => {
  const draft: Draft = {
    format: 'cotangent/1',
    tables: { obs: { file: 'pk.csv' } },
    blocks: [
      { id: 'subject', kind: 'column', table: 'obs', column: 'who' },
      { id: 'dose', kind: 'column', table: 'obs', column: 'dose' },
      { id: 't', kind: 'column', table: 'obs', column: 't' },
      { id: 'y', kind: 'column', table: 'obs', column: 'y' },
      { id: 'k', kind: 'parameter', initial: 1, like: 'subject' },
      { id: 'row', kind: 'gather', from: 'k', indices: 'subject' },
      { id: 'curve', kind: 'map', formula: 'dose * exp(-row * t)' },
      { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
    ],
    objective: 'loss',
  };
  const checked = report([
    ['subject', 'column', {}, 'int', [4], ['ann', 'bob']],
    ['dose', 'column', {}, 'real', [4]],
    ['t', 'column', {}, 'real', [4]],
    ['y', 'column', {}, 'real', [4]],
    ['k', 'parameter', { like: 'subject' }, 'real', [2]],
    ['row', 'gather', { from: 'k', indices: 'subject' }, 'real', [4]],
    ['curve', 'map', { dose: 'dose', row: 'row', t: 't' }, 'real', [4]],
    ['loss', 'least-squares', { prediction: 'curve', observed: 'y' }, 'real', []],
  ]);
  const values = new Map([
    ['subject', array([0, 0, 1, 1], 'int')],
    ['dose', array([4, 4, 5, 5])],
    ['t', array([0, 3, 0, 7])],
    ['y', array([4, 1, 5, 2])],
    ['curve', array([4, 1.5, 5, 1.5])],
  ]);
  const [request] = plotRequests(draft, checked);

  it('part by the indices of the gather, against the column that says most', () => {
    expect(request?.group).toBe('subject');
    const data = plotData(request!, values, ['ann', 'bob']);
    expect(data?.x).toBe('t');
    expect(data?.series.map((series) => [series.label, series.points.length])).toEqual([
      ['ann', 2],
      ['bob', 2],
    ]);
  });

  it('keep their labels and their doses on the grid of the curve', () => {
    const curve = curveDraft(draft, checked, request!, values)!;
    const columns = (curve.draft['tables'] as { obs: { columns: Record<string, unknown[]> } }).obs.columns;
    const n = curve.grid.length;
    expect(columns['who']).toEqual([...Array(n).fill('ann'), ...Array(n).fill('bob')]);
    expect(columns['dose']).toEqual([...Array(n).fill(4), ...Array(n).fill(5)]);
    expect(columns['t']).toEqual([...curve.grid, ...curve.grid]);
  });

  it('have no smooth curve where another column varies within a subject', () => {
    const varying = new Map([...values, ['dose', array([4, 3, 5, 5])]]);
    expect(curveDraft(draft, checked, request!, varying)).toBeNull();
  });
});

describe('counts', () => {
  it('of a histogram are bars over their bins', () => {
    const draft: Draft = {
      format: 'cotangent/1',
      blocks: [
        { id: 'keys', kind: 'column', table: 'obs', column: 'k' },
        { id: 'one', kind: 'constant', value: 1 },
        { id: 'counts', kind: 'histogram', operator: 'add', keys: 'keys', values: 'one', bins: 3 },
        { id: 'rate', kind: 'map', formula: 'a' },
        { id: 'fit', kind: 'likelihood', family: 'poisson', observed: 'counts', mean: 'rate' },
      ],
      objective: ['fit'],
    };
    const checked = report([
      ['keys', 'column', {}, 'int', [9]],
      ['one', 'constant', {}, 'real', []],
      ['counts', 'histogram', { keys: 'keys', values: 'one' }, 'real', [3]],
      ['rate', 'map', {}, 'real', [3]],
      ['fit', 'likelihood', { observed: 'counts', mean: 'rate' }, 'real', []],
    ]);
    const [request] = plotRequests(draft, checked);
    expect(request).toMatchObject({ form: 'counts', prediction: 'rate', candidates: [] });
    const data = plotData(
      request!,
      new Map([
        ['counts', array([2, 5, 2])],
        ['rate', array([3, 4, 2])],
      ]),
    );
    expect(data?.x).toBeUndefined();
    expect(data?.series[0]?.points.map((mark) => [mark.x, mark.y, mark.predicted])).toEqual([
      [0, 2, 3],
      [1, 5, 4],
      [2, 2, 2],
    ]);
  });
});

describe('a series whose rows depend on each other', () => {
  const draft: Draft = {
    format: 'cotangent/1',
    blocks: [
      { id: 'rain', kind: 'column', table: 'obs', column: 'r' },
      { id: 'flow', kind: 'column', table: 'obs', column: 'f' },
      { id: 'store', kind: 'scan', operator: 'add', values: 'rain' },
      { id: 'loss', kind: 'least-squares', prediction: 'store', observed: 'flow' },
    ],
    objective: 'loss',
  };
  const checked = report([
    ['rain', 'column', {}, 'real', [3]],
    ['flow', 'column', {}, 'real', [3]],
    ['store', 'scan', { values: 'rain' }, 'real', [3]],
    ['loss', 'least-squares', { prediction: 'store', observed: 'flow' }, 'real', []],
  ]);
  const values = new Map([
    ['rain', array([3, 0, 2])],
    ['flow', array([1, 2, 3])],
    ['store', array([3, 3, 5])],
  ]);

  it('is looked at row by row when no column follows the rows', () => {
    const [request] = plotRequests(draft, checked);
    expect(plotData(request!, values)?.x).toBeUndefined();
    expect(curveDraft(draft, checked, request!, values)).toBeNull();
  });
});
