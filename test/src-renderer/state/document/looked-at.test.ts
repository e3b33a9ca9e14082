/** Which values are fetched to be looked at: what is too long hides nothing else. */
import { expect, it } from 'vitest';
import { outputsLookedAt } from '../../../../src-renderer/state/document/looked-at.ts';

const block = (id: string, ...sizes: readonly number[][]) => ({
  ...{ id, kind: 'map', inputs: [] },
  outputs: sizes.map((each, i) => ({ name: `out${i}`, element: 'real' as const, shape: each, sizes: each })),
});

it('takes what there is room for, in whatever place it stands', () => {
  const blocks = [block('x', [60]), block('y', [60]), block('pair', [3, 5], [100]), block('loss', [])];
  expect(outputsLookedAt(blocks, 100)).toEqual(['x', 'pair.out0', 'loss']);
});

it('takes the columns of a table of 120,000 rows, and what is made of them', () => {
  const long = ['t', 'x', 'y', 'z'].map((id) => block(id, [120_000]));
  expect(outputsLookedAt([...long, block('loss', [])])).toEqual(['t', 'x', 'y', 'z', 'loss']);
});
