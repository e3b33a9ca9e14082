/** What a contest finds, what it tells meanwhile, and what it has where it is stopped. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
import { shapeNamed } from '../../../models/library/index.ts';
import { beginImport } from '../../../models/tables/import/import.ts';
import { contest } from '../../../src-main/compute/contest.ts';

const device = cpuDevice();
afterAll(() => device.close());

async function readings(rows: number) {
  const text = Array.from({ length: rows }, (_, i) => `${i},${(8 * Math.exp(-6 * (i / rows)) + 1).toFixed(2)}`);
  const { columns, rows: count } = await beginImport('t.csv', Buffer.from(`t,y\n${text.join('\n')}\n`)).read({});
  return readingsOf(columns, count, findRoles(columns, count));
}

it.each([
  ['the first shape, where that is what was fitted', 12, 1],
  ['nothing of a long table, of which a few rows alone were looked at', 4100, 0],
])('%s', async (_, rows, found) => {
  const cancel = new Int32Array(new SharedArrayBuffer(8));
  const shares: number[] = [];
  const onProgress = (share: number): void => {
    shares.push(share);
    Atomics.store(cancel, 0, 1);
  };
  expect(await contest(await readings(rows), device, { name: 't', cancel, onProgress })).toHaveLength(found);
  expect(shares).toHaveLength(1);
});

it('tells what is the best so far, of a long table on how many of its readings', async () => {
  const told: { fitted: number; shapes: number }[] = [];
  const found = await contest(await readings(4100), device, {
    name: 't',
    onFound: ({ fitted, contestants }) => told.push({ fitted, shapes: contestants.length }),
  });
  expect(told[0]).toEqual({ fitted: 2050, shapes: 1 });
  expect(told.at(-1)).toEqual({ fitted: 4100, shapes: found.length });
});

it('shares each parameter that groups do not differ in', async () => {
  const rows = ['a', 'b', 'c'].flatMap((group, g) =>
    Array.from({ length: 12 }, (_, i) => {
      const y = (4 + 3 * g) * Math.exp(-0.4 * i) + 1 + 0.05 * Math.sin(7 * i + 3 * g);
      return `${group},${i},${y.toFixed(4)}`;
    }),
  );
  const { columns, rows: count } = await beginImport('g.csv', Buffer.from(`who,t,y\n${rows.join('\n')}\n`)).read({});
  const readings = readingsOf(columns, count, findRoles(columns, count));
  const [best] = await contest(readings, device, { name: 'g', shape: shapeNamed('decay-to-level') });
  expect([...best!.own]).toEqual(['A']);
});
