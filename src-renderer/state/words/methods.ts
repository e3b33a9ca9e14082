/** The methods of fits and studies, each with its name for people and one sentence on what it does. */
import type { FitMethod } from '../../../models/format/document.ts';
import type { SensitivityRequest, UncertaintyRequest } from '../../../src-main/contract/studies.ts';

export interface MethodText {
  readonly name: string;
  readonly about: string;
}

type Texts<M extends string> = { readonly [K in M]: MethodText };

export const fitMethods: Texts<FitMethod> = {
  'levenberg-marquardt': {
    name: 'Levenberg–Marquardt',
    about: 'Trust region on the residuals and their exact Jacobian: the first choice for least squares.',
  },
  'l-bfgs-b': { name: 'L-BFGS-B', about: 'Limited memory and bounds, from gradients alone: for many parameters.' },
  'newton-cg': { name: 'Newton-CG', about: 'Exact second derivatives: for likelihoods and priors.' },
  adam: { name: 'Adam', about: 'First-order steps of adapted length: for rough objectives.' },
  'nelder-mead': { name: 'Nelder–Mead', about: 'A simplex without derivatives: for few parameters.' },
};

export const uncertaintyMethods: Texts<UncertaintyRequest['method']> = {
  covariance: { name: 'Covariance', about: 'Intervals value ± q·se from the curvature at the optimum.' },
  profile: {
    name: 'Profile likelihood',
    about: 'All others are fitted again along each parameter, until the data exclude its value.',
  },
  bootstrap: { name: 'Bootstrap', about: 'The fit again on data drawn again; intervals are percentiles.' },
  hmc: {
    name: 'Hamiltonian Monte Carlo',
    about: 'Draws from the posterior by several chains, with or without a mode; intervals are quantiles of the draws.',
  },
};

export const sensitivityMethods: Texts<SensitivityRequest['method']> = {
  local: { name: 'Local', about: 'Exact derivatives and elasticities at the values that are shown.' },
  morris: { name: 'Morris', about: 'Elementary effects over the ranges: which parameters matter at all.' },
  sobol: { name: 'Sobol’', about: 'Shares of the variance: S₁ alone, Sᴛ with all interactions.' },
  dgsm: { name: 'DGSM', about: 'Mean squared derivatives over the ranges, and the bound on Sᴛ that they give.' },
  'active-subspace': {
    name: 'Active subspace',
    about: 'The directions in which the gradient varies: combinations of parameters that matter.',
  },
};

/** Keys with their texts, in the order of the table. */
export function listed<M extends string>(texts: Texts<M>): readonly (MethodText & { readonly id: M })[] {
  return Object.entries<MethodText>(texts).map(([id, text]) => ({ id: id as M, ...text }));
}

/** How many points *Try 64 starts* begins at. */
export const manyStarts = 64;
