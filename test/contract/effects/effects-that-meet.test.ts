/**
 * Effects that meet in a prediction, as the innovations of a process do: all of them stand in one matrix. A random walk with
 * noise against its normal density in closed form; the Ricker model of TMB's `rickervalidation` against its expected results.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { fitModel, problemOf } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { documentOf, map, parameter, refusal, type PlainBlock } from '../../support/command-line.ts';
import { expectMarginalGradient } from '../../support/fits/marginal-gradient.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const column = (id: string): PlainBlock => ({ id, kind: 'column', table: 't', column: id });
const effect = (more: PlainBlock): PlainBlock => ({ id: 'u', kind: 'random-effect', like: 't', ...more });
const walk = (next: string, inputs: PlainBlock, initial: number | string = 0): PlainBlock => ({
  ...{ id: 'x', kind: 'recurrence', state: { x: { initial, next } }, inputs },
});
const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'x', sigma: 'sigma' };
const model = (columns: PlainBlock, blocks: readonly PlainBlock[], more: PlainBlock = {}): PlainBlock =>
  documentOf([...Object.keys(columns).map(column), ...blocks], { tables: { t: { columns } }, objective: 'l', ...more });

async function fitted(document: PlainBlock) {
  const fit = await fitModel(demandModel(await load(document, undefined)), device, { parameters: {} });
  return { ...fit, of: (id: string) => fit.estimates.find(({ name }) => name === id)?.value };
}

// prettier-ignore
const y = [0.4, 1.1, 0.7, 2.4, 2.9, 2.2, 3.8, 3.1, 4.6, 4.9, 4.2, 3.3, 4.1, 5.2, 6.3, 5.8, 6.1, 7.4, 7.7, 6.9];
const t = y.map((_, i) => i);
const local = model({ y, t }, [
  ...[parameter('sigma', 1, { scale: 'log' }), parameter('mu', 0), effect({ sd: 0.5 })],
  ...[walk('x + mu + w', { w: 'u' }), normal],
]);

/** −log N(y; mean, V), V of a walk from 0 that is seen with noise. */
function minusLogDensity(mu: number, sd: number, sigma: number): number {
  const n = y.length;
  const v = t.map((i) => t.map((j) => sd ** 2 * (Math.min(i, j) + 1) + (i === j ? sigma ** 2 : 0)));
  const r = y.map((each, i) => each - mu * (i + 1));
  let total = (n / 2) * Math.log(2 * Math.PI);
  // Elimination without pivots: V is positive definite.
  for (let k = 0; k < n; k++) {
    const pivot = v[k]![k]!;
    total += Math.log(pivot) / 2 + r[k]! ** 2 / pivot / 2;
    for (let i = k + 1; i < n; i++) {
      const share = v[i]![k]! / pivot;
      r[i]! -= share * r[k]!;
      for (let j = k + 1; j < n; j++) v[i]![j]! -= share * v[k]![j]!;
    }
  }
  return total;
}

describe('a random walk that is seen with noise', () => {
  it('has the density of its normal distribution, and is at the minimum of that', async () => {
    const { status, objective, of } = await fitted(local);
    expect(status).toBe('converged');
    const at = [of('mu'), of('u.sd.b'), of('sigma')] as [number, number, number];
    const found = minusLogDensity(...at);
    expect(objective).toBeCloseTo(found, 9);
    for (const i of [0, 1, 2])
      for (const step of [-1e-3, 1e-3]) {
        const beside = [...at] as typeof at;
        beside[i] = at[i]! + step;
        expect(minusLogDensity(...beside)).toBeGreaterThan(found);
      }
  });

  it('has the gradient of central differences', async () => {
    await expectMarginalGradient(await problemOf(demandModel(await load(local, undefined)), device, {}), device);
  });

  it('is refused where groups are taken one by one, and where there are too many', async () => {
    const focei = { ...local, fit: { marginal: 'focei' } };
    await expect(fitted(focei)).rejects.toThrow('the groups of "u" meet in the model, and are to be taken one by one');
    const long = Array.from({ length: 1001 }, (_, i) => i);
    const blocks = (local['blocks'] as PlainBlock[]).filter(({ kind }) => kind !== 'column');
    await expect(fitted(model({ y: long, t: long }, blocks))).rejects.toThrow(
      'the groups of "u" meet in the model: their 1001 effects stand in one matrix, and 1000 are the most',
    );
  });
});

describe('deviations that are known', () => {
  it('are held, and so told', async () => {
    // What scatters by √(1 + 2²) beside a mean that is best where it is.
    const blocks = [parameter('mu', 1), effect({ sd: 2, fixed: true }), map('x', 'mu + u'), { ...normal, sigma: 1 }];
    const { objective, estimates } = await fitted(model({ y, t }, blocks));
    const mean = y.reduce((sum, each) => sum + each, 0) / y.length;
    const squares = y.reduce((sum, each) => sum + (each - mean) ** 2, 0);
    expect(objective).toBeCloseTo((y.length / 2) * Math.log(2 * Math.PI * 5) + squares / 10, 9);
    expect(estimates.find(({ name }) => name === 'u.sd.b')).toMatchObject({ value: 2, fixed: true });
  });

  it('want true or false', async () => {
    expect(await refusal(model({ y, t }, [effect({ fixed: 1 })], { objective: undefined }))).toContain('"fixed" wants');
  });
});

/** Counts of a chaotic logistic map, drawn by R (`set.seed(1); rpois(200, 50*x)`). */
// prettier-ignore
const counts = [
  4,15,51,29,50,5,24,44,13,53,38,35,24,44,11,32,48,27,51,12,30,47,15,35,41,39,37,23,45,9,26,46,7,41,35,39,46,24,45,7,31,
  41,6,39,39,35,48,13,35,35,60,9,36,42,26,47,7,30,36,19,38,47,42,26,44,20,50,22,46,8,29,50,27,45,11,27,53,12,40,36,36,29,
  39,20,42,24,45,25,51,10,30,30,45,44,34,48,20,35,32,43,13,43,14,39,38,35,39,28,39,29,50,14,39,27,55,15,46,15,40,9,27,38,
  9,40,21,42,17,27,37,20,31,29,38,16,37,18,43,14,34,44,39,37,24,37,7,45,43,24,46,9,30,49,26,50,25,37,12,29,31,44,18,43,
  11,35,53,24,38,8,28,37,30,58,16,31,51,24,51,9,26,44,16,36,40,50,15,38,5,22,44,22,58,5,39,43,15,51,26,50,34,55,
];

it('a Ricker process that is counted has what TMB expects', async () => {
  // The states are all that is said of: each is normal about what comes of the one before, the first anywhere.
  const columns = { y: counts, t: counts.map((_, i) => i) };
  const document = model(
    columns,
    [
      ...[parameter('logr', Math.log(0.5)), parameter('logK', 0), parameter('logQ', Math.log(0.1))],
      ...[effect({ covariance: 'none' }), { id: 'before', kind: 'shift', values: 'u', by: 1, fill: 0 }],
      map('m', '50*exp(u)'),
      map('off', 'if(t > 0.5, u - before - exp(logr)*(1 - exp(before - logK)), 0)'),
      map('minus', 'if(t > 0.5, -0.5*off^2/exp(logQ) - 0.5*logQ - 0.5*log(2*3.141592653589793), 0)'),
      { id: 'process', kind: 'likelihood', family: 'density', observed: 't', logDensity: 'minus' },
      { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
    ],
    { objective: ['l', 'process'] },
  );
  const { status, objective, of } = await fitted(document);
  expect(status).toBe('converged');
  expect(objective).toBeCloseTo(768.743113276, 5);
  expect(of('logr')).toBeCloseTo(0.6794525859, 5);
  expect(of('logK')).toBeCloseTo(-0.4439150618, 5);
  expect(of('logQ')).toBeCloseTo(-2.441811082, 5);
});
