/** Tables that are arranged otherwise than with a row for each reading, and what they are read as. */
import { describe, expect, it } from 'vitest';
import { beginImport, type ImportedTable } from '../../../../models/tables/import/import.ts';

const read = (text: string): Promise<ImportedTable> => beginImport('t.csv', new TextEncoder().encode(text)).read({});

async function cells(text: string): Promise<Record<string, (string | null)[]>> {
  const { columns, rows } = await read(text);
  return Object.fromEntries(
    columns.map(({ name, unit, text: cell }) => [
      unit === undefined ? name : `${name} / ${unit}`,
      Array.from({ length: rows }, (_, row) => cell(row) ?? null),
    ]),
  );
}

describe('curves side by side, each with an abscissa of its own', () => {
  const stacked = { series: ['A', 'A', 'B', 'B'], x: ['0', '1', '0.5', '1.5'], y: ['3', '5', '2', '6'] };

  it.each([
    ['in turn', 'x_A,y_A,x_B,y_B\n0,3,0.5,2\n1,5,1.5,6\n'],
    ['abscissae first', 'x_A,x_B,y_A,y_B\n0,0.5,3,2\n1,1.5,5,6\n'],
    ['the label first', 'A x,A y,B x,B y\n0,3,0.5,2\n1,5,1.5,6\n'],
    ['below names that span them', 'A,,B,\nx,y,x,y\n0,3,0.5,2\n1,5,1.5,6\n'],
  ])('are a row for each reading: %s', async (_, text) => {
    expect(await cells(text)).toEqual(stacked);
  });

  it.each([
    ['numbers', 'x1,x2,y1,y2\n0,0.5,3,2\n1,1.5,5,6\n', { ...stacked, series: ['1', '1', '2', '2'] }],
    [
      'row names',
      '"","x1","x2","y1","y2"\n"1",0,0.5,3,2\n"2",1,1.5,5,6\n',
      { ...stacked, series: ['1', '1', '2', '2'] },
    ],
    ['one name', 'x,y,x,y\n0,3,0.5,2\n1,5,1.5,6\n', { ...stacked, series: ['1', '1', '2', '2'] }],
    [
      'names of what was read, and one that ends before',
      't (s),wt,t (s),mut\n0,3,0.5,2\n1,5,,\n',
      { series: ['wt', 'wt', 'mut'], 't / s': ['0', '1', '0.5'], value: ['3', '5', '2'] },
    ],
  ])('are told apart by %s', async (_, text, wanted) => {
    expect(await cells(text)).toEqual(wanted);
  });

  it.each([
    ['replicates of two quantities', 't,OD 1,OD 2,GFP\n0,1,2,3\n1,2,3,4\n'],
    ['two that were set and two that were read', 'x1,x2,y,z\n0,1,2,3\n1,2,3,4\n'],
    ['units that differ', 't_A (s),y_A,t_B (min),y_B\n0,1,2,3\n1,2,3,4\n'],
  ])('are not %s', async (_, text) => {
    const { columns, rows } = await read(text);
    expect([columns.length, rows]).toEqual([4, 2]);
  });
});

describe('labels that stand once for the rows that follow', () => {
  it.each([
    ['strains', 'strain,t,y\nwt,0,1\n,1,2\nmut,0,3\n,1,4\n', ['wt', 'wt', 'mut', 'mut']],
    ['runs of unequal length', 'strain,t,y\nwt,0,1\n,1,2\n,2,2\nmut,0,3\n,1,4\n', ['wt', 'wt', 'wt', 'mut', 'mut']],
    ['doses', 'dose,y\n0.1,1\n,2\n1,3\n,4\n10,5\n,6\n', ['0.1', '0.1', '1', '1', '10', '10']],
  ])('are those of all of them: %s', async (_, text, wanted) => {
    const { notes, columns, rows } = await read(text);
    expect(Array.from({ length: rows }, (_, row) => columns[0]?.text(row))).toEqual(wanted);
    expect(notes.join()).toContain('stands once for the rows that follow');
  });

  it('in two columns', async () => {
    expect(await cells('strain,drug,t\nwt,a,0\n,,1\n,b,0\n,,1\nmut,a,0\n,,1\n,b,0\n,,1\n')).toMatchObject({
      strain: ['wt', 'wt', 'wt', 'wt', 'mut', 'mut', 'mut', 'mut'],
      drug: ['a', 'a', 'b', 'b', 'a', 'a', 'b', 'b'],
    });
  });

  it.each([
    ['what was read seldom', 't,y,z\n0,1,9\n1,2,\n2,3,8\n3,4,\n4,5,7\n5,6,\n', 2],
    ['remarks', 'note,t,y\nlate,0,1\n,1,2\nwarm,2,3\n,3,4\n', 0],
    ['numbers at no even distance', 'dose,y\n0.1,1\n,2\n1,3\n,4\n,5\n10,5\n,6\n', 0],
    ['one label alone', 'x,t,y\nbad,0,1\n,1,2\nbad,2,3\n,3,4\n', 0],
  ])('are not %s', async (_, text, j) => {
    expect((await read(text)).columns[j]?.missing).toBeGreaterThan(1);
  });
});

describe('a table that lies on its side', () => {
  it.each([
    [
      'two rows',
      'time (h),0,1,2\nconc (mg/L),9.9,8.1,6.5\n',
      { 'time / h': ['0', '1', '2'], 'conc / mg/L': ['9.9', '8.1', '6.5'] },
    ],
    [
      'an error and a gap',
      't;0;1;2\nA450;9,9;8,1;6,5\nSD;0,1;;0,2\n',
      { t: ['0', '1', '2'], A450: ['9.9', '8.1', '6.5'], SD: ['0.1', null, '0.2'] },
    ],
    [
      'a column of units',
      'Dose,nM,0.1,1,10\nRep 1,AU,9,5,1\nRep 2,AU,8,4,2\n',
      { 'Dose / nM': ['0.1', '1', '10'], 'Rep 1 / AU': ['9', '5', '1'], 'Rep 2 / AU': ['8', '4', '2'] },
    ],
  ])('is read as if it stood: %s', async (_, text, wanted) => {
    expect(await cells(text)).toEqual(wanted);
  });

  it.each([
    ['samples in rows', 'Sample,0,5,10,20\nA,4.96,4.37,3.83,2.6\nB,4.9,4.3,3.8,2.6\n', ['Sample', 'x', 'value']],
    ['times in the first column', 'time,0.1,1,10\n0,5,5.1,5.2\n1,4,4.5,5\n', ['time', '0.1', '1', '10']],
    ['labels below a time', 'time,y,z,w\nearly,1,2,3\nlate,3,4,5\n', ['time', 'y', 'z', 'w']],
  ])('is none of %s', async (_, text, names) => {
    expect((await read(text)).columns.map(({ name }) => name)).toEqual(names);
  });
});

describe('bins are their middles', () => {
  const wanted = { 'E / keV': ['0.05', '0.15', '0.25', '0.35'], N: ['9', '7', '4', '2'] };

  it.each([
    ['in one cell', 'E (keV),N\n0-0.1,9\n0.1-0.2,7\n0.2-0.3,4\n0.3-0.4,2\n'],
    ['between brackets', 'E (keV);N\n[0, 0.1);9\n[0.1, 0.2);7\n[0.2, 0.3);4\n[0.3, 0.4);2\n'],
    ['edges side by side', 'E_low (keV),E_high (keV),N\n0,0.1,9\n0.1,0.2,7\n0.2,0.3,4\n0.3,0.4,2\n'],
  ])('%s', async (_, text) => {
    expect(await cells(text)).toEqual(wanted);
  });

  it.each([
    ['ages that do not meet', 'age,n\n25-34,9\n35-44,7\n45-54,4\n55-64,2\n', 'age'],
    ['a time and what was one more', 't,y,n\n0,1,9\n1,2,7\n2,3,4\n3,4,2\n', 't'],
    ['two that rise', 'a,b,n\n0,1,9\n1,3,7\n2,4,4\n3,5,2\n', 'a'],
  ])('none are %s', async (_, text, name) => {
    const { columns, notes } = await read(text);
    expect([columns[0]?.name, notes.join().includes('middle')]).toEqual([name, false]);
  });
});

describe('cells that say more than a number', () => {
  it.each([
    [
      'so many of so many',
      'Dose,Dead/Total\n1,0/20\n2,3/20\n',
      { Dose: ['1', '2'], Dead: ['0', '3'], 'total of Dead': ['20', '20'] },
    ],
    ['dilutions', 'dilution,OD\n1/2,9\n1/4,7\n1/80,5\n', { dilution: ['0.5', '0.25', '0.0125'], OD: ['9', '7', '5'] }],
    [
      'dilutions with decimal commas',
      'Titer;OD\n1:2;0,9\n1:10;0,7\n1:20;0,5\n',
      { Titer: ['0.5', '0.1', '0.05'], OD: ['0.9', '0.7', '0.5'] },
    ],
    [
      'numbers with their unit',
      'T,R\n0 °C,99.98 Ω\n10 °C,103.89 Ω\n',
      { 'T / °C': ['0', '10'], 'R / Ω': ['99.98', '103.89'] },
    ],
    ['units of one kind', 'c;A\n0,5 nM;1\n100nM;2\n1 µM;3\n', { 'c / nM': ['0.5', '100', '1000'], A: ['1', '2', '3'] }],
    [
      'months in words',
      'd,y\n28-Mar-2024,1\n"Apr 3, 2024",2\n5. Mai 2024 10:30,3\n',
      { d: ['2024-03-28', '2024-04-03', '2024-05-05T10:30:00'], y: ['1', '2', '3'] },
    ],
    [
      'months without a day',
      'd,y\nJan 2021,1\nOkt 2021,2\nDec-21,3\n',
      { d: ['2021-01-01', '2021-10-01', '2021-12-01'], y: ['1', '2', '3'] },
    ],
  ])('%s', async (_, text, wanted) => {
    expect(await cells(text)).toEqual(wanted);
  });

  it.each([
    ['places on a plate', 'w,y\n1A,1\n2A,2\n3B,3\n'],
    ['scales of temperature', 'w,y\n10 °C,1\n20 K,2\n30 °C,3\n'],
    ['no month', 'w,y\n28-Foo-2024,1\n29-Bar-2024,2\n30-Baz-2024,3\n'],
    ['no day', 'w,y\n30-Feb-2024,1\n31-Apr-2024,2\n31-Jun-2024,3\n'],
    ['more of less', 'w,y\n12/7,1\n3/4,2\n5/6,3\n'],
  ])('labels stay labels: %s', async (_, text) => {
    const { columns } = await read(text);
    expect(columns.map(({ type }) => type)).toEqual(['category', 'real']);
  });
});

describe('numbers and words for what is missing', () => {
  it.each(['-999', '-9999', '-999.0'])('%s far from all others', async (word) => {
    const { columns, notes } = await read(`t,y\n0,9\n1,${word}\n2,7\n`);
    expect([0, 1, 2].map((row) => columns[1]?.text(row))).toEqual(['9', undefined, '7']);
    expect([columns[1]?.missing, columns[1]?.stray(1)]).toEqual([1, undefined]);
    expect(notes.join()).toContain('in y is taken as missing');
  });

  it.each(['-100', '-998', '-1000'])('is a reading beside %s', async (other) => {
    expect((await read(`t,y\n0,9\n1,-999\n2,${other}\n`)).columns[1]?.missing).toBe(0);
  });

  it('is kept where the type is said', async () => {
    const imported = beginImport('t.csv', new TextEncoder().encode('t,y\n0,9\n1,-999\n2,7\n'));
    expect((await imported.read({ types: [null, 'real'] })).columns[1]?.text(1)).toBe('-999');
  });

  it('a few words among as many numbers are strays', async () => {
    const { columns } = await read('t,y,z\n0,9,a1\n1,ND,b2\n2,7,3\n3,n.d.,4\n4,ND,c\n5,5,6\n');
    expect(columns.map(({ type, strays }) => [type, strays])).toEqual([
      ['real', 0],
      ['real', 3],
      ['category', 0],
    ]);
  });
});
