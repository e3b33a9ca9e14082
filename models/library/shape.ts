/**
 * A shape of curve that a field of science knows: y = f(x; parameters), or for one column of values their log density. The
 * formula is the one truth: start values, pictures and documents are made of it.
 */
export const fields = [
  'general',
  'calibration',
  'dose-response',
  'binding',
  'enzyme kinetics',
  'decay and association',
  'growth',
  'peaks',
  'pharmacokinetics',
  'physical chemistry',
  'periodic',
  'events',
] as const;
export type Field = (typeof fields)[number];

export interface Shape {
  /** By which `import --shape` knows it. */
  readonly name: string;
  readonly title: string;
  readonly field: Field;
  /**
   * A formula of documents. `x` is the abscissa; the names of `parameters`, `constants` and `covariates` are theirs, and
   * there are no others.
   */
  readonly formula: string;
  readonly parameters: Readonly<Record<string, ShapeParameter>>;
  /** Numbers that the data set once, or nature did, and no fit changes. */
  readonly constants?: Readonly<Record<string, ShapeConstant>>;
  /** Columns beside x: of what role each is. A dose that no column has is 1; without a condition there is no such shape. */
  readonly covariates?: Readonly<Record<string, 'dose' | 'condition' | 'censored'>>;
  /** The condition is 1 where a part of the formula was seen, and 0 where it was kept out. */
  readonly marked?: true;
  /** The formula is the logarithm of a density of x. */
  readonly density?: true;
  /** Of a density, the logarithm of the probability that a value is above x. */
  readonly beyond?: string;
  /** What x is, where it is another than in the rest of the field. */
  readonly over?: 'time' | 'dose';
  /** Of one mechanism, and of no use as a mere curve: columns that speak of another are not told of it for little. */
  readonly narrow?: true;
  /** By so much of AICc it is to be better than shapes without: what its constants take from the data no criterion counts. */
  readonly handicap?: number;
  /** A probability, of what is counted in trials. */
  readonly proportion?: true;
  /** Nothing depends on where x begins, so an x that is far from 0 may be counted from its first value. */
  readonly shifts?: true;
  /** Whether the data are such that the shape can be told from a plainer one. */
  readonly suits?: (data: DataRange) => boolean;
  /** Of several values that give one curve those that are meant: absorption faster than elimination. */
  readonly meant?: (values: ReadonlyMap<string, number>) => ReadonlyMap<string, number>;
  /** When to use it, one sentence. */
  readonly use: string;
  readonly reference: string;
}

export interface ShapeConstant {
  readonly meaning: string;
  /** As a parameter's. */
  readonly unit: string;
  readonly of: (data: DataRange) => number;
}

export interface ShapeParameter {
  readonly meaning: string;
  /** In terms of the units of x and y, as `y/x`; '' for a plain number. */
  readonly unit: string;
  /**
   * How a start value is found. `linear`: the formula is affine in all such parameters together, `inverse`: in 1/p, so that
   * the best of them are a linear problem; a range: it is searched there.
   */
  readonly start: 'linear' | 'inverse' | ((data: DataRange) => SearchRange);
  /** Positive: fitted on a log scale. */
  readonly positive?: true;
  readonly lower?: number;
  readonly upper?: number;
}

export interface SearchRange {
  readonly low: number;
  readonly high: number;
  readonly log: boolean;
}

/** What start values are found from. */
export interface DataRange {
  readonly low: number;
  readonly high: number;
  readonly span: number;
  /** The least x above 0; `high` where there is none. */
  readonly least: number;
  /** Rows of different x. */
  readonly places: number;
  readonly rows: number;
  readonly yLow: number;
  readonly yHigh: number;
  /** Every x is 0, 1, 2, …: what was counted. */
  readonly whole: boolean;
  /** Rank correlation of y with x, -1 to 1. */
  readonly trend: number;
  /** Median and quartiles of x. */
  readonly middle: number;
  readonly quartiles: readonly [number, number];
}
