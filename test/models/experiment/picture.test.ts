/** What a small picture shows: of a sample one histogram of all groups, and of curves that of each dose and inhibitor there is. */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { curvesOf, pictureOf } from '../../../models/experiment/picture.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
import { shapeNamed } from '../../../models/library/index.ts';
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

it('has of times that have not ended the share that is still there', async () => {
  const text =
    'weeks,relapse\n6,1\n6,1\n6,1\n6,0\n7,1\n9,0\n10,1\n10,0\n11,0\n13,1\n16,1\n17,0\n19,0\n22,1\n23,1\n35,0\n';
  const { columns, rows: count } = await beginImport('t.csv', Buffer.from(text)).read({});
  const readings = readingsOf(columns, count, findRoles(columns, count));
  const picture = pictureOf(readings);
  expect(picture).toMatchObject({ binWidth: null, y: { label: 'survival' } });
  const [points] = picture.points;
  expect(points!.x).toEqual([6, 7, 10, 13, 16, 22, 23]);
  // 1 − 3/16, of which 11/12 are left at 7
  expect(points!.y.slice(0, 2)).toEqual([13 / 16, (13 / 16) * (11 / 12)]);
  const found = await contest(readings, device, { name: 't' });
  const taken = found.find(({ candidate }) => candidate.shape.name === 'exponential-times')!;
  const [curve, ...more] = curvesOf(readings, taken.candidate, taken.values, picture);
  expect(more).toEqual([]);
  const [tau] = [...taken.values.values()][0]!;
  expect([curve!.x[0], curve!.y[0]]).toEqual([0, 1]);
  for (const i of [10, 60, 110]) expect(curve!.y[i]).toBeCloseTo(Math.exp(-curve!.x[i]! / tau!), 8);
});

it('has a curve of each group at her own dose, and of each dose that a group has', async () => {
  const [volume, rate] = [20, 0.3];
  const level = (dose: number, t: number): number => (dose / volume) * Math.exp(-rate * t);
  const table = (doses: readonly (readonly [string, number])[]): string =>
    doses
      .flatMap(([subject, dose]) =>
        [0.5, 1, 2, 4, 8].map((t) => `${subject},${t},${dose},${level(dose, t) * (1 + t / 100)}`),
      )
      .join('\n');
  const drawn = async (doses: readonly (readonly [string, number])[]) => {
    const text = Buffer.from(`Subject,Time (h),Dose (mg),Conc (mg/L)\n${table(doses)}\n`);
    const { columns, rows: count } = await beginImport('pk.csv', text).read({});
    const readings = readingsOf(columns, count, findRoles(columns, count));
    const [best] = await contest(readings, device, { name: 'pk', shape: shapeNamed('iv-bolus')! });
    return curvesOf(readings, best!.candidate, best!.values, pictureOf(readings));
  };
  const own = await drawn([
    ['a', 100],
    ['b', 200],
    ['c', 400],
  ]);
  expect(own).toHaveLength(3);
  own.forEach(({ x, y }, g) => expect(y[0]! / level(100 * 2 ** g, x[0]!)).toBeCloseTo(1, 1));
  const [a] = await drawn([
    ['a', 100],
    ['a', 400],
    ['b', 200],
  ]);
  const gap = a!.y.findIndex(Number.isNaN);
  expect(a!.y.filter(Number.isNaN)).toHaveLength(1);
  expect(a!.y[gap + 1]! / a!.y[0]!).toBeCloseTo(4, 9);
});
