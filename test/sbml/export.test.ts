/** What is exported as SBML and imported again gives the same numbers under the same names. */
import { fileURLToPath } from 'node:url';
import { readdirSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { importSbml } from '../../models/sbml/import.ts';
import { readCase } from './cases.ts';
import { exported, exportedCase, openDevice, outcomeOf } from './run.ts';

const device = openDevice();
afterAll(() => device.close());

const folder = fileURLToPath(new URL('./cases', import.meta.url));

describe('cases of the SBML Test Suite, exported and imported again (all of a folder: semantic-long.test.ts)', () => {
  it.each(readdirSync(folder).filter((name) => /^\d{5}$/.test(name)))('%s', async (name) => {
    const again = exportedCase(await readCase(folder, name));
    expect(await outcomeOf(again, device), again.model).toEqual({ kind: 'right', why: '' });
  });

  it('have every name that the file had', async () => {
    const { model, others } = await readCase(folder, '01471');
    const names = (text: string): string[] => Object.keys(importSbml(text, others).document['names'] as object);
    expect(names(exported(importSbml(model, others).document))).toEqual(expect.arrayContaining(names(model)));
  });
});

describe('a parameter of a kinetic law', () => {
  const ci = (id: string): string => `<ci>${id}</ci>`;
  const reaction = (id: string, from: string, to: string, law: string, own: string): string =>
    `<reaction id="${id}" reversible="false"><listOfReactants><speciesReference species="${from}" stoichiometry="1" constant="true"/></listOfReactants><listOfProducts><speciesReference species="${to}" stoichiometry="1" constant="true"/></listOfProducts><kineticLaw><math xmlns="http://www.w3.org/1998/Math/MathML"><apply><times/>${law}</apply></math><listOfLocalParameters>${own}</listOfLocalParameters></kineticLaw></reaction>`;
  const species = (id: string, start: number): string =>
    `<species id="${id}" compartment="c" initialConcentration="${start}" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>`;
  // The first law's k hides the model's, which the second has.
  const model = `<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"><model id="m"><listOfCompartments><compartment id="c" spatialDimensions="3" size="1" constant="true"/></listOfCompartments><listOfSpecies>${species('A', 1)}${species('B', 0)}${species('C', 0)}</listOfSpecies><listOfParameters><parameter id="k" value="0.5" constant="true"/></listOfParameters><listOfReactions>${reaction('R', 'A', 'B', ci('c') + ci('k') + ci('A'), '<localParameter id="k" value="2"/>')}${reaction('S', 'B', 'C', ci('c') + ci('k') + ci('j') + ci('B'), '<localParameter id="j" value="3"/>')}</listOfReactions></model></sbml>`;
  // A → B at 2, B → C at 1.5.
  const times = [0, 1, 2];
  const closed = times.map((t) => [Math.exp(-2 * t), (2 / (1.5 - 2)) * (Math.exp(-2 * t) - Math.exp(-1.5 * t))]);
  const each = (text: string) => ({
    ...{ name: 'locals', model: text, others: new Map(), start: 0, duration: 2, steps: 2 },
    ...{ absolute: 1e-9, relative: 1e-6, outputs: ['A', 'B'], times, rows: closed },
  });

  it('is one again', async () => {
    const text = exported(importSbml(model).document);
    expect(await outcomeOf(each(text), device), text).toEqual({ kind: 'right', why: '' });
    expect(text).toContain('<localParameter id="k" value="2"/>');
    expect(text).toContain('<localParameter id="j" value="3"/>');
    expect(text).toContain('<parameter id="k" value="0.5" constant="true"/>');
    expect(text).not.toMatch(/R_k|S_j/);
    expect(exported(importSbml(text).document)).toBe(text);
  });

  it('is the model’s where anything else has come to use it', async () => {
    const { document } = importSbml(model);
    const blocks = [...(document.blocks as object[]), { id: 'twice', kind: 'map', formula: '2*S_j' }];
    const text = exported({ ...document, blocks });
    expect(await outcomeOf(each(text), device), text).toEqual({ kind: 'right', why: '' });
    expect(text).toContain('<parameter id="S_j" value="3" constant="true"/>');
    expect(text).toContain('<localParameter id="k" value="2"/>');
  });

  it('is the model’s where its law has another of that name', async () => {
    const { document } = importSbml(model);
    const text = exported(JSON.parse(JSON.stringify(document).replace(/("rate":"[^"]*)R_k/, '$1R_k*k/k')));
    expect(text).toContain('<parameter id="R_k" value="2" constant="true"/>');
    expect(await outcomeOf(each(text), device), text).toEqual({ kind: 'right', why: '' });
  });
});

const formulasAlone = {
  format: 'cotangent/1',
  blocks: [
    { id: 'time', kind: 'range', length: 11, start: 0, step: 1 },
    { id: 'k', kind: 'parameter', initial: 2 },
    { id: 'twice', kind: 'map', formula: '2*k' },
    { id: 'x', kind: 'map', formula: 'exp(-twice*t)', inputs: { t: 'time' } },
    { id: 'y', kind: 'map', formula: 'x + k' },
  ],
};

describe('a document of formulas alone', () => {
  it('becomes rules of the time, and an initial assignment of what stays', async () => {
    const rows = [0, 1, 2].map((t) => [Math.exp(-4 * t), Math.exp(-4 * t) + 2, 4]);
    const each = {
      ...{ name: 'formulas', model: exported(formulasAlone), others: new Map(), start: 0, duration: 2, steps: 2 },
      ...{ absolute: 0, relative: 1e-12, outputs: ['x', 'y', 'twice'], times: [0, 1, 2], rows },
    };
    expect(await outcomeOf(each, device), each.model).toEqual({ kind: 'right', why: '' });
    expect(each.model).toContain('<initialAssignment symbol="twice">');
  });

  it('is refused where nothing says what the time is', () => {
    const blocks = formulasAlone.blocks.filter(({ id }) => id === 'k');
    expect(() => exported({ ...formulasAlone, blocks })).toThrow(/no ode block and no range "time"/);
  });
});

describe('a document of one’s own', () => {
  const document = {
    format: 'cotangent/1',
    blocks: [
      { id: 'times', kind: 'range', length: 11, start: 0, step: 1 },
      { id: 'k', kind: 'parameter', initial: 1e-7 },
      { id: 'V', kind: 'constant', value: 2 },
      { id: 'twice', kind: 'map', formula: '2*k' },
      {
        id: 'model',
        kind: 'ode',
        times: 'times',
        from: 0,
        state: {
          A: { initial: 3, per: 'V' },
          B: { initial: 'twice', per: 'V' },
          x: { initial: 1, rate: 'u = A + B\nif(u > 1, -0.1*x*u, 0)' },
        },
        reactions: [{ reaction: '2 A <-> B', rate: '0.3*A^2 - k*logistic(B)*x' }],
        formulas: { share: 'A/(A + B)' },
        events: [{ times: 2, state: 'x', add: 4 }],
      },
      { id: 'seen', kind: 'map', formula: '10*s', inputs: { s: 'model.A' } },
      { id: 'loss', kind: 'least-squares', prediction: 'seen', observed: 'times' },
    ],
  };

  it('has what is made of a solver with one state, which answers to its id alone', () => {
    const text = (u: string) =>
      exported({
        format: 'cotangent/1',
        blocks: [
          { id: 't', kind: 'range', length: 5 },
          { id: 'm', kind: 'ode', times: 't', state: { A: { initial: 1, rate: '-A' } } },
          { id: 'twice', kind: 'map', formula: '2*u', inputs: { u } },
        ],
      });
    expect(text('m')).toContain('<assignmentRule variable="twice">');
    expect(text('m')).toBe(text('m.A'));
  });

  it('becomes species, reactions, rules and events; what no rate needs is named', () => {
    const text = exported(document);
    for (const part of [
      '<compartment id="V" spatialDimensions="3" size="2" constant="true"/>',
      '<species id="A" compartment="V" initialConcentration="3" hasOnlySubstanceUnits="false"',
      '<speciesReference species="A" stoichiometry="2" constant="true"/>',
      'Left out, since no rate depends on them: loss.',
    ])
      expect(text).toContain(part);
    expect(text).toMatch(/<rateRule variable="x">/);
    expect(text).toMatch(/<assignmentRule variable="seen">/);
    expect(importSbml(text).warnings).toEqual([]);
  });

  // At 2 each of two doses passes the threshold by itself: 1 + 3 − 2.5 = 1.5, and 1.5 + 2 − 2.5 = 1.
  it.each([
    [1, { when: 'time >= 1', set: { x: '2*x' } }, [1, 5, 5, 5, 5]],
    [2, { when: 'x > 3', set: { x: 'x - 2.5' } }, [1, 1, 1, 1, 1]],
    [3, { when: 'time >= 1', set: { x: '2*x' }, delay: 2, values: 'execution' }, [1, 1, 1, 5, 5]],
    [0, { when: 'time >= 0', set: { x: '2*x' }, initial: false, priority: -1 }, [5, 5, 5, 5, 5]],
  ])('has doses at %s after what else happens then, as the document has', async (at, event, expected) => {
    const doses = (at === 2 ? [3, 2] : [3]).map((add) => ({ times: at, state: 'x', add }));
    for (const events of [
      [event, ...doses],
      [...doses, event],
    ]) {
      const text = exported({
        format: 'cotangent/1',
        blocks: [
          { id: 't', kind: 'range', length: 5 },
          { id: 'm', kind: 'ode', times: 't', state: { x: { initial: 1, rate: '0' } }, events },
        ],
      });
      const times = [0, 1, 2, 3, 4];
      const each = {
        ...{ name: 'doses', model: text, others: new Map(), start: 0, duration: 4, steps: 4 },
        ...{ absolute: 1e-9, relative: 1e-9, outputs: ['x'], times, rows: expected.map((x) => [x]) },
      };
      expect(await outcomeOf(each, device), text).toEqual({ kind: 'right', why: '' });
    }
  });

  it.each([
    [
      'two ode blocks',
      [...document.blocks, { ...document.blocks[4], id: 'other' }],
      /two ode blocks, "model" and "other"/,
    ],
    [
      'a function that SBML has not',
      document.blocks.map((each) => (each.id === 'model' ? { ...each, formulas: { share: 'erf(A)' } } : each)),
      /uses erf\(\), which SBML has not/,
    ],
  ])('refuses %s', (_, blocks, says) => expect(() => exported({ ...document, blocks })).toThrow(says));
});
