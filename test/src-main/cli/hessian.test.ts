/** `hessian`: the matrix and its products, against central differences of reverse mode. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../../support/command-line.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });

const blocks: readonly PlainBlock[] = [
  constant('x', [0.2, 0.9, 1.7, 2.4]),
  constant('y', [1.3, 0.7, 0.6, 0.1]),
  constant('bin', [0, 1, 0, 1], 'int'),
  parameter('A', 1.2),
  parameter('ke', [0.4, 0.7], { lower: 0 }),
  parameter('K', [
    [0.1, -0.2],
    [0.3, 0.5],
  ]),
  parameter('unread', 3, { fixed: true }),
  b('rate', 'gather', { from: 'ke', indices: 'bin' }),
  map('curve', 'A * exp(-rate * x)'),
  b('product', 'reduce', { operator: 'multiply', values: 'curve' }),
  b('run', 'scan', { operator: 'multiply', values: 'curve' }),
  b('worst', 'histogram', { operator: 'max', keys: 'bin', values: 'run', bins: 2 }),
  b('total', 'reduce', { operator: 'add', values: 'worst' }),
  map('KK', 'K * K * A'),
  b('rows', 'reduce', { operator: 'add', values: 'KK', axis: 1 }),
  b('energy', 'reduce', { operator: 'logaddexp', values: 'rows' }),
  map('fitted', 'curve + product * energy'),
  b('loss', 'least-squares', { prediction: 'fitted', observed: 'y' }),
  map('other', 'total * energy + sin(product)'),
];
const names = ['A', 'ke[0]', 'ke[1]', 'K[0,0]', 'K[0,1]', 'K[1,0]', 'K[1,1]', 'unread'];
const path = written(documentOf(blocks, { objective: 'loss' }));

type Values = Record<'A' | 'ke' | 'K' | 'unread', unknown>;
const start = [1.2, 0.4, 0.7, 0.1, -0.2, 0.3, 0.5, 3];
const settings = (v: readonly number[]): string[] =>
  Object.entries({ A: v[0], ke: v.slice(1, 3), K: [v.slice(3, 5), v.slice(5, 7)], unread: v[7] } as Values).flatMap(
    ([id, value]) => ['--set', `${id}=${JSON.stringify(value)}`],
  );

async function gradient(of: string, v: readonly number[]): Promise<number[]> {
  const { adjoints } = (await json('differentiate', path, '--of', of, ...settings(v))) as { adjoints: Values };
  return [adjoints.A, adjoints.ke, adjoints.K, adjoints.unread].flat(2) as number[];
}

async function differences(of: string): Promise<number[][]> {
  const rows: number[][] = [];
  for (let j = 0; j < start.length; j++) {
    const h = 1e-5;
    const moved = (sign: number): number[] => start.map((value, i) => (i === j ? value + sign * h : value));
    const [above, below] = [await gradient(of, moved(1)), await gradient(of, moved(-1))];
    rows.push(above.map((value, i) => (value - below[i]!) / (2 * h)));
  }
  return rows;
}

interface Printed {
  readonly parameters: string[];
  readonly hessian?: number[][];
  readonly product?: number[];
}

describe.each([
  { of: 'loss', options: [] },
  { of: 'other', options: ['--of', 'other'] },
])('of $of', ({ of, options }) => {
  it('is what central differences of the gradient give, on every element in order', async () => {
    const found = (await json('hessian', path, ...options)) as Printed;
    expect(Object.keys(found)).toEqual(['parameters', 'hessian']);
    expect(found.parameters).toEqual(names);
    const wanted = await differences(of);
    found.hessian?.forEach((row, i) =>
      row.forEach((entry, j) => expect(entry, `${names[i]} ${names[j]}`).toBeCloseTo(wanted[i]![j]!, 6)),
    );
    expect(found.hessian).toHaveLength(names.length);
  });

  it('times a vector is the product, on two devices', async () => {
    const vector = [0.3, -1, 2, 0.5, 0.25, -0.75, 1, 4];
    const { hessian = [] } = (await json('hessian', path, ...options, '--device', 'reference')) as Printed;
    const wanted = hessian.map((row) => row.reduce((sum, entry, j) => sum + entry * vector[j]!, 0));
    for (const device of ['cpu', 'reference']) {
      const vectorOptions = ['--vector', JSON.stringify(vector), '--device', device];
      const found = (await json('hessian', path, ...options, ...vectorOptions)) as Printed;
      expect(Object.keys(found)).toEqual(['parameters', 'product']);
      expectClose(found, { parameters: names, product: wanted }, 1e-9);
    }
  });
});

it('is a table for people', async () => {
  const { status, stdout } = await cotangent('hessian', path);
  expect(status).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]?.trim().split(/\s+/)).toEqual(names);
  expect(lines.slice(1).map((line) => line.split(/\s+/)[0])).toEqual(names);
});

const without = written(documentOf([parameter('p', 1), map('q', 'p * p')]));
const bare = written(documentOf([constant('c', 1)]));
it.each([
  [path, ['--of', 'curve'], 'scalar'],
  [path, ['--of', 'nowhere'], 'nowhere'],
  [path, ['--of', 'bin'], 'real'],
  [path, ['--vector', '[1, 2]'], 'shape [8]'],
  [path, ['--vector', '{'], 'JSON'],
  [path, ['--vector', '["a"]'], 'numbers'],
  [without, [], 'objective'],
  [bare, ['--of', 'c'], 'no parameters'],
])('refuses %s %j in one line', async (document, options, word) => {
  const { status, stdout, stderr } = await cotangent('hessian', document, ...options);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^cotangent: [^\n]*\n$/);
  expect(stderr).toContain(word);
});

it('takes a scalar where there is no objective', async () =>
  expect(await json('hessian', without, '--of', 'q')).toEqual({ parameters: ['p'], hessian: [[2]] }));
