/** An import as the window asks for it: bytes in pieces, a preview, a suggestion, and a table for the document. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import * as v from 'valibot';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import {
  contestProgress,
  importContest,
  importPreview,
  type ColumnRole,
  type ContestProgress,
  type ImportContestant,
} from '../../../src-main/contract/import.ts';
import { importHandlers } from '../../../src-main/engine-process/imports.ts';

const folder = mkdtempSync(join(tmpdir(), 'imports-'));
afterAll(() => rmSync(folder, { recursive: true }));

let told: number[] = [];
let progress: ContestProgress[] = [];
let handlers: ReturnType<typeof importHandlers>;
beforeEach(() => {
  told = [];
  progress = [];
  handlers = importHandlers({
    catalogue: 'models/catalogue',
    imports: join(folder, 'tables'),
    onProgress: (share) => told.push(share),
    onContest: (each) => progress.push(each),
  });
});

const given = (text: string, name = 'a run.csv', piece = 7): Promise<void> =>
  givenBytes(new TextEncoder().encode(text), name, piece);

async function givenBytes(bytes: Uint8Array, name: string, piece: number): Promise<void> {
  await handlers['import.begin']({ name, size: bytes.length });
  for (let at = 0; at < bytes.length; at += piece)
    await handlers['import.bytes']({ bytes: bytes.slice(at, at + piece) });
}

const location = { kind: 'unsaved' } as const;
const table = 't (s),U,sd,who\n0,1,.1,a\n1,3,.1,b\n,5,.1,c\n3,x,.2,d\n4,9,.1,e\n5,11,.1,f\n';

it('shows what it found, as the contract has it', async () => {
  await given(table);
  const preview = await handlers['import.preview']({ choices: {} });
  expect(v.is(importPreview, preview)).toBe(true);
  expect(preview).toMatchObject({
    outcome: 'table',
    format: 'text',
    dialect: { delimiter: ',', header: true },
    rows: 6,
    columns: [
      { name: 't', unit: 's', role: 'x', missing: 1 },
      { name: 'U', role: 'y', strays: 1, firstStrays: [{ row: 3, line: 5, cell: 'x' }] },
      { name: 'sd', role: 'sigma' },
      { name: 'who', role: 'keep', type: 'category', labels: 6 },
    ],
  });
  expect(told.length).toBeGreaterThan(0);
});

it('shows a fault with the lines that the file begins with', async () => {
  await given('x,y\n1,2,3\n');
  const preview = await handlers['import.preview']({ choices: {} });
  expect(v.is(importPreview, preview)).toBe(true);
  expect(preview).toEqual({
    outcome: 'fault',
    message: 'line 2 has 3 cells, and the header has 2',
    lines: ['x,y', '1,2,3', ''],
  });
  await expect(handlers['import.take']({ choices: {}, columns: [0], whole: [], location })).rejects.toThrow(
    'The table cannot be read: line 2 has 3 cells',
  );
});

it('fits shapes to the columns that it is given, and makes the document of one', async () => {
  const rows = Array.from(
    { length: 6 },
    (_, i) => `${i},${(5 * Math.exp(-0.3 * i) + 0.01 * Math.sin(i * i)).toFixed(4)}`,
  );
  await given(`t (h),conc (mg/L)\n${rows.join('\n')}\n`);
  const experiment = {
    ...{ choices: {}, roles: ['x', 'y'] as const, units: [null, null] as const, together: 'replicates' as const },
    controls: true,
  };
  const asked = { ...experiment, roles: [...experiment.roles], units: [...experiment.units] };
  const contest = await handlers['import.contest'](asked);
  expect(v.is(importContest, contest)).toBe(true);
  expect(contest).toMatchObject({ groups: [''], readings: 6, x: { label: 't', unit: 'h', scale: 'linear' } });
  const [best] = contest.contestants;
  expect(best).toMatchObject({ formula: 'A*exp(-k*t)', count: 2 });
  expect(best?.parameters).toMatchObject([
    { name: 'A', unit: 'mg/L' },
    { name: 'k', unit: '1/h' },
  ]);
  expect(best?.parameters[1]?.values[0]?.value).toBeCloseTo(0.3, 2);
  expect(best?.curves[0]?.y[0]).toBeCloseTo(5, 1);

  const { document } = await handlers['import.make']({
    ...{ experiment: { ...asked, shape: 'line', sharing: {} }, name: 'Run', location },
  });
  expect(document).toMatchObject({ name: 'Run', objective: 'misfit' });
  expect(document['blocks']).toContainEqual(expect.objectContaining({ id: 'model', formula: 'a + b*t' }));
  await expect(handlers['import.contest']({ ...asked, roles: ['x', 'keep'] })).rejects.toThrow('No column is y.');
  expect(await handlers['import.library']({})).toContainEqual(expect.objectContaining({ name: 'decay' }));
});

it('takes readings by their roles as columns, without a model', async () => {
  await given('t (h);s1;s2;exclude\n0;5;5.1;\n1;4;4.2;x\n2;3;3.1;\n', 'r.csv', 1000);
  const roles: ColumnRole[] = ['x', 'y', 'y', 'exclude'];
  const asked = {
    choices: {},
    roles,
    units: [null, 'mV', 'mV', null],
    together: 'replicates' as const,
    controls: true,
  };
  const { document } = await handlers['import.readings']({ experiment: asked, name: 'R', location });
  expect(document['blocks']).toEqual([
    { id: 't', kind: 'column', table: 'data', column: 't', unit: 'h' },
    { id: 'signal', kind: 'column', table: 'data', column: 'signal', unit: 'mV' },
  ]);
  expect(document).not.toHaveProperty('objective');
  expect(document['tables']).toMatchObject({
    data: {
      columns: { t: [0, 0, 1, 1, 2, 2], signal: [5, 5.1, 4, 4.2, 3, 3.1], replicate: [1, 2, 1, 2, 1, 2] },
      excluded: [{ row: 2 }, { row: 3 }],
    },
  });
});

it('makes of groups what the contest has shown, and tells meanwhile what is best so far', async () => {
  const rows = ['a', 'b'].flatMap((group, g) =>
    Array.from({ length: 5 }, (_, i) => {
      const y = (4 + 3 * g) * Math.exp(-0.4 * i) + 0.05 * Math.sin(7 * i + 3 * g);
      return `${group},${i},${y.toFixed(4)}`;
    }),
  );
  await given(`who,t,y\n${rows.join('\n')}\n`, 'g.csv', 1000);
  const roles: ColumnRole[] = ['group', 'x', 'y'];
  const asked = { choices: {}, roles, units: [null, null, null], together: 'replicates' as const, controls: true };
  const { contestants } = await handlers['import.contest']({ ...asked, asked: 7 });
  expect(progress.every((each) => v.is(contestProgress, each) && each.asked === 7)).toBe(true);
  const soFar = progress.flatMap(({ contest }) => (contest ? [contest.contestants.length] : []));
  expect(soFar[0]).toBe(0);
  expect(Math.max(...soFar)).toBeGreaterThan(1);
  const [{ shape, parameters }] = contestants as [ImportContestant];
  const sharing = Object.fromEntries(parameters.map((each) => [each.name, each.sharing]));
  const { document } = await handlers['import.make']({
    ...{ experiment: { ...asked, noise: 'constant', shape, sharing }, name: 'G', location },
  });
  for (const { name, values } of parameters) {
    const found = values.map(({ value }) => Number(value.toPrecision(4)));
    const initial = found.length === 1 ? found[0] : found;
    expect(document['blocks']).toContainEqual(expect.objectContaining({ id: name, initial }));
  }
});

it('makes of a parameter that is said to be hierarchical one about which groups scatter', async () => {
  const rows = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((group, g) =>
    Array.from({ length: 6 }, (_, i) => {
      const y = 5 * Math.exp(0.3 * Math.sin(2.5 * g)) * Math.exp(-0.4 * i) + 0.05 * Math.sin(7 * i + 3 * g);
      return `${group},${i},${y.toFixed(4)}`;
    }),
  );
  await given(`who,t,y\n${rows.join('\n')}\n`, 'h.csv', 1000);
  const roles: ColumnRole[] = ['group', 'x', 'y'];
  const asked = { choices: {}, roles, units: [null, null, null], together: 'replicates' as const, controls: true };
  const experiment = { ...asked, shape: 'decay', sharing: { A: 'hierarchical', k: 'shared' } as const };
  const { contestants } = await handlers['import.contest'](experiment);
  expect(contestants).toHaveLength(1);
  const [{ parameters, curves }] = contestants as [ImportContestant];
  expect(parameters.map(({ name, sharing, values }) => [name, sharing, values.length])).toEqual([
    ['A', 'hierarchical', 1],
    ['k', 'shared', 1],
  ]);
  // At the typical value, whose curve is one for all.
  expect(curves).toHaveLength(6);
  expect(new Set(curves.map(({ y }) => y[0])).size).toBe(1);
  const { document } = await handlers['import.make']({ experiment, name: 'H', location });
  expect(document['blocks']).toContainEqual(expect.objectContaining({ kind: 'random-effect', names: ['A'] }));
});

it('no interval of a shape reaches beyond what its parameter can be', async () => {
  // Two normals of which one is all but alone: the symmetric interval of their share reaches beyond 1.
  const sample = [...Array.from({ length: 40 }, (_, i) => 40 + 4 * Math.sin(7 * i * i)), 61, 70, 84];
  await given(`length (mm)\n${sample.map((x) => x.toFixed(3)).join('\n')}\n`, 'sample.csv', 1000);
  const asked = {
    choices: {},
    roles: ['y'] as ColumnRole[],
    units: [null],
    together: 'replicates' as const,
    controls: true,
  };
  const { contestants } = await handlers['import.contest']({ ...asked, shape: 'two-normals', sharing: {} });
  const [{ parameters }] = contestants as [ImportContestant];
  const ends = new Map(parameters.map(({ name, values: [value] }) => [name, value!]));
  expect(ends.get('f')!.upper).toBe(Infinity);
  expect(ends.get('f')!.lower).toBeGreaterThan(0);
  for (const name of ['s1', 's2']) expect(ends.get(name)!.lower === -Infinity || ends.get(name)!.lower > 0).toBe(true);
});

describe('a model of another program', () => {
  const cases = join(import.meta.dirname, '../..');
  const problem = join(cases, 'petab/cases/v1/0007');

  it('in SBML is the document that it says', async () => {
    const text = readFileSync(join(cases, 'sbml/cases/00004/00004-sbml-l3v2.xml'), 'utf8');
    await given(text, 'model.xml', 1000);
    const preview = await handlers['import.preview']({ choices: {} });
    expect(v.is(importPreview, preview)).toBe(true);
    expect(preview).toMatchObject({ outcome: 'model', format: 'sbml', document: { format: 'cotangent/1' } });
    await given(text.replaceAll('<times/>', '<guess/>'), 'model.xml', 1000);
    await expect(handlers['import.preview']({ choices: {} })).rejects.toThrow(/model.xml is not imported: .*<guess>/);
  });

  it('in an archive of a PEtab problem is fitted to its measurements', async () => {
    const files = readdirSync(problem).map((name) => [`folder/${name}`, readFileSync(join(problem, name))] as const);
    const solution = /_solution/;
    await givenBytes(zipSync(Object.fromEntries(files.filter(([name]) => !solution.test(name)))), 'problem.zip', 1000);
    const preview = await handlers['import.preview']({ choices: {} });
    expect(v.is(importPreview, preview)).toBe(true);
    expect(preview).toMatchObject({ outcome: 'model', format: 'petab', document: { name: 'problem' }, notes: [] });
  });

  it('is not looked for in other archives', async () => {
    const sheet = zipSync({ 'xl/workbook.xml': new Uint8Array(3) });
    for (const bytes of [sheet, sheet.subarray(0, 4)]) {
      await givenBytes(bytes, 'sheet.xlsx', 1000);
      expect(await handlers['import.preview']({ choices: {} })).toMatchObject({
        outcome: 'fault',
        message: expect.stringContaining('Excel workbook') as string,
      });
    }
    await givenBytes(sheet.subarray(0, 4), 'problem.zip', 1000);
    await expect(handlers['import.preview']({ choices: {} })).rejects.toThrow(/problem.zip cannot be unpacked/);
  });
});

it('gives a small table to be kept in the document, without rows that lack what is needed', async () => {
  await given(table);
  expect(await handlers['import.take']({ choices: {}, columns: [0, 1], whole: [0], location })).toEqual({
    entry: { columns: { t: [0, 1, 3, 4, 5], U: [1, 3, null, 9, 11] } },
  });
});

describe('a large table', () => {
  const lines = Array.from({ length: 11_000 }, (_, i) => `${i},${i / 3}`);
  beforeEach(() => given(`x,y\n${lines.join('\n')}\n`, 'a run.csv', 1 << 16));

  it('is written to a file', async () => {
    const { entry } = await handlers['import.take']({ choices: {}, columns: [0, 1], whole: [0], location });
    expect(entry).toMatchObject({ delimiter: ',', decimal: '.', header: true });
    const file = String(entry['file']);
    expect(file).toMatch(/^a-run-[0-9a-f]{8}\.csv$/);
    expect(
      readFileSync(join(folder, 'tables', file), 'utf8')
        .split('\n')
        .slice(0, 3),
    ).toEqual(['"x","y"', '0,0', `1,${1 / 3}`]);
  });

  it('finds no place beside an example', async () => {
    const example = { kind: 'example', name: 'misra1a' } as const;
    await expect(
      handlers['import.take']({ choices: {}, columns: [0, 1], whole: [], location: example }),
    ).rejects.toThrow('save the example under a name of your own first');
  });
});

it('refuses what comes out of turn, and what is too large', async () => {
  expect(() => handlers['import.begin']({ name: 'a', size: 1e15 })).toThrow('no memory');
  await expect(handlers['import.preview']({ choices: {} })).rejects.toThrow('No table is being imported.');
  await handlers['import.begin']({ name: 'a', size: 4 });
  await handlers['import.bytes']({ bytes: new Uint8Array(2) });
  await expect(handlers['import.preview']({ choices: {} })).rejects.toThrow('The file has not come whole.');
  expect(() => handlers['import.bytes']({ bytes: new Uint8Array(3) })).toThrow('has grown');
});
