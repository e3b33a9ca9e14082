import type { UncertaintyFacts } from '../../method.ts';

export const hmc = {
  title: 'Hamiltonian Monte Carlo',
  summary: 'Draws from the posterior by several chains, with or without a mode; intervals are quantiles of the draws.',
  inSentence: 'Hamiltonian Monte Carlo',
  trust: 3,
  equations: [
    ['p(\\theta \\mid y) \\propto e^{-E(\\theta)}\\, p(\\theta)', 'the posterior is the likelihood times the prior'],
  ],
  where: 'Trajectories of a particle in the landscape of E; R̂ near 1 says that four chains agree.',
  source: 'Hoffman & Gelman 2014, JMLR 15',
} as const satisfies UncertaintyFacts;
