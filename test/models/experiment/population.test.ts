/** NONMEM tables: what their rows mean, and that each reading has the doses behind it that a solver of the equations gives it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { populationOf, type Population, type PopulationShape } from '../../../models/experiment/population/model.ts';
import { recordsOf } from '../../../models/experiment/population/records.ts';
import type { Sharing } from '../../../models/experiment/sharing.ts';
import { usualMissing } from '../../../models/tables/import/dialect.ts';
import { beginImport } from '../../../models/tables/import/import.ts';
import { fitJson } from '../../../src-main/cli/output/fit-output.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { cotangent, folderWith, json } from '../../support/command-line.ts';
import { evaluate, type PlainBlock } from '../../support/documents.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

type Cells = readonly (number | string | null)[];

async function population(
  lines: readonly string[],
  shape?: PopulationShape,
  said?: Readonly<Record<string, Sharing>>,
): Promise<Population> {
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  const { columns, rows } = await beginImport('t.csv', bytes).read({ missing: [...usualMissing, '.'] });
  return populationOf('t', recordsOf(columns, rows), said && new Map(Object.entries(said)), shape);
}

const tables = ({ document }: Population): Record<string, { columns: Record<string, Cells> }> =>
  document['tables'] as Record<string, { columns: Record<string, Cells> }>;

/** dA/dt = −ka·A, dC/dt = (ka·A or the rate of infusions)/V − ke·C, by steps of Runge and Kutta between the doses. */
function solved(doses: readonly { at: number; amount: number; lasting: number }[], t: number, p: Rates): number {
  const bends = [0, t, ...doses.flatMap(({ at, lasting }) => [at, at + lasting])].filter((at) => at <= t);
  const knots = [...new Set(bends)].sort((a, b) => a - b);
  let [gut, body] = [0, 0];
  const give = (at: number): void => {
    for (const dose of doses)
      if (dose.at === at && dose.lasting === 0) {
        if (p.ka === undefined) body += dose.amount / p.V;
        else gut += dose.amount;
      }
  };
  give(0);
  for (const [i, to] of knots.slice(1).entries()) {
    const from = knots[i]!;
    const rate = doses.reduce(
      (sum, { at, amount, lasting }) => sum + (at <= from && from < at + lasting ? amount / lasting : 0),
      0,
    );
    const slope = ([a, c]: readonly [number, number]): [number, number] => [
      -(p.ka ?? 0) * a,
      ((p.ka ?? 0) * a + rate) / p.V - p.ke * c,
    ];
    const h = (to - from) / 400;
    for (let n = 0; n < 400; n++) {
      const x = [gut, body] as const;
      const along = (k: readonly [number, number], by: number) => [x[0] + by * k[0], x[1] + by * k[1]] as const;
      const k1 = slope(x);
      const k2 = slope(along(k1, h / 2));
      const k3 = slope(along(k2, h / 2));
      const k4 = slope(along(k3, h));
      [gut, body] = [0, 1].map((j) => x[j]! + (h / 6) * (k1[j]! + 2 * k2[j]! + 2 * k3[j]! + k4[j]!)) as [
        number,
        number,
      ];
    }
    give(to);
  }
  return body;
}

interface Rates {
  readonly V: number;
  readonly ke: number;
  readonly ka: number | undefined;
}

const header = 'ID,TIME,AMT,RATE,ADDL,II,DV,EVID,MDV,CMT,LLOQ,SEX';
const times = [1, 7, 13, 30];
const values = [4, 3, 5, 1];

function rows(lasting: number, read: number, written: boolean): string[] {
  const dose = (at: number, more: number) => `1,${at},100,${lasting ? 100 / lasting : '.'},${more},12,.,1,1,1,.,F`;
  const readings = times.map((t, i) => ({ t, row: `1,${t},.,.,.,.,${values[i]},0,0,${read},.,F` }));
  const doses = written ? [0, 12, 24].map((t) => ({ t, row: dose(t, 0) })) : [{ t: 0, row: dose(0, 2) }];
  return [header, ...[...doses, ...readings].sort((a, b) => a.t - b.t).map(({ row }) => row)];
}

describe.each([
  ['oral-one-compartment', 0, 2],
  ['iv-bolus', 0, 1],
  ['infusion', 2, 1],
] as const)('%s', (shape, lasting, read) => {
  it('sums what each dose leaves, additional ones as if they were written out', async () => {
    const wanted = shape === 'iv-bolus' ? shape : undefined;
    const found = await population(rows(lasting, read, false), wanted);
    expect(found.shape).toBe(shape);
    expect((await population(rows(lasting, read, true), wanted)).document).toEqual(found.document);
    const blocks = found.document['blocks'] as readonly PlainBlock[];
    const value = (id: string) => blocks.find((block) => block['id'] === id)?.['initial'] as number;
    const p = { V: value('V'), ke: value('CL') / value('V'), ka: value('ka') as number | undefined };
    const doses = [0, 12, 24].map((at) => ({ at, amount: 100, lasting }));
    const curve = (await evaluate(blocks, 'curve', { tables: tables(found), objective: 'loss' })) as number[];
    curve.forEach((y, i) => expect(y / solved(doses, times[i]!, p)).toBeCloseTo(1, 6));
  });
});

it('a reading below quantification is censored, however it is said; what is no reading is left out', async () => {
  const spelled = async (head: string, low: string) =>
    tables(await population([head, '1,0,100,.,1,.', '1,1,.,4,0,.', '1,2,.,3,0,.', low]))['data']!.columns;
  for (const [head, low] of [
    ['ID,TIME,AMT,DV,EVID,LLOQ', '1,9,.,0.2,0,0.5'],
    ['ID,TIME,AMT,DV,EVID,BLQ', '1,9,.,0.5,0,1'],
  ] as const)
    expect(await spelled(head, low)).toMatchObject({ DV: [4, 3, 0.5], below: [null, null, 0.5] });
  const kept = await spelled('ID,TIME,AMT,DV,EVID,MDV', '1,9,.,7,0,1');
  expect(kept).toMatchObject({ DV: [4, 3], time: [1, 2], amount: [100, 100], since: [1, 2] });
  expect(kept).not.toHaveProperty('below');
});

describe('is refused with its row:', () => {
  it.each([
    ['a reset', '2,0,5,0,0,0,.,3,1,1,.,F', 'row 3 (ID 2) has EVID 3: a reset'],
    ['a reset and dose', '2,0,5,0,0,0,.,4,1,1,.,F', 'row 3 (ID 2) has EVID 4: a reset'],
    ['a rate that is estimated', '2,0,5,-2,0,0,.,1,1,1,.,F', 'row 3 (ID 2) has RATE -2'],
    ['additional doses at no distance', '2,0,5,0,3,0,.,1,1,1,.,F', 'row 3 (ID 2) has ADDL 3 and II 0'],
    ['a dose of nothing', '2,0,.,0,0,0,.,1,1,1,.,F', 'row 3 (ID 2) is a dose (EVID 1) of AMT 0'],
    ['an amount in words', '2,0,ten,0,0,0,.,1,1,1,.,F', 'row 3 (ID 2) has AMT "ten", which is no number'],
    ['a reading with an amount', '2,0,5,0,0,0,4,0,0,1,.,F', 'row 3 (ID 2) is no dose (EVID 0) and has AMT 5'],
    ['a way back in time', '1,0.5,5,0,0,0,.,1,1,1,.,F', 'row 3 (ID 1) goes back in time, after 1'],
    ['another compartment', '2,0,5,0,0,0,.,1,1,2,.,F', 'doses into compartments 1 and 2'],
    ['a reading at an additional dose', '1,12,.,.,.,.,3,0,0,1,.,F', 'row 3 (ID 1) is read at the very time'],
  ])('%s', async (_, row, message) => {
    const lines = [header, '1,0,100,0,2,12,.,1,1,1,.,F', '1,1,.,.,.,.,4,0,0,1,.,F', row];
    await expect(population(lines, 'iv-bolus')).rejects.toThrow(message);
  });

  it('a steady state', async () => {
    const lines = ['ID,TIME,AMT,DV,EVID,SS,II', '1,0,100,.,1,1,12', '1,1,.,4,0,0,0'];
    await expect(population(lines)).rejects.toThrow('row 1 (ID 1) has SS 1: a steady state is not understood');
  });
});

it('theophylline as a NONMEM table has the likelihood of the catalogue’s document', async () => {
  const catalogue = join(import.meta.dirname, '../../../models/catalogue');
  const [, ...lines] = readFileSync(join(catalogue, 'theoph.csv'), 'utf8').trim().replaceAll('"', '').split('\n');
  let last = '';
  const table = lines.flatMap((line) => {
    const [id = '', weight, dose, time, value] = line.split(',');
    const reading = `${id},${time},.,${value},0,0,2,${weight}`;
    if (id === last) return [reading];
    last = id;
    return [`${id},0,${dose},.,1,1,1,${weight}`, reading];
  });
  const folder = folderWith({ 'theo.csv': `ID,TIME,AMT,DV,EVID,MDV,CMT,WT\n${table.join('\n')}\n` });
  const [csv, out] = [join(folder, 'theo.csv'), join(folder, 'theo.cot.json')];
  const said = '{"CL": "hierarchical", "ka": "hierarchical", "ke": "shared"}';
  const imported = (await json('import', csv, '--parameters', said, '--out', out)) as { readonly document: PlainBlock };
  expect(imported).toMatchObject({ candidates: [{ shape: 'oral-one-compartment' }], dropped: [] });
  expect(JSON.parse(readFileSync(out, 'utf8'))).toMatchObject(imported.document);
  const model = demandModel(await load(imported.document, undefined));
  const fit = fitJson(await fitModel(model, device, { parameters: {} })) as unknown as {
    status: string;
    objective: number;
  };
  const stored = JSON.parse(readFileSync(join(catalogue, 'theophylline-population.fit.json'), 'utf8')) as typeof fit;
  expect(fit.status).toBe('converged');
  expect(fit.objective).toBeCloseTo(stored.objective, 6);
  const { status, stderr } = await cotangent('import', csv, '--shape', 'line');
  expect([status, stderr]).toEqual([2, expect.stringContaining('is a NONMEM table')]);
});
