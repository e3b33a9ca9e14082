/** Tables that were imported, added to a document. */
import { expect, it } from 'vitest';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { applyCommand } from '../../../../src-renderer/state/document/commands.ts';
import { addedTable, asFragment, type TakenColumn } from '../../../../src-renderer/state/import/added-table.ts';
import { load } from '../../../support/documents.ts';

const column = (name: string, role: TakenColumn['role'], unit = ''): TakenColumn => ({
  name,
  unit,
  type: 'real',
  role,
});
const empty: Draft = { format: 'cotangent/1', name: 'Test', blocks: [] };
const entry = { columns: { t: [0, 1], y: [1, 2] } };

it('has a block for each column that has a use, under names that are free', () => {
  const columns = [column('t', 'x', 'h'), column('y', 'y'), column('note', 'keep')];
  const once = applyCommand(empty, addedTable(empty, 'data', entry, columns));
  const both = applyCommand(once, addedTable(once, 'data', entry, columns));
  expect(Object.keys(both['tables'] as object)).toEqual(['data', 'data2']);
  expect(both.blocks.slice(-2)).toEqual([
    { id: 't2', kind: 'column', table: 'data2', column: 't', unit: 'h' },
    { id: 'y2', kind: 'column', table: 'data2', column: 'y' },
  ]);
});

it('gives ids that may be to columns whose names may not', async () => {
  const names = ['e', 'exp', '__proto__', 'µ', '2x'];
  const odd = { columns: Object.fromEntries(names.map((name) => [name, [1, 2]])) };
  const { blocks, tables } = applyCommand(
    empty,
    addedTable(
      empty,
      'data',
      odd,
      names.map((name) => column(name, 'y')),
    ),
  );
  expect(blocks.slice(0, 2).map(({ id }) => id)).toEqual(['e_', 'exp_']);
  expect((await load(blocks, { tables })).problems).toEqual([]);
});

it('takes a group for labels, also where it is numbers', () => {
  const { blocks } = addedTable(empty, 'data', entry, [column('t', 'group')]) as { blocks: readonly object[] };
  expect(blocks).toEqual([{ id: 't', kind: 'column', table: 'data', column: 't', type: 'category' }]);
});

it('stands one column below the other when it comes to a model, and its table bears the name of its file', () => {
  const columns = applyCommand(empty, addedTable(empty, 'data', entry, [column('t', 'x'), column('y', 'y')]));
  const fragment = asFragment(columns, 'run 7');
  expect(fragment['tables']).toEqual({ run_7: entry });
  expect(fragment.blocks).toMatchObject([{ table: 'run_7' }, { table: 'run_7' }]);
  expect(fragment['view']).toEqual({ positions: { t: [0, 0], y: [0, 72] } });
});
