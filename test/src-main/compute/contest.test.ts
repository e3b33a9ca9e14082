/** What a contest finds, what it tells meanwhile, and what it has where it is stopped. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
import { shapeNamed } from '../../../models/library/index.ts';
import { beginImport } from '../../../models/tables/import/import.ts';
import { contest } from '../../../src-main/compute/contest.ts';
import { randomNumbers } from '../../support/derivatives.ts';

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

it('finds the noise of a few readings in each group by AICc: what meets nearly all of them meets them under any', async () => {
  // Four-parameter logistic, 100 to 5, half doses 8, 14.4 and 25.6, errors of 2.85 everywhere.
  const dose = [0.1, 0.3, 1, 3, 10, 30, 100, 300];
  const responses = [
    [96.1, 98.4, 96.6, 73.3, 48.6, 21.5, 7.6, 11.8],
    [101.9, 95.7, 96.5, 89.1, 62.2, 34.7, 13.3, 9.3],
    [103.9, 97.7, 98.7, 92.0, 77.1, 44.7, 18.9, 9.2],
  ];
  const lines = responses.flatMap((each, g) => each.map((y, i) => `${'abc'[g]},${dose[i]},${y}`));
  const text = `drug,dose,response\n${lines.join('\n')}\n`;
  const { columns, rows } = await beginImport('d.csv', Buffer.from(text)).read({});
  const cancel = new Int32Array(new SharedArrayBuffer(8));
  const found = await contest(readingsOf(columns, rows, findRoles(columns, rows)), device, {
    ...{ name: 'd', cancel },
    onFound: () => Atomics.store(cancel, 0, 1),
  });
  expect(found.map(({ candidate }) => candidate.noise)).toEqual(['constant']);
});

/** Draws of a generator that begins at `seed`, the share `background` of them between `ends` instead. */
function sample(rows: number, seed: number, draw: (u: number, v: number) => number, background = 0, ends = [0, 0]) {
  const next = randomNumbers(seed);
  return Array.from({ length: rows }, () => {
    const [u, v, w] = [next(), next(), next()];
    return w < background ? ends[0]! + v * (ends[1]! - ends[0]!) : draw(u, v);
  });
}
const normal = (m: number, s: number) => (u: number, v: number) =>
  m + s * Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
const decay = (u: number): number => -2 * Math.log(u);

it.each([
  ['normal-values', sample(80, 11, normal(20, 3))],
  ['normal-values', sample(80, 12, normal(20, 3))],
  ['exponential-times', sample(200, 11, decay)],
  ['gauss-on-background', sample(120, 11, normal(100, 2.5), 0.3, [80, 120])],
  ['exponential-on-background', sample(200, 14, decay, 0.3, [0, 20])],
])('of a sample takes %s, and a flat background only where there is one', async (shape, values) => {
  const text = `length\n${values.map((value) => value.toFixed(4)).join('\n')}\n`;
  const { columns, rows } = await beginImport('s.csv', Buffer.from(text)).read({});
  const found = await contest(readingsOf(columns, rows, findRoles(columns, rows)), device, { name: 's' });
  const isOnBackground = (name: string): boolean => name.endsWith('-on-background');
  const names = found.map(({ candidate }) => candidate.shape.name);
  expect(names.filter(isOnBackground)).toEqual(isOnBackground(shape) ? [shape] : []);
  if (isOnBackground(shape)) expect(names[0]).toBe(shape);
});
