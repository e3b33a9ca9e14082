/**
 * What stands at the rows of a comparison, in columns: a slider asks for thousands of rows at every move, and there is an
 * object for none of them.
 */
import type { Drawing } from '../../../models/plots/drawing.ts';
import { residualOf } from '../../../models/plots/measures.ts';
import type { PlotGroup } from '../../contract/plots.ts';
import type { CensoredSide } from '../../../models/notation/plot-marks.ts';
import type { Limited } from '../../../models/objective/limited.ts';
import type { Arguments } from './arguments.ts';

type Points = PlotGroup['points'];

/** Columns of equal length; an element of each makes a row. */
export interface Rows {
  /** Its place among the observations. */
  readonly at: Int32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly predicted: Float64Array;
  readonly residual: Float64Array;
  /** One standard deviation of the noise, where it is drawn. */
  readonly error: Float64Array | undefined;
  /** Of what is known by a limit alone, at which it stands: on which side of it. Nothing is left of a prediction there. */
  readonly censored: readonly (CensoredSide | null)[] | undefined;
  /** The row of the table that it is, if it is one. */
  readonly tableRow: Int32Array | undefined;
  /** By group, which of these rows are its own. */
  readonly own: readonly (readonly number[])[];
}

/** `shown`: which observations. */
export function rowsOf(
  { comparison, values, groups, table }: Drawing,
  { observed, shown }: { readonly observed: ArrayLike<number>; readonly shown: Int32Array },
  {
    valuesAt,
    limitedAt,
  }: Pick<Arguments, 'valuesAt'> & { readonly limitedAt: (row: number, y: number) => Limited | undefined },
): Rows {
  const { measure } = comparison;
  const column = (): Float64Array => new Float64Array(shown.length);
  const [x, y, predicted, residual] = [column(), column(), column(), column()];
  const error = measure.errors ? column() : undefined;
  const tableRow = table && new Int32Array(shown.length);
  const censored = comparison.limits.length > 0 ? new Array<CensoredSide | null>(shown.length).fill(null) : undefined;
  const own = groups.labels.map((): number[] => []);
  const left = residualOf(measure);
  for (let i = 0; i < shown.length; i++) {
    const row = shown[i]!;
    const given = valuesAt(row);
    x[i] = values[row]!;
    const limited = limitedAt(row, observed[row]!);
    y[i] = limited?.at ?? observed[row]!;
    predicted[i] = measure.expected(...given);
    residual[i] = limited ? NaN : left(y[i]!, given);
    if (error) error[i] = limited ? NaN : measure.deviation(...given);
    if (censored && limited) censored[i] = limited.side;
    if (tableRow) tableRow[i] = table.rows[row]!;
    own[groups.of[row]!]!.push(i);
  }
  return { at: shown, x, y, predicted, residual, error, censored, tableRow, own };
}

/** Those that count for nothing; nothing is predicted of them. */
export interface Left {
  readonly x: readonly number[];
  readonly y: readonly number[];
  readonly rows: readonly number[];
}

/** By group. */
export function leftOut({ excluded, groups }: Drawing): Left[] {
  const labels = [...groups.labels, ...(excluded?.labels ?? [])];
  return labels.map((_, group) => {
    if (!excluded) return { x: [], y: [], rows: [] };
    const { x, y, rows } = excluded;
    const own = [...excluded.group.keys()].filter((i) => excluded.group[i] === group);
    return { x: taken(x, own), y: taken(y, own), rows: taken(rows, own) };
  });
}

/** Of a group those rows at which there is a point: a missing value is none. */
export function seenIn({ x, y, own }: Rows, group: number): number[] {
  return (own[group] ?? []).filter((i) => Number.isFinite(x[i]) && Number.isFinite(y[i]));
}

/** These rows, and behind them what is shown beside those that count. */
export function pointsOf(
  { x, y, predicted, error, censored, tableRow }: Rows,
  seen: readonly number[],
  left: Left,
): Points {
  const unknown = left.x.map(() => NaN);
  return {
    x: taken(x, seen).concat(left.x),
    y: taken(y, seen).concat(left.y),
    predicted: taken(predicted, seen).concat(unknown),
    ...(error && seen.length > 0 && { error: taken(error, seen).concat(unknown) }),
    ...rowsIn(tableRow && taken(tableRow, seen).concat(left.rows)),
    ...(seen.some((i) => censored?.[i]) && {
      censored: [...seen.map((i) => censored![i]!), ...left.x.map(() => null)],
    }),
    ...(left.x.length > 0 && { excluded: [...seen.map(() => false), ...left.x.map(() => true)] }),
  };
}

export function residualPoints({ x, residual, tableRow, own }: Rows, group: number): Points {
  const seen = (own[group] ?? []).filter((i) => Number.isFinite(x[i]) && Number.isFinite(residual[i]));
  return { x: taken(x, seen), y: taken(residual, seen), ...rowsIn(tableRow && taken(tableRow, seen)) };
}

/** Pushed: what `map` makes of whole numbers takes four times as long to cross to another process. */
function taken(column: ArrayLike<number>, places: readonly number[]): number[] {
  const found: number[] = [];
  for (const i of places) found.push(column[i]!);
  return found;
}

const rowsIn = (rows: number[] | undefined): { readonly rows?: number[] } => (rows && rows.length > 0 ? { rows } : {});
