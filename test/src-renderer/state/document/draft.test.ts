import { expect, it } from 'vitest';
import { inOrder } from '../../../../src-renderer/state/document/draft.ts';

const keys = (record: object) => Object.keys(record);

it('keeps the order in which the document was written', () => {
  const written = { objective: 'loss', note: '', blocks: [], view: {}, format: 'cotangent/1' };
  expect(keys(inOrder(written, keys(written)))).toEqual(keys(written));
});

it('puts new keys where they usually stand, and view last', () => {
  const order = ['note', 'format', 'blocks'];
  const draft = { format: 'cotangent/1', blocks: [], note: '', view: {}, objective: 'loss', tables: {}, own: 1 };
  expect(keys(inOrder(draft, order))).toEqual(['note', 'format', 'tables', 'blocks', 'objective', 'own', 'view']);
});

it('gives back a key to its place when an edit is undone', () => {
  const order = ['format', 'objective', 'blocks'];
  const undone = { format: 'cotangent/1', blocks: [], objective: 'loss' };
  expect(keys(inOrder(undone, order))).toEqual(order);
});
