/** Documents of imported tables: a small table stays inside, a large one becomes a plain file beside the document. */
import { csvChunks, fitsInside, plainCsv, type WrittenColumn } from '../../models/tables/import/write.ts';
import { writeTable } from './table-files.ts';

export type PlainDocument = Readonly<Record<string, unknown>>;

interface Inside {
  readonly columns: Readonly<Record<string, readonly (number | string | null)[]>>;
}

function tablesOf(document: PlainDocument) {
  return Object.entries(document['tables'] as Readonly<Record<string, Inside>>).map(([name, { columns, ...more }]) => {
    const written = Object.entries(columns).map(([column, cells]): WrittenColumn => {
      const labels = cells.some((cell) => typeof cell === 'string');
      return {
        name: column,
        type: labels ? 'category' : 'real',
        text: (row) => (cells[row] === null || cells[row] === undefined ? undefined : String(cells[row])),
      };
    });
    return { name, columns, written, rows: Object.values(columns)[0]?.length ?? 0, more };
  });
}

/** Whether its tables are small enough to stay. */
export function isInside(document: PlainDocument): boolean {
  return tablesOf(document).every(({ written, rows }) => fitsInside(written, rows));
}

/** `folder` is where the document will lie. */
export async function withTableBeside(document: PlainDocument, folder: string, stem: string): Promise<PlainDocument> {
  const tables: [string, object][] = [];
  for (const { name, columns, written, rows, more } of tablesOf(document))
    if (fitsInside(written, rows)) tables.push([name, { columns, ...more }]);
    else {
      const file = await writeTable(folder, stem, csvChunks(written, rows));
      tables.push([name, { file, ...plainCsv, ...more }]);
    }
  return { ...document, tables: Object.fromEntries(tables) };
}
