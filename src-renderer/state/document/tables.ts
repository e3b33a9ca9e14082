/** The tables of a document and what of them is drawn. */
import type { Draft } from './draft.ts';
import { isRecord, own } from './draft.ts';
import { asId } from '../../../models/formula/names.ts';

export function tableNames(draft: Draft): string[] {
  return isRecord(draft['tables']) ? Object.keys(draft['tables']) : [];
}

/** Columns of a table as far as the document itself names them: inline ones, and those that blocks use. */
export function knownColumns(draft: Draft, table: string): string[] {
  const inline = own(own(draft['tables'], table), 'columns');
  const names = new Set(isRecord(inline) ? Object.keys(inline) : []);
  for (const block of draft.blocks) {
    const column = block['column'];
    if (block.kind === 'column' && block['table'] === table && typeof column === 'string') names.add(column);
  }
  return [...names];
}

export interface FreeColumn {
  readonly table: string;
  readonly column: string;
  /** The column's name as an id. */
  readonly id: string;
}

/** Inline columns that no block shows yet; for a table in a file, whose columns only the engine knows, a blank one. */
export function columnsNotDrawn(draft: Draft): FreeColumn[] {
  return tableNames(draft).flatMap((table): FreeColumn[] => {
    const drawn = new Set(
      draft.blocks
        .filter((block) => block.kind === 'column' && block['table'] === table)
        .map((block) => block['column']),
    );
    const known = knownColumns(draft, table).filter((column) => !drawn.has(column));
    if (own(own(draft['tables'], table), 'file') !== undefined) return [{ table, column: '', id: 'column' }];
    return known.map((column) => ({ table, column, id: asId(column) }));
  });
}
