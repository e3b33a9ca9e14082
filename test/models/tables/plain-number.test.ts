import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cellNumber } from '../../../models/tables/cells.ts';
import { codesOf } from '../../../models/tables/codes.ts';
import { readCsv } from '../../../models/tables/csv.ts';
import { plainNumber } from '../../../models/tables/plain-number.ts';
import { typeColumn } from '../../../models/tables/type-column.ts';

const read = (cell: string, decimal: '.' | ',' = '.'): number => plainNumber(codesOf(cell), 0, cell.length, decimal);

const digits = (most: number) => fc.stringMatching(new RegExp(`^[0-9]{0,${most}}$`));
const written = fc
  .tuple(fc.constantFrom('', '-', '+'), digits(20), fc.constantFrom('', '.', ',', '..'), digits(20))
  .chain(([sign, whole, mark, rest]) =>
    fc
      .constantFrom('', 'e5', 'E-7', 'e+22', 'e-23', 'e', 'e+', 'e400', 'x', ' ')
      .map((end) => sign + whole + mark + rest + end),
  );

test('is the very number that the cell is, or nothing', () => {
  fc.assert(
    fc.property(
      fc.oneof(written, fc.double({ noNaN: true }).map(String), fc.string()),
      fc.constantFrom('.' as const, ',' as const),
      (cell, decimal) => {
        const found = read(cell, decimal);
        if (!Number.isNaN(found)) expect(found).toBe(cellNumber(cell, decimal));
      },
    ),
    { numRuns: 2000 },
  );
});

test('is found of what tables hold', () => {
  fc.assert(
    fc.property(fc.integer({ min: -(10 ** 15), max: 10 ** 15 }), fc.integer({ min: 0, max: 20 }), (whole, places) => {
      const cell = `${whole}e-${places}`;
      expect(read(cell)).toBe(Number(cell));
    }),
  );
  expect(['.5', '5.', '-0', '+1.25E+3', '9007199254740991'].map((cell) => read(cell))).toEqual([
    ...[0.5, 5, -0, 1250, 9007199254740991],
  ]);
  expect(['', '-', '.', '1e', '9007199254740993', '1e23', '0x1', '1 '].map((cell) => read(cell))).toEqual(
    Array.from({ length: 8 }, () => NaN),
  );
});

test('columns are the same where cells are plain, long, quoted, missing or beside letters that are no ASCII', () => {
  const rows = ['0.1;1', '"0.2";2', ' 3.3 ;NA', '12345678901234567890;1e-300', ';4', '-1e5;"5"'];
  const column = (name: string, header = 'tiefe;höhe') => {
    const table = readCsv('t', undefined, [header, ...rows].join('\n'));
    return typeColumn(table.columns.get(name)!, 'real');
  };
  expect(column('tiefe')).toMatchObject({ values: Float64Array.of(0.1, 0.2, 3.3, 12345678901234567890, NaN, -1e5) });
  expect(column('höhe')).toMatchObject({ values: Float64Array.of(1, 2, NaN, 1e-300, 4, 5), missing: 1 });
  expect(column('hoehe', 'tiefe;hoehe')).toEqual(column('höhe'));
});
