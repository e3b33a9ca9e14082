/** The methods that studies are asked for by. */
export const sensitivityMethods = ['local', 'morris', 'sobol', 'dgsm', 'active-subspace'] as const;
export const uncertaintyMethods = ['covariance', 'profile', 'bootstrap', 'hmc'] as const;
/** By what a set of further observations is good (engine/7-study/design.ts). */
export const designMethods = ['D', 'A', 'c'] as const;
export const resamplings = ['residuals', 'cases', 'parametric'] as const;
/** Rates of Adam. */
export const schedules = ['plateau', 'constant', 'cosine', 'step'] as const;
/** What can be run in shards. */
export const ensembleStudies = [
  'multistart',
  'sobol',
  'morris',
  'dgsm',
  'active-subspace',
  'bootstrap',
  'profile',
] as const;
export type EnsembleStudy = (typeof ensembleStudies)[number];
