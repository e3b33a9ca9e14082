/** A sample and its density, computed: counts in bins, what the density expects in each, and n·width·p(x) along the quantity. */
import type { Drawing } from '../../../models/plots/drawing.ts';
import { parts } from '../../../models/plots/sample.ts';
import type { Plot, PlotGroup } from '../../contract/plots.ts';
import type { Along } from './comparison-plots.ts';
import type { Around } from './plot-bands.ts';

type Leveled = Around & { readonly level: number };

/** `dense`: log p along the drawing's curve. Residuals are Pearson's: (count − expected)/√expected. */
export function samplePlots(
  { comparison, prediction, x, y, sample, curve, look, groups: { labels, by } }: Drawing,
  dense: Along | undefined,
  band: Leveled | undefined,
): Plot[] {
  if (!sample || !curve) return [];
  const { edges, width, counts } = sample;
  const [at] = curve.arguments.keys();
  const logs = at === undefined ? undefined : dense?.(at);
  const middles = counts[0]?.map((_, bin) => edges[bin]! + width / 2) ?? [];
  const found = labels.map((key, group) => {
    const seen = counts[group]!;
    const all = seen.reduce((sum, count) => sum + count, 0);
    const elements = Array.from(curve.grid, (_, i) => curve.elements[group * curve.grid.length + i]!);
    const heights = (shift: (element: number) => number): number[] =>
      elements.map((element) => all * width * Math.exp((logs?.[element] ?? NaN) + shift(element)));
    const line = heights(() => 0);
    const expected = seen.map(
      (_, bin) => line.slice(bin * parts, (bin + 1) * parts).reduce((a, b) => a + b, 0) / parts,
    );
    const half = (element: number): number => band?.half[element] ?? NaN;
    const confidence = { lower: heights((element) => -half(element)), upper: heights(half) };
    const isKnown = band !== undefined && confidence.upper.some(Number.isFinite);
    const shown: PlotGroup = {
      key,
      points: { x: middles, y: seen, predicted: expected },
      curve: { x: Array.from(curve.grid), y: line },
      ...(isKnown && {
        band: { level: band.level, confidence, ...(band.held.length > 0 && { held: [...band.held] }) },
      }),
    };
    const residuals = seen.map((count, bin) => (count - expected[bin]!) / Math.sqrt(expected[bin]!));
    return { shown, residuals: { key, points: residualPoints(middles, residuals) } };
  });
  const shared = { of: comparison.of, x, prediction: prediction ?? null, by: by.length > 0 ? by.join(', ') : null };
  const residual = { id: null, label: comparison.measure.residual, unit: '', scale: 'linear' } as const;
  return [
    {
      ...{ ...shared, kind: 'histogram', y, edges: Array.from(edges), groups: found.map(({ shown }) => shown) },
      ...(look && { look }),
    },
    { ...shared, kind: 'residuals', y: residual, groups: found.map(({ residuals }) => residuals) },
  ];
}

function residualPoints(x: readonly number[], residuals: readonly number[]): PlotGroup['points'] {
  const kept = residuals.flatMap((residual, bin) => (Number.isFinite(residual) ? [bin] : []));
  return { x: kept.map((bin) => x[bin]!), y: kept.map((bin) => residuals[bin]!) };
}
