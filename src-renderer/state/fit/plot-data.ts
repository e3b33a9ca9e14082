/** What the engine plotted, as it is looked at: each comparison with its residuals, one group in front of the others. */
import type { Plot, PlotGroup } from '../../../src-main/contract/plots.ts';
import type { BlockDraft, Draft } from '../document/draft.ts';
import { blockOf, own } from '../document/draft.ts';
import { blockOfReference } from '../document/wiring.ts';

export interface Plotted {
  /** A comparison or a histogram. */
  readonly plot: Plot;
  readonly residuals: Plot;
}

/** A plot of residuals follows the plot that it belongs to. */
export function plottedOf(plots: readonly Plot[]): Plotted[] {
  return plots.flatMap((plot, i) => {
    const residuals = plots[i + 1];
    return plot.kind !== 'residuals' && residuals?.kind === 'residuals' ? [{ plot, residuals }] : [];
  });
}

export interface Point {
  readonly x: number;
  readonly y: number;
  /** The row of the plot's table that it is. */
  readonly row?: number | undefined;
}

export const pointsOf = ({ points: { x, y, rows } }: PlotGroup): Point[] =>
  x.map((value, i) => ({ x: value, y: y[i]!, ...(rows && { row: rows[i] }) }));

/** How many points of groups count for nothing, of all. */
export function excludedIn(groups: readonly PlotGroup[]): { readonly left: number; readonly all: number } {
  const out = groups.map(({ points }) => (points.excluded ?? []).filter(Boolean).length);
  const left = out.reduce((sum, each) => sum + each, 0);
  const counted = groups.map(({ points, whole }, i) => whole?.points ?? points.x.length - out[i]!);
  return { left, all: counted.reduce((sum, each) => sum + each, left) };
}

export const curvePoints = ({ curve }: PlotGroup): Point[] =>
  curve ? curve.x.map((x, i) => ({ x, y: curve.y[i]! })) : [];

/** What is predicted at the points, where that is known. */
export const predictedPoints = ({ points: { x, predicted = [] } }: PlotGroup): Point[] =>
  predicted.flatMap((y, i) => (Number.isFinite(y) ? [{ x: x[i]!, y }] : []));

/** Unit of the block behind a reference, as the document has it. */
export function unitOf(draft: Draft, reference: string | undefined): string {
  const block: BlockDraft | undefined =
    reference === undefined ? undefined : blockOf(draft, blockOfReference(reference));
  const unit = own(block, 'unit');
  return typeof unit === 'string' ? unit : '';
}
