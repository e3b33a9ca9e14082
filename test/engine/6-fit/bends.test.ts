/** What is told to have kinks in its parameters, and what only looks so. */
import { expect, it } from 'vitest';
import { bends } from '../../../engine/6-fit/bends.ts';
import { scalarParameter, scalarProgram } from '../../support/study-problems.ts';

/** Of the parameters p and q, and data x and y. */
const isKinked = (formula: string, fixed = false): boolean =>
  bends({
    program: scalarProgram(formula, ['p', 'q', 'x', 'y']),
    parameters: ['p', 'q'].map((name) => scalarParameter(name, 1, { fixed })),
  });

it.each([
  'abs(p - x)',
  'max(0, x - p)',
  'min(p, q)',
  'if(p < x, p, q)',
  'if(x <= p * q, 1, 2) * p',
  'if(p < x and x < 2, p, q)',
  'if(x < 1, p, abs(q))',
])('%s has kinks', (formula) => {
  expect(isKinked(formula)).toBe(true);
  // Where nothing of it is free it has none.
  expect(isKinked(formula, true)).toBe(false);
});

it.each([
  ['a choice by the data', 'if(x < y, p, q)'],
  ['data without their sign', 'p * abs(x) + q * max(x, y)'],
  ['a density with an edge', 'if(0 < p, log(p) + q, nan)'],
  ['a support with two ends', 'if(0 < p and p < 1, q, inf)'],
  ['what is smooth', 'exp(-p * x) + sqrt(q)'],
])('%s has none', (_, formula) => expect(isKinked(formula)).toBe(false));
