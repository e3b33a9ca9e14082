/** Delayed events in compartments that change between trigger and execution, against closed forms. */
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
  const { status, stderr } = await cotangent(
    'export',
    document,
    '--to',
    'sbml',
    '--out',
    join(document, '..', 'm.xml'),
  );
  expect(status).toBe(2);
  expect(stderr).toMatch(/event 0 of "model" scales what it sets when it is carried out/);
});

it('keeps the amount that a rule of its concentration has led to, where the compartment jumps', async () => {
  const rate = `<rateRule variable="S">${math('<cn>1</cn>')}</rateRule>`;
  const { values } = await simulated(model('cell', '<apply><times/><cn>4</cn><ci>cell</ci></apply>', rate));
  // At 1 an amount of 3·2 meets a cell of 4·1.5.
  expectClose(values['cell'], [1, 1.5, 6, 6.5, 7], 1e-8);
  expectClose(values['S'], [2, 2.5, 1, 1.5, 2], 1e-8);
});
