/** What PEtab's own linter calls an error is refused by file, row and column; what it lets pass and is guessed is a warning. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importPetab } from '../../models/petab/import.ts';

const folder = join(import.meta.dirname, 'cases/v1/0007');

/** The case with some of its files replaced: what is warned of. */
const imported = async (files: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await importedModel(files)).warnings;

async function importedModel(files: Readonly<Record<string, string>>): ReturnType<typeof importPetab> {
  const yaml = files['_0007.yaml'] ?? (await readFile(join(folder, '_0007.yaml'), 'utf8'));
  const read = async (name: string): Promise<Uint8Array> =>
    files[name] === undefined
      ? readFile(join(folder, name))
      : new TextEncoder().encode(files[name].replaceAll(' ', '\t'));
  return importPetab(yaml, read, 'case');
}

const header = 'parameterId parameterScale lowerBound upperBound nominalValue estimate\n';
const withK = (row: string, more = ''): Record<string, string> => ({
  '_parameters.tsv': `${header.trimEnd()}${more}\na0 lin 0 10 1.0 1\nb0 lin 0 10 0.0 1\nk1 ${row}\n`,
});
const observed = (a: string, b: string): Record<string, string> => ({
  '_observables.tsv': `observableId observableFormula observableTransformation noiseFormula\nobs_a A lin ${a}\n${b}\n`,
});
const noisy = { ...observed('0.5', 'obs_b B log10 noiseParameter1_obs_b') };
const twice = `format_version: 1
parameter_file: _parameters.tsv
problems:
- sbml_files: [_model.xml]
  condition_files: [_conditions.tsv]
  observable_files: [_observables.tsv]
  measurement_files: [_measurements.tsv, _measurements.tsv]
`;
const measured = (column: string, value: string): string =>
  `observableId simulationConditionId time measurement ${column}\nobs_a c0 10 0.2\nobs_b c0 10 0.8 ${value}\n`;

it.each([
  [
    'an override of an observable without placeholders',
    { '_measurements.tsv': measured('observableParameters', '2;3') },
    '_measurements.tsv, row 2 says "2;3" in observableParameters, and the formula of its observable has no placeholder for it',
  ],
  [
    'an override of a noise without placeholders',
    { '_measurements.tsv': measured('noiseParameters', '0.1') },
    '_measurements.tsv, row 2 says "0.1" in noiseParameters, and the formula of its observable has no placeholder for it',
  ],
  [
    'a table without a column that it must have',
    { '_measurements.tsv': 'observableId simulationConditionId time\nobs_a c0 10\n' },
    '_measurements.tsv has no column "measurement"',
  ],
  [
    'a column that is written otherwise',
    { '_measurements.tsv': measured('preequilibrationConditionID', '') },
    '_measurements.tsv has a column "preequilibrationConditionID", which PEtab writes "preequilibrationConditionId"',
  ],
  [
    'two columns of one name',
    { '_measurements.tsv': 'observableId simulationConditionId time time measurement\nobs_a c0 10 1 0.2\n' },
    '_measurements.tsv has two columns "time"',
  ],
  [
    'a cell beyond the header',
    { '_conditions.tsv': 'conditionId\nc0 5\n' },
    '_conditions.tsv, row 1 has 2 cells, and the header has 1',
  ],
  [
    'a number to another base',
    { '_measurements.tsv': 'observableId simulationConditionId time measurement\nobs_a c0 0x10 0.2\n' },
    '_measurements.tsv, row 1: "time" wants a number, got "0x10"',
  ],
  [
    'a measurement of which there is no logarithm',
    { '_measurements.tsv': 'observableId simulationConditionId time measurement\nobs_b c0 10 0\n' },
    '_measurements.tsv, row 1 has the measurement 0, and the noise of "obs_b" is that of its logarithm',
  ],
  [
    'a measurement that is infinite',
    { '_measurements.tsv': 'observableId simulationConditionId time measurement\nobs_a c0 10 inf\n' },
    '_measurements.tsv, row 1 has the measurement Infinity, which is no number',
  ],
  [
    'noise that is 0',
    observed('0', 'obs_b B log10 0.6'),
    '_observables.tsv, row 1: the observable "obs_a" has the noise 0, and it must be above 0',
  ],
  [
    'noise below 0 of one row',
    { ...noisy, '_measurements.tsv': measured('noiseParameters', '-0.1') },
    '_measurements.tsv, row 2 has the noise -0.1, and it must be above 0',
  ],
  [
    'bounds that cross',
    withK('lin 10 0 0.8 1'),
    '_parameters.tsv, row 3: "k1" has the lowerBound 10 above its upperBound 0',
  ],
  [
    'bounds that are of the logarithm',
    withK('log10 -3 3 0.8 1'),
    '_parameters.tsv, row 3: "k1" has the parameterScale log10 and bounds from -3 to 3: these are of the parameter itself',
  ],
  [
    'a beginning without end',
    withK('lin 0 inf inf 1'),
    '_parameters.tsv, row 3: "k1" is estimated, and begins at Infinity',
  ],
  [
    'a prior without a density',
    withK('lin 0 10 0.8 1 normal inf;1', ' objectivePriorType objectivePriorParameters'),
    '_parameters.tsv, row 3: the prior "normal" of "k1" has no density with "inf;1"',
  ],
  [
    'an observable that no formula can name',
    observed('0.5', 'o(b B log10 0.6'),
    '_observables.tsv, row 2: the observableId "o(b" is none in PEtab',
  ],
  [
    'a parameter that no formula can name',
    { '_parameters.tsv': `${header}a-0 lin 0 10 1.0 1\n` },
    '_parameters.tsv, row 1: the parameterId "a-0" is none in PEtab',
  ],
  [
    'a file that is named twice',
    { '_0007.yaml': twice },
    'the problem\'s file names "_measurements.tsv" twice among its measurements',
  ],
  [
    'a parameter that nothing uses',
    { '_parameters.tsv': `${header}a0 lin 0 10 1.0 1\nb0 lin 0 10 0.0 1\nidle lin 0 10 1.0 1\n` },
    '_parameters.tsv, row 3: the parameter "idle" is used nowhere',
  ],
])('%s is refused', async (_, files, says) => expect(imported(files)).rejects.toThrow(says));

it('warns of a row without a measurement', async () => {
  const rows = (value: string): string =>
    `observableId simulationConditionId time measurement\nobs_a c0 10 0.2\nobs_b c0 10 ${value}\n`;
  expect(await imported({ '_measurements.tsv': rows('NaN') })).toEqual([
    '_measurements.tsv, row 2 has no measurement: it counts for nothing',
  ]);
});

it('takes numbers of a prior that is not named for those of the usual one', async () => {
  const files = withK('log10 1e-3 1e3 0.8 1  -2;1', ' objectivePriorType objectivePriorParameters');
  const { document } = await importedModel(files);
  const { blocks } = JSON.parse(JSON.stringify(document)) as { blocks: { id: string; prior?: unknown }[] };
  expect(blocks.find(({ id }) => id === 'k1')?.prior).toEqual({ family: 'uniform', lower: -2, upper: 1, of: 'log10' });
});

it('warns of a column that PEtab does not have', async () => {
  const table = 'observableId observableFormula observableTransform noiseFormula\nobs_a A lin 0.5\nobs_b B log10 0.6\n';
  expect(await imported({ '_observables.tsv': table })).toEqual([
    '_observables.tsv: PEtab has no column "observableTransform", and it is not read',
  ]);
});

it('warns of a nominal value that is not there', async () => {
  const table = `${header}a0 lin 0 10 1.0 1\nb0 lin 0 10  1\n`;
  expect(await imported({ '_parameters.tsv': table })).toEqual([
    expect.stringMatching(/^_parameters\.tsv, row 2: "b0" has no nominalValue, and begins at 5/),
  ]);
  expect(await imported({})).toEqual([]);
});

describe('conditions of version 2', () => {
  const second = join(import.meta.dirname, 'cases/v2/0031');
  const withConditions = async (rows: string): Promise<readonly string[]> => {
    const yaml = await readFile(join(second, '_0031.yaml'), 'utf8');
    const table = `conditionId targetId targetValue\ncondition1 A A+5\ncondition2 B B+3\n${rows}`;
    const read = async (name: string): Promise<Uint8Array> =>
      name === '_conditions.tsv' ? new TextEncoder().encode(table.replaceAll(' ', '\t')) : readFile(join(second, name));
    return (await importPetab(yaml, read, 'case')).warnings;
  };

  it('may be in no experiment, which is said', async () => {
    expect(await withConditions('')).toEqual([]);
    expect(await withConditions('idle A 2*k1\n')).toEqual([
      'no experiment has the condition "idle": nothing is made of it',
    ]);
  });

  it.each([
    ['idle nowhere 5', 'a condition sets "nowhere", which neither the model nor a formula of an observable has'],
    ['condition2 nowhere 5', 'a condition sets "nowhere", which neither the model nor a formula of an observable has'],
    ['idle A nope+1', 'a condition uses "nope", which neither the model nor the parameter table has'],
    ['idle k1 2', 'a condition sets "k1", which the parameter table has: it is one or the other'],
  ])('are refused, in an experiment or not: %s', async (row, says) =>
    expect(withConditions(`${row}\n`)).rejects.toThrow(says),
  );
});

describe('a name of version 2 is that of one thing', () => {
  const second = join(import.meta.dirname, 'cases/v2/0031');
  const imported2 = async (files: Readonly<Record<string, string>>, more = ''): Promise<unknown> => {
    const yaml = `${await readFile(join(second, '_0031.yaml'), 'utf8')}${more}`;
    const read = async (name: string): Promise<Uint8Array> =>
      files[name] === undefined
        ? readFile(join(second, name))
        : new TextEncoder().encode(files[name].replaceAll(' ', '\t'));
    return importPetab(yaml, read, 'case');
  };
  const observables = (placeholder: string): string =>
    `observableId observableFormula noiseFormula noiseDistribution observablePlaceholders\nobs_a ${placeholder}*A 0.5 normal ${placeholder}\nobs_b B 0.1 normal\n`;
  const measurements = `observableId experimentId time measurement observableParameters\nobs_a experiment1 0 0.7 1\nobs_b experiment1 0 1\n`;

  it.each([
    ['k1', 'the parameter or mapping table'],
    ['B', 'the model'],
  ])('and no placeholder: %s', async (placeholder, has) =>
    expect(
      imported2({ '_observables.tsv': observables(placeholder), '_measurements.tsv': measurements }),
    ).rejects.toThrow(
      `the observable "obs_a" has the placeholder "${placeholder}", which ${has} has already: give it another name`,
    ),
  );

  it('and a placeholder of its own is read', async () => {
    await imported2({ '_observables.tsv': observables('scale'), '_measurements.tsv': measurements });
  });

  it('and of no other thing of the model', async () => {
    const mapped = (rows: string) =>
      imported2({ '_mapping.tsv': `petabEntityId modelEntityId\n${rows}` }, 'mapping_files: [_mapping.tsv]\n');
    await expect(mapped('A B\n')).rejects.toThrow(
      'the mapping table calls "B" of the model "A", and the model has another "A"',
    );
    await mapped('A A\n');
  });
});
