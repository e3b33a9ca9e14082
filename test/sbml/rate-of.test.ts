/** SBML's rateOf where there is no solution yet: at the start, and in a delay() that looks back to before it. */
import { expect, it } from 'vitest';
import { openDevice, outcomeOf } from './run.ts';

const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
const called = (name: string, operands: string): string =>
  `<apply><csymbol encoding="text" definitionURL="http://www.sbml.org/sbml/symbols/${name}">${name}</csymbol>${operands}</apply>`;
const rateOf = (id: string): string => called('rateOf', `<ci>${id}</ci>`);
const twice = (of: string): string => `<apply><times/><cn>2</cn>${of}</apply>`;

/** x′ = −x/2, from 4; S → nothing by 3·S in a cell of 2, from an amount of 5, beside q that stays. */
const model = `<sbml level="3" version="2"><model id="rates">
<listOfCompartments><compartment id="cell" size="2" spatialDimensions="3" constant="true"/></listOfCompartments>
<listOfSpecies><species id="S" compartment="cell" initialAmount="5" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/></listOfSpecies>
<listOfParameters>
<parameter id="x" value="4" constant="false"/><parameter id="q" value="1" constant="true"/>
<parameter id="of_x" constant="false"/><parameter id="of_S" constant="false"/><parameter id="of_q" constant="false"/>
<parameter id="back" constant="false"/>
</listOfParameters>
<listOfInitialAssignments>
<initialAssignment symbol="of_x">${math(twice(rateOf('x')))}</initialAssignment>
<initialAssignment symbol="of_S">${math(rateOf('S'))}</initialAssignment>
<initialAssignment symbol="of_q">${math(rateOf('q'))}</initialAssignment>
</listOfInitialAssignments>
<listOfRules>
<rateRule variable="x">${math('<apply><times/><cn>-0.5</cn><ci>x</ci></apply>')}</rateRule>
<assignmentRule variable="back">${math(
  `<apply><plus/><cn>1</cn>${called('delay', `${twice(rateOf('x'))}<cn>1.25</cn>`)}</apply>`,
)}</assignmentRule>
</listOfRules>
<listOfReactions><reaction id="R" reversible="false"><listOfReactants>
<speciesReference species="S" stoichiometry="1" constant="true"/></listOfReactants>
<kineticLaw>${math('<apply><times/><cn>3</cn><ci>S</ci></apply>')}</kineticLaw></reaction></listOfReactions>
</model></sbml>`;

it('is what changes at the start, and 0 before', async () => {
  const device = openDevice();
  const times = [0, 0.5, 1, 1.5, 2];
  const back = (t: number): number => (t < 1.25 ? 1 : 1 - 4 * Math.exp(-(t - 1.25) / 2));
  const outcome = await outcomeOf(
    {
      name: 'rates',
      model,
      others: new Map(),
      ...{ start: 0, duration: 2, steps: 4, absolute: 1e-7, relative: 1e-6 },
      outputs: ['of_x', 'of_S', 'of_q', 'back'],
      times,
      // A concentration of 2.5 in a cell of 2.
      rows: times.map((t) => [-4, (-3 * 2.5) / 2, 0, back(t)]),
    },
    device,
  );
  device.close();
  expect(outcome).toEqual({ kind: 'right', why: '' });
});
