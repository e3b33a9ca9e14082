import { expect, it } from 'vitest';
import { changeRole, possibleRoles, rearranges } from '../../../../src-renderer/state/import/import-roles.ts';

const numbers = { type: 'real' } as const;

it('x and y change places, and there is one of x, but groups of groups', () => {
  expect(changeRole(['x', 'y', 'keep'], [numbers, numbers, numbers], 1, 'x')).toEqual(['y', 'x', 'keep']);
  expect(changeRole(['x', 'y', 'keep'], [numbers, numbers, numbers], 2, 'x')).toEqual(['keep', 'y', 'x']);
  expect(changeRole(['group', 'y', 'keep'], [{ type: 'category' }, numbers, numbers], 2, 'group')).toEqual([
    'group',
    'y',
    'group',
  ]);
  expect(changeRole(['x', 'y', 'keep'], [numbers, numbers, numbers], 2, 'y')).toEqual(['x', 'y', 'y']);
});

it('labels are neither x nor y', () => {
  expect(possibleRoles({ type: 'category' })).toEqual([
    'group',
    'condition',
    'control',
    'censored',
    'event',
    'exclude',
    'keep',
    'ignore',
  ]);
});

it('columns as the file has them say neither replicates nor what counts for nothing, and all else', () => {
  expect(rearranges(['x', 'y', 'y'], false)).toBe(true);
  expect(rearranges(['x', 'y', 'exclude'], false)).toBe(true);
  expect(rearranges(['group', 'x', 'y'], true)).toBe(true);
  expect(rearranges(['group', 'x', 'y', 'sigma', 'keep'], false)).toBe(false);
  expect(rearranges(['x', 'keep', 'exclude'], false)).toBe(false);
});
