/** Text is a category, whose codes are names: what counts with them is told, and what was meant as a number is asked for. */
import { expect, it } from 'vitest';
import {
  column,
  cotangent,
  documentOf,
  fitJson,
  json,
  map,
  parameter,
  refusal,
  value,
  written,
} from '../support/command-line.ts';

const one = (cells: readonly unknown[], ...blocks: readonly Readonly<Record<string, unknown>>[]) =>
  documentOf([column('t'), ...blocks], { tables: { T: { columns: { t: cells, y: cells.map((_, i) => i) } } } });
const asked = (cells: readonly unknown[], formula: string) =>
  cotangent('evaluate', written(one(cells, map('f', formula))), '--output', 'f', '--json');

it.each([
  [['12:30', '12:45', '13:30'], 'as plain numbers'],
  [['5%', '10%', '20 %'], 'as plain numbers'],
  [['$5', '-$6', '€7'], 'as plain numbers'],
  [['28.02.2024', '29.02.2024', '1.3.2024'], 'as plain numbers'],
  [['1.234,5', '2.345,6', '3'], 'as plain numbers'],
  [['0,5', '1,5', '2'], '"decimal": ","'],
])('%j is no number, and asked for as one', async (cells, fix) => {
  const said = await refusal(one(cells, map('f', '2*t')));
  for (const word of ['"f"', '"t" is text', JSON.stringify(cells[0]), 'codes 0, 1, 2', fix])
    expect(said).toContain(word);
  expect(await refusal(one(cells, map('f', 'if(t > 1, 5, 0)')))).toContain('"t" is text');
  // Beside another of its kind, or made a number on purpose, a code is what it is.
  expect((await asked(cells, 'if(t == t, 5, 0) + if(real(t) == 1, 5, 0) + real(t)')).status).toBe(0);
});

it('numbers in quotes are text, until the column says otherwise', async () => {
  const files = { 't.csv': 't,y\n"0","1"\n"0.25","2"\n"1","4"\n' };
  const document = (type: Readonly<Record<string, unknown>>) =>
    documentOf([column('t', type), map('f', '2*t')], { tables: { T: { file: 't.csv' } } });
  expect(await refusal(document({}), files)).toMatch(
    /"t" is text .* \(say "type": "real" on its column; where codes are meant, write real\(t\)\)$/,
  );
  const path = written(document({ type: 'real' }), files);
  expect(JSON.parse((await cotangent('evaluate', path, '--output', 'f', '--json')).stdout)).toMatchObject({
    values: { f: [0, 0.5, 2] },
  });
});

it('labels that are words may be counted with, and that is said', async () => {
  const warned = async (formula: string) =>
    ((await json('check', written(one(['a', 'b', 'a'], map('f', formula))))) as { warnings: string[] }).warnings;
  expect(JSON.parse((await asked(['a', 'b', 'a'], '0.5*t')).stdout)).toMatchObject({ values: { f: [0, 0.5, 0] } });
  const said = 'block "f": "t" is text ("a", "b"), and its codes 0, 1 are counted with';
  expect(await warned('0.5*t')).toEqual([expect.stringContaining(said)]);
  // Compared with a code it is what it says, and whole numbers of them are indices.
  expect(await warned('if(t == 1, 5, 0)')).toEqual([]);
  expect(await warned('3*t + 1')).toEqual([]);
});

it.each([
  ['weights', { kind: 'least-squares', prediction: 'p', observed: 'y', weights: 't' }],
  ['sigma', { kind: 'likelihood', family: 'normal', mean: 'p', observed: 'y', sigma: 't' }],
  ['times', { kind: 'ode', state: { x: { initial: 1, rate: '-x' } }, times: 't' }],
] as const)('nor are they %s', async (port, block) => {
  const document = one(['1 h', '2 h', '4 h'], column('y'), parameter('p', 1), { id: 'l', ...block });
  expect(await refusal(document)).toContain(`block "l": "${port}" is text ("1 h", "2 h", "4 h"), whose codes 0, 1, 2`);
});

it.each([[[true, true, false]], [['TRUE', 'TRUE', 'FALSE']], [['True', 'True', 'False']]] as const)(
  'false is 0 and true 1, whichever comes first: %j',
  async (cells) => {
    expect(await value([column('t'), map('f', '10*t')], 'f', { tables: { T: { columns: { t: cells } } } })).toEqual([
      10, 10, 0,
    ]);
  },
);

it('the effect of a truth value has its sign', async () => {
  const document = documentOf(
    [
      column('dead'),
      column('y'),
      parameter('a', 0),
      parameter('m', 0),
      map('f', 'a + m*dead'),
      { id: 'l', kind: 'least-squares', prediction: 'f', observed: 'y' },
    ],
    { tables: { T: { columns: { dead: [true, true, true, false], y: [1, 2, 0.5, 3] } } }, objective: 'l' },
  );
  const { parameters } = await fitJson<{ readonly parameters: Record<string, { readonly value: number }> }>([
    written(document),
  ]);
  // lm(y ~ dead)
  expect(parameters['a']!.value).toBeCloseTo(3, 9);
  expect(parameters['m']!.value).toBeCloseTo(-11 / 6, 9);
});
