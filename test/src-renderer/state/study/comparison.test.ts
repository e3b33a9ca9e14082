import { describe, expect, it } from 'vitest';
import {
  comparedCriteria,
  comparedParameters,
  comparisonTable,
  differenceText,
  toldRun,
} from '../../../../src-renderer/state/study/comparison.ts';
import type { Run } from '../../../../src-renderer/state/document/runs.ts';

const run = (number: number, k: number, statistics: Record<string, number> = {}): Run => ({
  number,
  name: number === 2 ? 'with bounds' : '',
  pinned: false,
  kind: 'fit',
  method: 'levenberg-marquardt',
  outcome: 'Converged',
  objective: 10 * number,
  values: [{ name: 'k', value: k, interval: [k - 1, k + 1] }],
  statistics,
  parameters: {},
  device: 'cpu',
  precision: 'f64',
  milliseconds: 1,
  finishedAt: '2026-01-01T00:00:00Z',
  draft: { format: 'cotangent/1', blocks: [] },
  of: ['objective'],
  meaning: '',
});

describe('runs side by side', () => {
  it('tells values and how far they are from the first', () => {
    const [row] = comparedParameters([run(1, 2), run(2, 3)]);
    expect(row?.values.map(({ value }) => value)).toEqual([2, 3]);
    expect(row?.values.map(differenceText)).toEqual(['', '+1 (+50 %)']);
    expect(comparedParameters([run(1, 2), run(2, 2 + 1e-9)])[0]?.values.map(differenceText)).toEqual(['', 'the same']);
    expect(comparedParameters([run(1, -2), run(2, -3)])[0]?.values.map(differenceText)).toEqual(['', '−1 (−50 %)']);
  });

  it('has the criteria that some run knows', () => {
    expect(comparedCriteria([run(1, 2), run(2, 3)]).map(({ name }) => name)).toEqual(['objective']);
    const rows = comparedCriteria([run(1, 2, { aic: 5 }), run(2, 3)]);
    expect(rows.map(({ name }) => name)).toEqual(['objective', 'AIC']);
    expect(rows[1]?.values.map(({ value }) => value)).toEqual([5, NaN]);
  });

  it('has an element in one row wherever it stands in each run', () => {
    const of = (number: number, labels: string[]) => {
      const values = labels.map((label, i) => ({ name: `k[${i}]`, value: label.length, interval: null }));
      return toldRun({ ...run(number, 1), values }, new Map([['k', labels]]));
    };
    const rows = comparedParameters([of(1, ['low', 'higher']), of(2, ['higher', 'low'])]);
    expect(rows.map(({ name, values }) => [name, ...values.map(({ value }) => value)])).toEqual([
      ['k[low]', 3, 3],
      ['k[higher]', 6, 6],
    ]);
  });

  it('can be taken away', () => {
    expect(comparisonTable([run(1, 2), run(2, 3)])).toMatchObject({
      columns: [
        'quantity',
        'fit 1',
        'fit 1 lower',
        'fit 1 upper',
        'with bounds',
        'with bounds lower',
        'with bounds upper',
      ],
      rows: [
        ['objective', 10, null, null, 20, null, null],
        ['k', 2, 1, 3, 3, 2, 4],
      ],
    });
  });
});
