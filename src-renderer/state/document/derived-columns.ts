/**
 * Columns by formula: `z = log(y)` beside a table is a map block of its columns, as the format has it, so it is wired, fitted
 * and undone like any other block. Columns that the formula names, and no block shows yet, come along.
 */
import { asId, freeNames, isReservedName } from '../../../models/formula/names.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import type { Command } from './commands.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { blockOf } from './draft.ts';
import { isIdentifier } from './identifiers.ts';
import { referencesOf } from './references.ts';
import { blockOfReference } from './wiring.ts';

const columnOf = (block: BlockDraft, table: string): string | undefined =>
  block.kind === 'column' && block['table'] === table ? String(block['column']) : undefined;

/** What makes the column; a sentence where it cannot be made. */
export function derivedColumn(draft: Draft, table: string, columns: readonly string[], text: string): Command | string {
  const [, name = '', formula = ''] = /^\s*([^=\s]+)\s*=(?!=)\s*(.+)$/s.exec(text) ?? [];
  if (name === '') return 'Wanted a name and a formula, as "z = log(y)".';
  if (!isIdentifier(name) || isReservedName(name)) return `"${name}" is no name for a column.`;
  if (blockOf(draft, name)) return `There is a block "${name}" already.`;
  const parsed = parseFormula(formula);
  if (!parsed.ok) return `${formula}: ${parsed.error.message}`;
  const inputs: [port: string, block: string][] = [];
  const added: BlockDraft[] = [];
  for (const port of freeNames(parsed.formula)) {
    if (blockOf(draft, port)) continue;
    const column = columns.find((each) => each === port || asId(each) === port);
    if (column === undefined) return `The table has no column "${port}".`;
    const shown = draft.blocks.find((block) => columnOf(block, table) === column);
    if (shown) inputs.push([port, shown.id]);
    else added.push({ id: port, kind: 'column', table, column });
  }
  const block = { id: name, kind: 'map', formula, ...(inputs.length > 0 && { inputs: Object.fromEntries(inputs) }) };
  return { type: 'add', blocks: [...added, block], positions: [] };
}

export interface DerivedColumn {
  readonly id: string;
  readonly formula: string;
}

/** The maps that are made of this table's columns alone, or of such maps: one element for each row that counts. */
export function derivedColumns(draft: Draft, table: string): DerivedColumn[] {
  const found = new Map<string, boolean>();
  const isOf = (id: string): boolean => {
    const known = found.get(id);
    if (known !== undefined) return known;
    // What depends on itself is none.
    found.set(id, false);
    const block = blockOf(draft, id);
    const is = block !== undefined && (columnOf(block, table) !== undefined || isMapOf(block));
    found.set(id, is);
    return is;
  };
  const isMapOf = (block: BlockDraft): boolean => {
    const named = block.kind === 'map' && typeof block['formula'] === 'string' ? referencesOf(block) : [];
    // A name that is none's is a fault of the column, which says so where it stands.
    const sources = named.filter((reference) => blockOf(draft, blockOfReference(reference)));
    return sources.length > 0 && sources.every(isOf);
  };
  return draft.blocks.filter(isMapOf).map((block) => ({ id: block.id, formula: String(block['formula']) }));
}

/** The element that a row of the table is of what is made of its columns; undefined where the row counts for nothing. */
export function elementOf(row: number, excluded: ReadonlyMap<number, string>): number | undefined {
  if (excluded.has(row)) return undefined;
  return row - [...excluded.keys()].filter((each) => each < row).length;
}
