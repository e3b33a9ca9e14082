/** Cells that may be read in two ways: read as most of the file has them, and said where nothing tells. */
import { describe, expect, it } from 'vitest';
import { beginImport, type ImportedTable } from '../../../../models/tables/import/import.ts';

const read = (text: string, name = 't.csv'): Promise<ImportedTable> =>
  beginImport(name, new TextEncoder().encode(text)).read({});

const cells = ({ columns, rows }: ImportedTable, name: string): (string | null)[] => {
  const column = columns.find((each) => each.name === name);
  if (!column) throw new Error(`no column ${name} among ${columns.map((each) => each.name).join(', ')}`);
  return Array.from({ length: rows }, (_, row) => column.text(row) ?? null);
};

describe('marks between thousands', () => {
  it.each([
    [
      'a list of wells beside decimal commas',
      'x;y;wells\n0,5;12,345;104,105\n1,0;23,456;104,105,106\n',
      ['12.345', '23.456'],
    ],
    [
      'an address beside decimal points',
      'x,y,ip\n0.5,12.345,10.0.0.1\n1.0,23.456,192.168.100.200\n',
      ['12.345', '23.456'],
    ],
    ['a part number', 'x\ty\tpart\n0.512\t12.345\t10.123.456\n1.0\t23.456\t10.123.457\n', ['12.345', '23.456']],
    ['blanks, and decimal commas further down', 'x;y\n0,5;1 000\n1,5;2 000,5\n2,5;900\n', ['1000', '2000.5', '900']],
    ['blanks alone beside decimal commas', 'x;y\n0,5;1 000\n1,5;2 000\n', ['1000', '2000']],
    ['commas in quotes where commas part cells', 'x,y\n1,"1,000"\n2,950\n3,"1,200"\n', ['1000', '950', '1200']],
    ['points, with decimal commas', 'x;y\n1;1.234,5\n2;12,5\n', ['1234.5', '12.5']],
    ['commas, with decimal points', 'x;y\n1;"1,234.5"\n2;12.5\n', ['1234.5', '12.5']],
    ['commas in quotes in every cell of a column', 'x,y\n1,"1,107"\n2,"2,114"\n3,"3,121"\n', ['1107', '2114', '3121']],
    ['with decimals too', 'x,y\n1,"1,107.5"\n2,"2,114.5"\n', ['1107.5', '2114.5']],
    ['decimal commas in quotes, where commas part cells', 'x,y\n"1,0","3,6"\n"2,0","5,93"\n', ['3.6', '5.93']],
  ])('%s', async (_, text, y) => {
    expect(cells(await read(text), 'y')).toEqual(y);
  });

  it('are told of where every number has three digits after its comma', async () => {
    const { notes } = await read('x;y;wells\n1;12,345;1\n2;23,456;104,105,106\n');
    expect(notes).toContainEqual('12,345 is read as 12345. If its comma marks decimals, choose so.');
  });
});

it('numbers in quotes are labels, which is said where they look like readings', async () => {
  const said =
    'conc is taken as labels: the file puts its cells in quotes, and those of other columns not. If they are numbers, choose so below its name.';
  const limits = await read('time,conc\n0,"5.03"\n1,"4"\n2,"<0.3"\n');
  expect(limits.columns.map(({ type }) => type)).toEqual(['real', 'category']);
  expect(limits.notes).toContainEqual(said);
  expect((await read('time,conc\n0,"5"\n1,"4"\n2,"<3"\n')).notes).toContainEqual(said);
  expect((await read('time,conc\n0,"5.03"\n1,"4"\n2,"3.1"\n')).notes).toContainEqual(said);
  // Names of subjects are whole numbers, and what is in no column's quotes alone is read as it looks.
  expect((await read('time,who\n0,"1"\n1,"1"\n2,"2"\n')).notes).toEqual([]);
  expect((await read('"time","conc"\n"0","5.03"\n"1","<0.3"\n')).notes).not.toContainEqual(said);
});

it('one column of decimal commas is one column', async () => {
  const table = await read('conc\n0,5\n1\n1,25\n');
  expect(table.columns).toHaveLength(1);
  expect(cells(table, 'conc')).toEqual(['0.5', '1', '1.25']);
});

it('rows that end with a delimiter keep the head above them, which does not', async () => {
  const table = await read('t,U,I\n0,1.5,2,\n1,0.75,3,\n2,-0.3,4,\n');
  expect(table.columns.map(({ name }) => name)).toEqual(['t', 'U', 'I']);
  expect(cells(table, 'I')).toEqual(['2', '3', '4']);
});

it('a first line that says what parts cells is none of the table', async () => {
  const table = await read('sep=;\nx;y\n1;1,5\n2;2,5\n');
  expect(cells(table, 'y')).toEqual(['1.5', '2.5']);
});

it.each([
  ['per cent', 'x;y\n0;0,5 %\n1;12,5 %\n', ['0.5', '12.5']],
  ['money', 'x;y\n0;0,5 €\n1;12,5 €\n', ['0.5', '12.5']],
  ['values with errors', 'x;y\n0;1,0 ± 0,1\n1;2,5 ± 0,2\n', ['1', '2.5']],
])('decimal commas of %s alone are seen', async (_, text, y) => {
  expect(cells(await read(text), 'y')).toEqual(y);
});

it('what something costs is a number', async () => {
  expect(cells(await read('x,y\n0,$1.50\n1,-$2\n2,£3\n'), 'y')).toEqual(['1.5', '-2', '3']);
});

it('says that prices are taken for labels where they cannot be read', async () => {
  const { notes } = await read('x,y\n0,$1.50/kg\n1,$2.20/kg\n2,$3.10/kg\n');
  expect(notes).toContainEqual('y is taken as labels: $1.50/kg is read as no number.');
});

it('a head of times keeps their unit beside cells of per cent', async () => {
  const table = await read('Sample,0 min,5 min,10 min\na,100 %,80 %,60 %\nb,100 %,70 %,50 %\n');
  expect(table.columns.map(({ name, unit }) => [name, unit])).toEqual([
    ['Sample', undefined],
    ['time', 'min'],
    ['value', '%'],
  ]);
});

describe('clock times', () => {
  const day = ['8:00', '12:00', '20:30', '8:00', '12:00', '20:30'];
  const rows = (head: string, first: readonly string[], times: readonly string[]): string =>
    `${head}\n${times.map((time, i) => `${first[i]},${time},${i}`).join('\n')}\n`;

  it('of a day go on past midnight, and it is said', async () => {
    const table = await read(rows('day,time,y', ['1', '1', '1', '2', '2', '2'], day));
    expect(cells(table, 'time')).toEqual(['8', '12', '20.5', '32', '36', '44.5']);
    expect(table.notes).toContainEqual(
      'The clock times of time go past one midnight: hours are counted on from the first day.',
    );
  });

  it('of a night go on through midnight itself, and past a clock that is set back', async () => {
    const table = await read(
      rows('a,time,y', ['1', '1', '1', '1', '1', '1'], ['22:00', '23:30', '0:00', '2:45', '2:15', '4:00']),
    );
    expect(cells(table, 'time')).toEqual(['22', '23.5', '24', '26.75', '26.25', '28']);
  });

  it('of a run begin anew with the next', async () => {
    const times = ['0:15', '2:00', '16:00', '0:15', '2:00', '16:00'];
    const table = await read(rows('id,time,y', ['A', 'A', 'A', 'B', 'B', 'B'], times));
    expect(cells(table, 'time')).toEqual(['0.25', '2', '16', '0.25', '2', '16']);
  });

  it('that fall by less than half a day are of runs', async () => {
    const times = ['0:15', '8:00', '0:15', '16:00', '0:15', '2:00'];
    const table = await read(rows('a,time,y', ['1', '1', '1', '1', '1', '1'], times));
    expect(cells(table, 'time')).toEqual(['0.25', '8', '0.25', '16', '0.25', '2']);
  });

  it('before the start are below 0', async () => {
    const table = await read(rows('a,time,y', ['1', '1', '1'], ['-0:15', '0:00', '1:30']));
    expect(cells(table, 'time')).toEqual(['-0.25', '0', '1.5']);
  });
});

describe('dates', () => {
  it('with years of two digits are of 1969 to 2068', async () => {
    const table = await read('date,y\n30.12.99,1\n31.12.99,2\n01.01.00,3\n');
    expect(cells(table, 'date')).toEqual(['1999-12-30', '1999-12-31', '2000-01-01']);
  });

  it('that may be of days or of months are of what is evenly spaced, and it is said', async () => {
    const table = await read('date,y\n03/12/2024,1\n04/12/2024,2\n05/12/2024,3\n06/12/2024,4\n');
    expect(cells(table, 'date')).toEqual(['2024-12-03', '2024-12-04', '2024-12-05', '2024-12-06']);
    expect(table.notes[0]).toMatch(/^The dates of date are read with the day first: 03\/12\/2024 is 2024-12-03\./);
  });

  it('that tell nothing have the month first, and it is said', async () => {
    const table = await read('date,y\n03/04/2024,1\n05/06/2024,2\n09/08/2024,3\n');
    expect(cells(table, 'date')).toEqual(['2024-03-04', '2024-05-06', '2024-09-08']);
    expect(table.notes[0]).toMatch(/read with the month first: 03\/04\/2024 is 2024-03-04/);
  });

  it('of which one is no month are not doubtful', async () => {
    const table = await read('date,y\n03/04/2024,1\n15/04/2024,2\n');
    expect(cells(table, 'date')).toEqual(['2024-04-03', '2024-04-15']);
    expect(table.notes).toEqual([]);
  });
});

it.each([
  ['as Fortran writes them', 'x,y\n1,3.6D+03\n2,-5.93d-2\n', ['3600', '-0.0593']],
  ['as print does', 'x,y\n1,3.6x10^3\n2,5.93 · 10⁻²\n3,7×10−1\n', ['3600', '0.0593', '0.7']],
])('powers of ten %s are numbers', async (_, text, y) => {
  expect(cells(await read(text), 'y')).toEqual(y);
});

it('the error of the last digits stands in a column of its own', async () => {
  const table = await read('x,y\n1,3.60(12)\n2,5.93(2)\n3,86.0(3)\n');
  expect(cells(table, 'y')).toEqual(['3.6', '5.93', '86']);
  expect(cells(table, '± y')).toEqual(['0.12', '0.02', '0.3']);
});

it('cells that begin as numbers and are none are told of', async () => {
  const { notes } = await read('x,y\n1,0x1F\n2,0x2A\n3,0x11\n');
  expect(notes).toContainEqual('y is taken as labels: 0x1F is read as no number.');
  expect((await read('x,who\n1,1A\n2,1A\n3,1A\n4,2B\n')).notes).toEqual([]);
  expect((await read('x,who\n1,ann\n2,bob\n')).notes).toEqual([]);
  // Places on a plate, and counts with others beside them, are no powers of ten and no errors.
  for (const cells of [
    ['1D3', '2D4', '1D3', '2D4'],
    ['12(3)', '9(1)', '12(3)', '9(1)'],
  ])
    expect((await read(`x,at\n${cells.map((cell, i) => `${i},${cell}`).join('\n')}\n`)).columns[1]!.type).toBe(
      'category',
    );
});

it('names the cell that is read as no number, not one that would be', async () => {
  const { notes } = await read('x,y\n1,1.0\n2,2.1*\n3,2.9*\n4,4.2*\n5,5.1*\n');
  expect(notes).toContainEqual('y is taken as labels: 2.1* is read as no number.');
});
