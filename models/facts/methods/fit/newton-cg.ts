import type { FitFacts } from '../../method.ts';

export const newtonCg = {
  title: 'Newton-CG',
  summary: 'Exact second derivatives: for likelihoods and priors.',
  equations: [['(H + \\lambda D)\\, s = -g', 'H plus lambda D times s is minus g']],
  where: 'H is the exact Hessian; with many parameters only products H·d are formed, for conjugate gradients.',
  source: 'Steihaug 1983, DOI 10.1137/0720042',
} as const satisfies FitFacts;
