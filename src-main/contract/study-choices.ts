/** What studies and fits are asked for beside their methods (models/facts/methods.ts). */

/** By what a set of further observations is good (engine/7-study/design.ts). */
export const designMethods = ['D', 'A', 'c'] as const;
/** By what models of the same data are ranked. */
export const comparisonMethods = ['aicc'] as const;
export const resamplings = ['residuals', 'cases', 'parametric'] as const;
/** Rates of Adam. */
export const schedules = ['plateau', 'constant', 'cosine', 'step'] as const;
