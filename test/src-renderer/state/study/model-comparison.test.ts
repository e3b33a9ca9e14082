/** What a comparison of models says. */
import { expect, it } from 'vitest';
import type { ComparisonReport } from '../../../../src-main/contract/studies.ts';
import {
  byDelta,
  comparisonText,
  testsOf,
  unpredicted,
} from '../../../../src-renderer/state/study/model-comparison.ts';

const model = (name: string, delta: number, weight: number) => ({
  ...{ name, delta, weight, status: 'converged' as const, objective: 1, parameters: 2, observations: 9 },
  ...{ logLikelihood: 0, aicc: delta, bic: 0 },
});
const report: ComparisonReport = {
  ...{ kind: 'comparison', method: 'aicc', warnings: [], cancelled: false, seed: 0, device: 'cpu', precision: 'f64' },
  models: [model('bent', 40, 0), model('this model', 0, 0.7), model('lost', NaN, NaN), model('lag', 1.7, 0.3)],
  nested: [{ small: 'bent', large: 'this model', test: 'F', p: 1e-9 }],
  ...{ milliseconds: 1, finishedAt: '', meaning: '' },
};

it('ranks models, the best first and what is not ranked last', () => {
  expect(byDelta(report.models).map(({ name }) => name)).toEqual(['this model', 'lag', 'bent', 'lost']);
});

it('says which is best, what is as good, what its further parameters are worth, and what is refused', () => {
  expect(comparisonText(report)).toBe(
    'This model is best, with a weight of 0.7; lag is as good (ΔAICc 1.7). What it adds to bent is in the data (p = 1e-9). 1 is refused, more than 10 away.',
  );
  expect(comparisonText({ ...report, models: [model('lost', NaN, NaN)] })).toBe('None of the models can be ranked.');
  const twin = { ...model('Model 2', 0, NaN), same: 'this model' };
  expect(comparisonText({ ...report, models: [...report.models, twin] })).toBe(comparisonText(report));
  expect(comparisonText({ ...report, models: [model('this model', 0, 1), twin] })).toBe(
    'All are the same model, but for start values.',
  );
  expect(testsOf(report, 'bent')).toEqual(['a case of this model: F, p = 1e-9']);
  expect(testsOf(report, 'lag')).toEqual([]);
});

it('says why a model has no leave-one-out prediction', () => {
  expect(unpredicted(report)).toEqual([]);
  const without = { ...model('bent', 40, 0), withoutLoo: 'the robust loss of "l" is no density' };
  expect(unpredicted({ ...report, models: [without, { ...model('lag', 1, 0), elpdLoo: -3 }] })).toEqual([
    'Bent has no leave-one-out prediction: the robust loss of "l" is no density.',
  ]);
});
