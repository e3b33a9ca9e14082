import { describe, expect, it } from 'vitest';
import { c, evaluate, load, problemsOf } from '../../support/documents.ts';

const table = { tables: { obs: { columns: { t: [0, 1, 2, 3], y: [5, 'NaN', 7, 8], g: ['a', 'b', 'a', 'b'] } } } };
const col = (id: string, more = {}) => ({ id, kind: 'column', table: 'obs', column: id, ...more });
const kept = (values: string | string[], where: string, more = {}) => ({
  id: 'f',
  kind: 'filter',
  values,
  where,
  ...more,
});

describe('filter keeps the rows for which a condition holds', () => {
  it.each([
    ['t > 0.5', [1, 2, 3]],
    ['t > 99', []],
    ['index >= 2', [2, 3]],
    ['y == y', [0, 2, 3]],
    ['y > 6', [2, 3]],
    ['t < length(y) - 2', [0, 1]],
    ['t < limit', [0, 1]],
    ['doubled > 3', [2, 3]],
    ['1 < 2', [0, 1, 2, 3]],
  ])('%s', async (where, rows) => {
    const doubled = { id: 'doubled', kind: 'map', formula: '2 * t' };
    const blocks = [col('t'), col('y'), c('limit', 2), doubled, kept('t', where)];
    expect(await evaluate(blocks, 'f', table)).toEqual(rows);
  });

  it('takes several values, of any rank, and names them as operators do', async () => {
    const grid = c('grid', [
      [1, 2],
      [3, 4],
      [5, 6],
      [7, 8],
    ]);
    const blocks = [col('t'), grid, kept(['t', 'grid'], 't != 1')];
    expect(await evaluate(blocks, 'f.0', table)).toEqual([0, 2, 3]);
    expect(await evaluate(blocks, 'f.1', table)).toEqual([1, 2, 5, 6, 7, 8]);
  });

  it('keeps what columns are: categories, dates, whole numbers that go where keys are wanted', async () => {
    const blocks = [
      col('t'),
      col('g'),
      kept('g', 't >= 1'),
      { id: 'h', kind: 'histogram', operator: 'add', keys: 'f', values: 'one', bins: 'g' },
      c('one', 1),
    ];
    expect(await evaluate(blocks, 'h', table)).toEqual([1, 2]);
  });

  it('gives an axis that does not broadcast, even with one row', async () => {
    const blocks = [col('t'), kept('t', 't == 3'), { id: 'm', kind: 'map', formula: 'f + t' }];
    expect((await problemsOf(blocks, table)).map((problem) => problem.message)).toEqual([
      expect.stringMatching(/^block "m": "f" is real \[f = 1\] and "t" is real \[obs = 4\]/),
    ]);
  });

  it('filters what depends on parameters, by data', async () => {
    const blocks = [
      col('t'),
      { id: 'k', kind: 'parameter', initial: 3 },
      { id: 'm', kind: 'map', formula: 'k * t' },
      kept('m', 't > 1'),
    ];
    expect(await evaluate(blocks, 'f', table)).toEqual([6, 9]);
  });

  it.each([
    ['t', 't + 1', /"where" wants a condition, and "t \+ 1" is real/],
    ['t', 'k > 1', /"where" is over data, and "k" depends on a parameter/],
    ['k', 't > 1', /"values" wants an array, got a real scalar/],
    ['t', 'short > 1', /"where" wants one value a row, and "short" is real \[2\]/],
    ['t', 'nothing > 1', /nothing/],
  ])('refuses values %s where %s', async (values, where, message) => {
    const blocks = [col('t'), { id: 'k', kind: 'parameter', initial: 1 }, c('short', [1, 2]), kept(values, where)];
    expect((await problemsOf(blocks, table)).map((problem) => problem.message).join('\n')).toMatch(message);
  });

  it('says which data are at fault where the condition cannot be computed', async () => {
    const blocks = [
      col('t'),
      c('i', [0, 9, 1, 2]),
      { id: 'far', kind: 'map', formula: 'floor(i + t)' },
      { id: 'x', kind: 'gather', from: 't', indices: 'far' },
      kept('t', 'x > 0'),
    ];
    const { problems } = await load(blocks, table);
    expect(problems.map((problem) => problem.message).join('\n')).toMatch(/"f": its data are at fault/);
  });
});
