/** What a document's own reader finds in a plain file, an import finds as well. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { beginImport } from '../../../../models/tables/import/import.ts';
import { decodeText, readCsv } from '../../../../models/tables/csv.ts';
import { typeColumn } from '../../../../models/tables/type-column.ts';

const catalogue = 'models/catalogue';

type Column = readonly [name: string, values: readonly (number | string | null)[]];

function asDocument(bytes: Uint8Array): Column[] {
  return [...readCsv('t', 't.csv', decodeText(bytes)).columns].map(([name, raw]) => {
    const typed = typeColumn(raw, undefined);
    if ('row' in typed) throw new Error(`${name}: ${typed.wanted}`);
    const { values, category } = typed;
    return [name, Array.from(values, (x) => (category ? (category[x] ?? null) : Number.isNaN(x) ? null : x))];
  });
}

async function asImport(bytes: Uint8Array): Promise<Column[]> {
  const { columns, rows } = await beginImport('t.csv', bytes).read({});
  return columns.map((column) => [
    column.name,
    Array.from({ length: rows }, (_, row) => {
      const text = column.text(row);
      return text === undefined ? null : column.type === 'category' ? text : (column.values?.[row] ?? null);
    }),
  ]);
}

describe('the same columns', () => {
  it.each(readdirSync(catalogue).filter((name) => name.endsWith('.csv')))('of %s', async (name) => {
    const bytes = readFileSync(join(catalogue, name));
    expect(await asImport(bytes)).toEqual(asDocument(bytes));
  });

  it('of any table of numbers', async () => {
    const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer({ min: -999, max: 999 }));
    const table = fc.array(fc.tuple(number, number, number), { minLength: 2, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(table, fc.constantFrom(',', ';', '\t', '|'), async (rows, delimiter) => {
        const text = [['a', 'b', 'c'], ...rows].map((row) => row.join(delimiter)).join('\n');
        const bytes = new TextEncoder().encode(text);
        expect(await asImport(bytes)).toEqual(asDocument(bytes));
      }),
    );
  });
});
