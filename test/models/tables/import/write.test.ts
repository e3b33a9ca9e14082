/** What an import writes, the documents' own reader reads back: the command line sees what the window saw. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { beginImport } from '../../../../models/tables/import/import.ts';
import { columnsInside, csvChunks, fitsInside, plainCsv, wholeRows } from '../../../../models/tables/import/write.ts';
import type { TableEntry } from '../../../../models/notation/table-entry.ts';
import { readTables } from '../../../../models/tables/read-tables.ts';
import { typeColumn } from '../../../../models/tables/type-column.ts';

type Cell = number | string | null;

const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(0.1, 5e-324, Number.MAX_VALUE));
const label = fc.oneof(
  fc.stringMatching(/^[A-Za-z",;\n µ]{1,6}$/).filter((text) => /\S/.test(text)),
  fc.constantFrom('1', 'NA', 'null', '2024-13-01'),
);
const column = fc.oneof(
  fc.array(fc.option(number.filter((x) => !Number.isNaN(x))), { minLength: 5, maxLength: 5 }),
  fc.array(fc.option(label), { minLength: 5, maxLength: 5 }),
);

/** Labels, or numbers with NaN for what is missing, as a column block has them without a type. */
async function seen(entry: TableEntry, file: string): Promise<Map<string, Cell[]>> {
  const { tables, problems } = await readTables({ t: entry }, () => Promise.resolve(new TextEncoder().encode(file)));
  expect(problems).toEqual([]);
  return new Map(
    [...(tables.get('t')?.columns ?? [])].map(([name, raw]) => {
      const typed = typeColumn(raw, undefined);
      if ('row' in typed) throw new Error(`${name}: ${typed.wanted}`);
      const { values, category } = typed;
      return [
        name,
        Array.from(values, (value) => (category ? (category[value] ?? null) : Number.isNaN(value) ? null : value)),
      ];
    }),
  );
}

it('reads back, from inside a document and from a file, what it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(column, { minLength: 1, maxLength: 3 }), async (cells) => {
      const records = Array.from({ length: 5 }, (_, i) =>
        Object.fromEntries(
          cells.map((each, j) => [
            `c${j}`,
            typeof each[i] === 'number' && !Number.isFinite(each[i]) ? String(each[i]) : each[i],
          ]),
        ),
      );
      const { columns, rows } = await beginImport('t.json', new TextEncoder().encode(JSON.stringify(records))).read({
        missing: [],
      });
      const wanted = new Map(
        columns.map((each) => [
          each.name,
          Array.from({ length: rows }, (_, row): Cell => {
            const text = each.text(row);
            return text === undefined ? null : each.type === 'real' ? (each.values?.[row] ?? null) : text;
          }),
        ]),
      );
      const text = [...csvChunks(columns, rows)].join('');
      expect(await seen({ file: 't.csv', ...plainCsv }, text)).toEqual(wanted);
      if (fitsInside(columns, rows)) expect(await seen(columnsInside(columns, rows), '')).toEqual(wanted);
    }),
  );
});

it('keeps dates and names as they are written', async () => {
  const { columns, rows } = await beginImport(
    't.csv',
    new TextEncoder().encode('day,"a ""b"""\n2024-02-28,1\nNA,2\n2024-03-01,3\n'),
  ).read({});
  const text = [...csvChunks(columns, rows)].join('');
  expect(text).toBe('"day","a ""b"""\n2024-02-28,1\nNA,2\n2024-03-01,3\n');
  expect(await seen({ file: 't.csv', ...plainCsv }, text)).toEqual(
    new Map([
      ['day', [0, null, 2]],
      ['a "b"', [1, 2, 3]],
    ]),
  );
});

it('leaves rows out that lack what the model needs, and nothing else', async () => {
  const { columns, rows } = await beginImport(
    't.csv',
    new TextEncoder().encode('x,y,g\n0,1,a\n,2,b\n2,,c\n3,4,\n'),
  ).read({});
  const whole = wholeRows(columns, [columns[0]!, columns[2]!], rows);
  expect(columnsInside(whole.columns, whole.rows)).toEqual({ columns: { x: [0, 2], y: [1, null], g: ['a', 'c'] } });
  expect(wholeRows(columns, [columns[1]!], rows).rows).toBe(3);
});

it('puts large tables in files', async () => {
  const lines = Array.from({ length: 12_000 }, (_, i) => `${i},${i / 7}`);
  const { columns, rows } = await beginImport('t.csv', new TextEncoder().encode(`x,y\n${lines.join('\n')}\n`)).read({});
  expect(fitsInside(columns, rows)).toBe(false);
  const pieces = [...csvChunks(columns, rows)];
  expect(pieces.length).toBe(4);
  const back = await seen({ file: 't.csv', ...plainCsv }, pieces.join(''));
  expect(back.get('y')?.at(-1)).toBe(11_999 / 7);
});
