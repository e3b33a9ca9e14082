/** A sample of groups is drawn as one histogram, and its curve is what all groups together are expected to be in a bin. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { curvesOf, pictureOf } from '../../../models/experiment/picture.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
import { beginImport } from '../../../models/tables/import/import.ts';
import { contest } from '../../../src-main/compute/contest.ts';

const device = cpuDevice();
afterAll(() => device.close());

/** Normal quantiles, ten in each group, at three levels; no two of them alike but for rounding. */
const quantiles = [-1.64, -1.04, -0.67, -0.39, -0.13, 0.13, 0.39, 0.67, 1.04, 1.64];
const rows = ['a', 'b', 'c'].flatMap((group, g) =>
  quantiles.map((z) => `${(5 + g / 2 + 0.6 * z).toFixed(2)},${group}`),
);

it('has a normal for each group, and no peak on three stray readings', async () => {
  const { columns, rows: count } = await beginImport('w.csv', Buffer.from(`weight,group\n${rows.join('\n')}\n`)).read(
    {},
  );
  const readings = readingsOf(columns, count, findRoles(columns, count));
  const found = await contest(readings, device, { name: 'w' });
  const names = found.map(({ candidate }) => candidate.shape.name);
  expect(names).toContain('normal-values');
  expect(names.filter((name) => name.endsWith('-on-background'))).toEqual([]);

  const picture = pictureOf(readings);
  expect(picture.groups).toEqual(['a', 'b', 'c']);
  const normal = found.find(({ candidate }) => candidate.shape.name === 'normal-values')!;
  const [curve, ...more] = curvesOf(readings, normal.candidate, normal.values, picture);
  expect(more).toEqual([]);
  const { x, y } = curve!;
  const density = (at: number): number => {
    const [means, [s]] = [normal.values.get('m')!, normal.values.get('s')!] as [readonly number[], [number]];
    const of = (m: number): number => Math.exp(-(((at - m) / s) ** 2) / 2) / (s * Math.sqrt(2 * Math.PI));
    return [0, 1, 2].reduce((sum, g) => sum + 10 * of(means.length === 1 ? means[0]! : means[g]!), 0);
  };
  for (const i of [10, 60, 110]) expect(y[i]).toBeCloseTo(density(x[i]!) * picture.binWidth!, 8);
});
