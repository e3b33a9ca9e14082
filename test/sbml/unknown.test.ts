/** What an SBML file leaves unsaid, beside what it says: values, sizes, mathematics. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cotangent, folderWith, json } from '../support/command-line.ts';

const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
const time = '<csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/time">time</csymbol>';
const species = (id: string, amount = ''): string =>
  `<species id="${id}" compartment="cell" ${amount} hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>`;
const reaction = (law: string, more = ''): string => `<listOfReactions><reaction id="R" reversible="false">
<listOfReactants><speciesReference species="A" stoichiometry="1" constant="true"/></listOfReactants>${more}${law}</reaction></listOfReactions>`;
const model = (size: string, body: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m">
<listOfCompartments><compartment id="cell" ${size} spatialDimensions="3" constant="true"/></listOfCompartments>${body}</model></sbml>`;

it.each<[string, string, string, readonly unknown[]]>([
  [
    'a parameter until an event sets it',
    model(
      'size="1"',
      `<listOfParameters><parameter id="p" constant="false"/><parameter id="x" value="0" constant="false"/></listOfParameters>
<listOfRules><rateRule variable="x">${math('<cn>1</cn>')}</rateRule></listOfRules>
<listOfEvents><event useValuesFromTriggerTime="true"><trigger initialValue="true" persistent="true">${math(`<apply><gt/>${time}<cn>0.75</cn></apply>`)}</trigger>
<listOfEventAssignments><eventAssignment variable="p">${math('<cn>3</cn>')}</eventAssignment></listOfEventAssignments></event></listOfEvents>`,
    ),
    'p,x',
    ['NaN', 3, 3, 0, 1, 2],
  ],
  [
    'a species that something turns into',
    model(
      'size="1"',
      `<listOfSpecies>${species('A', 'initialAmount="3"')}${species('B')}</listOfSpecies>${reaction(
        `<kineticLaw>${math('<cn>1</cn>')}</kineticLaw>`,
        '<listOfProducts><speciesReference species="B" stoichiometry="1" constant="true"/></listOfProducts>',
      )}`,
    ),
    'B,A',
    ['NaN', 'NaN', 'NaN', 3, 2, 1],
  ],
  [
    'the size of a compartment, where amounts are known',
    model(
      '',
      `<listOfSpecies>${species('A', 'initialAmount="3"')}</listOfSpecies>${reaction(`<kineticLaw>${math('<cn>1</cn>')}</kineticLaw>`)}`,
    ),
    'A,amount(A)',
    ['NaN', 'NaN', 'NaN', 3, 2, 1],
  ],
  [
    'the mathematics of a law',
    model(
      'size="1"',
      `<listOfSpecies>${species('A', 'initialAmount="3"')}</listOfSpecies>${reaction('<kineticLaw/>')}`,
    ),
    'A,R',
    [3, 3, 3, 0, 0, 0],
  ],
  [
    'a stoichiometry but for an algebraic rule',
    model(
      'size="1"',
      `<listOfSpecies>${species('A', 'initialAmount="3"')}</listOfSpecies>
<listOfRules><algebraicRule>${math('<apply><minus/><ci>r</ci><cn>2</cn></apply>')}</algebraicRule></listOfRules>
${reaction(
  `<kineticLaw>${math('<cn>1</cn>')}</kineticLaw>`,
  '<listOfProducts><speciesReference id="r" species="A" constant="false"/></listOfProducts>',
)}`,
    ),
    'A,r',
    [3, 4, 5, 2, 2, 2],
  ],
])('leaves open %s', async (_, text, names, expected) => {
  const folder = folderWith({ 'model.xml': text });
  const document = join(folder, 'model.cot.json');
  await json('import', join(folder, 'model.xml'), '--out', document);
  const times = ['--start', '0', '--end', '2', '--steps', '2'];
  const { values } = (await json('simulate', document, ...times, '--output', names)) as {
    values: Record<string, unknown[]>;
  };
  const found = names.split(',').flatMap((name) => values[name]);
  expect(found.map((each) => (typeof each === 'number' ? Math.round(each * 1e8) / 1e8 : each))).toEqual(expected);
});

it('refuses a reaction without a law', async () => {
  const text = model('size="1"', `<listOfSpecies>${species('A', 'initialAmount="3"')}</listOfSpecies>${reaction('')}`);
  const folder = folderWith({ 'model.xml': text });
  const { status, stderr } = await cotangent('import', join(folder, 'model.xml'), '--out', join(folder, 'm.cot.json'));
  expect(status).toBe(2);
  expect(stderr).toMatch(/the reaction "R" has no rate/);
});
