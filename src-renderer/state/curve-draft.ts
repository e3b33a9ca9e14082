/**
 * A smooth curve needs the model at more places than there are data. Where the prediction is computed row by row, its
 * part of the document is given another table: the abscissa on a fine grid, every other column as it is in its group.
 */
import type { CheckReport } from '../../src-main/contract.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { blockOf, withEntry } from './draft.ts';
import type { DenseCurves, PlotRequest, Values } from './plot-data.ts';
import { chooseAbscissa, groupsOf, upstreamOf } from './plot-data.ts';
import { blockOfReference } from './wiring.ts';

export interface CurveDraft {
  readonly draft: Draft;
  readonly prediction: string;
  readonly link: PlotRequest['link'];
  /** The same for every group. */
  readonly grid: readonly number[];
  /** One run of the grid for each, in this order. */
  readonly groups: readonly number[];
}

const pointsAlone = 240;
const pointsInAll = 1500;

/** Null where the curve is only known at the data: rows that depend on each other, columns that vary beside the abscissa. */
export function curveDraft(
  draft: Draft,
  report: CheckReport | undefined,
  request: PlotRequest,
  values: Values,
): CurveDraft | null {
  const prediction = values.get(request.prediction);
  if (request.ordered || request.form !== 'points' || request.trials !== undefined || prediction?.shape.length !== 1)
    return null;
  const rows = prediction.values.length;
  const groupOf = groupsOf(request, values, rows);
  const x = chooseAbscissa(request, values, rows, groupOf);
  const abscissa = x === undefined ? undefined : values.get(x)?.values;
  if (x === undefined || !abscissa) return null;
  const firstRow = new Map<number, number>();
  for (let row = 0; row < rows; row++) if (!firstRow.has(groupOf(row))) firstRow.set(groupOf(row), row);
  const groups = [...firstRow.keys()].sort((a, b) => a - b);

  const table = blockOf(draft, x)?.['table'];
  const upstream = new Set(upstreamOf(report, request.prediction).map(blockOfReference));
  const blocks = draft.blocks.filter((block) => upstream.has(block.id));
  const columns = blocks.filter((block) => block.kind === 'column' && block['table'] === table);
  const grid = gridOver(abscissa, Math.min(pointsAlone, Math.floor(pointsInAll / groups.length)));
  let cells: unknown = {};
  for (const column of columns) {
    const list =
      column.id === x
        ? groups.flatMap(() => grid)
        : heldCells(column, report, values, groups, firstRow, groupOf, grid.length);
    if (!list || typeof column['column'] !== 'string') return null;
    cells = withEntry(cells, column['column'], list);
  }
  const tables = withEntry(draft['tables'], String(table), { columns: cells });
  return {
    draft: { format: draft.format, tables, blocks },
    prediction: request.prediction,
    link: request.link,
    grid,
    groups,
  };
}

function gridOver(x: ArrayLike<number>, count: number): number[] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < x.length; i++) {
    low = Math.min(low, x[i]!);
    high = Math.max(high, x[i]!);
  }
  if (!(high > low) || count < 2) return [low];
  return Array.from({ length: count }, (_, i) => low + ((high - low) * i) / (count - 1));
}

/** A column that is constant in each group, on the grid; labels are written out, so that codes stay what they are. */
function heldCells(
  column: BlockDraft,
  report: CheckReport | undefined,
  values: Values,
  groups: readonly number[],
  firstRow: ReadonlyMap<number, number>,
  groupOf: (row: number) => number,
  count: number,
): (number | string)[] | null {
  const value = values.get(column.id);
  if (!value) return null;
  for (let row = 0; row < value.values.length; row++)
    if (value.values[row] !== value.values[firstRow.get(groupOf(row))!]) return null;
  const labels = report?.blocks.find((block) => block.id === column.id)?.outputs[0]?.labels;
  return groups.flatMap((group) => {
    const held = value.values[firstRow.get(group)!]!;
    return Array.from({ length: count }, () => labels?.[held] ?? held);
  });
}

/** The values computed for a curve's document, parted into groups. */
export function denseCurves(curve: CurveDraft, prediction: ArrayLike<number>): DenseCurves {
  const { grid, groups, link } = curve;
  return new Map(
    groups.map((group, k) => [
      group,
      grid.map((x, i) => {
        const y = prediction[k * grid.length + i] ?? NaN;
        return [x, link === 'exp' ? Math.exp(y) : y] as const;
      }),
    ]),
  );
}
