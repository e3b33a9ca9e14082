/** What is exported as SBML and imported again gives the same numbers. */
import { readdir } from 'node:fs/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { readLeniently } from '../../models/format/parse.ts';
import { exportSbml } from '../../models/sbml/export.ts';
import { importSbml } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { readCase } from './cases.ts';
import { openDevice, outcomeOf } from './run.ts';

const device = openDevice();
afterAll(() => device.close());

function exported(document: unknown): string {
  const read = readLeniently(JSON.parse(JSON.stringify(document)));
  if (!read.document) throw new Error(read.problems.map(({ message }) => message).join('; '));
  return exportSbml(read.document);
}

describe('cases of the SBML Test Suite, exported and imported again', async () => {
  const folder = process.env['SBML_CASES'] ?? new URL('cases', import.meta.url).pathname;
  const only = process.env['SBML_ONLY']?.split(',');
  const names = (await readdir(folder)).filter((name) => only?.includes(name) ?? /^\d{5}$/.test(name)).sort();
  it.each(names)('%s', async (name) => {
    const each = await readCase(folder, name);
    let imported: ReturnType<typeof importSbml>['document'];
    let model: string;
    try {
      imported = importSbml(each.model, each.others).document;
      model = exported(imported);
    } catch (error) {
      if (error instanceof SbmlRefusal) return;
      throw error;
    }
    // Columns that the file still has under one name: what was a species may be a parameter now.
    const columns = each.outputs.flatMap((output, column) => {
      const id = idAfter(imported['names'] as Names, output);
      return id === undefined ? [] : [{ id, column }];
    });
    const rows = each.rows.map((row) => columns.map(({ column }) => row[column]!));
    const again = { ...each, model, outputs: columns.map(({ id }) => id), rows };
    expect(await outcomeOf(again, device), model).toEqual({ kind: 'right', why: '' });
  });
});

type Names = Readonly<Record<string, unknown>>;

/** The id in the exported file of what `output` names in the imported document. */
function idAfter(names: Names, output: string): string | undefined {
  const reference = Object.hasOwn(names, output) ? names[output] : output;
  if (typeof reference !== 'string') return undefined;
  const kept = Object.keys(names).find((name) => names[name] === reference && /^\w+$/.test(name));
  return kept ?? reference.replace(/^[^.]*\./, '');
}

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
