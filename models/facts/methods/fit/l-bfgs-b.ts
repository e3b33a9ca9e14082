import type { FitFacts } from '../../method.ts';

export const lbfgsb = {
  title: 'L-BFGS-B',
  summary: 'Limited memory and bounds, from gradients alone: for many parameters.',
  equations: [['B = \\theta I - W M W^{\\mathsf T}', 'B is theta I minus W M W transposed']],
  where: 'The curvature B is learnt from the last 10 steps and their gradients; bounds are kept exactly.',
  source: 'Byrd, Lu, Nocedal & Zhu 1995, DOI 10.1137/0916069',
} as const satisfies FitFacts;
