/** An imported table in a document that there is: its columns as blocks, and no model of them. */
import { asId, isReservedName } from '../../../models/formula/names.ts';
import type { ColumnRole, ColumnType } from '../../../src-main/contract/import.ts';
import type { Command } from '../document/commands.ts';
import type { BlockDraft, Draft, JsonRecord } from '../document/draft.ts';
import { freshId, isRecord } from '../document/draft.ts';

/** A column as it was imported, and what it is for. */
export interface TakenColumn {
  readonly name: string;
  readonly unit: string;
  readonly type: ColumnType;
  readonly role: ColumnRole;
}

type Added = Extract<Command, { type: 'add' }>;

/** Under names that are free; columns that are only kept have no block. */
export function addedTable(draft: Draft, stem: string, entry: JsonRecord, columns: readonly TakenColumn[]): Added {
  const tables = new Set(isRecord(draft['tables']) ? Object.keys(draft['tables']) : []);
  const table = freshId(tables, asId(stem));
  const taken = new Set(draft.blocks.map((block) => block.id));
  const blocks = columns
    .filter(({ role }) => role !== 'keep' && role !== 'ignore')
    .map(({ name, unit, type, role }): BlockDraft => {
      const id = freshId(taken, isReservedName(asId(name)) ? `${asId(name)}_` : asId(name));
      taken.add(id);
      // A group is told by labels, also where they are numbers; else the type is left to the cells where they say it.
      const said = role === 'group' ? 'category' : type === 'int' ? 'int' : undefined;
      return {
        ...{ id, kind: 'column', table, column: name },
        ...{ ...(said && { type: said }), ...(unit !== '' && { unit }) },
      };
    });
  return { type: 'add', blocks, positions: [], tables: [[table, entry]] };
}

/** Between the tops of two columns one below the other. */
const step = 72;

/** The columns of a document of one table one below the other, and the table under the name of its file. */
export function asFragment(columns: Draft, stem: string): Draft {
  const [entry] = Object.values(isRecord(columns['tables']) ? columns['tables'] : {});
  const table = asId(stem);
  return {
    ...columns,
    tables: { [table]: entry },
    blocks: columns.blocks.map((block) => (block.kind === 'column' ? { ...block, table } : block)),
    view: { positions: Object.fromEntries(columns.blocks.map(({ id }, i) => [id, [0, step * i]])) },
  };
}
