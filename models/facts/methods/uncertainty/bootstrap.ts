import type { UncertaintyFacts } from '../../method.ts';

export const bootstrap = {
  title: 'Bootstrap',
  summary: 'The fit again on data drawn again; intervals are percentiles.',
  inSentence: 'bootstrap',
  trust: 1,
  shards: 'replicates',
  equations: [['\\hat\\theta^{*} = \\arg\\min E(\\theta;\\, y^{*})', 'the fit to data drawn again']],
  where: 'y* are the data with residuals, or rows, drawn again; the interval holds the middle 95 % of the fits.',
  source: 'Efron & Tibshirani 1993',
} as const satisfies UncertaintyFacts;
