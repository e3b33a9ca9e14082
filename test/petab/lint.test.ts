/** What PEtab's own linter calls an error is refused by file, row and column; what it lets pass and is guessed is a warning. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importPetab } from '../../models/petab/import.ts';

const folder = join(import.meta.dirname, 'cases/v1/0007');

/** The case with some of its files replaced. */
async function imported(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const yaml = files['_0007.yaml'] ?? (await readFile(join(folder, '_0007.yaml'), 'utf8'));
  const read = async (name: string): Promise<Uint8Array> =>
    files[name] === undefined
      ? readFile(join(folder, name))
      : new TextEncoder().encode(files[name].replaceAll(' ', '\t'));
  return (await importPetab(yaml, read, 'case')).warnings;
}

const header = 'parameterId parameterScale lowerBound upperBound nominalValue estimate\n';
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
