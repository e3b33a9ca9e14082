/** Which shapes a table could have, and which of them its columns contradict. */
import { expect, it } from 'vitest';
import { shapeNamed } from '../../../models/library/index.ts';
import { startValues } from '../../../models/library/start-values.ts';
import { candidatesOf, type Candidate } from '../../../models/experiment/candidates.ts';
import { findRoles } from '../../../models/experiment/find-roles.ts';
import { readingsOf } from '../../../models/experiment/readings.ts';
import { beginImport } from '../../../models/tables/import/import.ts';
import { randomNumbers } from '../../support/derivatives.ts';

/** y falls along x like a rate that saturates: times, doses and mere numbers have the same curve. */
const candidates = (x: string): Promise<readonly Candidate[]> =>
  candidatesIn(
    `${x},y`,
    [1, 2, 3, 4, 6, 8, 12, 16].map((at, i) => [at, 9 / (1 + at / 3) + 0.1 * Math.sin(9 * i)]),
  );

async function candidatesIn(head: string, rows: readonly (readonly number[])[]): Promise<readonly Candidate[]> {
  const lines = rows.map((row) => row.map((value) => Number(value.toFixed(3))).join(','));
  const bytes = new TextEncoder().encode(`${head}\n${lines.join('\n')}\n`);
  const { columns, rows: count } = await beginImport('t.csv', bytes).read({});
  return candidatesOf(readingsOf(columns, count, findRoles(columns, count)), 40)[0]!;
}

const strange = (found: readonly Candidate[]): Set<string> =>
  new Set(found.flatMap(({ shape, strange }) => (strange && shape.narrow !== true ? [shape.field] : [])));

it('shapes of doses are strange over a time, those of times over a dose, and neither over what may be both', async () => {
  const [inTime, inDose, plain] = [await candidates('time'), await candidates('dose'), await candidates('x')];
  expect(strange(inTime)).toContain('dose-response');
  expect(strange(inTime)).not.toContain('decay and association');
  expect(strange(inDose)).toContain('decay and association');
  expect(strange(inDose)).not.toContain('dose-response');
  expect(strange(plain)).toEqual(new Set());
});

it.each([
  ['S,signal', false],
  ['s,v', false],
  ['s,signal', true],
  ['S (s),v', true],
])('over %s: that x is a time is %s', async (head, isTime) => {
  const rows = [1, 2, 5, 10, 20, 50, 100].map((at, i) => [at, (50 * at) / (9 + at) + 0.3 * Math.sin(9 * i)]);
  expect(strange(await candidatesIn(head, rows)).has('enzyme kinetics')).toBe(isTime);
});

it('of one curve under two names the growth is meant over an age and the dose over a dose', async () => {
  // Two trees of R's Loblolly.
  const rows = [3, 5, 10, 15, 20, 25].flatMap((age, i) => [
    [age, [4.51, 10.89, 28.72, 41.74, 52.7, 60.92][i]!],
    [age, [4.55, 10.92, 29.07, 42.83, 53.88, 63.39][i]!],
  ]);
  const names = async (head: string) => (await candidatesIn(head, rows)).map(({ shape }) => shape.name);
  const [growth, dose] = ['morgan-mercer-flodin', 'four-parameter-logistic-stimulation'];
  const inTime = await names('age,height');
  expect([inTime.includes(growth), inTime.includes(dose)]).toEqual([true, false]);
  const inDose = await names('dose,response');
  expect([inDose.includes(growth), inDose.includes(dose)]).toEqual([false, true]);
});

it('a peak is one where both of its sides are seen', async () => {
  const names = (await candidates('x')).map(({ shape }) => shape.name);
  expect(names.filter((name) => ['gaussian', 'peak', 'lorentzian', 'log-normal-peak'].includes(name))).toEqual([]);
});

it('what only rises has no peak on its slope, and an abscissa that speaks of something has no logarithm of a dose', async () => {
  const rise = Array.from({ length: 20 }, (_, i) => [1790 + 10 * i, 200 / (1 + Math.exp((18 - i) / 4)) + 0.05 * i]);
  const census = await candidatesIn('year,population', rise);
  expect(census.filter(({ shape }) => shape.field === 'peaks')).toEqual([]);
  const eruptions = await candidatesIn(
    'eruptions,waiting',
    rise.map(([, y], i) => [1.5 + i / 6, y!]),
  );
  expect(eruptions.filter(({ shape, strange }) => shape.name.startsWith('log-dose') && !strange)).toEqual([]);
  expect(eruptions.filter(({ strange }) => !strange).length).toBeGreaterThan(4);
});

it('a dose by mouth is absorbed faster than eliminated, of two values that give one curve', () => {
  const x = Float64Array.from([0.5, 1, 2, 3, 5, 8, 12, 16, 24]);
  const [V, slow, fast] = [4, 0.1, 0.9];
  const y = x.map((t) => (fast / (V * (fast - slow))) * (Math.exp(-slow * t) - Math.exp(-fast * t)));
  const shape = shapeNamed('oral-one-compartment')!;
  const points = { x, y, weights: x.map(() => 1), covariates: new Map<string, Float64Array>() };
  const flipped = new Map([
    ['V', (V * slow) / fast],
    ['ka', slow],
    ['ke', fast],
  ]);
  const { values, cost } = startValues(shape, points, flipped)!;
  expect(cost).toBeLessThan(1e-20);
  expect(['V', 'ka', 'ke'].map((name) => values.get(name)!.toFixed(6))).toEqual(['4.000000', '0.900000', '0.100000']);
});

it('of groups the order is that in all of them, and not that in the largest', async () => {
  const bent = (of: number, count: number, curvature: number) =>
    Array.from({ length: count }, (_, i) => [of, i, 10 + 2 * i + curvature * i ** 2 + 0.05 * Math.sin(9 * i + of)]);
  // Ten readings of a line, and eight of each of three curves that bend.
  const found = await candidatesIn('subject,x,y', [
    ...bent(1, 10, 0),
    ...[2, 3, 4].flatMap((of) => bent(of, 8, 0.1 * of)),
  ]);
  const names = found.map(({ shape }) => shape.name);
  expect(names.indexOf('line')).toBeGreaterThan(0);
  expect(names.indexOf('parabola')).toBeGreaterThanOrEqual(0);
  expect(names.indexOf('parabola')).toBeLessThan(names.indexOf('line'));
});

it('in every group the start is near the best there', () => {
  const x = Float64Array.of(0.1, 0.3, 1, 3, 10, 30, 100, 300);
  const [largest, other] = [
    [96.0794, 98.4009, 96.5655, 73.2884, 48.5835, 21.4776, 7.5794, 11.8104],
    [101.89, 95.7395, 96.4902, 89.0627, 62.2012, 34.7483, 13.2717, 9.2886],
  ].map((y) => ({ x, y: Float64Array.from(y), weights: x.map(() => 1), covariates: new Map() }));
  const shape = shapeNamed('four-parameter-logistic')!;
  const start = startValues(shape, largest!)!;
  // The least squares of each as SciPy's least_squares finds them.
  expect(start.cost / 73.1301).toBeLessThan(1.05);
  expect(startValues(shape, other!, start.values)!.cost / 22.0051).toBeLessThan(1.05);
});

it('over decades a power law is found, though squares see the largest readings alone', async () => {
  // Brains by bodies of some of the mammals in R's MASS.
  const rows = [
    [0.005, 0.14],
    [0.023, 0.3],
    [0.06, 1],
    [0.104, 2.5],
    [0.28, 1.9],
    [0.55, 2.4],
    [0.92, 5.7],
    [1.35, 8.1],
    [2, 12.3],
    [3.3, 25.6],
    [4.05, 17],
    [10, 115],
    [27.66, 115],
    [52.16, 440],
    [62, 1320],
    [160, 169],
    [207.5, 406],
    [465, 423],
    [529, 680],
    [2547, 4603],
    [6654, 5712],
  ] as const;
  const bytes = new TextEncoder().encode(`body,brain\n${rows.map((row) => row.join(',')).join('\n')}\n`);
  const { columns, rows: count } = await beginImport('t.csv', bytes).read({});
  const lists = candidatesOf(readingsOf(columns, count, findRoles(columns, count)), 12);
  const proportional = lists.find(([first]) => first?.noise === 'proportional')!;
  expect(proportional.map(({ shape }) => shape.name).slice(0, 3)).toContain('power');
});

it('a product that rises until the substrate is used up is tried as a progress curve', async () => {
  // 2 mM of substrate, Vmax 0.2 mM/min, Km 0.4 mM, by Euler's method in small steps.
  const product = (t: number): number => {
    let s = 2;
    for (let i = 0; i < 1000; i++) s -= ((t / 1000) * 0.2 * s) / (0.4 + s);
    return 2 - s;
  };
  const uniform = randomNumbers(3);
  const rows = Array.from({ length: 16 }, (_, i) => [2 * i, product(2 * i) + 0.04 * (uniform() - 0.5)]);
  const found = await candidatesIn('Zeit (min),Produkt (mM)', rows);
  const names = found.map(({ shape }) => shape.name);
  expect(names.slice(0, 12)).toContain('progress-curve');
  const { starts, strange } = found[names.indexOf('progress-curve')]!;
  expect(strange).toBe(false);
  expect(starts[0]?.values.get('S0')).toBeCloseTo(2, 1);
  const dosed = await candidatesIn('Dosis (mg),Wirkung', rows);
  expect(dosed.filter((each) => each.shape.name === 'progress-curve').every((each) => each.strange)).toBe(true);
});
