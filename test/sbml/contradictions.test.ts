/** Files that say two things of one element, of which libSBML calls each an error: none of them is dropped in silence. */
import { expect, it } from 'vitest';
import { importSbml } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';

const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
const one = math('<cn>1</cn>');
const parameter = (id: string, more = 'constant="false"'): string => `<parameter id="${id}" value="1" ${more}/>`;
const species = (id: string, more = 'initialAmount="1" boundaryCondition="false" constant="false"'): string =>
  `<species id="${id}" compartment="c" hasOnlySubstanceUnits="false" ${more}/>`;
const event = (...variables: readonly string[]): string =>
  `<listOfEvents><event id="E" useValuesFromTriggerTime="true"><trigger initialValue="true" persistent="true">${math('<true/>')}</trigger><listOfEventAssignments>${variables
    .map((variable) => `<eventAssignment variable="${variable}">${one}</eventAssignment>`)
    .join('')}</listOfEventAssignments></event></listOfEvents>`;
const rules = (...each: readonly (readonly [kind: string, variable: string, content?: string])[]): string =>
  `<listOfRules>${each.map(([kind, variable, content = one]) => `<${kind}Rule variable="${variable}">${content}</${kind}Rule>`).join('')}</listOfRules>`;
const initial = (...variables: readonly string[]): string =>
  `<listOfInitialAssignments>${variables.map((id) => `<initialAssignment symbol="${id}">${one}</initialAssignment>`).join('')}</listOfInitialAssignments>`;
const reaction = `<listOfReactions><reaction id="R" reversible="false"><listOfReactants><speciesReference species="S" stoichiometry="1" constant="true"/></listOfReactants><kineticLaw>${one}</kineticLaw></reaction></listOfReactions>`;

interface Parts {
  readonly species?: string;
  readonly parameters?: string;
  readonly rest?: string;
}

const model = ({ species: some = species('S'), parameters = parameter('a'), rest = '' }: Parts): string =>
  `<?xml version="1.0" encoding="UTF-8"?><sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m">
<listOfCompartments><compartment id="c" size="2" spatialDimensions="3" constant="true"/></listOfCompartments>
<listOfSpecies>${some}</listOfSpecies><listOfParameters>${parameters}</listOfParameters>${rest}</model></sbml>`;

it.each<[string, Parts, RegExp]>([
  [
    'one id twice',
    { parameters: parameter('a') + parameter('a') },
    /two elements have the id "a", and each is a parameter/,
  ],
  ['what no model has', { rest: '<listOfFoo/>' }, /<listOfFoo> is no part of an SBML model/],
  ['a list twice', { rest: '<listOfSpecies/>' }, /the model has two <listOfSpecies>/],
  ['an id that is none', { parameters: parameter('1 b') }, /<parameter> "1 b" has an id that is none in SBML/],
  [
    'a reactant that is constant',
    { species: species('S', 'initialAmount="1" boundaryCondition="false" constant="true"'), rest: reaction },
    /the reaction "R" changes "S", which is constant and no boundary condition/,
  ],
  [
    'a function of more than its arguments',
    {
      rest: `<listOfFunctionDefinitions><functionDefinition id="f">${math('<lambda><bvar><ci>x</ci></bvar><apply><times/><ci>x</ci><ci>a</ci></apply></lambda>')}</functionDefinition></listOfFunctionDefinitions>`,
    },
    /the function "f" reads "a", which is none of its arguments/,
  ],
  ['a rule with two formulas', { rest: rules(['rate', 'a', `${one}${one}`]) }, /the rule of "a" has several <math>/],
  ['one id of two kinds', { parameters: parameter('S') }, /two elements have the id "S": a species and a parameter/],
  [
    'rules in a circle',
    {
      parameters: parameter('a') + parameter('b'),
      rest: rules(['assignment', 'a', math('<ci>b</ci>')], ['assignment', 'b', math('<ci>a</ci>')]),
    },
    /its rules depend on one another in a circle: "a" → "b" → "a"/,
  ],
  [
    'an event before its trigger',
    {
      rest: event('a').replace(
        '<listOfEventAssignments>',
        `<delay>${math('<cn>-2</cn>')}</delay><listOfEventAssignments>`,
      ),
    },
    /the event "E" has the delay -2, and none may be below 0/,
  ],
  ['two rules', { rest: rules(['assignment', 'a'], ['rate', 'a']) }, /"a" has an assignment rule and a rate rule/],
  [
    'a rule of what is constant',
    { parameters: parameter('a', 'constant="true"'), rest: rules(['rate', 'a']) },
    /is constant/,
  ],
  [
    'an event on what is constant',
    { parameters: parameter('a', 'constant="true"'), rest: event('a') },
    /the event "E" sets "a"/,
  ],
  ['an event on what has a rule', { rest: rules(['assignment', 'a']) + event('a') }, /which has an assignment rule/],
  ['an event that sets twice', { rest: event('a', 'a') }, /sets "a" twice/],
  ['two initial assignments', { rest: initial('a', 'a') }, /two initial assignments/],
  [
    'an initial assignment beside a rule',
    { rest: initial('a') + rules(['assignment', 'a']) },
    /which holds from the start/,
  ],
  ['a reactant that has a rule', { rest: rules(['rate', 'S']) + reaction }, /the reaction "R" changes "S"/],
  [
    'an amount and a concentration',
    { species: species('S', 'initialAmount="1" initialConcentration="3" boundaryCondition="false" constant="false"') },
    /an initial amount and an initial concentration/,
  ],
  [
    'a truth that is none',
    {
      species:
        '<species id="S" compartment="c" hasOnlySubstanceUnits="True" boundaryCondition="false" constant="false"/>',
    },
    /hasOnlySubstanceUnits="True", which is neither true nor false/,
  ],
  [
    'initial assignments in a circle',
    {
      parameters: parameter('a') + parameter('b'),
      rest: `<listOfInitialAssignments><initialAssignment symbol="a">${math('<ci>b</ci>')}</initialAssignment></listOfInitialAssignments>${rules(['assignment', 'b', math('<ci>a</ci>')])}`,
    },
    /its initial assignments and rules depend on one another in a circle: "(a|b)" → "(a|b)" → "(a|b)"/,
  ],
  [
    'a parameter of a reaction twice',
    {
      rest: reaction.replace(
        '</kineticLaw>',
        '<listOfLocalParameters><localParameter id="k" value="1"/><localParameter id="k" value="2"/></listOfLocalParameters></kineticLaw>',
      ),
    },
    /the reaction "R" has two parameters "k"/,
  ],
  [
    'a reaction with two laws',
    { rest: reaction.replace('</reaction>', `<kineticLaw>${math('<cn>2</cn>')}</kineticLaw></reaction>`) },
    /the reaction "R" has two <kineticLaw>/,
  ],
  [
    'an event with two delays',
    {
      rest: event('a').replace(
        '<listOfEventAssignments>',
        `<delay>${one}</delay><delay>${one}</delay><listOfEventAssignments>`,
      ),
    },
    /the event "E" has two <delay>/,
  ],
  [
    'an argument twice',
    {
      rest: `<listOfFunctionDefinitions><functionDefinition id="f">${math('<lambda><bvar><ci>x</ci></bvar><bvar><ci>x</ci></bvar><ci>x</ci></lambda>')}</functionDefinition></listOfFunctionDefinitions>`,
    },
    /the function "f" has two arguments "x"/,
  ],
  [
    'a piece of three',
    { rest: rules(['assignment', 'a', math('<piecewise><piece><cn>1</cn><true/><cn>2</cn></piece></piecewise>')]) },
    /the rule of "a" has a <piece> that is not a value and a condition/,
  ],
  [
    'two things otherwise',
    {
      rest: rules([
        'assignment',
        'a',
        math('<piecewise><otherwise><cn>1</cn></otherwise><otherwise><cn>2</cn></otherwise></piecewise>'),
      ]),
    },
    /the rule of "a" has a <piecewise> that is two things otherwise/,
  ],
  ['a number of two parts', { rest: rules(['assignment', 'a', math('<cn>1<sep/>2</cn>')]) }, /in 2 parts/],
])('%s', (_, parts, words) => {
  const read = (): unknown => importSbml(model(parts));
  expect(read).toThrow(SbmlRefusal);
  expect(read).toThrow(words);
});

it('what agrees is read', () => {
  expect(() => importSbml(model({ rest: rules(['rate', 'a']) + reaction + event('a', 'S') }))).not.toThrow();
});
