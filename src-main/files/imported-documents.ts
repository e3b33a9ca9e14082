/** Documents of imported tables: a small table stays inside, a large one becomes a plain file beside the document. */
import { csvChunks, fitsInside, plainCsv, type WrittenColumn } from '../../models/tables/import/write.ts';
import { writeTable } from './table-files.ts';

export type PlainDocument = Readonly<Record<string, unknown>>;

interface Inside {
  readonly columns: Readonly<Record<string, readonly (number | string | null)[]>>;
}

function columnsOf(document: PlainDocument) {
  const { data } = document['tables'] as { readonly data: Inside };
  const { columns, ...more } = data;
  const written = Object.entries(columns).map(([name, cells]): WrittenColumn => {
    const labels = cells.some((cell) => typeof cell === 'string');
    return {
      name,
      type: labels ? 'category' : 'real',
      text: (row) => (cells[row] === null || cells[row] === undefined ? undefined : String(cells[row])),
    };
  });
  return { written, rows: Object.values(columns)[0]?.length ?? 0, more };
}

/** Whether its table is small enough to stay. */
export function isInside(document: PlainDocument): boolean {
  const { written, rows } = columnsOf(document);
  return fitsInside(written, rows);
}

/** `folder` is where the document will lie. */
export async function withTableBeside(document: PlainDocument, folder: string, stem: string): Promise<PlainDocument> {
  const { written, rows, more } = columnsOf(document);
  if (fitsInside(written, rows)) return document;
  const file = await writeTable(folder, stem, csvChunks(written, rows));
  return { ...document, tables: { data: { file, ...plainCsv, ...more } } };
}
