/** `import` as the contract has it: of a table's file the first model, the roles, the candidates and what was left out. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cotangent, folderWith, json, quietJson } from '../support/command-line.ts';
import { runProcess } from '../support/process.ts';

interface Block {
  readonly id: string;
  readonly kind: string;
  readonly [key: string]: unknown;
}

interface Imported {
  readonly kind: string;
  readonly document: {
    readonly blocks: readonly Block[];
    readonly tables: { readonly data: Record<string, unknown> };
    readonly view?: unknown;
  };
  readonly roles: Record<string, unknown>;
  readonly candidates: readonly { shape: string; aicc: number; objective: number; document: object }[];
  readonly dropped: readonly { row: number; column?: string; why: string }[];
}

const tableFile = (text: string, name = 'plate.csv'): string => join(folderWith({ [name]: text }), name);
const imported = async (text: string, ...options: string[]): Promise<Imported> =>
  (await json('import', tableFile(text), ...options)) as Imported;
const block = ({ document }: Imported, id: string) => document.blocks.find((each) => each.id === id);
/** Repeatable, between -1 and 1. */
const noise = (i: number): number => 2 * (((i + 1) * Math.SQRT2) % 1) - 1;

/** Few, so that few shapes are tried. */
const times = [0, 0.5, 1, 2, 3, 5];
const decay = (t: number, i: number): number => 2 + 5 * Math.exp(-0.6 * t) + 0.05 * noise(i);

describe('a progress curve in triplicate, with a decimal comma, a row of units and one error', () => {
  const cell = (x: number): string => x.toFixed(4).replace('.', ',');
  const rows = times.map((t, i) => [t, ...[0, 1, 2].map((k) => decay(t, 3 * i + k)), 0.03].map(cell).join(';'));
  const text = `Zeit;Messung 1;Messung 2;Messung 3;Fehler\nmin;mV;mV;mV;mV\n${rows.join('\n')}\n`;

  it('is one curve in long form, with one error for all; its candidates are documents, the best first', async () => {
    const found = await imported(text);
    expect(found.kind).toBe('table');
    expect(found.roles).toEqual({
      ...{ x: 'Zeit', y: ['Messung 1', 'Messung 2', 'Messung 3'], sigma: 'Fehler', columns: 'replicates' },
    });
    expect(found.document.blocks.filter(({ kind }) => kind === 'least-squares')).toHaveLength(1);
    const { columns } = found.document.tables.data as { columns: Record<string, number[]> };
    expect(Object.keys(columns)).toEqual(['Zeit', 'Messung', 'Fehler', 'replicate']);
    expect(columns['replicate']?.slice(0, 4)).toEqual([1, 2, 3, 1]);
    expect(columns['Messung']).toHaveLength(18);
    expect(found.dropped).toEqual([]);
    const { candidates, document } = found;
    expect(candidates.length).toBeGreaterThan(1);
    expect(candidates.length).toBeLessThanOrEqual(5);
    expect(candidates[0]?.document).toEqual(document);
    for (const [k, { aicc }] of candidates.entries())
      if (k > 0) expect(aicc).toBeGreaterThanOrEqual(candidates[k - 1]!.aicc);
    expect(candidates.map(({ shape }) => shape)).toContain('decay-to-level');
  });

  it('takes the shape that is said, in the units of the columns, and its model fits to what was reported', async () => {
    const path = tableFile(text);
    const out = join(folderWith({}), 'first.cot.json');
    const found = (await json('import', path, '--shape', 'decay-to-level', '--out', out)) as Imported;
    expect(found.candidates.map(({ shape }) => shape)).toEqual(['decay-to-level']);
    expect(block(found, 'k')).toMatchObject({ kind: 'parameter', unit: '1/min', scale: 'log' });
    expect(block(found, 'A')).toMatchObject({ unit: 'mV' });
    expect(JSON.parse(readFileSync(out, 'utf8'))).toEqual(found.document);
    const fit = await quietJson<{
      status: string;
      objective: number;
      parameters: Record<string, { value: number }>;
    }>(['fit', out]);
    expect(fit.status).toBe('converged');
    expect(fit.objective).toBeCloseTo(found.candidates[0]!.objective, 6);
    expect(fit.parameters['k']?.value).toBeCloseTo(0.6, 1);
    const { models } = await quietJson<{ models: { aicc: number }[] }>(['compare', out, copied(out)]);
    expect(models[0]?.aicc).toBeCloseTo(found.candidates[0]!.aicc, 6);
  });
});

/** The same document under another name. */
function copied(path: string): string {
  return join(folderWith({ 'copy.cot.json': readFileSync(path, 'utf8') }), 'copy.cot.json');
}

describe('a plate of compounds with controls', () => {
  const doses = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];
  const halves: Record<string, number> = { 'CMP-001': 5, 'CMP-002': 60 };
  const wells = Object.entries(halves).flatMap(([name, half], g) =>
    doses.map((dose, i) => {
      const signal = (k: number) =>
        Math.round(1000 + 19_000 / (1 + (dose / half) ** 1.2) + 150 * noise(20 * g + 2 * i + k));
      return `${name},${dose},${signal(0)},${signal(1)},${name === 'CMP-002' && dose === 10 ? 'bubble' : ''}`;
    }),
  );
  const text = `compound,conc (nM),s1,s2,outlier\nDMSO,,20100,19900,\nno enzyme,,1000,1000,\n${wells.join('\n')}\n`;

  it('is in per cent of them, the dose of half the effect by compound, what is flagged excluded with the reason', async () => {
    const found = await imported(text, '--shape', 'three-parameter-slope-1');
    expect(found.roles).toMatchObject({
      ...{ x: 'conc', y: ['s1', 's2'], group: 'compound', exclude: 'outlier' },
      controls: { column: 'compound', full: ['DMSO'], zero: ['no enzyme'] },
    });
    expect(block(found, 'full')).toMatchObject({ kind: 'constant', value: 20_000 });
    expect(block(found, 'activity')).toMatchObject({ unit: '%', formula: '100*(signal - zero)/(full - zero)' });
    expect(block(found, 'compound')).toMatchObject({ type: 'category' });
    const { excluded } = found.document.tables.data as { excluded: { row: number; why: string }[] };
    expect(excluded.map(({ why }) => why)).toEqual(['bubble', 'bubble']);
  });

  it('and of one shape has parameters that all share beside those by label', async () => {
    const found = await imported(text, '--shape', 'four-parameter-logistic');
    const half = block(found, 'IC50');
    expect(half).toMatchObject({ like: 'compound', unit: 'nM', scale: 'log' });
    const [first = NaN, second = NaN] = half!['initial'] as number[];
    expect(first / 5).toBeCloseTo(1, 0);
    expect(second / 60).toBeCloseTo(1, 0);
    expect(block(found, 'top')?.['initial']).toBeTypeOf('number');
  });
});

it('doses of which some are 0 stand on a logarithmic axis in the model too, which says how many have no place', async () => {
  const doses = [0, 0, 0.1, 0.3, 1, 3, 10, 30, 100];
  const rows = doses.map((dose, i) => `${dose},${(100 / (1 + dose / 2) + 2 * noise(i)).toFixed(2)}`);
  const found = await imported(`dose (nM),response\n${rows.join('\n')}\n`, '--shape', 'three-parameter-slope-1');
  expect(found.document.view).toEqual({ plots: { misfit: { x: { scale: 'log' } } } });
  const path = join(folderWith({ 'd.cot.json': JSON.stringify(found.document) }), 'd.cot.json');
  const { stdout } = await cotangent('plot', path);
  expect(stdout.match(/2 points have no place: not above 0/g)).toHaveLength(2);
  const even = await imported('time (s),signal\n0,1\n1,3.1\n2,4.9\n3,7\n4,9.1\n5,10.9\n6,13.1\n', '--shape', 'line');
  expect(even.document).not.toHaveProperty('view');
});

it('one column of reals is a distribution in its unit, by the likelihood of the values', async () => {
  const values = Array.from({ length: 400 }, (_, i) => (-3 * Math.log(1 - (((i + 1) * Math.SQRT2) % 1))).toFixed(5));
  const found = await imported(`lifetime (ns)\n${values.join('\n')}\n`);
  expect(found.candidates.map(({ shape }) => shape)).toContain('exponential-times');
  const one = await imported(`lifetime (ns)\n${values.join('\n')}\n`, '--shape', 'exponential-times');
  expect(block(one, 'tau')).toMatchObject({ unit: 'ns' });
  // The maximum of the likelihood is the mean.
  const mean = values.reduce((sum, value) => sum + Number(value), 0) / values.length;
  expect(block(one, 'tau')?.['initial']).toBeCloseTo(mean, 2);
  const [candidate] = one.candidates;
  expect(candidate?.objective).toBeCloseTo(400 * (1 + Math.log(mean)), 6);
  expect(candidate?.aicc).toBeCloseTo(2 * 400 * (1 + Math.log(mean)) + 2 + 4 / 398, 6);
});

it('a large table is written beside the document', async () => {
  const lines = Array.from({ length: 10_500 }, (_, i) => `${i / 100},${(3 + 0.02 * i + 0.1 * noise(i)).toFixed(4)}`);
  const out = join(folderWith({}), 'long.cot.json');
  const path = tableFile(`t,y\n${lines.join('\n')}\n`, 'long.csv');
  const found = (await json('import', path, '--shape', 'line', '--out', out)) as Imported;
  const { file } = found.document.tables.data as { file: string };
  expect(existsSync(join(out, '..', file))).toBe(true);
  const fit = await quietJson<{ objective: number }>(['fit', out]);
  expect(fit.objective).toBeCloseTo(found.candidates[0]!.objective, 6);
});

it('what is left out is named with its row, its column and why', async () => {
  const rows = times.map((t, i) => `${t},${i === 3 ? 'lost' : decay(t, i).toFixed(3)}`);
  const { dropped } = await imported(`t,y\n${rows.join('\n')}\n,4\n`, '--shape', 'decay-to-level');
  expect(dropped).toEqual([
    { row: 3, column: 'y', why: '"lost" is no number' },
    { row: 6, why: 'it has no t' },
  ]);
});

describe('what cannot be is refused with status 2 and one sentence, and nothing is written', () => {
  it.each<[string, string[], RegExp]>([
    ['x,y\n1,2,3\n', [], /line 2 has 3 cells, and the header has 2/],
    ['name\nann\nbob\n', [], /has no column of numbers that could be y/],
    ['x,y\n1,2\n2,3\n3,5\n4,7\n5,9\n', ['--shape', 'lin'], /there is no shape "lin"/],
    ['x,y\n1,2\n2,3\n3,5\n', ['--roles', '{"x": "z"}'], /--roles: the table has no column "z" for the role x/],
    ['x,y\n1,2\n2,3\n3,5\n', ['--roles', '[1]'], /--roles wants an object/],
    ['x,y\n1,2\n2,3\n3,5\n', ['--roles', '{'], /--roles is no JSON/],
    ['x,y\n1,2\n', [], /no shape can be fitted to it: 1 reading/],
  ])('%j %j', async (text, options, sentence) => {
    const out = join(folderWith({}), 'none.cot.json');
    const { status, stdout, stderr } = await cotangent('import', tableFile(text), ...options, '--out', out, '--json');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(sentence);
    expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
    expect(existsSync(out)).toBe(false);
  });

  it('a file that is not there', async () => {
    const { status, stderr } = await cotangent('import', join(folderWith({}), 'none.csv'));
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining('there is no such file') as string,
    });
  });
});

it('stopped by Ctrl-C it prints what was fitted by then, if anything, and leaves with 130', async () => {
  const rows = Array.from({ length: 40 }, (_, g) => times.map((t, i) => `g${g},${t},${decay(t, 7 * g + i)}`)).flat();
  const file = tableFile(`plot,time,y\n${rows.join('\n')}\n`);
  const { status, stdout, stderr } = await runProcess(['import', file, '--json'], { interruptAfter: 1500 });
  expect(status).toBe(130);
  if (stdout === '') expect(stderr).toBe('cotangent: stopped before a shape was fitted\n');
  else expect((JSON.parse(stdout) as Imported).candidates.length).toBeGreaterThan(0);
});
