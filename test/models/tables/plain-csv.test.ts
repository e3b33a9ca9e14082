import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codesOf } from '../../../models/tables/codes.ts';
import { readCsv } from '../../../models/tables/csv.ts';
import { plainCsv } from '../../../models/tables/plain-csv.ts';
import { splitCsv } from '../../../models/tables/split-csv.ts';
import { typeColumn } from '../../../models/tables/type-column.ts';

const cell = fc.oneof(
  fc.double().map(String),
  fc.integer().map(String),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((x) => x.toFixed(4)),
  fc.constantFrom(
    '',
    ' ',
    'NA',
    'NaN',
    '-',
    '+1.5',
    '.',
    '-.5',
    '5.',
    '1e3',
    '1e-400',
    '-0',
    '00012',
    '1.2.3',
    'µg',
    ' 2 ',
  ),
  fc.constantFrom('9007199254740993', '123456789012345678901234567890', '0.00000000000000000000000001', '1,5'),
);
const lineBreak = fc.constantFrom('\n', '\r\n', '\r');

describe('plainCsv', () => {
  it('finds the rows, cells and numbers that splitCsv finds', () => {
    const table = fc
      .tuple(fc.integer({ min: 1, max: 4 }), lineBreak, fc.constantFrom('', '\n', '\n\n \n'))
      .chain(([width, end, tail]) =>
        fc
          .array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 12 })
          .map((rows) => ({
            width,
            text: rows.map((row) => row.join(';')).join(end) + tail,
          })),
      );
    fc.assert(
      fc.property(table, fc.constantFrom('.' as const, ',' as const), ({ width, text }, decimal) => {
        const codes = codesOf(text);
        const wanted = splitCsv(text, ';', { codes });
        const found = plainCsv(text, codes, { delimiter: ';', decimal, width });
        const isRegular = Array.from({ length: wanted.count }, (_, i) => wanted.width(i)).every((w) => w === width);
        expect(found !== undefined).toBe(isRegular);
        if (!found) return;
        expect(found.count).toBe(wanted.count);
        for (let column = 0; column < width; column++) {
          const [numbers, plain] = [found.plain(column, 0, decimal), wanted.plain(column, 0, decimal)];
          for (let row = 0; row < found.count; row++) {
            expect(found.cell(row, column)).toBe(wanted.cell(row, column));
            expect(found.line(row)).toBe(wanted.line(row));
            expect(numbers[row]).toBe(plain[row]);
          }
        }
      }),
      { seed: 1, numRuns: 100 },
    );
  });

  it.each([
    ['a quoted cell', 'a;b\n1;"2"\n'],
    ['a row that is too short', '1;2\n3\n'],
    ['a row that is too long', '1;2\n3;4;5\n'],
  ])('leaves %s to splitCsv', (_, text) => {
    expect(plainCsv(text, codesOf(text), { delimiter: ';', decimal: '.', width: 2 })).toBeUndefined();
  });
});

describe('readCsv of a long table', () => {
  const rows = Array.from({ length: 6000 }, (_, i) => [(i / 7).toFixed(5), i % 5 === 0 ? 'NA' : String(-i)]);
  const values = (text: string, options = {}) => {
    const table = readCsv('t', undefined, text, options);
    return [...table.columns].map(([name, column]) => [name, typeColumn(column, undefined)] as const);
  };
  const text = ['x,y', ...rows.map((row) => row.join(','))].join('\n');

  it('reads numbers, missing cells and the header as of a short one', () => {
    const [[, x], [, y]] = values(text) as [[string, never], [string, never]];
    expect(x).toEqual({ element: 'real', missing: 0, values: Float64Array.from(rows, ([cell]) => Number(cell)) });
    expect(y).toEqual({ element: 'real', missing: 1200, values: Float64Array.from(rows, ([, cell]) => Number(cell)) });
  });

  it('reads the same with quotes and with decimal commas', () => {
    const plain = values(text);
    expect(values(text.replaceAll('x,y', '"x","y"'))).toEqual(plain);
    expect(values(text.replaceAll(',', ';').replaceAll('.', ','))).toEqual(plain);
    expect(values(text.replaceAll(',', '\t'))).toEqual(plain);
  });

  it('names the row that is too short, and its line', () => {
    expect(() => readCsv('t', undefined, `${text}\n7`)).toThrow('row 6001 (line 6002) has 1 cell');
  });

  it('takes a comma for the decimal mark where only a late row shows it', () => {
    const whole = Array.from({ length: 20_000 }, (_, i) => `${i};${i}`);
    const [[, y]] = values(['a;b', ...whole, '1,5;2'].join('\n')) as unknown as [[string, { values: Float64Array }]];
    expect(y.values.at(-1)).toBe(1.5);
  });
});
