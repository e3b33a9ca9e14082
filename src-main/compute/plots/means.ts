/** Replicates as their mean: m = Σ y/n, sd² = Σ (y − m)²/(n − 1), sem = sd/√n; of one value there is no deviation. */
import type { PlotGroup } from '../../contract/plots.ts';

/** One for each place, ascending; what is excluded counts for nothing, and of what is censored no value is known. */
export function meansOf(
  { x, y, excluded, censored }: PlotGroup['points'],
  error: 'sd' | 'sem',
): NonNullable<PlotGroup['means']> {
  const at = new Map<number, number[]>();
  x.forEach((place, i) => {
    const value = y[i]!;
    if (excluded?.[i] || censored?.[i] || !Number.isFinite(value)) return;
    const values = at.get(place);
    if (values) values.push(value);
    else at.set(place, [value]);
  });
  const places = [...at].sort(([a], [b]) => a - b);
  const means = places.map(([, values]) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const errors = places.map(([, values], i) => {
    const n = values.length;
    const squares = values.reduce((sum, value) => sum + (value - means[i]!) ** 2, 0);
    return Math.sqrt(squares / (n - 1) / (error === 'sem' ? n : 1));
  });
  return { x: places.map(([place]) => place), y: means, error: errors };
}
