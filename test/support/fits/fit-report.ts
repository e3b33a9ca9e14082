/** A stored fit, for tests of what is done with one. */
import type { FitReport } from '../../../src-main/contract/contract.ts';

export const fitReport: FitReport = {
  status: 'converged',
  reason: 'The relative change of the objective is below 1e-12.',
  objective: 1.5,
  estimates: [
    {
      name: 'k',
      block: 'k',
      value: 1,
      standardError: NaN,
      lower95: -Infinity,
      upper95: Infinity,
      fixed: false,
      verdict: { status: 'determined', reason: 'determined, to ±67 %' },
    },
  ],
  correlationNames: ['k'],
  correlation: [[1]],
  iterations: 3,
  evaluations: 4,
  history: [3, 1.5],
  device: 'cpu',
  precision: 'f64',
  milliseconds: 2,
  finishedAt: '2026-01-01T00:00:00.000Z',
  meaning: '',
};
