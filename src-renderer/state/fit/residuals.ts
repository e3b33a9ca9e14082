/** Residuals against the quantiles of a normal. */
import normalQuantile from '@stdlib/stats-base-dists-normal-quantile';

export interface Residual {
  readonly x: number;
  readonly y: number;
}

/** Sorted residuals against what a standard normal would have there, at the plotting positions (i − 3/8)/(n + 1/4) of Blom (1958). */
export function quantilePoints(residuals: readonly Residual[]): Residual[] {
  const sorted = residuals.map(({ y }) => y).filter(Number.isFinite);
  sorted.sort((a, b) => a - b);
  return sorted.map((y, i) => ({ x: normalQuantile((i + 1 - 0.375) / (sorted.length + 0.25), 0, 1), y }));
}

/** The line through the quartiles, on which normal residuals lie; undefined for fewer than four. */
export function quartileLine(
  points: readonly Residual[],
): { readonly slope: number; readonly offset: number } | undefined {
  if (points.length < 4) return undefined;
  const at = (share: number) => points[Math.round(share * (points.length - 1))]!;
  const [low, high] = [at(0.25), at(0.75)];
  const slope = (high.y - low.y) / (high.x - low.x);
  return { slope, offset: low.y - slope * low.x };
}
