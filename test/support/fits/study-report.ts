/** What studies found, for tests of what is done with it. */
import type { ComparisonReport, UncertaintyReport } from '../../../src-main/contract/studies.ts';

const ran = { cancelled: false, seed: 1, device: 'cpu', precision: 'f64', milliseconds: 3 } as const;

export const comparisonReport = (finishedAt: string, bic = 4): ComparisonReport => ({
  ...{ ...ran, finishedAt, kind: 'comparison', method: 'aicc', meaning: 'm', nested: [], warnings: [] },
  models: [
    {
      ...{ name: 'one', status: 'converged', objective: 1, parameters: 2, observations: 3 },
      ...{ logLikelihood: -Infinity, aicc: NaN, delta: 0, weight: 1, bic },
    },
  ],
});

/** Of a parameter whose name is a number that JSON lacks. */
export const bootstrapReport = (finishedAt: string, drawn: number): UncertaintyReport => ({
  ...{ ...ran, finishedAt, kind: 'uncertainty', method: 'bootstrap', meaning: 'm', level: 0.95 },
  fit: { status: 'converged', reason: 'It is flat.', objective: 1 },
  parameters: [
    {
      ...{ name: 'NaN', block: 'NaN', fixed: false, value: 1, lower: -0, upper: Infinity },
      ...{ verdict: { status: 'one-sided', reason: 'no upper end' }, figures: { standardError: NaN } },
    },
  ],
  ...{ names: ['NaN'], sloppy: [], statistics: {}, diagnostics: {}, warnings: [] },
  draws: [{ name: 'NaN', chains: [Float64Array.from({ length: drawn }, (_, i) => (i === 1 ? NaN : i / 3))] }],
});
