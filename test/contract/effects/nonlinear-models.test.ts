/**
 * Nonlinear models with random effects against `nlmer` of R's lme4 1.1 (tolPwrss 10⁻¹⁰ and below), whose approximation goes by
 * the Gauss–Newton matrix: the expected information here, and Laplace's where effects enter linearly.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { documentOf, map, parameter, type PlainBlock } from '../../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });
const taken = (id: string, from: string): PlainBlock => ({ id, kind: 'gather', from, indices: 'g' });
const noise = (initial: number): PlainBlock => parameter('sigma', initial, { scale: 'log' });
const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' };

async function fitted(columns: PlainBlock, blocks: readonly PlainBlock[], marginal: string) {
  const document = documentOf(blocks, { tables: { t: { columns } }, objective: 'l', fit: { marginal } });
  const fit = await fitModel(demandModel(await load(document, undefined)), device, { parameters: {} });
  expect(fit.status, fit.reason).toBe('converged');
  const values = Object.fromEntries(fit.estimates.map(({ name, value }) => [name, value]));
  return { objective: fit.objective, values };
}

it('orange trees, each with an asymptote of its own', async () => {
  // R's Orange (Draper and Smith 1998).
  // prettier-ignore
  const grown = [
    [30, 58, 87, 115, 120, 142, 145], [33, 69, 111, 156, 172, 203, 203], [30, 51, 75, 108, 115, 139, 140],
    [32, 62, 112, 167, 179, 209, 214], [30, 49, 81, 125, 142, 174, 177],
  ];
  const ages = [118, 484, 664, 1004, 1231, 1372, 1582];
  const blocks = ([asym, xmid, scal, sigma, sd]: readonly [number, number, number, number, number]) => [
    ...[column('y'), column('age'), column('g', 'category')],
    ...[parameter('Asym', asym), parameter('xmid', xmid), parameter('scal', scal), noise(sigma)],
    ...[{ id: 'u', kind: 'random-effect', like: 'g', sd }, taken('b', 'u')],
    ...[map('m', '(Asym + b)/(1 + exp((xmid - age)/scal))'), normal],
  ];
  const columns = {
    ...{ y: grown.flat(), age: grown.flatMap(() => ages) },
    g: grown.flatMap((each, i) => each.map(() => `tree ${i + 1}`)),
  };
  // From ones: on a step between the first two ages, along whose place and width the sum is level to 14 digits for a decade.
  for (const [marginal, start] of [
    ['laplace', [200, 725, 350, 10, 30]],
    ['focei', [200, 725, 350, 10, 30]],
    ['laplace', [1, 1, 1, 1, 1]],
  ] as const) {
    const { objective, values } = await fitted(columns, blocks(start), marginal);
    expect(objective).toBeCloseTo(131.5718851, 6);
    expect(values['Asym']).toBeCloseTo(192.0532, 2);
    expect(values['xmid']).toBeCloseTo(727.9064, 2);
    expect(values['scal']).toBeCloseTo(348.0731, 2);
    expect(values['sigma']).toBeCloseTo(7.84301, 4);
    expect(values['u.sd.b']).toBeCloseTo(31.6463, 3);
  }
});

it('theophylline, absorbed and cleared by twelve subjects', async () => {
  const file = join(import.meta.dirname, '../../../models/catalogue/theoph.csv');
  const rows = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((row) => row.replaceAll('"', '').split(','));
  const numbers = (k: number): number[] => rows.map((row) => Number(row[k]));
  const blocks = [
    ...[column('y'), column('dose'), column('time'), column('g', 'category')],
    ...[parameter('lke', -2.5), parameter('lka', 0.5), parameter('lcl', -3), noise(1)],
    { id: 'u', kind: 'random-effect', like: 'g', names: ['ka', 'cl'], covariance: 'full', sd: [0.5, 0.3] },
    ...[taken('bka', 'u.ka'), taken('bcl', 'u.cl'), map('ke', 'exp(lke)')],
    ...[map('ka', 'exp(lka + bka)'), map('cl', 'exp(lcl + bcl)')],
    ...[map('m', 'dose*ke*ka/(cl*(ka - ke))*(exp(-ke*time) - exp(-ka*time))'), normal],
  ];
  const columns = {
    ...{ g: rows.map(([subject = '']) => `s${subject}`), dose: numbers(2), time: numbers(3), y: numbers(4) },
  };
  const { objective, values } = await fitted(columns, blocks, 'focei');
  // Its own end is told as 176.991458.
  expect(objective).toBeCloseTo(176.9915, 3);
  expect(values['lke']).toBeCloseTo(-2.4654, 3);
  expect(values['lka']).toBeCloseTo(0.482, 3);
  expect(values['lcl']).toBeCloseTo(-3.2302, 3);
});
