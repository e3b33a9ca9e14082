/**
 * Tables as instruments and people write them, invented for this test (test/models/experiment/tables): what each column is
 * for, and that the field's own model fits as well as R's nls, glm or survreg has it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRoles } from '../../models/experiment/find-roles.ts';
import { readingsOf } from '../../models/experiment/readings.ts';
import { rolesByName } from '../../models/experiment/said-roles.ts';
import { beginImport } from '../../models/tables/import/import.ts';
import type { Plot, PlotGroup } from '../../src-main/contract/plots.ts';
import { cotangent, folderWith, json, quietJson } from '../support/command-line.ts';

interface Imported {
  readonly document: { readonly blocks: readonly Record<string, unknown>[] };
  readonly roles: Record<string, unknown>;
  readonly candidates: readonly { shape: string; aicc: number; objective: number }[];
  readonly dropped: readonly object[];
}

const folder = join(import.meta.dirname, '../models/experiment/tables');

interface Table {
  readonly roles: Record<string, unknown>;
  readonly readings: number;
  /** The field's own, and what R's fit leaves of it: squares, or −log L. */
  readonly shape?: readonly [name: string, objective: number];
}

const tables: Readonly<Record<string, Table>> = {
  'elisa-de.csv': {
    roles: { x: 'Konzentration', y: ['OD450 1', 'OD450 2', 'OD450 3'], columns: 'replicates' },
    readings: 24,
    shape: ['four-parameter-logistic-with-zero', 0.02333543691712],
  },
  'pm-col.tsv': { roles: { x: 't', y: 'A340', sigma: '±' }, readings: 10, shape: ['decay-to-level', 3.496059678618] },
  'pm-cell.csv': {
    roles: { x: 'time', y: 'signal', sigma: '± signal' },
    readings: 10,
    shape: ['decay-to-level', 3.496059678618],
  },
  'log-agonist-2.csv': {
    roles: { x: 'log[Agonist]', y: ['No inhibitor', 'Inhibitor'], columns: 'groups' },
    readings: 26,
    shape: ['log-dose-stimulation', 56.832457084565],
  },
  'growth-hm.csv': { roles: { x: 'Zeit', y: 'OD600' }, readings: 40, shape: ['sigmoid', 0.002025670852324] },
  'cooling-de-date.csv': {
    roles: { x: 'Zeitpunkt', y: 'Temperatur' },
    readings: 41,
    shape: ['decay-to-level', 4.083398318156],
  },
  'mortality.csv': {
    roles: { x: 'dose', y: 'dead', trials: 'number' },
    readings: 6,
    shape: ['log-logit', 8.113975649783],
  },
  'answers.csv': { roles: { x: 'dose', y: 'alive' }, readings: 63, shape: ['logit', 23.38441715845] },
  'two-strains.csv': {
    roles: { x: 'time', y: ['OD wt', 'OD mut'], columns: 'groups' },
    readings: 40,
  },
  'all-ended.csv': { roles: { y: 'months', event: 'status', group: 'arm' }, readings: 60 },
  'raman.txt': { roles: { x: 'Wave', y: 'Intensity' }, readings: 161, shape: ['lorentzian-on-line', 107706.49603949] },
  'inhib-long.csv': {
    roles: { x: 'S_uM', y: 'v', condition: 'I_uM' },
    readings: 21,
    shape: ['competitive-inhibition', 1.570754483894],
  },
  'urea.csv': { roles: { x: '[Urea]', y: 'Signal' }, readings: 33, shape: ['two-state-unfolding', 17.535715002924] },
  'pk-wide.csv': {
    roles: { x: 'Time', y: ['Subject 1', 'Subject 2', 'Subject 3', 'Subject 4'], columns: 'groups' },
    readings: 40,
  },
  'interleaved-sem.csv': {
    roles: {
      ...{ x: 'Dose', y: ['Cmp A mean', 'Cmp B mean'], sigma: ['Cmp A SEM', 'Cmp B SEM'], columns: 'groups' },
    },
    readings: 14,
  },
};

it('all tables are asked about', () => {
  expect(readdirSync(folder).sort()).toEqual(Object.keys(tables).sort());
});

describe.each(Object.entries(tables))('%s', (name, { roles, readings, shape }) => {
  it('is read as it is meant', async () => {
    const { columns, rows } = await beginImport(name, readFileSync(join(folder, name))).read({});
    const found = findRoles(columns, rows);
    expect(rolesByName(found, columns)).toEqual(roles);
    expect(readingsOf(columns, rows, found).y.values).toHaveLength(readings);
  });

  it.runIf(shape)('and the model of its field fits it as well as elsewhere', async () => {
    const [wanted = '', objective = NaN] = shape ?? [];
    const { candidates } = (await json('import', join(folder, name), '--shape', wanted)) as Imported;
    expect(candidates[0]?.objective).toBeLessThanOrEqual(objective * (1 + 1e-6));
  });
});

const imported = async (text: string, ...options: string[]): Promise<Imported> =>
  (await json('import', join(folderWith({ 't.csv': text }), 't.csv'), ...options)) as Imported;
const parameter = ({ document }: Imported, id: string): unknown =>
  document.blocks.find((block) => block['id'] === id)?.['initial'];

describe('what is known to lie beyond a limit is censored and not left out', () => {
  const y = ['10.2', '6.9', '4.8', '3.1', '2.3', '1.1', '0.62', '<0.5', '<0.5', '<0.5'];
  const times = [0, 1, 2, 3, 4, 6, 8, 10, 12, 14];

  it.each([
    ['in the cell', `t,y\n${times.map((t, i) => `${t},${y[i]}`).join('\n')}\n`],
    ['by a flag', `t,y,BLQ\n${times.map((t, i) => `${t},${y[i]!.replace('<', '')},${Number(i > 6)}`).join('\n')}\n`],
    ['by a column of limits', `t,y,LLOQ\n${times.map((t, i) => `${t},${i > 6 ? 'BLQ' : y[i]},0.5`).join('\n')}\n`],
  ])('%s', async (_, text) => {
    const found = await imported(text, '--shape', 'decay');
    expect(found.dropped).toEqual([]);
    expect(found.document.blocks.at(-1)).toMatchObject({ kind: 'likelihood', family: 'normal', censored: {} });
    // By R: −Σ log dnorm, and log pnorm of what is below, minimised by optim.
    expect(found.candidates[0]?.objective).toBeCloseTo(-6.9594245689, 7);
    expect(parameter(found, 'A')).toBe(10.16);
    expect(parameter(found, 'k')).toBe(0.3793);
    expect(parameter(found, 'sigma')).toBe(0.08944);
  });
});

it('total and nonspecific binding are one fit, whose nonspecific part is that of both', async () => {
  const rows = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50].map((x, i) => {
    const free = 60 + 20 * x;
    return [x, free + (1900 * x) / (2 + x) + 9 * Math.sin(7 * i), free + 9 * Math.cos(5 * i)].map((y) => y.toFixed(1));
  });
  const found = await imported(`[L] (nM);total (cpm);NSB (cpm)\n${rows.map((row) => row.join(';')).join('\n')}\n`);
  expect(found.roles).toMatchObject({ y: ['total', 'NSB'], columns: 'specific' });
  expect(found.candidates[0]?.shape).toBe('total-and-nonspecific-with-background');
  expect((parameter(found, 'Kd') as number) / 2).toBeCloseTo(1, 1);
  expect((parameter(found, 'NS') as number) / 20).toBeCloseTo(1, 1);
  expect(found.document.blocks.find(({ id }) => id === 'model')).toMatchObject({ inputs: { I: 'specific' } });
});

it('times of which some have not ended are a distribution, by survivors where they have not', async () => {
  const times = [3, 5, 7, 9, 10, 12, 15, 18, 20, 22, 25, 30];
  const status = [1, 1, 0, 1, 1, 0, 1, 1, 1, 0, 1, 0];
  const text = `time,status\n${times.map((t, i) => `${t},${status[i]}`).join('\n')}\n`;
  const found = await imported(text, '--shape', 'weibull-times');
  expect(found.roles).toEqual({ y: 'time', event: 'status' });
  // survreg(Surv(time, status) ~ 1): exp(intercept), 1/scale, −log L.
  expect(found.candidates[0]?.objective).toBeCloseTo(31.53490194, 7);
  expect(parameter(found, 'tau')).toBe(20.55);
  expect(parameter(found, 'k')).toBe(1.651);
  // As R's survival package codes it: 1 has not ended, 2 has.
  const lung = await imported(text.replace(/,1$/gm, ',2').replace(/,0$/gm, ',1'), '--shape', 'weibull-times');
  expect(lung.candidates[0]?.objective).toBeCloseTo(31.53490194, 7);
});

it('one column of numbers is a sample: its density is fitted, compared, and drawn over a histogram in its unit', async () => {
  const values = [4.1, 5.2, 5.9, 6.3, 6.8, 7.0, 7.4, 7.9, 8.3, 8.8, 9.9, 11.4];
  const folder = folderWith({ 't.csv': `size (mm)\n${values.join('\n')}\n` });
  const [table, normal, other] = ['t.csv', 'normal.cot.json', 'other.cot.json'].map((file) => join(folder, file));
  await json('import', table!, '--shape', 'normal-values', '--out', normal!);
  await json('import', table!, '--shape', 'log-normal-values', '--out', other!);
  await quietJson(['fit', normal!, '--out', normal!.replace('.cot.json', '.fit.json')]);
  const { plots } = (await json('plot', normal!)) as { plots: Plot[] };
  const [{ x, y, edges = [], groups }, residuals] = plots as [Plot, Plot];
  expect([x.label, x.unit, y.label, residuals.y.label]).toEqual(['size', 'mm', 'count', 'Pearson residual']);
  const [{ points, curve }] = groups as [PlotGroup];
  const inside = (i: number) => values.filter((v) => v >= edges[i]! && (v < edges[i + 1]! || i === edges.length - 2));
  expect(points.y).toEqual(points.x.map((_, i) => inside(i).length));
  // n·width·φ at the mean and standard deviation of greatest likelihood.
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const sd = Math.sqrt(values.reduce((a, b) => a + (b - mean) ** 2, 0) / values.length);
  const height = (values.length * (edges[1]! - edges[0]!)) / (sd * Math.sqrt(2 * Math.PI));
  curve!.x.forEach((at, i) => expect(curve!.y[i]).toBeCloseTo(height * Math.exp(-(((at - mean) / sd) ** 2) / 2), 5));
  // AICc of both by their closed forms.
  const { models } = await quietJson<{
    models: { aicc: number; objective: number }[];
  }>(['compare', normal!, other!]);
  const n = values.length;
  const minusLog = (s: number): number => n * (Math.log(s) + Math.log(2 * Math.PI) / 2 + 0.5);
  const logs = values.map(Math.log);
  const logMean = logs.reduce((a, b) => a + b, 0) / n;
  const logSd = Math.sqrt(logs.reduce((a, b) => a + (b - logMean) ** 2, 0) / n);
  const wanted = [minusLog(sd), minusLog(logSd) + n * logMean];
  models.forEach(({ aicc, objective }, i) => {
    expect(objective).toBeCloseTo(wanted[i]!, 6);
    expect(aicc).toBeCloseTo(2 * wanted[i]! + 4 + 12 / (n - 3), 6);
  });
});

describe('parameters of groups', () => {
  const subjects = ['A', 'B', 'C', 'D', 'E', 'F'];
  const noise = (i: number): number => 2 * (((i + 1) * Math.SQRT2) % 1) - 1;
  const text = `subject,t,y\n${subjects
    .flatMap((subject, g) =>
      [0, 1, 2, 4, 7].map(
        (t, i) =>
          `${subject},${t},${(5 + noise(g) + (1 + 0.3 * noise(g + 9)) * t + 0.2 * noise(7 * g + i)).toFixed(3)}`,
      ),
    )
    .join('\n')}\n`;

  it('are shared, of each group, or hierarchical, as is said', async () => {
    const found = await imported(text, '--shape', 'line', '--parameters', '{"a": "hierarchical", "b": "group"}');
    const at = (id: string) => found.document.blocks.find((block) => block['id'] === id);
    expect(at('between')).toMatchObject({ kind: 'random-effect', like: 'subject', names: ['a'] });
    expect(at('b')).toMatchObject({ like: 'subject' });
    expect(at('a')?.['initial']).toBeTypeOf('number');
    expect(at('misfit')).toMatchObject({ kind: 'likelihood', family: 'normal' });
    const shared = await imported(text, '--shape', 'line', '--parameters', '{"*": "shared"}');
    expect(shared.document.blocks.some((block) => 'like' in block)).toBe(false);
  });

  it.each([
    ['{"a": "random"}', /"a" is "random"; there are shared, group, hierarchical/],
    ['{"c": "group"}', /line has no parameter "c": it has a, b/],
    ['[]', /--parameters wants an object/],
  ])('or refused: %s', async (said, sentence) => {
    const path = join(folderWith({ 't.csv': text }), 't.csv');
    const { status, stderr } = await cotangent('import', path, '--shape', 'line', '--parameters', said);
    expect(status).toBe(2);
    expect(stderr).toMatch(sentence);
  });
});

it('a column of readings that is all missing is refused in a sentence, and the times beside it are not taken for readings', async () => {
  const path = join(folderWith({ 'unread.csv': 'time,conc\n0,NA\n1,NA\n2,NA\n4,NA\n8,NA\n' }), 'unread.csv');
  const { status, stdout, stderr } = await cotangent('import', path, '--json');
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr).toContain('nothing was observed: every cell of conc is missing');
});

it('takes the shapes of a NONMEM table, and the names of their parameters, for those of no other table', async () => {
  const rows = ['1,0,100,.,1', '1,1,.,9.9,0', '1,4,.,5.7,0', '2,0,100,.,1', '2,1,.,9.1,0', '2,4,.,4.9,0'];
  const doses = folderWith({ 'doses.csv': ['ID,TIME,AMT,DV,EVID', ...rows].join('\n') });
  const asked = '{"CL": "hierarchical", "ke": "shared"}';
  const found = await json('import', join(doses, 'doses.csv'), '--shape', 'iv-bolus', '--parameters', asked);
  const { document } = found as { document: { blocks: { id: string; kind: string; like?: string }[] } };
  expect(document.blocks.filter(({ kind }) => kind === 'random-effect').length).toBe(1);
  expect(document.blocks.map(({ id }) => id)).toEqual(expect.arrayContaining(['CL', 'ke']));
});

it('a shape that meets the readings exactly is left out for no other that does not', async () => {
  const path = join(folderWith({ 'exact.csv': 'time,OD\n0,1\n1,2\n2,4\n3,8\n4,16\n' }), 'exact.csv');
  const { candidates } = (await json('import', path)) as Imported;
  expect(candidates[0]?.shape).toBe('growth');
});
