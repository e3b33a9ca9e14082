/** What columns are for, found and said. */
import { describe, expect, it } from 'vitest';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { readingsOf, whyNoShape } from '../../../models/experiment/readings.ts';
import { rolesByName, withSaidRoles } from '../../../models/experiment/said-roles.ts';
import { beginImport, type ImportedTable } from '../../../models/tables/import/import.ts';

const read = (text: string): Promise<ImportedTable> => beginImport('t.csv', new TextEncoder().encode(text)).read({});

async function rolesIn(text: string) {
  const { columns, rows } = await read(text);
  return findRoles(columns, rows);
}

async function named(text: string): Promise<Record<string, unknown>> {
  const { columns, rows } = await read(text);
  return rolesByName(findRoles(columns, rows), columns);
}

describe('roles are found by name, unit and content', () => {
  it.each([
    [['t', 'conc', 'sd'], 't,conc,sd\n0,1,.1\n1,2,.1\n2,3,.2\n', ['x', 'y', 'sigma']],
    [['σ'], 'time;signal;σ\n0;1;.1\n1;2;.1\n', ['x', 'y', 'sigma']],
    [['an error by its letter'], 't,N,dN\n0,90,9.5\n1,40,6.3\n2,20,4.5\n', ['x', 'y', 'sigma']],
    [['a change by the same letter'], 't,A,dA\n0,1,9\n1,2,8\n2,3,7\n', ['x', 'y', 'y']],
    [['a weight beside y'], 'x,y,weight\n0,1,4\n1,2,2\n2,3,1\n', ['x', 'y', 'weight']],
    [['a weight of a body'], 'age,weight\n0,1\n1,2\n2,3\n', ['x', 'y']],
    [['so many of so many'], 'dose,Dead/Total\n1,0/20\n2,3/20\n4,9/20\n', ['x', 'y', 'trials']],
    [['y_err'], 'a,b,b_err\n0,1,.1\n1,2,.1\n', ['x', 'y', 'sigma']],
    [['signal first'], 'signal,time\n5,0\n4,1\n3,2\n', ['y', 'x']],
    [['what is in brackets'], '[I] (nM);v_i/v_0\n0;1\n1;0.9\n5;0.4\n', ['x', 'y']],
    [['what is in brackets, behind'], 'F/F0;[Quencher] (mM)\n1;0\n0.9;1\n0.4;5\n', ['y', 'x']],
    [['a clock beside a temperature'], 'clock,temp\n9:00:00,80\n9:10:00,66\n9:20:00,56\n', ['x', 'y']],
    [['a relative pressure'], 'p/p0;uptake\n0.1;1\n0.2;2\n0.3;5\n', ['x', 'y']],
    [['group'], 'subject,t,y\n1,0,5\n1,1,4\n2,0,6\n2,1,3\n', ['group', 'x', 'y']],
    [['treatment'], 't,y,drug\n0,5,a\n1,4,a\n0,6,b\n1,3,b\n', ['x', 'y', 'group']],
    [['row names'], ',t,y\n1,0,5\n2,1,4\n3,2,3\n', ['keep', 'x', 'y']],
    [['no names at all'], 'column1,column2\n0,1\n1,2\n2,4\n', ['x', 'y']],
    [['labels alone'], 'name,y\nann,1\nbob,2\ncy,3\n', ['keep', 'y']],
    [['an empty one beside times, where nothing was read'], 'time,conc\n0,NA\n1,NA\n2,NA\n', ['x', 'ignore']],
    [['an empty one of remarks, beside what was read'], 'time,notes\n3,\n1,\n2,\n', ['y', 'ignore']],
    [['an empty one'], 't,y,z\n0,1,\n1,2,\n', ['x', 'y', 'ignore']],
    [['a limit of 1'], 't,y,LLOQ\n0,9,1\n1,4,1\n2,1,1\n', ['x', 'y', 'limit']],
    [['flags of what lies below a limit'], 't,y,LLOQ\n0,9,0\n1,4,0\n2,1,1\n', ['x', 'y', 'censored']],
  ])('guessed to be what their names say: %s', async (_, text, wanted) => {
    expect((await rolesIn(text)).columns).toEqual(wanted);
  });

  const doses = [0, 1, 10, 100];
  /** Two compounds in two lines, each dose read three times; `more` stands below. */
  const twoWay = (second: string, more = ''): string =>
    `compound,${second},dose,response\n${['A', 'B']
      .flatMap((compound) =>
        ['p', 'q'].flatMap((label) =>
          doses.flatMap((dose, i) => [1, 2, 3].map((k) => `${compound},${label},${dose},${90 - 20 * i + k}`)),
        ),
      )
      .join('\n')}\n${more}`;

  it.each([
    ['a second factor of which each cell is read three times', 'line', ''],
    ['the same, with controls that have no dose', 'line', 'A,p,,99\nA,p,,98\nB,q,,97\n'],
  ])('%s is a group too', async (_, second, more) => {
    expect((await rolesIn(twoWay(second, more))).columns).toEqual(['group', 'group', 'x', 'y']);
  });

  it.each(['plate', 'day', 'operator'])('a %s tells readings of one curve apart, and is no group', async (second) => {
    expect((await rolesIn(twoWay(second))).columns).toEqual(['group', 'keep', 'x', 'y']);
  });

  it('columns that say at what each was read are a curve each', async () => {
    const text = 'S,I=0,I=2,I=5\n1,5.3,3.5,2.4\n5,19.6,15.5,11.4\n20,37.2,33.4,27.3\n';
    expect(await named(text)).toEqual({ x: 'S', y: ['I=0', 'I=2', 'I=5'], columns: 'groups' });
  });

  it('names of rows, which R puts in quotes beside numbers without, are no group', async () => {
    const readings = ['treated', 'untreated'].flatMap((state) => [0.02, 0.02, 0.06, 0.06].map((conc) => [conc, state]));
    const lines = readings.map(([conc, state], i) => `"${i + 1}",${conc},${76 + i},"${state}"`);
    expect(await named(`"","conc","rate","state"\n${lines.join('\n')}\n`)).toMatchObject({ group: 'state' });
  });

  it('a flag of good and bad readings is no group', async () => {
    const text = `t,y,flag\n${[0, 1, 2, 3, 4, 5, 6, 7].map((t) => `${t},${9 - t},${t % 3 === 0 ? 'bad' : 'ok'}`).join('\n')}\n`;
    expect((await rolesIn(text)).columns).toEqual(['x', 'y', 'keep']);
  });

  const times = [0, 1, 2, 3, 4, 5];
  const rows = (...cells: ((t: number) => string | number)[]): string =>
    times.map((t) => cells.map((cell) => cell(t)).join(';')).join('\n');

  it.each<[string, string, Record<string, unknown>]>([
    [
      'German names, a decimal comma and a row of units',
      `Zeit;Signal;Fehler\nmin;mV;mV\n${rows(
        (t) => t,
        (t) => `${5 - t},5`,
        () => '0,2',
      )}`,
      { x: 'Zeit', y: 'Signal', sigma: 'Fehler' },
    ],
    [
      'an error told by its sign',
      `Time;OD;±\n${rows(
        (t) => t,
        (t) => t + 1,
        () => 0.1,
      )}`,
      { x: 'Time', y: 'OD', sigma: '±' },
    ],
    [
      'replicates side by side',
      `t;s1;s2;s3\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => t + 2,
        (t) => t + 1.5,
      )}`,
      { x: 't', y: ['s1', 's2', 's3'], columns: 'replicates' },
    ],
    [
      'columns of one name',
      `t;y;y;y\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => t + 2,
        (t) => t + 1.5,
      )}`,
      { x: 't', y: ['y', 'y 2', 'y 3'], columns: 'replicates' },
    ],
    [
      'a strain that lacks a gene, which is no error',
      `t;WT;WT;ΔrecA;ΔrecA\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => t + 1.2,
        (t) => 2 * t + 1,
        (t) => 2 * t + 1.1,
      )}`,
      { x: 't', y: ['WT', 'WT 2', 'ΔrecA', 'ΔrecA 2'], columns: 'names' },
    ],
    [
      'an error told by its letter',
      `x;F;ΔF\n${rows(
        (t) => t,
        (t) => t + 1,
        () => 0.1,
      )}`,
      { x: 'x', y: 'F', sigma: 'ΔF' },
    ],
    [
      'readings of two curves, below names that span them',
      `time;wild type;;mutant;\nh;r1;r2;r1;r2\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => t + 1.2,
        (t) => 2 * t + 1,
        (t) => 2 * t + 1.1,
      )}`,
      { x: 'time', y: ['wild type r1', 'wild type r2', 'mutant r1', 'mutant r2'], columns: 'names' },
    ],
    [
      'readings of two curves, counted below names that span them',
      `h;Wildtyp;;Mutante;\n;1;2;1;2\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => t + 1.2,
        (t) => 2 * t + 1,
        (t) => 2 * t + 1.1,
      )}`,
      { x: 'h', y: ['Wildtyp 1', 'Wildtyp 2', 'Mutante 1', 'Mutante 2'], columns: 'names' },
    ],
    [
      'a curve each, of which each has an error of its own',
      `t;Signal A;SD A;Signal B;SD B\n${rows(
        (t) => t,
        (t) => t + 1,
        () => 0.1,
        (t) => t + 1.2,
        () => 0.2,
      )}`,
      { x: 't', y: ['Signal A', 'Signal B'], sigma: ['SD A', 'SD B'], columns: 'groups' },
    ],
    [
      'columns of one name, of which each has an error of its own',
      `t;y;SD;y;SD\n${rows(
        (t) => t,
        (t) => t + 1,
        () => 0.1,
        (t) => t + 1.2,
        () => 0.2,
      )}`,
      { x: 't', y: ['y', 'y 2'], sigma: ['SD', 'SD 2'], columns: 'groups' },
    ],
    [
      'total and nonspecific binding',
      `[Ligand] nM;total (cpm);unspezifisch (cpm)\n${rows(
        (t) => t,
        (t) => 10 * t,
        (t) => t + 1,
      )}`,
      { x: '[Ligand]', y: ['total', 'unspezifisch'], columns: 'specific' },
    ],
    [
      'readings of two signals, of which the first is taken',
      `t;OD 1;OD 2;GFP 1;GFP 2\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => t + 1.2,
        (t) => 2 * t + 1,
        (t) => 2 * t + 1.1,
      )}`,
      { x: 't', y: ['OD 1', 'OD 2'], columns: 'replicates' },
    ],
    [
      'columns of one curve each',
      `t;wild;mutant\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => 2 * t + 2,
      )}`,
      { x: 't', y: ['wild', 'mutant'], columns: 'groups' },
    ],
    [
      'a dose beside a time',
      `Subject;Dose;Time;conc\n${[1, 2].flatMap((s) => times.map((t) => `${s};${4 + s};${t};${t + 1}`)).join('\n')}`,
      { x: 'Time', y: 'conc', group: 'Subject', dose: 'Dose' },
    ],
    [
      'a subject with a curve of each of two formulations',
      `Subject;Form;Time;conc\n${['a', 'b'].flatMap((s) => ['i', 'ii'].flatMap((f) => times.map((t) => `${s};${f};${t};${t + 1}`))).join('\n')}`,
      { x: 'Time', y: 'conc', group: ['Subject', 'Form'] },
    ],
    [
      'animals that are numbered, of whom nobody says what they are',
      `Mare;Time;follicles\n${[4, 7].flatMap((s) => times.map((t) => `${s};${t};${t + 1}`)).join('\n')}`,
      { x: 'Time', y: 'follicles', group: 'Mare' },
    ],
    [
      'numbered ones that are treated twice, behind what was read of them',
      `deltaBP;dose;Ewe;Treatment\n${['placebo', 'MDL'].flatMap((s) => [1, 2].flatMap((r) => times.map((t) => `${2 * t};${6.25 * 2 ** t};${r};${s}`))).join('\n')}`,
      { x: 'dose', y: 'deltaBP', group: ['Ewe', 'Treatment'] },
    ],
    [
      'whole numbers that are read along each curve, or set for it, and are no curves',
      `time;temperature;cells\n${[20, 30].flatMap((s) => times.map((t) => `${t};${s};${3 * t + s}`)).join('\n')}`,
      { x: 'time', y: 'cells', group: undefined },
    ],
    [
      'a compound whose readings are repeated, which a label counts',
      `compound;rep;t;y\n${['a', 'b'].flatMap((s) => ['i', 'ii'].flatMap((f) => times.map((t) => `${s};${f};${t};${t + 1}`))).join('\n')}`,
      { x: 't', y: 'y', group: 'compound' },
    ],
    [
      'rows that are flagged',
      `t;y;Ausreißer\n${rows(
        (t) => t,
        (t) => t + 1,
        (t) => (t === 3 ? 'x' : ''),
      )}`,
      { x: 't', y: 'y', exclude: 'Ausreißer' },
    ],
    [
      'deviations of single readings beside how many there are',
      `Dose;Mean;SD;N\n${rows(
        (t) => t,
        (t) => t + 1,
        () => 2,
        () => 4,
      )}`,
      { x: 'Dose', y: 'Mean', sigma: 'SD', repeats: 'N' },
    ],
    [
      'a date in parts, which is no abscissa',
      `Ozone;Temp;Month;Day\n${rows(
        (t) => 10 + t * t,
        (t) => 60 + ((7 * t) % 11),
        () => 5,
        (t) => t + 1,
      )}`,
      { x: 'Temp', y: 'Ozone' },
    ],
    [
      'weights, and an inhibitor as a condition',
      `S;v;I;weights\n${[0, 5].flatMap((i) => times.map((t) => `${t + 1};${t};${i};2`)).join('\n')}`,
      { x: 'S', y: 'v', condition: 'I', weight: 'weights' },
    ],
  ])('%s', async (_, text, wanted) => {
    expect(await named(text)).toEqual(wanted);
  });

  it.each([
    ['Ausschluss', 'x', ''],
    ['Ausschluß', 'ja', 'nein'],
    ['exclude', 'yes', 'no'],
    ['Excluded', '1', '0'],
    ['outlier', 'TRUE', 'FALSE'],
    ['ausgeschlossen', 'WAHR', 'FALSCH'],
    ['rejected', 'bubble', ''],
  ])('a column %s leaves out the rows that say %s', async (name, yes, no) => {
    const lines = rows(
      (t) => t,
      (t) => t + 1,
      (t) => (t === 3 ? yes : no),
    );
    const { columns, rows: count } = await read(`t;y;${name}\n${lines}\n`);
    const roles = findRoles(columns, count);
    expect(roles.columns).toEqual(['x', 'y', 'exclude']);
    expect([...readingsOf(columns, count, roles).excluded.keys()]).toEqual([3]);
  });

  it('a drop that was measured is no flag', async () => {
    expect((await rolesIn('t;drop (mV)\n0;5\n1;4\n2;3\n')).columns).toEqual(['x', 'y']);
  });

  // Scatter of a tenth, the same in every run of the test.
  const wells = (count: number, level: (well: number) => number): string => {
    const head = ['time', ...Array.from({ length: count }, (_, w) => `w${w + 1}`)].join(',');
    const lines = [0, 0.5, 1, 1.5, 2, 3, 4, 5].map((t) =>
      [
        t,
        ...Array.from({ length: count }, (_, w) => level(w) * Math.exp(-0.4 * t) + 0.1 * Math.sin(99 * t + 7 * w * w)),
      ].join(','),
    );
    return `${head}\n${lines.join('\n')}\n`;
  };

  it('numbered columns are replicates where they agree within their scatter, and else a curve each', async () => {
    expect(await named(wells(24, (w) => 2 + 2 * w))).toMatchObject({ columns: 'groups' });
    expect(await named(wells(24, (w) => 10 + w / 5))).toMatchObject({ columns: 'groups' });
    expect(await named(wells(2, (w) => 2 + 6 * w))).toMatchObject({ columns: 'groups' });
    expect(await named(wells(24, () => 10))).toMatchObject({ columns: 'replicates' });
    expect(await named(wells(3, () => 10))).toMatchObject({ columns: 'replicates' });
  });

  it('the error of a mean is the deviation of its readings over the root of how many they are', async () => {
    const { columns, rows: count } = await read('Dose;Mean;SD;N\n1;5;2;4\n2;6;3;9\n4;9;2;1\n');
    const { sigma } = readingsOf(columns, count, findRoles(columns, count));
    expect([sigma?.name, ...(sigma?.values ?? [])]).toEqual(['SD of the mean', 1, 1, 2]);
  });

  it('columns in different units are no curves of one signal, and each keeps its own error', async () => {
    const text = 't (s);product (µM);product SD;rate (nM/s);rate SD\n0;1;0.1;9;0.2\n1;2;0.1;8;0.2\n2;3;0.1;6;0.3\n';
    expect(await named(text)).toEqual({ x: 't', y: 'product', sigma: 'product SD' });
    const { columns, rows: count } = await read(text);
    const roles = (together: 'groups' | 'replicates') =>
      ({ columns: ['x', 'y', 'sigma', 'y', 'sigma'], together, controls: undefined }) as const;
    // Who says that they are curves all the same is told no unit, rather than that of the first.
    const { signal, sigma } = readingsOf(columns, count, roles('groups'));
    expect([signal.unit, sigma?.name, sigma?.unit]).toEqual(['', 'error', '']);
    expect([...sigma!.values]).toEqual([0.1, 0.2, 0.1, 0.2, 0.1, 0.3]);
  });

  it('total binding is marked, and nonspecific not', async () => {
    const { columns, rows: count } = await read('L;total 1;total 2;NSB\n0;1;2;1\n1;7;8;2\n2;9;9;3\n');
    const { condition, replicate, group } = readingsOf(columns, count, findRoles(columns, count));
    expect([condition?.name, condition?.marks, ...condition!.values.subarray(0, 4)]).toEqual([
      'specific',
      true,
      1,
      1,
      0,
      1,
    ]);
    expect([...replicate!.subarray(0, 3)]).toEqual([1, 2, 1]);
    expect(group).toBeUndefined();
  });

  it('columns of one name are the readings of its curve, in the order in which they stand', async () => {
    const { columns, rows: count } = await read(
      `time;wild type;;mutant;;\nh;r1;r2;r1;r2;r3\n${times.map((t) => [t, t + 1, t + 1.2, 2 * t, 2 * t + 0.1, 2 * t].join(';')).join('\n')}`,
    );
    const { group, replicate, x, y } = readingsOf(columns, count, findRoles(columns, count));
    expect(x).toMatchObject({ name: 'time', unit: 'h' });
    expect(group?.labels).toEqual(['wild type', 'mutant']);
    expect([...group!.of.subarray(0, 5)]).toEqual([0, 0, 1, 1, 1]);
    expect([...replicate!.subarray(0, 5)]).toEqual([1, 2, 1, 2, 3]);
    expect([...y.values.subarray(0, 5)]).toEqual([1, 1.2, 0, 0.1, 0]);
  });

  it('controls are told by labels without a dose, in both directions or not at all', async () => {
    const wells = 'CMP-1;1;9\nCMP-1;10;5\nCMP-1;100;1\nCMP-1;1000;1\n';
    const text = `compound;conc;signal\nDMSO;;10\nblank;;0\n${wells}`;
    expect(await named(text)).toMatchObject({
      controls: { column: 'compound', full: ['DMSO'], zero: ['blank'] },
    });
    expect(await named(text.replace('blank', 'other'))).not.toHaveProperty('controls');
    const atZero = `compound;conc;signal\nDMSO;0;10\nblank;0;0\n${wells}`;
    expect(await named(atZero)).toMatchObject({ controls: { full: ['DMSO'], zero: ['blank'] } });
    expect(await named(`${atZero}DMSO;1;9\n`)).not.toHaveProperty('controls');
  });
});

describe('roles that are said', () => {
  const text = 'time,dose,s1,s2,err,who\n0,1,5,6,.1,a\n1,1,4,5,.1,a\n2,1,3,4,.1,b\n3,1,2,3,.1,b\n';
  const said = async (roles: Record<string, unknown>) => {
    const { columns, rows } = await read(text);
    return rolesByName(withSaidRoles(findRoles(columns, rows), roles, columns, rows), columns);
  };

  it('take the place of those that were found, and the rest stays', async () => {
    expect(await said({})).toMatchObject({ x: 'time', y: ['s1', 's2'], sigma: 'err', group: 'who', dose: 'dose' });
    expect(await said({ x: 'dose', y: 's2', group: null })).toEqual({ x: 'dose', y: 's2', sigma: 'err' });
    expect(await said({ columns: 'groups' })).toMatchObject({ y: ['s1', 's2'], columns: 'groups' });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ x: 'tiem' }, 'the table has no column "tiem" for the role x (did you mean "time"?)'],
    [{ z: 'time' }, 'there is no role "z"'],
    [{ x: ['time', 'dose'] }, 'one column at most is x'],
    [{ y: 'who' }, 'the column "who" has labels, and y wants numbers'],
    [{ columns: 'both' }, '"columns" says what several columns of y are: "replicates", "groups", "names", "specific"'],
    [{ control: 'who' }, 'the column "who" has no control of 100 %: its labels are a, b'],
  ])('are refused in a sentence: %j', async (roles, sentence) => {
    await expect(said(roles)).rejects.toThrow(sentence);
  });
});

describe('what cannot be used is said', () => {
  const readings = async (text: string) => {
    const { columns, rows } = await read(text);
    return readingsOf(columns, rows, findRoles(columns, rows));
  };

  it('infinite readings, and those at an infinite x', async () => {
    const { y, dropped } = await readings('t,y\n0,1\n1,inf\n2,-Infinity\n3,4\ninf,5\n');
    expect([...y.values]).toEqual([1, 4]);
    expect(dropped.map(({ row, why }) => [row, why])).toEqual([
      [1, 'it is infinite'],
      [2, 'it is infinite'],
      [4, 'its t is infinite'],
    ]);
  });

  it('why no shape can be fitted', async () => {
    expect(whyNoShape(await readings('t,y\n3,1\n3,2\n3,4\n'))).toBe('all 3 readings are at t = 3');
    expect(whyNoShape(await readings('t,y\n3,1\n'))).toBe('1 reading is left of what was read');
  });
});
