/**
 * Problems exported and imported again: the same −log L and the same simulation. Cases of the PEtab Test Suite (cases), and
 * a document of one's own; `PETAB_CASES=FOLDER npx vitest run test/petab/export.test.ts` all problems of a folder.
 */
import { readdir, readFile as fileAt } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exportPetab } from '../../src-main/export/petab.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { importPetab } from '../../models/petab/import.ts';
import { Refused } from '../../src-main/refused.ts';
import { documentOf, openDevice, valuesOfDocument } from './run.ts';

const device = openDevice();
afterAll(() => device.close());

type Version = 1 | 2;

async function exported(document: unknown, version: Version = 2): Promise<ReadonlyMap<string, string>> {
  return exportPetab(demandModel(await load(document, undefined)), device, version);
}

async function imported(files: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const readFile = (name: string): Promise<Uint8Array> => {
    const text = files.get(name);
    return text === undefined ? Promise.reject(new Error('no such file')) : Promise.resolve(Buffer.from(text));
  };
  const { document } = await importPetab(files.get('problem.yaml') ?? '', readFile, 'again');
  return JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
}

/** Undefined where both are the same. */
async function difference(document: unknown, version: Version = 2): Promise<string | undefined> {
  const before = await valuesOfDocument(document, device);
  const after = await valuesOfDocument(await imported(await exported(document, version)), device);
  const near = (a: number, b: number): boolean => Object.is(a, b) || Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a));
  if (!near(before.objective, after.objective)) return `objective ${after.objective} for ${before.objective}`;
  if (before.simulation.length !== after.simulation.length) return `${after.simulation.length} rows`;
  const at = before.simulation.findIndex((value, i) => !near(value, after.simulation[i] ?? NaN));
  return at < 0 ? undefined : `simulation ${at}: ${after.simulation[at]} for ${before.simulation[at]}`;
}

async function problemsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names
    .filter((name) => /\.ya?ml$/.test(name) && !/solution|synthetic/.test(name))
    .map((name) => join(folder, name))
    .sort();
}

test.each<[string, string, readonly Version[]]>([
  ['v1/0007', 'noise of the logarithm to base 10', [1, 2]],
  ['v1/0017', 'a steady state before, of which one state is set anew', [1, 2]],
  ['v2/0023', 'a course of periods', [2]],
  ['v2/0031', 'periods, with what conditions compute', [2]],
])('case %s is the same again: %s', async (name, _, versions) => {
  const [path = ''] = await problemsIn(join(import.meta.dirname, 'cases', name));
  for (const version of versions) expect(await difference(await documentOf(path), version)).toBeUndefined();
});

test('rows of two observables in turn keep their places', async () => {
  const folder = join(import.meta.dirname, 'cases', 'v2/0031');
  const readFile = async (name: string): Promise<Uint8Array> => {
    const bytes = await fileAt(join(folder, name));
    if (!name.includes('measurements')) return bytes;
    const [head = '', ...rows] = bytes.toString().trimEnd().split('\n');
    return Buffer.from([head, ...rows, ...rows].join('\n'));
  };
  const yaml = await fileAt(join(folder, '_0031.yaml'), 'utf8');
  const { document } = await importPetab(yaml, readFile, 'in turn');
  expect(await difference(JSON.parse(JSON.stringify(document)))).toBeUndefined();
});

/** y = A(t)·gain of three doses of A ⇌ B, where noise and gain are given row by row. */
const own = {
  format: 'cotangent/1',
  tables: {
    d: { columns: { t: [1, 2, 1, 4, 2], dose: [0, 0, 1, 1, 2], at: [3, 6, 4, 10, 8], y: [0.9, 0.7, 1.6, 1.1, 2.5] } },
  },
  blocks: [
    { id: 'y', kind: 'column', table: 'd', column: 'y' },
    { id: 'at', kind: 'column', table: 'd', column: 'at', type: 'int' },
    { id: 'dose', kind: 'column', table: 'd', column: 'dose', type: 'int' },
    { id: 'k', kind: 'parameter', initial: 0.3, lower: 0, scale: 'log' },
    { id: 'back', kind: 'parameter', initial: 0.1, fixed: true },
    { id: 's1', kind: 'parameter', initial: 0.1, support: 'positive' },
    { id: 's2', kind: 'parameter', initial: 0.2, prior: { family: 'log-normal', mean: 0, sd: 1 } },
    { id: 'doses', kind: 'constant', value: [1, 2, 3] },
    { id: 'temperature', kind: 'constant', value: [1, 1.5, 2] },
    { id: 'faster', kind: 'map', formula: 'k*temperature' },
    { id: 'begin', kind: 'map', formula: 'doses*1.1' },
    { id: 'times', kind: 'constant', value: [0, 1, 2, 4] },
    {
      ...{ id: 'm', kind: 'ode', times: 'times', formulas: { total: 'A + B' } },
      state: { A: { initial: 'begin' }, B: { initial: 0 } },
      reactions: [{ name: 'on', reaction: 'A <-> B', rate: 'faster*A - back*B' }],
    },
    { id: 'flat', kind: 'reshape', values: 'm.A', shape: [-1] },
    { id: 'a', kind: 'gather', from: 'flat', indices: 'at' },
    { id: 'p', kind: 'map', formula: 'if(dose == 0, a, a*1.01^2)' },
    { id: 'sigma', kind: 'map', formula: 'if(dose < 2, s1, s2)' },
    { id: 'p_likelihood', kind: 'likelihood', family: 'log-normal', observed: 'y', mean: 'logarithm', sigma: 'sigma' },
    { id: 'logarithm', kind: 'map', formula: 'log(p)' },
  ],
  objective: 'p_likelihood',
  names: { simulation: 'p' },
};

test('a document of doses is experiments with conditions, and the same again', async () => {
  const files = await exported(own);
  expect(files.get('conditions.tsv')?.trim().split('\n')).toEqual([
    ...['conditionId\ttargetId\ttargetValue', 'condition_1\tfaster\tk * 1', 'condition_1\tA\t1.1'],
    ...['condition_2\tfaster\tk * 1.5', 'condition_2\tA\t2.2', 'condition_3\tfaster\tk * 2'],
    'condition_3\tA\t3.3000000000000003',
  ]);
  expect(files.get('measurements.tsv')).toContain('p_\texperiment_3\t2\t2.5\t\ts2');
  // Version 2 has no scale: that a logarithm is moved is said by the bound.
  const free = own.blocks.map((block) =>
    block.id === 'k' ? { id: 'k', kind: 'parameter', initial: 0.3, scale: 'log' } : block,
  );
  expect((await exported({ ...own, blocks: free })).get('parameters.tsv')).toContain('k\t\t0\tinf\t0.3\ttrue');
  expect(await difference(own)).toBeUndefined();
});

/** The same with rates of a temperature that conditions set, which version 1 can say. */
const warmer = {
  ...own,
  blocks: own.blocks
    .filter(({ id }) => id !== 'faster')
    .map((block) =>
      block.id === 'm'
        ? { ...block, reactions: [{ name: 'on', reaction: 'A <-> B', rate: 'k*temperature*A - back*B' }] }
        : block.id === 'k'
          ? { ...block, prior: { family: 'normal', mean: -0.5, sd: 1, of: 'log10' } }
          : block,
    ),
};

test('in version 1 conditions are rows, and a prior may be that of a logarithm', async () => {
  const files = await exported(warmer, 1);
  expect(files.get('conditions.tsv')?.trim().split('\n')).toEqual([
    ...['conditionId\ttemperature\tA', 'condition_1\t1\t1.1', 'condition_2\t1.5\t2.2'],
    'condition_3\t2\t3.3000000000000003',
  ]);
  expect(files.get('measurements.tsv')).toContain('p_\t\tcondition_3\t2.5\t2\t\ts2');
  expect(files.get('parameters.tsv')).toContain('k\t\tlog10\t0\tinf\t0.3\t1\tparameterScaleNormal\t-0.5;1');
  expect(await difference(warmer, 1)).toBeUndefined();
});

test('version 1 refuses what it cannot say: periods, and conditions that compute', async () => {
  await expect(exported(own, 1)).rejects.toThrow(/a condition sets "k \* 1", and those of version 1/);
  const [periods = ''] = await problemsIn(join(import.meta.dirname, 'cases', 'v2/0031'));
  await expect(exported(await documentOf(periods), 1)).rejects.toThrow(/version 1 of PEtab has one from 0/);
  const [event = ''] = await problemsIn(join(import.meta.dirname, 'cases', 'v2/0023'));
  await expect(exported(await documentOf(event), 1)).rejects.toThrow(/an event may happen where a period begins/);
});

test.each([
  ['what is no likelihood', { objective: 'p' }, /"p", which is no likelihood block/],
  [
    'a prior of the logarithm',
    { prior: { family: 'normal', mean: 0, sd: 1, of: 'log' } },
    /"k" has a prior of its log, and version 2/,
  ],
])('%s is refused', async (_, { objective = own.objective, prior }: { objective?: string; prior?: unknown }, why) => {
  const blocks = own.blocks.map((block) => (block.id === 'k' && prior ? { ...block, prior } : block));
  const sum = { id: 'p', kind: 'reduce', values: 'a', operator: 'add' };
  const changed = objective === 'p' ? [...blocks.filter(({ id }) => !/^p|log/.test(id)), sum] : blocks;
  await expect(exported({ ...own, blocks: changed, objective })).rejects.toThrow(why);
});

test.skipIf(process.env['PETAB_CASES'] === undefined)(
  'all problems of a folder',
  async () => {
    const lines: string[] = [];
    const only = process.env['PETAB_ONLY'];
    for (const path of await problemsIn(process.env['PETAB_CASES']!)) {
      if (only !== undefined && !path.includes(only)) continue;
      const found = await documentOf(path)
        .then((document) => difference(document, process.env['PETAB_VERSION'] === '1' ? 1 : 2))
        .catch(
          (error: unknown) =>
            `${error instanceof Refused ? 'refused' : 'fault'}: ${String(error)} ${error instanceof Refused ? '' : (error as Error).stack}`,
        );
      lines.push(`${path} ${found ?? 'same'}`);
    }
    console.log(lines.join('\n'));
    expect(lines.filter((line) => !/ same$| refused:/.test(line))).toEqual([]);
  },
  3_600_000,
);

test.each([1, 2] as const)('PEtab %i: a solver with one state answers to its id alone', async (version) => {
  const document = (mean: string) => ({
    format: 'cotangent/1',
    blocks: [
      { id: 't', kind: 'range', length: 5 },
      { id: 'y', kind: 'constant', value: [2, 0.9, 0.4, 0.2, 0.1] },
      { id: 'k', kind: 'parameter', initial: 0.8 },
      { id: 'm', kind: 'ode', times: 't', state: { A: { initial: 1, rate: '-k*A' } } },
      { id: 'twice', kind: 'map', formula: '2*u', inputs: { u: mean } },
      { id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'twice', sigma: 0.1 },
    ],
    objective: 'loss',
    names: { simulation: 'twice' },
  });
  expect(await difference(document('m'), version)).toBeUndefined();
  expect([...(await exported(document('m'), version))]).toEqual([...(await exported(document('m.A'), version))]);
});

test('experiments of which some come from a steady state and others do not are the same again', async () => {
  const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
  const species = (id: string, initial: string): string =>
    `<species id="${id}" compartment="c" initialConcentration="${initial}" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>`;
  const reaction = (from: string, to: string, rate: string): string =>
    `<reaction id="${from}${to}" reversible="false"><listOfReactants><speciesReference species="${from}" stoichiometry="1" constant="true"/></listOfReactants><listOfProducts><speciesReference species="${to}" stoichiometry="1" constant="true"/></listOfProducts><kineticLaw>${math(`<apply><times/><ci>c</ci><ci>${rate}</ci><ci>${from}</ci></apply>`)}</kineticLaw></reaction>`;
  const parameter = (id: string): string => `<parameter id="${id}" value="0.1" constant="true"/>`;
  const files = new Map([
    [
      'problem.yaml',
      'format_version: 1\nparameter_file: par.tsv\nproblems:\n- sbml_files: [m.xml]\n  condition_files: [cond.tsv]\n  observable_files: [obs.tsv]\n  measurement_files: [meas.tsv]\n',
    ],
    [
      'm.xml',
      `<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m"><listOfCompartments><compartment id="c" size="2" constant="true" spatialDimensions="3"/></listOfCompartments><listOfSpecies>${species('A', '1')}${species('B', '0')}</listOfSpecies><listOfParameters>${['k1', 'k2', 'a0'].map(parameter).join('')}</listOfParameters><listOfInitialAssignments><initialAssignment symbol="A">${math('<ci>a0</ci>')}</initialAssignment></listOfInitialAssignments><listOfReactions>${reaction('A', 'B', 'k1')}${reaction('B', 'A', 'k2')}</listOfReactions></model></sbml>`,
    ],
    [
      'par.tsv',
      'parameterId\tparameterScale\tlowerBound\tupperBound\tnominalValue\testimate\nk1p\tlin\t0\t10\t.8\t1\nq\tlin\t0\t10\t.6\t1\nsd\tlin\t0\t10\t.2\t1\n',
    ],
    ['cond.tsv', 'conditionId\tk1\ta0\nc0\tk1p\t1.5\nc1\t0.3\tq\nc2\tk1p\t1\nc3\tk1p\t1\n'],
    ['obs.tsv', 'observableId\tobservableFormula\tnoiseFormula\no1\tA\tsd\n'],
    [
      'meas.tsv',
      'observableId\tpreequilibrationConditionId\tsimulationConditionId\tmeasurement\ttime\no1\t\tc1\t.6\t1\no1\tc0\tc2\t.5\t1\no1\t\tc3\t.3\t2\n',
    ],
  ]);
  const document = await imported(files);
  // A block answers to its id, and a state is that of the experiments, not of what was before them.
  const blocks = new Set((document['blocks'] as { id: string }[]).map(({ id }) => id));
  const names = document['names'] as Record<string, string>;
  expect(Object.keys(names).filter((name) => blocks.has(name))).toEqual([]);
  expect(names['A']).toBe('model.A');
  // Two states that run into each other, from a0 and 0: after t an amount a0·(k2 + k1·exp(−(k1 + k2)·t))/(k1 + k2) of A.
  const relaxed = (a0: number, k1: number, t: number) => (a0 * (0.1 + k1 * Math.exp(-(k1 + 0.1) * t))) / (k1 + 0.1);
  const { simulation } = await valuesOfDocument(document, device);
  const wanted = [relaxed(0.6, 0.3, 1), (1.5 * 0.1) / 0.9, relaxed(1, 0.8, 2)];
  simulation.forEach((value, i) => expect(value).toBeCloseTo(wanted[i]!, 5));
  for (const version of [1, 2] as const) expect(await difference(document, version)).toBeUndefined();
});
