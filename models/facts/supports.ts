/** What a parameter may be, by the name that `support` has in a document, and what that means. */
export const supportFacts = {
  real: 'any number, between its bounds',
  positive: 'above 0, on a log scale unless another is said',
  simplex: 'shares, each above 0, that add up to 1',
  ordered: 'no element below the one before it',
  correlation: 'a matrix of correlations',
} as const satisfies Readonly<Record<string, string>>;

export type SupportName = keyof typeof supportFacts;
export const supportNames = Object.keys(supportFacts) as [SupportName, ...SupportName[]];
