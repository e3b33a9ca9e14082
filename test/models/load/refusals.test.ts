/** Documents that are wrong: each names its block, what was wanted and got, and says nothing of the blocks behind it. */
import { describe, expect, it } from 'vitest';
import type { Problem } from '../../../models/notation/problem.ts';
import { c, load, problemsOf, type PlainBlock } from '../../support/documents.ts';

const tables = {
  obs: { columns: { t: [0, 1, 2], y: [1, 2, 3], k: [0, 1, 9], half: [0.5, 1, 2], s: ['a', 'b', 'a'], one: [1, 1, 1] } },
  single: { columns: { x: [5] } },
  six: { columns: { x: [1, 2, 3, 4, 5, 6] } },
};
const col = (id: string, table = 'obs', column = id, more: PlainBlock = {}): PlainBlock => ({
  id,
  kind: 'column',
  table,
  column,
  ...more,
});
const map = (id: string, formula: string, more: PlainBlock = {}): PlainBlock => ({ id, kind: 'map', formula, ...more });
const p: PlainBlock = { id: 'p', kind: 'parameter', initial: 1 };

type Case = readonly [name: string, blocks: readonly PlainBlock[], wanted: Partial<Problem> & { says: RegExp }];

const cases: readonly Case[] = [
  [
    'an unknown kind',
    [{ id: 'r', kind: 'redcue' }],
    { block: 'r', says: /no kind of block "redcue"/, fix: 'did you mean "reduce"?' },
  ],
  [
    'a kind of every object',
    [{ id: 'r', kind: 'constructor' }],
    { block: 'r', says: /no kind of block "constructor"/ },
  ],
  [
    'an unknown key',
    [{ ...c('x', 1), valeu: 2 }],
    { block: 'x', port: 'valeu', says: /unknown key "valeu"/, fix: 'did you mean "value"?' },
  ],
  ['a key of every object', [{ ...c('x', 1), toString: 2 }], { block: 'x', says: /unknown key "toString"/ }],
  ['a missing key', [{ id: 'x', kind: 'constant' }], { block: 'x', port: 'value', says: /"value" is missing/ }],
  [
    'a key of the wrong type',
    [c('x', 'one')],
    { block: 'x', port: 'value', says: /wants a number or a nested array of numbers, got "one"/ },
  ],
  ['a ragged constant', [c('x', [[1], [2, 3]])], { block: 'x', port: 'value', says: /ragged/ }],
  ['a constant of rank 4', [c('x', [[[[1]]]])], { block: 'x', says: /rank 4/ }],
  [
    'an int constant with a fraction',
    [c('x', [1, 2.5], { type: 'int' })],
    { block: 'x', wanted: 'int', got: '2.5', says: /whole numbers/ },
  ],
  ['an id with a dash', [c('a-b', 1)], { block: 'a-b', port: 'id', says: /letters, digits and _/ }],
  ['a reserved id', [c('exp', 1)], { block: 'exp', port: 'id', says: /reserved/ }],
  ['a duplicate id', [c('x', 1), c('x', 2)], { block: 'x', port: 'id', says: /given twice/ }],
  [
    'an unknown reference',
    [{ id: 'r', kind: 'reverse', values: 'tt' }, col('t')],
    { block: 'r', port: 'values', got: 'tt', fix: 'did you mean "t"?', says: /no block "tt"/ },
  ],
  [
    'an unknown name in a formula',
    [col('rate', 'obs', 't'), map('f', '2 * rtae')],
    { block: 'f', span: [4, 8], says: /'rtae' is not known here/ },
  ],
  ['a syntax error', [map('f', '2 * ')], { block: 'f', says: /./ }],
  ['an unknown function', [col('t'), map('f', 'exq(t)')], { block: 'f', says: /exq/ }],
  [
    'an unknown output',
    [
      { id: 'f', kind: 'map', outputs: { up: '1', down: '2' } },
      { id: 'r', kind: 'reverse', values: 'f.upp' },
    ],
    { block: 'r', got: 'f.upp', says: /no output "upp"/ },
  ],
  [
    'several outputs, none named',
    [
      { id: 'f', kind: 'map', outputs: { up: '1', down: '2' } },
      { id: 'r', kind: 'reverse', values: 'f' },
    ],
    { block: 'r', says: /several outputs: say which of "f.up", "f.down"/ },
  ],
  [
    'several outputs, in a formula',
    [{ id: 'f', kind: 'map', outputs: { up: '1', down: '2' } }, map('g', '1 + f')],
    { block: 'g', port: 'f', span: [4, 5], says: /several outputs/ },
  ],
  [
    'a cycle',
    [map('a', 'b + 1'), map('b', 'c1 + 1'), map('c1', 'a')],
    { block: 'a', got: '"a" → "b" → "c1" → "a"', says: /depends on itself/ },
  ],
  ['a cycle of one', [map('a', 'a + 1')], { block: 'a', says: /depends on itself: "a" → "a"/ }],
  ['an unknown table', [col('t', 'osb')], { block: 't', fix: 'did you mean "obs"?', says: /no table "osb"/ }],
  ['an unknown column', [col('x', 'obs', 'Y')], { block: 'x', fix: 'did you mean "y"?', says: /no column "Y"/ }],
  [
    'shapes that do not go together',
    [col('y'), col('x', 'six'), map('f', 'y + x')],
    { block: 'f', port: 'x', wanted: 'real [obs = 3]', got: 'real [six = 6]', says: /do not go together/ },
  ],
  ['a table of one row', [col('y'), col('x', 'single'), map('f', 'y + x')], { block: 'f', says: /do not go together/ }],
  [
    'arithmetic on a bool',
    [col('y'), map('f', '(y > 1) + 1')],
    { block: 'f', says: /takes numbers; this is true or false/ },
  ],
  ['index without an array', [map('f', 'index + 1')], { block: 'f', says: /index wants an array/ }],
  ['length of a scalar', [c('x', 1), map('f', 'length(x)')], { block: 'f', says: /length\(x\) wants an array/ }],
  [
    'an axis that is not there',
    [col('y'), { id: 'r', kind: 'reverse', values: 'y', axis: 1 }],
    { block: 'r', port: 'axis', got: '1', says: /of rank 1/ },
  ],
  [
    'a negative axis',
    [col('y'), { id: 'r', kind: 'reverse', values: 'y', axis: -1 }],
    { block: 'r', port: 'axis', got: '-1', says: /wants an axis/ },
  ],
  [
    'a reduction of a scalar',
    [p, { id: 'r', kind: 'reduce', operator: 'add', values: 'p' }],
    { block: 'r', says: /wants an array, got a real scalar/ },
  ],
  [
    'an unknown operator',
    [col('y'), { id: 'r', kind: 'reduce', operator: 'sum', values: 'y' }],
    { block: 'r', port: 'operator', says: /"add"/ },
  ],
  [
    'an operator that is not associative',
    [
      col('y'),
      {
        id: 'r',
        kind: 'scan',
        operator: { left: ['a'], right: ['b'], result: ['a + b + a*b*(a - b)'], neutral: [0] },
        values: 'y',
      },
    ],
    { block: 'r', says: /not associative/ },
  ],
  [
    'an operator that uses a parameter',
    [
      p,
      col('y'),
      {
        id: 'r',
        kind: 'scan',
        operator: { left: ['a'], right: ['b'], result: ['a + b*p'], neutral: [0] },
        values: 'y',
      },
    ],
    { block: 'r', says: /may use no name but its arguments/ },
  ],
  [
    'a histogram that does not commute',
    [
      col('k'),
      col('y'),
      {
        id: 'r',
        kind: 'histogram',
        keys: 'k',
        bins: 2,
        operator: { left: ['a', 'b'], right: ['c', 'd'], result: ['c + d*a', 'b*d'], neutral: [0, 1] },
        values: ['y', 'y'],
      },
    ],
    { block: 'r', says: /commutative/ },
  ],
  [
    'keys with fractions',
    [col('half'), { id: 'h', kind: 'histogram', operator: 'add', keys: 'half', values: 'half', bins: 2 }],
    { block: 'h', port: 'keys', says: /element 0 is 0.5/ },
  ],
  [
    'keys computed as reals',
    [p, col('y'), map('f', 'p*y'), { id: 'h', kind: 'histogram', operator: 'add', keys: 'f', values: 'y', bins: 2 }],
    { block: 'h', port: 'keys', wanted: 'int', fix: 'use floor(x) or round(x) in a map', says: /wants int/ },
  ],
  [
    'bins of no category',
    [col('k'), col('y'), { id: 'h', kind: 'histogram', operator: 'add', keys: 'k', values: 'y', bins: 'y' }],
    { block: 'h', port: 'bins', wanted: 'a number or a category', says: /category/ },
  ],
  [
    '10¹⁵ bins',
    [col('k'), col('y'), { id: 'h', kind: 'histogram', operator: 'add', keys: 'k', values: 'y', bins: 1e15 }],
    { block: 'h', says: /needs 8\.00 PB, and the device has 4\.29 GB/ },
  ],
  ['a range of 10¹⁵', [{ id: 'r', kind: 'range', length: 1e15 }], { block: 'r', says: /needs 4\.00 PB/ }],
  [
    'an outer product too large',
    [
      { id: 'r', kind: 'range', length: 1e8 },
      { id: 'v', kind: 'reshape', values: 'r', shape: [-1, 1] },
      map('f', '1.0*r*v'),
    ],
    { block: 'f', says: /needs 80\.0 PB/ },
  ],
  [
    'an index out of range',
    [col('y'), col('k'), { id: 'g', kind: 'gather', from: 'y', indices: 'k' }],
    { block: 'g', got: '9', wanted: '0 to 2', says: /index 2 of "indices" is 9/ },
  ],
  [
    'a negative index',
    [col('y'), c('i', [0, -1]), { id: 'g', kind: 'gather', from: 'y', indices: 'i' }],
    { block: 'g', got: '-1', says: /index 1/ },
  ],
  [
    'an index that counts from 1',
    [col('y'), c('i', [1, 2, 3]), { id: 'g', kind: 'gather', from: 'y', indices: 'i' }],
    {
      block: 'g',
      got: '3',
      says: /0 to 2/,
      fix: 'indices count from 0: subtract 1, or say "type": "category" on the column',
    },
  ],
  [
    'a repeated index',
    [col('y'), c('i', [1, 1]), { id: 's', kind: 'scatter', into: 'y', indices: 'i', values: 'i' }],
    { block: 's', got: '1', says: /occurs twice/ },
  ],
  [
    'a slice with step 0',
    [col('y'), { id: 's', kind: 'slice', values: 'y', step: 0 }],
    { block: 's', port: 'step', says: /1 or more/ },
  ],
  [
    'a negative slice',
    [col('y'), { id: 's', kind: 'slice', values: 'y', start: -1 }],
    { block: 's', port: 'start', got: '-1', says: /whole number, 0 or more/ },
  ],
  [
    'axes that are no permutation',
    [col('y'), { id: 's', kind: 'transpose', values: 'y', axes: [1] }],
    { block: 's', port: 'axes', says: /does not name every axis/ },
  ],
  [
    'a shape that does not fit',
    [col('x', 'six'), { id: 's', kind: 'reshape', values: 'x', shape: [4, 2] }],
    { block: 's', wanted: '6 elements', says: /do not fill \[4, 2\]/ },
  ],
  [
    'two free sizes',
    [col('x', 'six'), { id: 's', kind: 'reshape', values: 'x', shape: [-1, -1] }],
    { block: 's', says: /more than one -1/ },
  ],
  [
    'arrays that do not concatenate',
    [c('a', [[1, 2]]), c('b', [[1, 2, 3]]), { id: 's', kind: 'concatenate', values: ['a', 'b'] }],
    { block: 's', port: 'values.1', says: /does not go beside/ },
  ],
  [
    'matrices that do not multiply',
    [c('a', [[1, 2]]), c('b', [[1, 2]]), { id: 's', kind: 'matmul', left: 'a', right: 'b' }],
    { block: 's', port: 'right', fix: 'transpose the right one', says: /cannot be multiplied/ },
  ],
  [
    'a matmul with a scalar',
    [p, c('b', [[1, 2]]), { id: 's', kind: 'matmul', left: 'p', right: 'b' }],
    { block: 's', port: 'left', says: /wants an array/ },
  ],
  [
    'sigma and weights',
    [p, col('y'), { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y', sigma: 1, weights: 1 }],
    { block: 'l', says: /not both/ },
  ],
  [
    'sigma of 0',
    [p, col('y'), { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y', sigma: 'k' }, col('k')],
    { block: 'l', port: 'sigma', says: /element 0 of "sigma" is 0/ },
  ],
  [
    'a prediction of another length',
    [p, col('y'), col('x', 'six'), map('f', 'p*x'), { id: 'l', kind: 'least-squares', prediction: 'f', observed: 'y' }],
    { block: 'l', port: 'observed', says: /do not go together/ },
  ],
  [
    'a family without its argument',
    [col('y'), { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 1 }],
    { block: 'l', port: 'sigma', says: /"sigma" is missing/ },
  ],
  [
    'an argument of another family',
    [col('y'), { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 1, sigma: 1 }],
    { block: 'l', port: 'sigma', says: /takes "mean"/ },
  ],
  [
    'a count with a fraction',
    [col('half'), { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'half', mean: 1 }],
    { block: 'l', port: 'observed', got: '0.5', says: /a count/ },
  ],
  [
    'a start outside its bounds',
    [{ ...p, lower: 2 }],
    { block: 'p', port: 'initial', says: /outside its bounds 2 to Infinity/ },
  ],
  ['bounds the wrong way round', [{ ...p, lower: 2, upper: 1 }], { block: 'p', port: 'lower', says: /above "upper"/ }],
  ['a log scale from 0', [{ ...p, initial: 0, scale: 'log' }], { block: 'p', says: /above 0/ }],
  [
    'bounds of another shape',
    [{ ...p, initial: [1, 2], lower: [0, 0, 0] }],
    { block: 'p', port: 'lower', wanted: '[2]', got: '[3]', says: /"lower" wants/ },
  ],
  [
    'a parameter like no category',
    [col('y'), { ...p, like: 'y' }],
    { block: 'p', port: 'like', wanted: 'a category', says: /category/ },
  ],
  ['an unknown prior', [{ ...p, prior: { family: 'gauss' } }], { block: 'p', port: 'prior.family', says: /"normal"/ }],
  [
    'a prior without its spread',
    [{ ...p, prior: { family: 'normal', mean: 0 } }],
    { block: 'p', port: 'prior', says: /"sd" is missing/ },
  ],
  [
    'a recurrence without steps',
    [{ id: 'x', kind: 'recurrence', state: { s: { initial: 0, next: 's' } } }],
    { block: 'x', port: 'steps', says: /wants "steps"/ },
  ],
  [
    'steps that are not the inputs’',
    [
      col('y'),
      { id: 'x', kind: 'recurrence', steps: 5, inputs: { u: 'y' }, state: { s: { initial: 0, next: 's + u' } } },
    ],
    { block: 'x', wanted: '3', got: '5', says: /"steps" is 5/ },
  ],
  [
    'a state named like an input',
    [col('y'), { id: 'x', kind: 'recurrence', inputs: { s: 'y' }, state: { s: { initial: 0, next: 's' } } }],
    { block: 'x', says: /both a state and an input/ },
  ],
  [
    'a stepped scalar',
    [p, { id: 'x', kind: 'recurrence', inputs: { u: 'p' }, state: { s: { initial: 0, next: 's + u' } } }],
    { block: 'x', port: 'u', says: /stepped along axis 0/ },
  ],
  [
    'an error in a group',
    [{ id: 'g', kind: 'group', blocks: [map('f', '1 + q')], outputs: { y: 'f' } }],
    { block: 'g/f', says: /'q' is not known here/ },
  ],
  [
    'an output that a group has not',
    [{ id: 'g', kind: 'group', blocks: [c('f', 1)], outputs: { y: 'ff' } }],
    { block: 'g', port: 'y', says: /no block "ff"/ },
  ],
  [
    'a name from outside a group',
    [c('a', 1), { id: 'g', kind: 'group', blocks: [map('f', 'a + 1')], outputs: { y: 'f' } }],
    { block: 'g/f', says: /'a' is not known here/ },
  ],
];

describe('one block at fault', () => {
  it.each(cases)('%s', async (_, blocks, { says, ...wanted }) => {
    const broken = wanted.block ?? '';
    // What hangs on the block at fault is incomplete, and nothing is said of it.
    const behind = /^[a-z]\w*$/.test(broken) ? [{ id: 'behind', kind: 'reduce', operator: 'max', values: broken }] : [];
    const problems = (await problemsOf([...blocks, ...behind], { tables })).filter(
      (problem) => problem.severity === 'error',
    );
    expect(problems.map((problem) => problem.message)).toHaveLength(1);
    expect(problems[0]).toMatchObject(wanted);
    expect(problems[0]?.message).toMatch(says);
    expect(problems[0]?.message).toContain(broken.split('/').at(-1));
  });
});

describe('the document', () => {
  it.each([
    ['another version', { format: 'cotangent/2' }, /"cotangent\/2", and this version reads "cotangent\/1"/],
    ['an unknown key', { table: {} }, /unknown key "table"/],
    ['no list of blocks', { blocks: {} }, /"blocks" wants a list of blocks/],
    ['an unknown method', { fit: { method: 'bfgs' } }, /"fit.method" wants one of/],
    ['a table that is none', { tables: { a: 3 } }, /table "a" wants an object, got 3/],
    ['an unknown key in a table', { tables: { a: { file: 'a.csv', delim: ';' } } }, /table "a": unknown key "delim"/],
    ['ragged columns', { tables: { a: { columns: { x: [1], y: [1, 2] } } } }, /table "a": the column "y" has 2 rows/],
    ['a missing file', { tables: { a: { file: 'a.csv' } } }, /table "a" \(a.csv\): there is no such file/],
    ['a file above', { tables: { a: { file: '../a.csv' } } }, /leads out of it/],
    ['an absolute file', { tables: { a: { file: '/etc/passwd' } } }, /absolute/],
    ['an unknown objective', { objective: 'los', blocks: [c('loss', 1)] }, /objective: there is no block "los"/],
    [
      'an objective that is no scalar',
      { objective: 'x', blocks: [c('x', [1, 2])] },
      /wants a real scalar, and "x" is real \[2\]/,
    ],
    ['an objective named twice', { objective: ['x', 'x'], blocks: [c('x', 1)] }, /names "x" twice/],
  ])('%s', async (_, more, says) => {
    const problems = (await problemsOf([], more)).filter((problem) => problem.severity === 'error');
    expect(problems.map((problem) => problem.message)).toHaveLength(1);
    expect(problems[0]?.message).toMatch(says);
  });

  it('may call a block `__proto__` or `constructor`', async () => {
    const blocks = [c('__proto__', 2), c('constructor', 3), map('toString', '__proto__ * constructor')];
    const { model, problems } = await load(blocks, { objective: 'toString' });
    expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
    expect([...(model?.blocks.keys() ?? [])]).toEqual(['__proto__', 'constructor', 'toString']);
  });

  it('says which reads a mixed column', async () => {
    const [problem] = await problemsOf([col('x', 'a')], { tables: { a: { columns: { x: [1, 'two', 3] } } } });
    expect(problem).toMatchObject({ block: 'x', got: 'two' });
    expect(problem?.message).toMatch(/in row 2 \(index 1\): "two"/);
  });
});
