/** The table of the PEtab benchmark's problems says what was not done in time, and what others reached. */
import { expect, it } from 'vitest';
import { problems, type Problem } from '../../../src-main/benchmark/problems.ts';

const problem: Problem = {
  ...{ row: 'Boehm_JProteomeRes2014', device: 'cpu', precision: 'f64', runs: 5, states: 8, parameters: 9 },
  ...{ importSeconds: 0.53, gradientSeconds: 12.4, lossMs: 4.4, gradientMs: 12.5 },
  fit: { seconds: 3.2, status: 'converged', objective: 138.22197600774 },
  published: { objective: 138.22199772617, compileSeconds: 355.28, solveSeconds: 0.009 },
};
const cells = (row: Problem): string[] => problems.columns.map(({ cell }) => cell(row));

it('has a cell for each figure', () => {
  expect(cells(problem)).toEqual([
    ...['Boehm JProteomeRes2014', '8', '9', '0.5 s', '12 s', '4.40 ms', '12.5 ms'],
    ...['3.2 s, converged, 138.22198', '355 s + 0.0 s, 138.222'],
  ]);
  expect(cells({ ...problem, fit: null, published: null }).slice(-2)).toEqual(['not done', '']);
});
