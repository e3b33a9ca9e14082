/** The paper's two, and a tenth of the first for what does not fit. */
export const datasets = ['D1', 'D2', 'D1/10'] as const;
export type Dataset = (typeof datasets)[number];

/** Elements of a dataset, where D1 has so many. */
export function elementsOf(dataset: Dataset, ofD1: number): number {
  return { D1: ofD1, D2: 10 * ofD1, 'D1/10': Math.max(1, Math.round(ofD1 / 10)) }[dataset];
}

/** The next smaller dataset, for what does not fit. */
export const smaller: { readonly [D in Dataset]: Dataset | undefined } = { D2: 'D1', D1: 'D1/10', 'D1/10': undefined };
