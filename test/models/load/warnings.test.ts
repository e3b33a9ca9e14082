/** What is worth knowing and refuses nothing. */
import { describe, expect, it } from 'vitest';
import { c, load, type PlainBlock } from '../../support/documents.ts';

async function warnings(blocks: readonly PlainBlock[], more: Record<string, unknown> = {}): Promise<string[]> {
  const { model, problems } = await load(blocks, more);
  expect(problems.filter((problem) => problem.severity === 'error')).toEqual([]);
  expect(model).toBeDefined();
  return problems.map((problem) => problem.message);
}

const int = { type: 'int' };
const sum: PlainBlock = { id: 's', kind: 'reduce', operator: 'add', values: 'x' };

describe('whole numbers that can leave 32 bits', () => {
  it.each<readonly [string, PlainBlock[]]>([
    ['a product', [c('x', [50_000, 3], int), { id: 's', kind: 'map', formula: 'x * x' }]],
    ['a difference', [c('x', [-2_000_000_000, 3], int), { id: 's', kind: 'map', formula: 'x - 2000000000' }]],
    ['a sum', [c('x', [2_000_000_000, 2_000_000_000], int), sum]],
    ['a running product', [c('x', [1000, 1000, 1000, 1000], int), { ...sum, kind: 'scan', operator: 'multiply' }]],
    [
      'a chain',
      [c('y', [2000], int), { id: 'x', kind: 'map', formula: 'y * y' }, { id: 's', kind: 'map', formula: 'x * y' }],
    ],
  ])('%s', async (_, blocks) => {
    const found = await warnings(blocks);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^block "s": its whole numbers can reach [\d.e+]+, and an int wraps beyond 2147483647$/);
  });

  it.each<readonly [string, PlainBlock[]]>([
    ['that fit', [c('x', [40_000, 3], int), { id: 's', kind: 'map', formula: 'x * x' }]],
    ['that are real', [c('x', [5e9, 3]), { id: 's', kind: 'map', formula: 'x * x' }]],
    [
      'kept in range',
      [c('x', [2e9, 3], int), { id: 'y', kind: 'map', formula: 'mod(x, 10)' }, { ...sum, values: 'y' }],
    ],
  ])('none: %s', async (_, blocks) => {
    expect(await warnings(blocks)).toEqual([]);
  });
});

describe('data', () => {
  const p: PlainBlock = { id: 'p', kind: 'parameter', initial: 1, unit: 'm' };
  const loss: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'p', observed: 'y' };

  it('are counted where they are missing', async () => {
    expect(await warnings([p, c('y', [1, 'NaN']), loss])).toEqual([
      'block "l": 1 of 2 values of "observed" are missing and left out',
    ]);
    const keys = [c('k', [0, 'NaN']), { id: 'h', kind: 'histogram', operator: 'add', keys: 'k', values: 'k', bins: 1 }];
    expect((await warnings(keys))[0]).toMatch(/"keys" has 1 missing values; they count as -1/);
  });

  it('have units that are compared where both are known', async () => {
    expect(await warnings([p, { ...c('y', [1]), unit: 's' }, loss])).toEqual([
      'block "l": the prediction is in "m" and what was observed in "s"',
    ]);
    expect(await warnings([p, { ...c('y', [1]), unit: ' m' }, loss])).toEqual([]);
  });

  it('are what an objective should depend on parameters for', async () => {
    expect(await warnings([c('x', 1)], { objective: 'x' })).toEqual([
      'the objective depends on no parameter: there is nothing to fit',
    ]);
    // A prior is something to fit.
    const believed: PlainBlock = { ...p, id: 'q', unit: '', prior: { family: 'normal', mean: 0, sd: 1 } };
    expect(await warnings([c('x', 1), believed], { objective: 'x' })).toEqual([]);
  });

  it('may be wired to nothing', async () => {
    expect(await warnings([c('x', 1), { id: 'f', kind: 'map', formula: 'x', inputs: { x: 'x', z: 'x' } }])).toEqual([
      'block "f": no formula uses the input "z"',
    ]);
  });
});

it('a parameter called as the time of a solver is not what its rates read', async () => {
  const solver = (rate: string): PlainBlock => ({
    ...{ id: 'm', kind: 'ode', times: 't', state: { A: { initial: 1, rate } } },
  });
  const named = (kind: string): PlainBlock =>
    kind === 'parameter' ? { id: 'time', kind, initial: 1 } : c('time', [0, 1, 2]);
  const t = c('t', [0, 1, 2]);
  expect(await warnings([t, named('parameter'), solver('-time*A')])).toEqual([
    expect.stringMatching(/^block "m": "time" in its formulas is the solver's own/),
  ]);
  expect(await warnings([t, named('parameter'), solver('-A')])).toEqual([]);
  expect(await warnings([t, named('constant'), solver('-time*A')])).toEqual([]);
});
