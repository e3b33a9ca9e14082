/**
 * A shape of curve that a first model may have: f(x) = Σ cⱼ φⱼ(x; θ), linear in the coefficients c and not in θ. For
 * given θ the best c are a linear problem, so start values need a search over θ alone.
 * Source: G. H. Golub and V. Pereyra, SIAM J. Numer. Anal. 10 (1973), variable projection.
 */
export interface Shape {
  readonly name: string;
  readonly title: string;
  /** A formula of documents, in which `{x}` is the abscissa and `{k}` the parameter k. */
  readonly formula: string;
  /** Coefficients first, in the order of the basis, then θ. */
  readonly coefficients: readonly string[];
  readonly nonlinear: readonly Nonlinear[];
  /** φ at x; one number for each coefficient. */
  basis(x: number, theta: readonly number[]): readonly number[];
  /** Whether these data are such that the shape can be told from a plainer one. */
  suits?(range: DataRange): boolean;
}

export interface Nonlinear {
  readonly name: string;
  /** Between what the search looks, and whether by ratios. */
  range(data: DataRange): { readonly low: number; readonly high: number; readonly log: boolean };
}

export interface DataRange {
  readonly low: number;
  readonly high: number;
  readonly span: number;
  /** Of rows of different x. */
  readonly places: number;
}
