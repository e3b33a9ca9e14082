/** Tables as spreadsheets leave them: per cent signs in the cells, and below the readings rows that sum them up. */
import { expect, it } from 'vitest';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
import { beginImport } from '../../../models/tables/import/import.ts';
import { isXml } from '../../../src-main/compute/model-import.ts';

async function readings(text: string) {
  const { columns, rows } = await beginImport('t.csv', Buffer.from(text)).read({});
  return readingsOf(columns, rows, findRoles(columns, rows));
}

it.each([
  ['conc,inhibition\n0.1,9.1%\n1,50.2%\n10,90.9%\n100,99.0%\n', [9.1, 50.2, 90.9, 99]],
  ['Konz;Hemmung\n0,1;9,1 %\n1;50,2 %\n10;-3,5 %\n100;99,0 %\n', [9.1, 50.2, -3.5, 99]],
])('cells with a per cent sign are numbers in per cent: %j', async (text, expected) => {
  const { x, y } = await readings(text);
  expect(Array.from(x!.values)).toEqual([0.1, 1, 10, 100]);
  expect(y.unit).toBe('%');
  expect(Array.from(y.values)).toEqual(expected);
});

const doses = ['s1,1,17', 's2,3,37', 's3,10,67', 's4,30,86', 's5,100,95'];

it.each([
  ['a total', ['Total,144,302']],
  ['a mean and a deviation below a blank row', [',,', 'Mean,28.8,60.4', 'SD,41,32']],
])('%s is no reading', async (_, below) => {
  const { y, dropped } = await readings(`sample,dose,response\n${[...doses, ...below].join('\n')}\n`);
  expect(Array.from(y.values)).toEqual([17, 37, 67, 86, 95]);
  const word = below.at(-1)!.split(',')[0];
  expect(dropped).toContainEqual({ row: 4 + below.length, why: `"${word}" sums up those above` });
});

it('a group that is called total is one', async () => {
  const rows = ['free', 'total'].flatMap((group, g) =>
    [1, 3, 10, 30].map((dose) => `${group},${dose},${dose * (g + 1)}`),
  );
  expect((await readings(`fraction,dose,bound\n${rows.join('\n')}\n`)).y.values).toHaveLength(8);
});

it('a plate whose corner is <> and a first cell below a limit are no XML', () => {
  const told = ['<>,1,2\nA,0.1,0.2\n', '<0.5,1\n', '<?xml version="1.0"?>', '<sbml>'].map((text) =>
    isXml(Buffer.from(text)),
  );
  expect(told).toEqual([false, false, true, true]);
  // As some programs of Windows write it.
  expect(isXml(Buffer.from('\uFEFF<?xml version="1.0" encoding="UTF-16"?><sbml>', 'utf16le'))).toBe(true);
});
