/** The work of a check grows with the document and no faster: counted in what it asks for, not in time. */
import { expect, it, vi } from 'vitest';
import { readLeniently } from '../../../models/format/parse.ts';
import { loadModel } from '../../../models/load/model.ts';
import { topologicalOrder } from '../../../models/graph/order.ts';

const chain = (length: number) => ({
  format: 'cotangent/1',
  blocks: [
    { id: 'x0', kind: 'parameter', initial: 1 },
    ...Array.from({ length }, (_, i) => ({ id: `x${i + 1}`, kind: 'map', formula: `x${i} + 1` })),
  ],
});

/** Names of blocks that are looked at while a chain is checked: the keys that maps give out. */
async function keysGiven(length: number): Promise<number> {
  const { document } = readLeniently(chain(length));
  if (!document) throw new Error('the chain is no document');
  let given = 0;
  const { keys } = Map.prototype;
  const spy = vi.spyOn(Map.prototype, 'keys').mockImplementation(function (this: Map<unknown, unknown>) {
    given += this.size;
    return keys.call(this);
  });
  try {
    const { problems, blocks } = await loadModel(document, () => Promise.reject(new Error('no files')));
    expect(problems).toEqual([]);
    expect(blocks).toHaveLength(length + 1);
  } finally {
    spy.mockRestore();
  }
  return given;
}

it('lists the names of a scope once, however many blocks are in it', async () => {
  const [short, long] = [await keysGiven(200), await keysGiven(2000)];
  expect(long).toBeLessThan(20 * short);
});

it('orders what all takes from one in as many steps as there are', () => {
  const items = Array.from({ length: 200_000 }, (_, i) => i);
  const { sorted, cycles } = topologicalOrder(items, (i) => (i === 0 ? [] : [0]));
  expect(sorted).toEqual(items);
  expect(cycles).toEqual([]);
});
