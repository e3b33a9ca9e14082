import type { UncertaintyFacts } from '../../method.ts';

export const covariance = {
  title: 'Covariance',
  summary: 'Intervals value ± q·se from the curvature at the optimum.',
  inSentence: 'covariance',
  trust: 0,
  equations: [
    [
      '\\hat\\theta \\pm q \\sqrt{C_{jj}}, \\quad C = s^2 (J^{\\mathsf T} J)^{-1}',
      'the estimate plus or minus q standard errors',
    ],
  ],
  where: 'q is Student’s t where the noise s is estimated, else normal. Right where the model is nearly linear.',
} as const satisfies UncertaintyFacts;
