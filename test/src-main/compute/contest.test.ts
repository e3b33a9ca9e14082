/** A contest that is stopped tells what it has found by then. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
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
