import { describe, expect, it } from 'vitest';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';
import { blockOf } from '../../../../src-renderer/state/document/draft.ts';
import type { RowQuestion } from '../../../../src-renderer/state/document/excluding.ts';
import { rowQuestion, rowsWhere } from '../../../../src-renderer/state/document/excluding.ts';

const draft: Draft = {
  format: 'cotangent/1',
  tables: { data: { columns: { t: [0, 1, 2, 3], y: [4, 5, 6, 7] } } },
  blocks: [
    { id: 't', kind: 'column', table: 'data', column: 't' },
    { id: 'curve', kind: 'map', formula: '2 * t' },
  ],
};
const asked = (text: string) => rowQuestion(draft, 'data', ['t', 'y'], text) as RowQuestion;
const answer = (...values: number[]) => ({
  element: 'bool' as const,
  shape: [values.length],
  values: Uint8Array.from(values),
});

describe('rows by a formula', () => {
  it('of columns, also of those that no block shows, and of blocks of the model', () => {
    const { id, why, draft: with_ } = asked('abs(y - curve) > 3');
    expect(why).toBe('abs(y - curve) > 3');
    expect(blockOf(with_, id)).toMatchObject({ kind: 'map', formula: 'abs(y - curve) > 3' });
    expect(blockOf(with_, 'y')).toMatchObject({ kind: 'column', table: 'data', column: 'y' });
  });

  it('with a reason of their own', () => {
    expect(asked('t > 2 ; the stirrer stopped')).toMatchObject({ formula: 't > 2', why: 'the stirrer stopped' });
  });

  it('says what is no formula, and no column', () => {
    expect(rowQuestion(draft, 'data', ['t', 'y'], ' ; why')).toMatch(/^Wanted a formula/);
    expect(rowQuestion(draft, 'data', ['t', 'y'], 'z > 1')).toBe('The table has no column "z".');
    expect(rowQuestion(draft, 'data', ['t', 'y'], 't >')).toMatch(/^t >: /);
  });

  it('answers for the rows that count, and keeps the others', () => {
    const question = asked('t > 1');
    expect(rowsWhere(question, answer(0, 0, 1, 1), 4, new Map())).toEqual([2, 3]);
    expect(rowsWhere(question, answer(0, 1, 1), 4, new Map([[0, 'wet']]))).toEqual([2, 3]);
    expect(rowsWhere(question, answer(0, 0, 0, 0), 4, new Map())).toBe('t > 1 is true of no row.');
    expect(rowsWhere(question, answer(1, 0), 4, new Map())).toMatch(/not one answer for each row/);
    const number = { element: 'real' as const, shape: [4], values: new Float64Array(4) };
    expect(rowsWhere(question, number, 4, new Map())).toMatch(/is a number/);
  });
});
