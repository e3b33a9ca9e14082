/** Intervals drawn on one relative axis, so that a column of them can be compared. */
export interface Whisker {
  readonly from: number;
  readonly to: number;
  readonly openBelow: boolean;
  readonly openAbove: boolean;
}

const inset = 8;
const edge = 3;

/** The ends in pixels; `span` is the fraction of the value that the axis shows on either side. Null without an interval. */
export function whiskerOf(value: number, lower: number, upper: number, span: number, width: number): Whisker | null {
  if (!Number.isFinite(value) || value === 0 || Number.isNaN(lower) || Number.isNaN(upper)) return null;
  const relative = (end: number) => (end - value) / Math.abs(value);
  const x = (fraction: number) => width / 2 + (fraction / span) * (width / 2 - inset);
  const [below, above] = [relative(lower), relative(upper)];
  const openBelow = below < -span * 1.02;
  const openAbove = above > span * 1.02;
  return {
    from: openBelow ? edge : x(below),
    to: openAbove ? width - edge : x(above),
    openBelow,
    openAbove,
  };
}

/** A round span that shows most intervals whole: an outlier gets an arrow instead of making all others invisible. */
export function spanOf(estimates: readonly { value: number; lower95: number; upper95: number }[]): number {
  const halves = estimates
    .map(({ value, lower95, upper95 }) => Math.max(value - lower95, upper95 - value) / Math.abs(value))
    .filter((half) => Number.isFinite(half) && half > 0)
    .sort((a, b) => a - b);
  const typical = halves[Math.floor(halves.length * 0.8)] ?? halves.at(-1) ?? 0.1;
  const wanted = Math.min(typical * 1.1, 2);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([1, 2, 5, 10].find((step) => step * power >= wanted) ?? 10) * power;
}
