/** `import` and `simulate` of SBML as the command line has them. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { printExpression } from '../../models/formula/print.ts';
import { readMath } from '../../models/sbml/mathml.ts';
import { parseXml } from '../../models/sbml/xml.ts';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  folderWith,
  json,
  map,
  parameter,
  written,
} from '../support/command-line.ts';

const sbml = (inside: string, more = ''): string => `<?xml version="1.0" encoding="UTF-8"?>
<sbml xmlns="http://www.sbml.org/sbml/level3/version2/core" level="3" version="2"${more}>
  <model id="decay">
    <listOfCompartments><compartment id="cell" size="2" constant="true"/></listOfCompartments>
    <listOfSpecies>
      <species id="S" compartment="cell" initialConcentration="3" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>
      <species id="e" compartment="cell" initialAmount="1" hasOnlySubstanceUnits="true" boundaryCondition="false" constant="false"/>
    </listOfSpecies>
    ${inside}
  </model>
</sbml>`;

const math = (content: string): string => `<math xmlns="http://www.w3.org/1998/Math/MathML">${content}</math>`;
const reaction = (law: string, more = ''): string => `<listOfReactions><reaction id="R" reversible="false"${more}>
  <listOfReactants><speciesReference species="S" stoichiometry="1" constant="true"/></listOfReactants>
  <listOfProducts><speciesReference species="e" stoichiometry="2" constant="true"/></listOfProducts>
  <kineticLaw>${math(law)}<listOfLocalParameters><localParameter id="k" value="0.5"/></listOfLocalParameters></kineticLaw>
</reaction></listOfReactions>`;
const decay = reaction('<apply><times/><ci>cell</ci><ci>k</ci><ci>S</ci></apply>');

const imported = (text: string): { readonly file: string; readonly out: string } => {
  const folder = folderWith({ 'model.xml': text });
  return { file: join(folder, 'model.xml'), out: join(folder, 'model.cot.json') };
};

describe('an SBML model', () => {
  it('is a document of reactions, and is simulated under its own names', async () => {
    const { file, out } = imported(sbml(decay));
    const result = (await json('import', file, '--out', out)) as { kind: string; document: { blocks: unknown[] } };
    expect(result.kind).toBe('sbml');
    expect(result.document.blocks).toContainEqual({
      id: 'model',
      kind: 'ode',
      times: 'time',
      from: 0,
      state: { S: { initial: 3, per: 'cell' }, e_: { initial: 1 } },
      reactions: [{ name: 'R', reaction: 'S -> 2 e_', rate: 'cell*R_k*S' }],
    });
    const names = ['S', 'amount(S)', 'concentration(e)', 'e', 'R', 'R.k', 'cell'];
    const { time, values } = (await json(
      ...['simulate', out, '--start', '0', '--end', '2', '--steps', '4', '--output', names.join(',')],
    )) as { time: number[]; values: Record<string, number[]> };
    const s = time.map((t) => 3 * Math.exp(-0.5 * t));
    expect(time).toEqual([0, 0.5, 1, 1.5, 2]);
    expectClose(
      values,
      {
        S: s,
        'amount(S)': s.map((x) => 2 * x),
        'concentration(e)': s.map((x) => (1 + 4 * (3 - x)) / 2),
        e: s.map((x) => 1 + 4 * (3 - x)),
        R: s.map((x) => x),
        'R.k': time.map(() => 0.5),
        cell: time.map(() => 2),
      },
      1e-7,
    );
    const set = (await json(
      ...[
        'simulate',
        out,
        '--start',
        '0',
        '--end',
        '2',
        '--steps',
        '1',
        '--output',
        'S',
        '--set',
        'S=1',
        '--set',
        'R.k=1',
      ],
    )) as { values: { S: number[] } };
    expectClose(set.values.S, [1, Math.exp(-2)], 1e-7);
  });

  it('is evaluated, differentiated and simulated whole under the names of the file, those that are formulas too', async () => {
    const { file, out } = imported(sbml(decay));
    await json('import', file, '--out', out);
    const range = ['--start', '0', '--end', '2', '--steps', '1'];
    const { values: all } = (await json('simulate', out, ...range)) as { values: Record<string, number[]> };
    expect(all).toMatchObject({ cell: [2, 2], 'R.k': [0.5, 0.5] });
    const { values } = (await json('evaluate', out, '--output', 'amount(S),S,time')) as {
      values: Record<string, number[]>;
    };
    expect(values['amount(S)']).toEqual(values['S']!.map((x) => 2 * x));
    const ones = JSON.stringify(values['time']!.map(() => 1));
    const by = async (of: string): Promise<number> =>
      (
        (await json('differentiate', out, '--of', of, '--wrt', 'R.k', '--cotangent', ones)) as {
          adjoints: Record<string, number>;
        }
      ).adjoints['R.k']!;
    expect(await by('amount(S)')).toBeCloseTo(2 * (await by('S')), 9);
  });

  it('that leaves what it is made of without a value is imported with a word, and stops no solution without one', async () => {
    const text = sbml(decay).replace(' size="2"', '').replace(' initialConcentration="3"', '');
    const { file, out } = imported(text);
    expect(await json('import', file, '--out', out)).toMatchObject({
      warnings: [
        'it gives no value to "cell": NaN, until the document has one',
        'it does not say where "S" begins: NaN, until the document has an "initial"',
      ],
    });
    const simulate = ['simulate', out, '--start', '0', '--end', '1', '--steps', '2', '--output', 'e', '--json'];
    const { status, stderr } = await cotangent(...simulate);
    expect(status).toBe(3);
    expect(stderr).toMatch(/"model" is not finite: it is made of what has no value yet, "S", "cell" \(NaN/);
    const mended = await cotangent(...simulate, '--set', 'cell=2');
    expect(mended.stderr).toMatch(/no value yet, "S" \(NaN/);
  });

  it.each([
    [sbml(reaction('<ci>q</ci>')), /"q" is used/],
    [
      sbml(
        reaction(
          '<apply><csymbol definitionURL="http://www.sbml.org/sbml/symbols/delay">delay</csymbol><ci>S</ci><ci>S</ci></apply>',
        ),
      ),
      /the lag of a delay\(\) depends on "S"/,
    ],
    [
      sbml(reaction('<apply><exp/><ci>S</ci></apply>', ' fast="true"')),
      /the reaction "R" is fast, and where it comes to rest is no equation of degree 1 or 2/,
    ],
    [
      sbml(decay, ' xmlns:distrib="http://www.sbml.org/sbml/level3/version1/distrib/version1" distrib:required="true"'),
      /the package "distrib" \(random distributions\)/,
    ],
    [
      sbml(`<listOfRules><algebraicRule>${math('<ci>S</ci>')}</algebraicRule></listOfRules>${decay}`),
      /algebraic rules leave no symbol open/,
    ],
    [sbml(reaction('<apply><ci>f</ci><ci>S</ci></apply>')), /"f" is called/],
    ['<sbml', /is no XML/],
    ['<a/>', /is no SBML/],
  ])('that is not understood is refused, and nothing is written', async (text, words) => {
    const { file, out } = imported(text);
    const { status, stdout, stderr } = await cotangent('import', file, '--out', out, '--json');
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(out)).toBe(false);
  });
});

it.each(['sbml', 'petab'])('export --to %s says that steps of a given length are lost', async (to) => {
  const document = (solver: object) =>
    written(
      documentOf(
        [
          { id: 't', kind: 'range', length: 3 },
          constant('y', [1, 0.4, 0.1]),
          parameter('k', 0.8),
          { id: 'm', kind: 'ode', times: 't', state: { A: { initial: 1, rate: '-k*A' } }, ...solver },
          { id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 0.1 },
        ],
        { objective: 'loss' },
      ),
    );
  const warned = async (solver: object): Promise<string> => {
    const { status, stderr } = await cotangent('export', document(solver), '--to', to, '--json');
    expect(status).toBe(0);
    return stderr;
  };
  expect(await warned({})).toBe('');
  expect(await warned({ method: 'rk4', substeps: 2 })).toMatch(
    /warning: "m" is solved by steps of a length that is given/,
  );
});

it.each([
  ['arcsinh', Math.asinh, (x: number) => 1 / Math.sqrt(x * x + 1), [0, 1e-10, -1e-10, 3, -1e6, -1e12]],
  ['arccosh', Math.acosh, (x: number) => 1 / Math.sqrt((x - 1) * (x + 1)), [1 + 2 ** -40, 3, 1e6]],
] as const)('<%s> has its digits and its slope, near 0 too', async (name, wanted, slope, at) => {
  const read = readMath(parseXml(`<math><apply><${name}/><ci>x</ci></apply></math>`), 'a rate')!;
  const formula = printExpression(read).replaceAll('$x', 'x');
  const file = written(documentOf([parameter('x', at), map('f', formula)]));
  const ones = JSON.stringify(at.map(() => 1));
  const { value, adjoints } = (await json('differentiate', file, '--of', 'f', '--cotangent', ones)) as {
    readonly value: readonly number[];
    readonly adjoints: { readonly x: readonly number[] };
  };
  expectClose(value, at.map(wanted), 1e-14);
  expectClose(adjoints.x, at.map(slope), 1e-12);
});
