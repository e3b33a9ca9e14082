/** How many digits numbers want that are read beside each other. */

const exponentOf = (x: number): number => Math.floor(Math.log10(x));

/** What is closer than this share of the largest is the same to the eye. */
const same = 1e-11;

/** Significant digits, `usual` at least, that leave two to the closest of those that differ. */
export function digitsApart(values: readonly number[], usual: number): number {
  const known = values.filter((value) => Number.isFinite(value)).sort((a, b) => a - b);
  const most = Math.max(...known.map(Math.abs));
  const gaps = known.slice(1).map((value, i) => value - known[i]!);
  const gap = Math.min(...gaps.filter((each) => each > same * most));
  return Number.isFinite(gap) ? Math.max(usual, exponentOf(most) - exponentOf(gap) + 2) : usual;
}
