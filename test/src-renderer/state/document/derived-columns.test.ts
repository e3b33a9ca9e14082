/** Columns by formula: map blocks of a table's columns. */
import { describe, expect, it } from 'vitest';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import { derivedColumn, derivedColumns, elementOf } from '../../../../src-renderer/state/document/derived-columns.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';

const draft: Draft = {
  format: 'cotangent/1',
  tables: { obs: { file: 'obs.csv' } },
  blocks: [
    { id: 'time', kind: 'column', table: 'obs', column: 't' },
    { id: 'k', kind: 'parameter', initial: 1 },
    { id: 'curve', kind: 'map', formula: 'k * time' },
  ],
};
const columns = ['t', 'y', 'dose (mg)'];
const made = (text: string, of = draft) => derivedColumn(of, 'obs', columns, text);

describe('a column by formula', () => {
  it('is a map, with the columns that no block shows yet, and those that one does under its own name', () => {
    const command = made('z = log(y) / t + dose_mg');
    expect(command).toEqual({
      type: 'add',
      blocks: [
        { id: 'y', kind: 'column', table: 'obs', column: 'y' },
        { id: 'dose_mg', kind: 'column', table: 'obs', column: 'dose (mg)' },
        { id: 'z', kind: 'map', formula: 'log(y) / t + dose_mg', inputs: { t: 'time' } },
      ],
      positions: [],
    });
    if (typeof command === 'string') return;
    const first = applyCommand(draft, command);
    const second = made('zz = 2 * z', first);
    expect(second).toMatchObject({ blocks: [{ id: 'zz', formula: '2 * z' }] });
    // What a parameter enters is no column.
    if (typeof second !== 'string')
      expect(derivedColumns(applyCommand(first, second), 'obs').map(({ id }) => id)).toEqual(['z', 'zz']);
  });

  it.each([
    ['log(y)', 'Wanted a name and a formula, as "z = log(y)".'],
    ['k = y', 'There is a block "k" already.'],
    ['exp = y', '"exp" is no name for a column.'],
    ['z = w', 'The table has no column "w".'],
  ])('is refused in a sentence: %s', (text, why) => expect(made(text)).toBe(why));

  it('stays one while its formula is at fault, so that it says so', () => {
    const written = (formula: string): Draft => ({
      ...draft,
      blocks: [...draft.blocks, { id: 'z', kind: 'map', formula }],
    });
    for (const formula of ['log(time) + nowhere', 'log(time', 'time *'])
      expect(derivedColumns(written(formula), 'obs').map(({ id }) => id)).toEqual(['z']);
    // Of no column is none.
    expect(derivedColumns(written('nowhere + 1'), 'obs')).toEqual([]);
    expect(derivedColumns(written('time * k + nowhere'), 'obs')).toEqual([]);
  });

  it('has no element for a row that counts for nothing', () => {
    const excluded = new Map([
      [1, ''],
      [3, ''],
    ]);
    expect([0, 1, 2, 3, 4].map((row) => elementOf(row, excluded))).toEqual([0, undefined, 1, undefined, 2]);
  });
});
