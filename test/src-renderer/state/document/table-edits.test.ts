/** Tables worked on in the window: what is excluded is kept with its reason, and every edit is a step that can be undone. */
import { describe, expect, it } from 'vitest';
import { openLog, perform, undo } from '../../../../src-renderer/state/document/command-log.ts';
import { isCommand, type Command } from '../../../../src-renderer/state/document/commands.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import {
  editTable,
  exclusionsOf,
  isInline,
  pastedCells,
  readCell,
  rowCount,
  withExclusion,
} from '../../../../src-renderer/state/document/table-edits.ts';

const draft: Draft = {
  format: 'cotangent/1',
  blocks: [],
  tables: {
    tiny: { columns: { t: [0, 1, 2], y: [1, 0.6, 0.4] } },
    far: { file: 'far.csv', excluded: [{ row: 4, why: 'spilt' }] },
  },
};

describe('cells', () => {
  it('are written, and one beyond the end makes a row that is empty elsewhere', () => {
    const edited = editTable(draft, {
      table: 'tiny',
      cells: [
        ['y', 1, 7],
        ['t', 4, 9],
      ],
    });
    expect(edited['tables']).toMatchObject({
      tiny: { columns: { t: [0, 1, 2, null, 9], y: [1, 7, 0.4, null, null] } },
    });
    expect([rowCount(draft, 'tiny'), rowCount(edited, 'tiny')]).toEqual([3, 5]);
    expect([isInline(draft, 'tiny'), isInline(draft, 'far')]).toEqual([true, false]);
  });

  it('of a file, or of no table, stay as they are', () => {
    const edit = { table: 'far', cells: [['y', 1, 7]] } as const;
    expect(editTable(draft, edit)['tables']).toEqual(draft['tables']);
    expect(editTable(draft, { ...edit, table: 'none' })).toBe(draft);
  });

  it('are pasted from one on, to the last column', () => {
    expect(pastedCells(['a', 'b', 'c'], 'b', 2, '1\t2\t3\nx\t\n')).toEqual([
      ['b', 2, 1],
      ['c', 2, 2],
      ['b', 3, 'x'],
      ['c', 3, null],
    ]);
  });

  it.each([
    ['', null],
    ['1e-3', 0.001],
    ['0,25', 0.25],
    ['−4', -4],
    ['n. d.', 'n. d.'],
    ['1,2,3', '1,2,3'],
  ])('are read as typed: %s', (text, value) => {
    expect(readCell(text)).toBe(value);
  });
});

describe('a table in a file', () => {
  it('is taken into the document with what it excludes, and its cells are then written', () => {
    const inline = { x: [1, 2, 3, 4, 5], y: [1, null, 3, 'n. d.', 5] };
    const edited = editTable(draft, { table: 'far', inline, cells: [['y', 1, 2]] });
    expect(isInline(draft, 'far')).toBe(false);
    expect(edited['tables']).toMatchObject({
      far: { columns: { ...inline, y: [1, 2, 3, 'n. d.', 5] }, excluded: [{ row: 4, why: 'spilt' }] },
    });
  });
});

describe('rows', () => {
  it('are excluded for a reason and taken in again, in their order', () => {
    const more = withExclusion(draft, 'far', [7, 2], 'bubble');
    expect(more).toEqual([
      { row: 2, why: 'bubble' },
      { row: 4, why: 'spilt' },
      { row: 7, why: 'bubble' },
    ]);
    const edited = editTable(draft, { table: 'far', excluded: more });
    expect([...exclusionsOf(edited, 'far')]).toEqual([
      [2, 'bubble'],
      [4, 'spilt'],
      [7, 'bubble'],
    ]);
    const none = editTable(draft, { table: 'far', excluded: withExclusion(draft, 'far', [4], undefined) });
    expect(none['tables']).toMatchObject({ far: { file: 'far.csv' } });
    expect(exclusionsOf(none, 'far').size).toBe(0);
    expect(withExclusion(draft, 'tiny', [1], '')).toEqual([{ row: 1 }]);
  });
});

it('every edit is one step of the log', () => {
  const command: Command = { type: 'table', what: 'Exclude row 1', table: 'tiny', excluded: [{ row: 1 }] };
  expect(isCommand(command)).toBe(true);
  const log = perform(openLog(draft), command, null, 0);
  expect(exclusionsOf(log.draft, 'tiny').has(1)).toBe(true);
  expect(undo(log).draft).toEqual(draft);
});
