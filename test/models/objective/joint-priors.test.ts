/**
 * Priors of all elements together: the multivariate normal distribution against SciPy and closed forms, LKJ against the
 * product of beta functions of its authors, which is not how it is written here, and the volume of correlation matrices.
 */
import { expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { uncertainty } from '../../../src-main/compute/study/uncertainty.ts';
import { evaluate, load, model, run, type PlainBlock } from '../../support/documents.ts';

const x = [0.7, -1.2, 0.4];
const mean = [0.1, 0.2, -0.3];
const covariance = [
  [2, 0.6, -0.3],
  [0.6, 1, 0.2],
  [-0.3, 0.2, 0.5],
];
const correlation = [
  [1, 0.6, -0.3],
  [0.6, 1, 0.2],
  [-0.3, 0.2, 1],
];
const constant = (id: string, value: unknown): PlainBlock => ({ id, kind: 'constant', value });
const beside = [constant('one', 1), { id: 'zero', kind: 'map', formula: '0*one' }];

async function minusLog(initial: unknown, prior: PlainBlock, more: PlainBlock = {}, blocks: PlainBlock[] = []) {
  const parameter = { id: 'x', kind: 'parameter', initial, prior, ...more };
  return run(await model([parameter, ...blocks, ...beside], { objective: 'zero' }), { objective: 'density' })[
    'density'
  ];
}

it.each<[string, unknown, PlainBlock, number, PlainBlock?]>([
  ['a list', x, { family: 'multivariate-normal', mean, covariance }, 6.675804479234234],
  [
    'rows, with standard deviations',
    [x, [1, 0.5, -2]],
    { family: 'multivariate-normal', mean, sd: [1.5, 0.5, 2], correlation },
    17.287609521723944,
  ],
  [
    'one number, by itself',
    [0.7],
    { family: 'multivariate-normal', mean: -1, sd: 2, correlation: [[1]] },
    1.9733357137646181,
  ],
  [
    'a correlation of two',
    [
      [1, 0.4],
      [0.4, 1],
    ],
    { family: 'lkj', shape: 2.5 },
    0.42543071355484047,
    { support: 'correlation' },
  ],
  [
    'a correlation of three',
    correlation,
    { family: 'lkj', shape: 2.5 },
    1.5312822280213523,
    { support: 'correlation' },
  ],
  ['a flat one', correlation, { family: 'lkj', shape: 1 }, Math.log(Math.PI ** 2 / 2), { support: 'correlation' }],
])('%s: numbers and references', async (_, initial, prior, wanted, more) => {
  expect(await minusLog(initial, prior, more)).toBeCloseTo(wanted, 11);
  const given = Object.entries(prior).filter(([key]) => key !== 'family');
  const wired = Object.fromEntries(given.map(([key]) => [key, `the_${key}`]));
  const constants = given.map(([key, value]) => constant(`the_${key}`, value));
  expect(await minusLog(initial, { family: prior['family'], ...wired }, more, constants)).toBeCloseTo(wanted, 11);
});

it('a normal mean has the posterior of closed form', async () => {
  const y = [1, -0.5, 2];
  const blocks = [
    { id: 'x', kind: 'parameter', initial: [0, 0, 0], prior: { family: 'multivariate-normal', mean, covariance } },
    constant('y', y),
    { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'x', sigma: 0.8 },
  ];
  const report = await fitModel(await model(blocks, { objective: 'l' }), cpuDevice(), { parameters: {} });
  expect(report.status).toBe('converged');
  const value = report.estimates.map((estimate) => estimate.value);
  // Σ⁻¹(x − mean) + (x − y)/0.64 = 0, multiplied by Σ
  covariance.forEach((row, i) => {
    const pull = row.reduce((sum, s, j) => sum + (s * (value[j]! - y[j]!)) / 0.64, 0);
    expect(value[i]! - mean[i]! + pull).toBeCloseTo(0, 9);
  });
});

it('chains draw each correlation of an LKJ matrix from its beta distribution', async () => {
  const blocks = [
    { id: 'R', kind: 'parameter', initial: correlation, support: 'correlation', prior: { family: 'lkj', shape: 2 } },
    { id: 'all', kind: 'reduce', operator: 'add', values: 'R', axis: 0 },
    { id: 'sum', kind: 'reduce', operator: 'add', values: 'all' },
    { id: 'nothing', kind: 'map', formula: '0*sum' },
  ];
  const drawn = await model(blocks, { objective: 'nothing' });
  const found = await uncertainty(
    drawn,
    cpuDevice(),
    { kind: 'uncertainty', method: 'hmc', samples: 400 },
    { parameters: {} },
  );
  const off = found.parameters.filter(({ name }) => ['R[1,0]', 'R[2,0]', 'R[2,1]'].includes(name));
  expect(off).toHaveLength(3);
  // (r + 1)/2 is beta with 2 + ½ twice: the variance of r is 1/6.
  for (const { figures } of off) {
    const [sd, effective] = [Math.sqrt(1 / 6), Number(figures['essBulk'])];
    expect(effective).toBeGreaterThan(200);
    expect(Math.abs(Number(figures['mean']))).toBeLessThan((4 * sd) / Math.sqrt(effective));
    expect(Math.abs(Number(figures['standardDeviation']) - sd)).toBeLessThan((4 * sd) / Math.sqrt(effective));
  }
});

it('is not positive definite anywhere that it says nothing of', async () => {
  const r = { id: 'r', kind: 'parameter', initial: 1.5 };
  const matrix = [
    { id: 'flat', kind: 'map', formula: 'if(i == 0 or i == 3, 1, r)' },
    { id: 'i', kind: 'range', length: 4, start: 0, step: 1 },
    { id: 'C', kind: 'reshape', values: 'flat', shape: [2, 2] },
  ];
  const prior = { family: 'multivariate-normal', mean: 0, sd: 1, correlation: 'C' };
  expect(await minusLog([1, 2], prior, {}, [r, ...matrix])).toBeNaN();
  expect(await evaluate([r, ...matrix], 'C')).toEqual([1, 1.5, 1.5, 1]);
});

it.each<[PlainBlock, PlainBlock, string]>([
  [
    { family: 'multivariate-normal', mean: 0 },
    {},
    'takes "mean" and "covariance", or "mean" and "sd" and "correlation", got "mean"',
  ],
  [
    {
      family: 'multivariate-normal',
      mean: [0, 0, 0],
      covariance: [
        [1, 0],
        [0, 1],
      ],
    },
    {},
    '"prior.mean" wants a number or [2], got [3]',
  ],
  [
    {
      family: 'multivariate-normal',
      mean: 0,
      covariance: [
        [1, 2],
        [2, 1],
      ],
    },
    {},
    '"prior.covariance" wants a matrix that is symmetric and positive definite',
  ],
  [
    { family: 'multivariate-normal', mean: 0, covariance: 'M' },
    {},
    '"prior.covariance" wants a matrix that is symmetric and positive definite',
  ],
  [
    {
      family: 'multivariate-normal',
      mean: 0,
      sd: -1,
      correlation: [
        [1, 0],
        [0, 1],
      ],
    },
    {},
    '"prior.sd" wants finite numbers above 0, got -1',
  ],
  [
    {
      family: 'multivariate-normal',
      mean: 0,
      sd: 1,
      correlation: [
        [2, 0],
        [0, 2],
      ],
    },
    {},
    '"prior.correlation" wants 1 on the diagonal, got 2',
  ],
  [{ family: 'lkj', shape: 2 }, {}, 'a lkj prior is of a correlation matrix: say "support": "correlation"'],
  [
    { family: 'lkj', shape: 0 },
    {
      support: 'correlation',
      initial: [
        [1, 0],
        [0, 1],
      ],
    },
    '"prior.shape" wants finite numbers above 0, got 0',
  ],
  [{ family: 'lkj', eta: 2 }, {}, 'eta'],
  [{ family: 'multinormal' }, {}, '"multivariate-normal", "lkj"'],
])('%j is refused by the block’s name', async (prior, more, wanted) => {
  const { problems } = await load([
    constant('M', [
      [1, 3],
      [3, 1],
    ]),
    { id: 'x', kind: 'parameter', initial: [1, 2], prior, ...more },
  ]);
  expect(problems.map(({ message }) => message).join()).toContain('block "x"');
  expect(problems.map(({ message }) => message).join()).toContain(wanted);
});
