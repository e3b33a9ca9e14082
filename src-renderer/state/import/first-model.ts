/**
 * What becomes of an imported table: its columns as blocks, and a first model wired to them with start values from the
 * data. Where the blocks lie is left to the layout.
 */
import { isReservedName } from '../../../models/formula/names.ts';
import type { ColumnRole, ColumnType, ImportSuggestion } from '../../../src-main/contract/import.ts';
import type { Command } from '../document/commands.ts';
import type { BlockDraft, Draft, JsonRecord } from '../document/draft.ts';
import { freshId, isRecord } from '../document/draft.ts';
import { asId } from '../document/tables.ts';

/** A column as it was imported, and what it is for. */
export interface TakenColumn {
  readonly name: string;
  readonly unit: string;
  readonly type: ColumnType;
  readonly role: ColumnRole;
  /** Of a y: the shape chosen for it. */
  readonly shape?: ImportSuggestion | undefined;
}

/** Makes blocks under ids that are free. */
interface Maker {
  readonly blocks: BlockDraft[];
  add(stem: string, block: Omit<BlockDraft, 'id'>): string;
}

function createMaker(draft: Draft): Maker {
  const taken = new Set(draft.blocks.map((block) => block.id));
  const blocks: BlockDraft[] = [];
  return {
    blocks,
    add(stem, block) {
      const id = freshId(taken, isReservedName(stem) ? `${stem}_` : stem);
      taken.add(id);
      blocks.push({ id, ...block } as BlockDraft);
      return id;
    },
  };
}

interface ColumnIds {
  readonly x: string | undefined;
  readonly group: string | undefined;
  /** Each y with the σ that follows it. */
  readonly observed: readonly {
    readonly y: string;
    readonly sigma: string | undefined;
    readonly column: TakenColumn;
  }[];
}

/** A block for each column that the model looks at. */
function addColumns(maker: Maker, table: string, columns: readonly TakenColumn[]): ColumnIds {
  const add = ({ name, unit, type, role }: TakenColumn): string => {
    // A group is told by labels, also where they are numbers; else the type is left to the cells where they say it.
    const said = role === 'group' ? 'category' : type === 'int' ? 'int' : undefined;
    return maker.add(asId(name), {
      kind: 'column',
      table,
      column: name,
      ...(said && { type: said }),
      ...(unit !== '' && { unit }),
    });
  };
  let [x, group] = [undefined as string | undefined, undefined as string | undefined];
  const observed: { y: string; sigma: string | undefined; column: TakenColumn }[] = [];
  for (const column of columns) {
    if (column.role === 'keep' || column.role === 'ignore') continue;
    const id = add(column);
    if (column.role === 'x') x = id;
    else if (column.role === 'group') group = id;
    else if (column.role === 'y') observed.push({ y: id, sigma: undefined, column });
    else {
      const last = observed.at(-1);
      if (last) last.sigma ??= id;
    }
  }
  return { x, group, observed };
}

/** A document of the table alone, with a first model of every y. */
export function firstModel(name: string, entry: JsonRecord, columns: readonly TakenColumn[]): Draft {
  const draft: Draft = { format: 'cotangent/1', name, tables: { data: entry }, blocks: [] };
  const maker = createMaker(draft);
  const { x, group, observed } = addColumns(maker, 'data', columns);
  const misfits = observed.flatMap(({ y, sigma, column }) => {
    if (!column.shape) return [];
    const abscissa = x ?? maker.add('row', { kind: 'range', like: y });
    const prediction = addCurve(maker, column.shape, abscissa, group);
    return [maker.add('misfit', { kind: 'least-squares', prediction, observed: y, ...(sigma && { sigma }) })];
  });
  const [objective = undefined] = misfits;
  return {
    ...draft,
    blocks: maker.blocks,
    ...(objective !== undefined && { objective: misfits.length === 1 ? objective : misfits }),
  };
}

/** The shape as a map over parameters. In groups each has its own: a parameter for every label, gathered row by row. */
function addCurve(maker: Maker, shape: ImportSuggestion, x: string, group: string | undefined): string {
  const names = new Map(
    shape.parameters.map(({ name, initial }) => {
      const id = maker.add(name, { kind: 'parameter', initial, ...(group && { like: group }) });
      const used = group ? maker.add(`${id}_row`, { kind: 'gather', from: id, indices: group }) : id;
      return [name, used] as const;
    }),
  );
  const formula = shape.formula.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'x' ? x : (names.get(name) ?? name),
  );
  return maker.add('model', { kind: 'map', formula });
}

/** The same table in a document that there is: its blocks, and no model of them. */
export function addedTable(draft: Draft, stem: string, entry: JsonRecord, columns: readonly TakenColumn[]): Command {
  const tables = new Set(isRecord(draft['tables']) ? Object.keys(draft['tables']) : []);
  const table = freshId(tables, asId(stem));
  const maker = createMaker(draft);
  addColumns(maker, table, columns);
  return { type: 'add', blocks: maker.blocks, positions: [], tables: [[table, entry]] };
}
