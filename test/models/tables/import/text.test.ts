/** What files look like that people have, and what of them is found. */
import { describe, expect, it } from 'vitest';
import { beginImport, type ImportChoices, type ImportedTable } from '../../../../models/tables/import/import.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (text: string, choices: ImportChoices = {}, name = 't.csv'): Promise<ImportedTable> =>
  beginImport(name, bytes(text)).read(choices);

/** Name, unit and cells of each column. */
const shown = ({ columns, rows }: ImportedTable): unknown[] =>
  columns.map((column) => [
    column.name,
    column.unit ?? '',
    Array.from({ length: rows }, (_, row) => column.text(row) ?? null),
  ]);

const decay = [
  ['t', 's', ['0', '1', '2']],
  ['U', 'mV', ['1.5', '0.75', '-0.3']],
];

describe('a table of text is read however it is written', () => {
  it.each([
    ['units in the names', 't (s),U [mV]\n0,1.5\n1,0.75\n2,-0.3\n'],
    ['units as on axes', 't / s;U / mV\n0;1.5\n1;0.75\n2;-0.3\n'],
    ['a row of units', 't,U\ns,mV\n0,1.5\n1,0.75\n2,-0.3\n'],
    ['a row of units in brackets', 't\tU\n[s]\t[mV]\n0\t1.5\n1\t0.75\n2\t-0.3\n'],
    ['decimal commas', 't;U\ns;mV\n0;1,5\n1;0,75\n2;-0,3\n'],
    ['comments', '# made by a logger, 3 May\n# t, U\nt (s),U (mV)\n0,1.5\n# paused\n1,0.75\n2,-0.3\n'],
    ['names in a comment', '# t(s) U(mV)\n0 1.5\n1 0.75\n2 -0.3\n'],
    ['comments of %', '% t (s), U (mV)\n0,1.5\n1,0.75\n2,-0.3\n'],
    ['comments of //', '//\nt (s),U (mV)\n0,1.5\n1,0.75\n2,-0.3\n'],
    [
      'lines of an instrument above it',
      'Instrument: X\nOperator, A. B., 2024\n\nt (s);U (mV)\n0;1.5\n1;0.75\n2;-0.3\n',
    ],
    ['blanks that line it up', '  t(s)   U(mV)\n   0      1.5\n   1      0.75\n   2     -0.3\n'],
    ['quotes around everything', '"t (s)","U (mV)"\n"0","1.5"\n"1","0.75"\n"2","-0.3"\n'],
    ['a delimiter at the end of lines', 't (s),U (mV),\n0,1.5,\n1,0.75,\n2,-0.3,\n'],
    ['CRLF and a byte order mark', '\uFEFFt (s);U (mV)\r\n0;1.5\r\n1;0.75\r\n2;-0.3\r\n'],
    ['a minus of its own', 't (s);U (mV)\n0;1.5\n1;0.75\n2;\u22120.3\n'],
  ])('%s', async (_, text) => {
    expect(shown(await read(text))).toEqual(decay);
  });

  // Scales, and what is counted, are in no list of measures.
  it.each(['°C', 'degC', 'pH', 'CFU/mL', 'IU/L', 'mAU', 'ppm', '1/s'])('a row of units with %s', async (unit) => {
    const table = await read(`T;U\n${unit};mV\n25;1,5\n35;0,75\n45;-0,3\n`);
    expect(shown(table)).toEqual([['T', unit, ['25', '35', '45']], decay[1]]);
  });

  it.each([
    ['v / (µM/min)', 'v', 'µM/min'],
    ['Beladung q/(mmol/g)', 'Beladung q', 'mmol/g'],
    ['Druck p/kPa', 'Druck p', 'kPa'],
    ['Wellenlänge/nm', 'Wellenlänge', 'nm'],
    ['Intensität/counts', 'Intensität', 'counts'],
    ['Umsatz/%', 'Umsatz', '%'],
    ['t/s', 't', 's'],
    ['t/min', 't', 'min'],
    ['U/V', 'U', 'V'],
    ['A/mm²', 'A', 'mm²'],
    ['c/mg/L', 'c', 'mg/L'],
    ['Druck in Pa', 'Druck', 'Pa'],
    ['Temperatur in °C', 'Temperatur', '°C'],
    ['[Ligand] nM', '[Ligand]', 'nM'],
    ['v_i/v_0', 'v_i/v_0', ''],
    ['v_i / v_0', 'v_i / v_0', ''],
    ['ΔF/F0', 'ΔF/F0', ''],
    ['A260/A280', 'A260/A280', ''],
    ['A/B', 'A/B', ''],
    ['S/N', 'S/N', ''],
    ['yield g/m^2', 'yield', 'g/m^2'],
    ['growth rate mg/L', 'growth rate', 'mg/L'],
    ['signal S/N', 'signal S/N', ''],
    ['B/F', 'B/F', ''],
    ['1/T', '1/T', ''],
    ['mg/L', 'mg/L', ''],
    ['counts/s', 'counts/s', ''],
    ['Dose/kg', 'Dose/kg', ''],
    ['Ertrag/ha', 'Ertrag/ha', ''],
    ['v/(v_0)', 'v/(v_0)', ''],
    ['change in pH', 'change in pH', ''],
    ['cells in lag', 'cells in lag', ''],
  ])('of the head %s the name is %s, the unit "%s"', async (head, name, unit) => {
    const [, column] = (await read(`run;${head}\n1;2,5\n2;3,5\n3;4,5\n`)).columns;
    expect([column?.name, column?.unit ?? '']).toEqual([name, unit]);
  });

  it.each([
    ['utf-16le', [0xff, 0xfe]],
    ['utf-16le', []],
    ['utf-16be', [0xfe, 0xff]],
    ['utf-16be', []],
  ] as const)('%s with %j in front', async (encoding, mark) => {
    const text = 't (s),U (mV)\n0,1.5\n1,0.75\n2,-0.3\n';
    const units = [...text].flatMap((letter) => {
      const code = letter.charCodeAt(0);
      return encoding === 'utf-16le' ? [code & 255, code >> 8] : [code >> 8, code & 255];
    });
    const table = await beginImport('t.csv', Uint8Array.from([...mark, ...units])).read({});
    expect(shown(table)).toEqual(decay);
    expect(table.source.dialect?.encoding).toBe(encoding);
  });

  it.each([
    ['of doses beside a name over numbers', 'time,0.1,1,10\n0,5,5.1,5.2\n1,4,4.5,5\n', ['time', '0.1', '1', '10']],
    ['of years', 'Month,2020,2021,2022\nJan,1.7,0.9,2.5\nFeb,3.7,5.4,3.3\n', ['Month', 'x', 'value']],
    ['that counts readings', 'Sample,1,2,3\nA,0.51,0.52,0.49\nB,1.51,1.42,1.55\n', ['Sample', 'x', 'value']],
    ['of times beside a name over labels', 'Sample,0,5,10,20\nA,4.96,4.37,3.83,2.6\n', ['Sample', 'x', 'value']],
  ])('a head %s is no data', async (_, text, names) => {
    expect((await read(`${text}${text.split('\n')[1]}\n`)).columns.map(({ name }) => name)).toEqual(names);
  });

  it.each([
    ['numbers alone', '1,2,3,4\n5.1,6.1,7.1,8.1\n5.2,6.2,7.2,8.2\n'],
    ['labels beside years', 'A,2019,2020,2021\nB,2018,2019,2020\nC,2017,2018,2019\n'],
    ['labels beside 1, 2, 3', 'A,1,2,3\nB,11,12,13\nC,12,13,14\n'],
    ['labels beside numbers as long as others', 'A,1,2,3,4\nB,5,6,7,8\nC,2,3,4,5\n'],
    ['a word over words beside numbers', 'A,3.1\nB,4.1\nC,5.1\n'],
  ])('a first row of %s is data', async (_, text) => {
    expect((await read(text)).rows).toBe(3);
  });

  // By blanks such lines part alike too, and cells of another column would stand below each name.
  it.each([
    ['blanks in names and cells', 'T (°C)\tk (1/s)\n10\t0.0735 ± 0.0029\n20\t0.1768 ± 0.0071\n', ['T', 'k', '± k']],
    ['blanks in labels', 'Dose nM\t0.5\t1.5\t5.5\t9.5\nRep 1\t1004\t1009\t947\t823\nRep 2\t991\t997\t938\t820\n', 5],
  ])('tabs part cells with %s', async (_, text, names) => {
    const { columns, source } = await read(text);
    expect(source.dialect?.delimiter).toBe('\t');
    if (typeof names !== 'number') expect(columns.map(({ name }) => name)).toEqual(names);
  });

  it('a row of units below names that span columns and what tells those apart', async () => {
    const table = await read(',wt,,mutant,\nTime,R1,R2,R1,R2\nmin,AU,AU,AU,AU\n0,1,2,3,4\n5,2,3,4,5\n');
    expect(table.columns.map(({ name, unit }) => `${name}/${unit}`)).toEqual([
      'Time/min',
      ...['wt R1', 'wt R2', 'mutant R1', 'mutant R2'].map((name) => `${name}/AU`),
    ]);
    expect(table.rows).toBe(2);
  });

  it('names that hold blanks over columns that blanks line up', async () => {
    const table = await read('  Temp (K)   Rate const (1/s)\n  290.0      3.688E-03\n  298.0      8.485E-03\n');
    expect(shown(table)).toEqual([
      ['Temp', 'K', ['290', '298']],
      ['Rate const', '1/s', ['0.003688', '0.008485']],
    ]);
  });

  it.each([
    ['a head', 't,a,b\n0,1\n1,2\n2,3,5\n3,4,6\n4,5,7\n', ['t', 'a', 'b'], 5],
    ['a head with an empty end', 't,a,b,\n0,1\n1,2,4\n2,3,5,\n3,4,6,\n4,5,7,\n', ['t', 'a', 'b'], 5],
    ['a head over an empty column', 't,,a,\n0,,1\n1,,2,\n2,,3,\n3,,4\n', ['t', 'column2', 'a'], 4],
    ['nothing', '0,1\n1,2\n2,3,5\n3,4,6\n4,5,7\n', ['column1', 'column2', 'column3'], 5],
    ['lines of an instrument', 'Gain,100\n\nt,a,b\n0,1\n1,2\n2,3,5\n3,4,6\n4,5,7\n', ['t', 'a', 'b'], 5],
  ])('rows that lack their last cells are none of what stands above the table: %s', async (_, text, names, count) => {
    const { columns, rows } = await read(text);
    expect([columns.map(({ name }) => name), rows]).toEqual([names, count]);
  });

  it.each([
    ['blanks', 'conc rate\n"1" 0.02 76\n"2" 0.06 97\n"3" 0.11 123\n'],
    ['tabs', 'conc\trate\na\t0.02\t76\nb\t0.06\t97\nc\t0.11\t123\n'],
    ['commas', '"conc","rate"\n"1",0.02,76\n"2",0.06,97\n"3",0.11,123\n'],
  ])('a head without a name of the row names, as R writes it with %s', async (_, text) => {
    const { columns, rows } = await read(text);
    expect([columns.map(({ name }) => name), rows]).toEqual([['column1', 'conc', 'rate'], 3]);
  });

  it('a head of places over rows that are curves is a row for each reading', async () => {
    const table = await read('Sample,0 min,5 min,10 min\nA,9.1,4.2,2.3\nB,8.2,,1.1\n');
    expect(shown(table)).toEqual([
      ['Sample', '', ['A', 'A', 'A', 'B', 'B', 'B']],
      ['time', 'min', ['0', '5', '10', '0', '5', '10']],
      ['value', '', ['9.1', '4.2', '2.3', '8.2', null, '1.1']],
    ]);
    expect(table.source.line?.(5)).toBe(3);
  });

  it('a number that is said to mean a missing cell is none', async () => {
    expect(shown(await read('t,y\n0,1\n1,-999\n2,3\n', { missing: ['-999'] }))[1]).toEqual(['y', '', ['1', null, '3']]);
  });

  it('takes what is chosen before what it finds', async () => {
    const text = '0;1,5\n1;2,5\n';
    const table = await read(text, { decimal: '.', header: true, types: ['category'] });
    expect(table.columns.map(({ name, type }) => [name, type])).toEqual([
      ['0', 'category'],
      ['1,5', 'category'],
    ]);
    expect(table.rows).toBe(1);
    expect((await read('a!b\n1!2\n', { delimiter: '!' })).columns).toHaveLength(2);
    expect((await read('x\n;1\n2\n', { comment: ';' })).rows).toBe(1);
    expect((await read('junk\nx,y\n1,2\n', { skip: 1 })).columns.map(({ name }) => name)).toEqual(['x', 'y']);
  });
});

describe('numbers', () => {
  it.each([
    ['1,234.5', 'x;y\n1,234.5;1\n12.5;2\n', 1234.5],
    ['1.234,5', 'x;y\n1.234,5;1\n12,5;2\n', 1234.5],
    ['1.234.567', 'x;y\n1.234.567;1\n12,5;2\n', 1234567],
    ["1'234.5", "x;y\n1'234.5;1\n12.5;2\n", 1234.5],
    ['1 234,5', 'x;y\n1 234,5;1\n12,5;2\n', 1234.5],
    ['"1,234"', 'x,y\n"1,234,567.5",1\n12.5,2\n', 1234567.5],
  ])('with thousands parted as in %s', async (_, text, wanted) => {
    const { columns } = await read(text);
    expect(columns[0]?.values?.[0]).toBe(wanted);
    expect(columns[0]?.values?.[1]).toBe(12.5);
  });

  it('says where a comma may be either mark, and takes what is said', async () => {
    const table = await read('x;y\n1,234;1\n2,500;2\n');
    expect(table.columns[0]?.values?.[0]).toBe(1.234);
    expect(table.notes[0]).toBe('1,234 is read as 1.234. If its comma parts thousands, choose so.');
    const chosen = await read('x;y\n1,234;1\n2,500;2\n', { thousands: ',' });
    expect(chosen.columns[0]?.values?.[0]).toBe(1234);
    expect(chosen.notes).toEqual([]);
  });

  it('are missing by many words, and by those that are chosen', async () => {
    const table = await read('x,y\n1,1\n-,2\nn/a,3\n,4\n-999,5\n');
    expect([...(table.columns[0]?.values ?? [])]).toEqual([1, NaN, NaN, NaN, -999]);
    expect(table.columns[0]?.missing).toBe(3);
    const chosen = await read('x,y\n1,1\n-,2\n-999,5\n', { missing: ['-999', '-'] });
    expect(chosen.columns[0]?.missing).toBe(2);
  });

  it('among which a cell is none: it is missing, and named', async () => {
    const { columns } = await read('x,y\n1,1\n2,below\n3,3\n4,4\n5,5\n');
    expect(columns[1]).toMatchObject({ type: 'real', strays: 1, firstStrays: [{ row: 1, cell: 'below' }], missing: 1 });
  });
});

describe('columns are', () => {
  it('numbers, whole numbers, categories and dates', async () => {
    const text = 'day,site,n,x\n2024-02-28,"A",1,0.5\n2024-02-29,B,2,1\n,B,3,\n';
    const { columns } = await read(text);
    expect(columns.map(({ type }) => type)).toEqual(['date', 'category', 'real', 'real']);
    expect(columns[1]?.labels).toBe(2);
    const whole = await read(text, { types: [null, null, 'int', 'int'] });
    expect(whole.columns[2]).toMatchObject({ type: 'int', strays: 0 });
    expect(whole.columns[3]).toMatchObject({ type: 'int', strays: 1, firstStrays: [{ row: 0, cell: '0.5' }] });
  });

  it('named once each, whatever the file says', async () => {
    const { columns } = await read('x,x,,__proto__\n1,2,3,4\n');
    expect(columns.map(({ name }) => name)).toEqual(['x', 'x 2', 'column3', '__proto__']);
  });
});

describe('what cannot be read is refused in a sentence', () => {
  it.each([
    ['nothing', '', 'the file is empty'],
    ['blank lines', '\n\n', 'the file is empty'],
    ['a header alone', 'x,y\n', 'it has a header and no rows below it'],
    ['a long row below other lines', 'Logger 5\nx,y\n1,2\n3,4,5\n6,7\n', 'line 4 has 3 cells, and the header has 2'],
    ['a long row', 'x,y\n1,2\n3,4,5\n', 'line 3 has 3 cells, and the header has 2'],
    ['an open quote', 'x,y\n1,2\n3,"4\n', 'line 3: a quote that is not closed'],
    ['bytes of 0', 'a,b\n\0\0\0,2', 'it is neither text nor a format that is known: it has bytes of 0'],
    [
      'a workbook',
      'PK\u0003\u0004',
      'it is a ZIP archive or an Excel workbook: save the sheet as CSV, or copy its cells and paste them',
    ],
  ])('%s', async (_, text, says) => {
    await expect(read(text)).rejects.toThrow(says);
  });

  it('or noted, where it can be read and is doubtful', async () => {
    expect((await read('x,y\n1,2\n3\n')).notes).toEqual([
      'Line 3 has fewer cells than the table has columns. What is not there counts as missing.',
    ]);
    const below = 'What is below counts as more rows of one table: where it is another curve, a column must say so.';
    const block = 'x,y\n1,2\n2,4\n';
    expect((await read(`${block}\n${block}`)).notes).toEqual([`Line 5 repeats the head. ${below}`]);
    expect((await read(block.repeat(3))).notes).toEqual([`2 lines, first line 4, repeat the head. ${below}`]);
    expect((await read('name,y\nname,2\nann,4\n')).notes).toEqual([]);
    expect((await read('name\nann\nbob\n')).notes[0]).toMatch(/^No column of numbers was found/);
    for (const text of ['y\n1\n2\n', 'y (mm)\n1,5\n2,25\n', 'y\n1 234\n5 678\n'])
      expect((await read(text)).notes).toEqual([]);
    const apart = await read('t;y\n1;2\n3;4\n', { delimiter: ',' });
    expect(apart.notes).toContain('There is one column alone. Is the delimiter right?');
    expect((await read('year,cases,person_years\n1,2,30\n2,4,50\n')).notes).toEqual([
      expect.stringContaining('the mean person_years times the rate'),
    ]);
    expect((await read('year,cases,persons\n1,2,30\n2,4,50\n')).notes).toEqual([]);
  });
});
