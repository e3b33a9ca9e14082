import { describe, expect, it } from 'vitest';
import type { FitReport } from '../../../src-main/contract.ts';
import { byAttention, outcomeOf, verdictOf } from '../../../src-renderer/state/outcome.ts';

const estimate = { name: 'k', block: 'k', value: 2, standardError: 0.1, lower95: 1.8, upper95: 2.2, fixed: false };
const fit: FitReport = {
  status: 'converged',
  reason: 'no step reduces the sum of squares any further',
  objective: 1,
  estimates: [estimate, { ...estimate, name: 'b', block: 'b', standardError: 3 }],
  correlationNames: [],
  correlation: [],
  iterations: 3,
  evaluations: 4,
  history: [2, 1],
  device: 'cpu',
  precision: 'f64',
  milliseconds: 31,
  finishedAt: '2026-11-21T14:32:08',
  meaning: '',
};

describe('the outcome of a fit', () => {
  const now = new Date('2026-11-21T15:00:00');

  it.each([
    ['converged', 'Converged'],
    ['not-converged', 'Not converged'],
    ['failed', 'Failed'],
    ['cancelled', 'Stopped'],
  ] as const)('begins, when %s, with %s', (status, word) => {
    expect(outcomeOf({ ...fit, status }, now)).toMatchObject({ word, when: '14:32:08, 31 ms' });
  });

  it('names what is not determined, and shows it first', () => {
    expect(outcomeOf(fit, now).sentence).toBe('1 of 2 parameters are determined; b is not.');
    expect(byAttention(fit.estimates).map(({ name }) => name)).toEqual(['b', 'k']);
  });

  it.each([
    [{}, 'determined to 5 %'],
    [{ fixed: true }, 'fixed'],
    [{ atBound: 'upper' as const }, 'at its upper bound'],
    [{ standardError: NaN }, 'not determined by these data'],
    [{ standardError: 1.4 }, 'known to 70 % only'],
    [{ standardError: 3 }, 'its error exceeds its value'],
  ])('gives a verdict on %o', (more, text) => {
    expect(verdictOf({ ...estimate, ...more }).text).toBe(text);
  });
});
