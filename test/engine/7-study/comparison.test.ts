/** Tests of nested models by the distributions that they have at a bound, which closed forms and R's pchisq say. */
import { expect, it } from 'vitest';
import { nestedTest, type Candidate } from '../../../engine/7-study/comparison.ts';

const candidate = (logLikelihood: number, parameters: number): Candidate => ({
  aicc: NaN,
  squares: undefined,
  logLikelihood,
  parameters,
  observations: 40,
});

it.each([
  // R: pchisq(3.84, 1, lower.tail = FALSE), and the mean with 0 degrees of freedom or with 1 and 2.
  { ratio: 3.84, more: 1, atBound: 0, p: 0.05004352 },
  { ratio: 3.84, more: 1, atBound: 1, p: 0.02502176 },
  { ratio: 3.84, more: 2, atBound: 2, p: 0.09832524 },
  // Half of all samples gain nothing, and say nothing against the small model.
  { ratio: 0, more: 1, atBound: 1, p: 1 },
  { ratio: -1e-12, more: 1, atBound: 1, p: 1 },
  { ratio: 0, more: 2, atBound: 2, p: 1 },
])('p of a ratio of $ratio, of $more parameters more with $atBound at a bound', ({ ratio, more, atBound, p }) => {
  expect(nestedTest(candidate(-10, 2), candidate(-10 + ratio / 2, 2 + more), atBound).p).toBeCloseTo(p, 6);
});
