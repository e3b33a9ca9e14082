/** Algebraic rules by the assignment rules that they are solved to, and what is not solved. */
import { expect, it } from 'vitest';
import { parseFormula } from '../../models/formula/parse.ts';
import { importSbml } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { mathOf } from '../../models/sbml/export/write-math.ts';

const math = (formula: string): string => {
  const parsed = parseFormula(formula);
  return parsed.ok ? mathOf(parsed.formula.result, (id) => id) : '';
};

/** `open` may change; p and q stay, S is changed by a reaction in a cell of 2. */
const model = (rules: readonly string[], open: readonly string[]): string => `<sbml level="2" version="4"><model id="m">
  <listOfCompartments><compartment id="cell" size="2"/></listOfCompartments>
  <listOfSpecies><species id="S" compartment="cell" initialAmount="3"/></listOfSpecies>
  <listOfParameters>
    ${['p', 'q'].map((id) => (open.includes(id) ? '' : `<parameter id="${id}" value="2"/>`)).join('')}
    ${open.map((id) => `<parameter id="${id}" value="0" constant="false"/>`).join('')}
  </listOfParameters>
  <listOfRules>${rules.join('')}</listOfRules>
  <listOfReactions><reaction id="R">
    <listOfReactants><speciesReference species="S"/></listOfReactants>
    <kineticLaw>${math('p*S')}</kineticLaw>
  </reaction></listOfReactions>
</model></sbml>`;

const zero = (formula: string): string => `<algebraicRule>${math(formula)}</algebraicRule>`;
const assigned = (id: string, formula: string): string =>
  `<assignmentRule variable="${id}">${math(formula)}</assignmentRule>`;

const formulasOf = (rules: readonly string[], open: readonly string[]): unknown => {
  const blocks = importSbml(model(rules, open)).document['blocks'] as { id: string; formulas?: unknown }[];
  return blocks.find(({ id }) => id === 'model')?.formulas;
};

it.each([
  ['a sum', [zero('S - p + x')], ['x'], { x: 'p - S' }],
  ['a factor', [zero('(q + 1)*x - S')], ['x'], { x: 'S/(q + 1)' }],
  ['a number before it', [zero('S + -4*x')], ['x'], { x: 'S/4' }],
  ['two together', [zero('x + y - S'), zero('x - y - p')], ['x', 'y'], { x: 'S - y', y: '(S - p)/2' }],
  ['a rate that does not hang on it', [zero('x - R')], ['x'], { x: 'R' }],
  ['an assignment between', [assigned('y', '2*x'), zero('y - S')], ['x', 'y'], { y: '2*x', x: 'S/2' }],
])('%s is solved', (_, rules, open, formulas) => {
  expect(formulasOf(rules, open)).toEqual(formulas);
});

it.each([
  ['a square', [zero('x*x - S')], ['x'], /linear in none/],
  ['two open symbols', [zero('x + y - S')], ['x', 'y'], /leave "x", "y" open/],
  ['nothing open', [zero('S - p')], [], /leave no symbol open/],
  ['a rate that hangs on it', [zero('p - R - 1')], ['p'], /the rate of the reaction "R", which hangs/],
  ['what cancels', [zero('x - x + S')], ['x'], /linear in none/],
])('%s is refused', (_, rules, open, words) => {
  const read = (): unknown => importSbml(model(rules, open));
  expect(read).toThrow(SbmlRefusal);
  expect(read).toThrow(words);
});
