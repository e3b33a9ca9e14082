/** What a fit of counts explains, against R 4: 1 − logLik(glm(y ~ x))/logLik(glm(y ~ 1)). */
import { afterAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/index.ts';
import { uncertainty } from '../../../../src-main/compute/study/uncertainty.ts';
import { model, type PlainBlock } from '../../../support/documents.ts';

const device = cpuDevice();
afterAll(() => device.close());

async function statisticsOf(y: readonly (number | string)[], formula: string, loss: PlainBlock) {
  const blocks = [
    { id: 'x', kind: 'range', length: y.length },
    { id: 'y', kind: 'constant', value: y },
    { id: 'a', kind: 'parameter', initial: 0 },
    { id: 'b', kind: 'parameter', initial: 0.1 },
    { id: 'm', kind: 'map', formula },
    { id: 'l', observed: 'y', ...loss },
  ];
  const drawn = await model(blocks, { objective: 'l' });
  const request = { kind: 'uncertainty', method: 'covariance' } as const;
  return (await uncertainty(drawn, device, request, { parameters: {} })).statistics;
}

const counts = [3, 1, 4, 2, 5, 3, 2, 6, 4, 3];
const likelihood = (family: string, more: PlainBlock): PlainBlock => ({ kind: 'likelihood', family, ...more });

it.each([
  ['Poisson', [...counts, 'NaN'], 'exp(a + b*x)', likelihood('poisson', { mean: 'm' }), 0.02140232378448581],
  [
    ...(['binomial', [1, 2, 2, 4, 3, 5, 6, 5, 7, 8], 'logistic(a + b*x)'] as const),
    ...([likelihood('binomial', { probability: 'm', trials: 10 }), 0.4131105212981263] as const),
  ],
] as const)('%s regression', async (_, y, formula, loss, wanted) => {
  const { pseudoRSquared = NaN } = await statisticsOf(y, formula, loss);
  expect(Math.abs(pseudoRSquared / wanted - 1)).toBeLessThan(1e-9);
});

it('says nothing where squares are bent, or the family has no such figure', async () => {
  const bent = { kind: 'least-squares', prediction: 'm', loss: { kind: 'huber', scale: 1 } };
  for (const loss of [bent, likelihood('normal', { mean: 'm', sigma: 1 })]) {
    const found = await statisticsOf(counts, 'a + b*x', loss);
    expect(found).not.toHaveProperty('rSquared');
    expect(found).not.toHaveProperty('pseudoRSquared');
  }
});
