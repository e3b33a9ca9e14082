/** The methods that studies are asked for by. */
export const sensitivityMethods = ['local', 'morris', 'sobol', 'dgsm', 'active-subspace'] as const;
export const uncertaintyMethods = ['covariance', 'profile', 'bootstrap', 'hmc'] as const;
export const resamplings = ['residuals', 'cases', 'parametric'] as const;
