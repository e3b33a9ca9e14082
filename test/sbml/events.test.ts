/** Delayed events in compartments that change between trigger and execution, against closed forms. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { join } from 'node:path';
import { cotangent, expectClose, folderWith, json } from '../support/command-line.ts';

const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
const time = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol>';

/** The cell is 1 + t until something is set at 1, as of 0.5. */
const model = (target: string, value: string, rules: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="later">
<listOfCompartments><compartment id="cell" size="1" spatialDimensions="3" constant="false"/></listOfCompartments>
<listOfSpecies><species id="S" compartment="cell" initialConcentration="2" hasOnlySubstanceUnits="false" boundaryCondition="true" constant="false"/></listOfSpecies>
<listOfRules><rateRule variable="cell">${math('<cn>1</cn>')}</rateRule>${rules}</listOfRules>
<listOfEvents><event id="late" useValuesFromTriggerTime="true">
<trigger initialValue="false" persistent="true">${math(`<apply><geq/>${time}<cn>0.5</cn></apply>`)}</trigger>
<delay>${math('<cn>0.5</cn>')}</delay>
<listOfEventAssignments><eventAssignment variable="${target}">${math(value)}</eventAssignment></listOfEventAssignments>
</event></listOfEvents></model></sbml>`;

async function simulated(text: string): Promise<{ values: Record<string, number[]>; document: string }> {
  const folder = folderWith({ 'model.xml': text });
  const document = join(folder, 'model.cot.json');
  await json('import', join(folder, 'model.xml'), '--out', document);
  const times = ['--start', '0', '--end', '2', '--steps', '4'];
  const { values } = (await json('simulate', document, ...times, '--output', 'S,cell,amount(S)')) as {
    values: Record<string, number[]>;
  };
  return { values, document };
}

it('sets a concentration as of its trigger in the compartment that it meets', async () => {
  const { values, document } = await simulated(model('S', '<apply><times/><cn>2</cn><ci>cell</ci></apply>', ''));
  // 2·1.5 in a cell of 2 at 1: an amount of 6, which stays.
  expectClose(values['amount(S)'], [2, 2, 6, 6, 6], 1e-8);
  expectClose(values['S'], [2, 2 / 1.5, 3, 6 / 2.5, 2], 1e-8);
  const file = join(document, '..', 'm.xml');
  expect((await cotangent('export', document, '--to', 'sbml', '--out', file)).status).toBe(0);
  const again = await simulated(await readFile(file, 'utf8'));
  expectClose(again.values, values, 1e-8);
});

it('keeps the amount that a rule of its concentration has led to, where the compartment jumps', async () => {
  const rate = `<rateRule variable="S">${math('<cn>1</cn>')}</rateRule>`;
  const { values } = await simulated(model('cell', '<apply><times/><cn>4</cn><ci>cell</ci></apply>', rate));
  // At 1 an amount of 3·2 meets a cell of 4·1.5.
  expectClose(values['cell'], [1, 1.5, 6, 6.5, 7], 1e-8);
  expectClose(values['S'], [2, 2.5, 1, 1.5, 2], 1e-8);
});

/** Two events at 1, `first` before `second`, both with values as of then; S is a concentration of 1 in a cell of 2. */
const together = (first: readonly [string, string], second: readonly [string, string], rules: string): string => {
  const event = (
    [variable, value]: readonly [string, string],
    priority: number,
  ): string => `<event id="e${priority}" useValuesFromTriggerTime="true">
<trigger initialValue="true" persistent="true">${math(`<apply><geq/>${time}<cn>1</cn></apply>`)}</trigger>
<priority>${math(`<cn>${priority}</cn>`)}</priority>
<listOfEventAssignments><eventAssignment variable="${variable}">${math(`<cn>${value}</cn>`)}</eventAssignment></listOfEventAssignments>
</event>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="two">
<listOfCompartments><compartment id="cell" size="2" spatialDimensions="3" constant="false"/></listOfCompartments>
<listOfSpecies><species id="S" compartment="cell" initialConcentration="1" hasOnlySubstanceUnits="false" boundaryCondition="true" constant="false"/></listOfSpecies>
${rules === '' ? '' : `<listOfRules>${rules}</listOfRules>`}
<listOfEvents>${event(first, 2)}${event(second, 1)}</listOfEvents></model></sbml>`;
};

it.each([
  // Set to 3 in the cell of 4 that it meets.
  ['a concentration after its cell', ['cell', '4'], ['S', '3'], '', 3, 12],
  // 3 in a cell of 2, whose amount a cell of 4 has.
  ['a cell after the concentration', ['S', '3'], ['cell', '4'], '', 1.5, 6],
  // The same where a rule gives the rate of the concentration.
  [
    'a cell after a concentration with a rate',
    ['S', '5'],
    ['cell', '4'],
    `<rateRule variable="S">${math('<cn>0</cn>')}</rateRule>`,
    2.5,
    10,
  ],
] as const)('sets %s where one instant triggers both', async (_, first, second, rules, concentration, amount) => {
  const { values } = await simulated(together(first, second, rules));
  expectClose(values['S'], [1, 1, concentration, concentration, concentration], 1e-8);
  expectClose(values['amount(S)'], [2, 2, amount, amount, amount], 1e-8);
});
