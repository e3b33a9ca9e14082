/** Rows that are excluded count for nothing, and nothing else moves. */
import { describe, expect, it } from 'vitest';
import { documentOf, json, map, parameter, refusal, written, type PlainBlock } from '../../support/command-line.ts';

const column = (id: string, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'column',
  table: 'obs',
  column: id,
  ...more,
});
const blocks = (formula: string): PlainBlock[] => [
  column('x'),
  column('y'),
  column('who'),
  parameter('a', 0),
  parameter('k', 1),
  map('m', formula),
  { id: 'total', kind: 'reduce', operator: 'add', values: 'x' },
  { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
];
const columns = {
  x: [0, 1, 2, 3, 4, 5],
  y: [1.1, 2.9, 50, 6.8, 9.1, -50],
  who: ['b', 'a', 'c', 'a', 'c', 'b'],
};
const without = (rows: readonly number[]): typeof columns => ({
  x: columns.x.filter((_, row) => !rows.includes(row)),
  y: columns.y.filter((_, row) => !rows.includes(row)),
  who: columns.who.filter((_, row) => !rows.includes(row)),
});
const rows = [5, 2];
const excluded = rows.map((row) => ({ row, why: 'the stopper leaked' }));
const model = (table: unknown): string =>
  written(documentOf(blocks('a + k*x'), { objective: 'l', tables: { obs: table } }), {
    'obs.csv': ['x,y,who', ...columns.x.map((x, i) => `${x},${columns.y[i]},${columns.who[i]}`)].join('\n'),
  });

describe('excluded rows', () => {
  it('are as if they were not there, be the table written or a file', async () => {
    const outputs = ['evaluate', '--output', 'x,y,total,m'] as const;
    const [command, ...rest] = outputs;
    const wanted = await json(command, model({ columns: without(rows) }), ...rest);
    expect(wanted).toMatchObject({ values: { x: [0, 1, 3, 4], total: 8 } });
    expect(await json(command, model({ columns, excluded }), ...rest)).toEqual(wanted);
    expect(await json(command, model({ file: 'obs.csv', excluded }), ...rest)).toEqual(wanted);
  });

  it('leave the labels and codes of a category as they were', async () => {
    const first = [{ row: 0 }, { row: 5 }];
    const { values } = (await json('evaluate', model({ columns, excluded: first }), '--output', 'who')) as {
      values: { who: number[] };
    };
    // 'b' has the code 0 still, though no row has it any more.
    expect(values.who).toEqual([1, 2, 1, 2]);
  });

  it('that are not there, named twice or no rows are refused', async () => {
    const wrong = (list: unknown): Promise<string> =>
      refusal(documentOf(blocks('a + k*x'), { objective: 'l', tables: { obs: { columns, excluded: list } } }));
    expect(await wrong([{ row: 6 }])).toMatch(/table "obs".*row 6.*6 rows/);
    expect(await wrong([{ row: 1 }, { row: 1 }])).toMatch(/row 1 twice/);
    expect(await wrong([{ row: -1 }])).toMatch(/table "obs"/);
    expect(await wrong([{ row: 0.5 }])).toMatch(/table "obs"/);
    expect(await wrong([3])).toMatch(/table "obs"/);
  });
});
