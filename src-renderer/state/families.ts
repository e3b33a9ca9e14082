/** Families that a document names, with the numbers that each takes and what they begin at. */
export type Family = Readonly<Record<string, number>>;

export const priors: Readonly<Record<string, Family>> = {
  normal: { mean: 0, sd: 1 },
  'log-normal': { mean: 0, sd: 1 },
  uniform: { lower: 0, upper: 1 },
  gamma: { shape: 2, rate: 1 },
  beta: { alpha: 2, beta: 2 },
  cauchy: { location: 0, scale: 1 },
  exponential: { rate: 1 },
};

/** ρ(r²) in place of r², with the scale beyond which a residual counts less. */
export const losses: Readonly<Record<string, Family>> = {
  huber: { scale: 1 },
  'soft-l1': { scale: 1 },
  cauchy: { scale: 1 },
};
