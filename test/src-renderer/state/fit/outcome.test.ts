import { describe, expect, it } from 'vitest';
import type { FitReport } from '../../../../src-main/contract/contract.ts';
import { asSentence, outcomeOf } from '../../../../src-renderer/state/fit/outcome.ts';

const estimate = { name: 'k', block: 'k', value: 2, standardError: 0.1, lower95: 1.8, upper95: 2.2, fixed: false };
const good = { status: 'determined', reason: 'well determined, to ±10 %' } as const;
const fit: FitReport = {
  status: 'converged',
  reason: 'no step reduces the sum of squares any further',
  objective: 1,
  estimates: [{ ...estimate, verdict: good }],
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

it('begins what was refused as a sentence begins, and ends it', () => {
  expect(asSentence('every observation is missing')).toBe('Every observation is missing.');
  expect(asSentence('It was stopped.')).toBe('It was stopped.');
  expect(asSentence('')).toBe('');
});

describe('the outcome of a fit', () => {
  const now = new Date('2026-11-21T15:00:00');

  it.each([
    ['converged', 'Converged'],
    ['not-converged', 'Not converged'],
    ['failed', 'Failed'],
    ['cancelled', 'Stopped'],
  ] as const)('begins, when %s, with %s', (status, word) => {
    expect(outcomeOf({ ...fit, status }, fit.estimates, now)).toMatchObject({ word, when: '14:32:08, 31 ms' });
  });

  it('says of one that converged how much is determined', () => {
    expect(outcomeOf(fit, fit.estimates, now).sentence).toBe('The parameter is determined.');
    expect(outcomeOf({ ...fit, status: 'failed' }, fit.estimates, now).sentence).toBe(
      'No step reduces the sum of squares any further.',
    );
  });

  it('says what was solved for, where the end was found, and how near it is', () => {
    const reason =
      'no step reduces the objective any further; found from elsewhere: from the start the fit ended at 12.3';
    const sentence = (more: Partial<FitReport>): string => outcomeOf({ ...fit, ...more }, fit.estimates, now).sentence;
    expect(sentence({ reason, solved: ['A', 'B'], decrement: 0 })).toBe(
      'The parameter is determined. Found from elsewhere: from the start the fit ended at 12.3. A and B are solved for. Decrement 0.',
    );
    expect(sentence({ solved: ['A', 'B', 'c'] })).toContain('A, B and c are solved for.');
    expect(sentence({ solved: ['A'], decrement: NaN })).toBe('The parameter is determined. A is solved for.');
  });

  it('does not hide behind Converged that a shape is missed, and where', () => {
    const range = { key: null, from: 3, to: 14 };
    const misfit = { of: 'loss', p: 0.000131, x: 't', unit: 'h', ranges: [range] };
    const told = (ranges: (typeof misfit.ranges)[number][]) =>
      outcomeOf({ ...fit, misfits: [{ ...misfit, ranges }] }, fit.estimates, now);
    expect(told([range])).toMatchObject({ word: 'Converged', tone: 'caution' });
    expect(told([range]).alarm).toBe(
      'It misses a shape, t 3 to 14 h: residuals keep their sign too long (one-sided runs test, p = 0.00013).',
    );
    const inGroups = ['S1', 'S2'].map((key) => ({ ...range, key })) as unknown as (typeof misfit.ranges)[number][];
    expect(told(inGroups).alarm).toMatch(/^It misses a shape in 2 groups: /);
    expect(outcomeOf(fit, fit.estimates, now)).toMatchObject({ tone: 'ok', alarm: '' });
  });
});
