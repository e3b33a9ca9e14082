import { expect, it } from 'vitest';
import { changesBetween } from '../../../../src-renderer/state/document/document-changes.ts';
import type { Draft } from '../../../../src-renderer/state/document/draft.ts';

const before: Draft = {
  format: 'cotangent/1',
  name: 'Decay',
  blocks: [
    { id: 'A', kind: 'parameter', initial: 1 },
    { id: 'gone', kind: 'constant', value: 2 },
    { id: 'moved', kind: 'constant', value: 3, unit: 'm' },
  ],
  view: { positions: { A: [0, 0] } },
};

it('says what is new, what is gone, and what has changed from what to what', () => {
  const after: Draft = {
    ...before,
    name: 'Growth',
    blocks: [
      { unit: 'm', value: 3, id: 'moved', kind: 'constant' },
      { id: 'A', kind: 'parameter', initial: 2, lower: 0 },
      { id: 'new', kind: 'constant', value: 4 },
    ],
    view: { positions: { A: [9, 9] } },
  };
  expect(changesBetween(before, after)).toEqual([
    { name: 'name', kind: 'changed', keys: [{ key: 'name', before: '"Decay"', after: '"Growth"' }] },
    { name: 'view', kind: 'changed', keys: [] },
    {
      name: 'A',
      kind: 'changed',
      keys: [
        { key: 'initial', before: '1', after: '2' },
        { key: 'lower', after: '0' },
      ],
    },
    { name: 'new', kind: 'added', keys: [] },
    { name: 'gone', kind: 'removed', keys: [] },
  ]);
  expect(changesBetween(before, { ...before })).toEqual([]);
});
