/**
 * Times of which some have not ended, and the density that a document gives them: log f(t) where a mark says that it ended, the
 * logarithm of the probability that it lasts longer, log S(t), where it says that it did not. Which of its two values says so is
 * told by the values themselves: −S′ = f.
 */
import type { ColumnBlock } from '../blocks/column.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { alongColumn, type Abscissa, type Between } from './abscissa.ts';
import type { Comparison } from './comparisons.ts';
import { onOtherRows } from './finer.ts';
import { gridOver } from './grid.ts';
import { rowByRow, rowsBehind, type RowByRow } from './rows.ts';
import { binned, type Bins } from './sample.ts';
import type { ScaleName } from '../notation/scales.ts';

export interface Survival {
  readonly bins: Bins;
  /** Of each row, which of the mark's two values it has. */
  readonly marks: Uint8Array;
  readonly courses: readonly Course[];
}

/** Of a group: the times along which log f and log S are computed, ascending, and the elements that they are, by the mark. */
interface Course {
  readonly times: Float64Array;
  readonly elements: readonly [Int32Array, Int32Array];
}

export interface Found extends Survival {
  readonly x: Link;
  readonly abscissa: Abscissa;
  /** The model on a table that has each group's times with either mark. */
  readonly model: Model;
}

/** More times of a group than these stand between those at which it is computed. */
const mostTimes = 1000;
/** Of many groups each has fewer. */
const timesInAll = 4000;
const evenly = 200;

/** Undefined where the density is made of other columns than the times, one mark, and groups. */
export function survivalOf(
  model: Model,
  { prediction, observed }: Comparison,
  scale: ScaleName = 'linear',
): Found | undefined {
  const known = prediction && rowByRow(model, prediction);
  const mark = known && markOf(model, known, observed);
  if (!known || !mark) return undefined;
  const rows = mark.of.length;
  const found = alongColumn(model, { ...known, columns: known.columns.filter((id) => id !== mark.id) }, rows);
  if (found?.x.block !== observed.block) return undefined;
  const { x, values, groups, between } = found;
  const bins = binned(values);
  if (!bins) return undefined;
  const perGroup = Math.max(24, Math.min(mostTimes, Math.floor(timesInAll / groups.labels.length)));
  const times = groups.labels.map((_, group) =>
    alongTimes(
      values.filter((_value, row) => groups.of[row] === group),
      perGroup,
      scale,
    ),
  );
  const finer = withEitherMark(model, prediction, between, mark, times);
  return finer && { ...finer, bins, marks: mark.of, x, abscissa: found };
}

interface Mark {
  readonly id: string;
  readonly column: string;
  readonly values: readonly [number, number];
  readonly whole: boolean;
  readonly of: Uint8Array;
}

function markOf(model: Model, known: RowByRow, observed: Link): Mark | undefined {
  const others = known.columns.filter(
    (id) => id !== observed.block && outputAt(model, { block: id, output: 0 }).category === undefined,
  );
  const [id] = others;
  if (id === undefined || others.length > 1) return undefined;
  const { data, element } = outputAt(model, { block: id, output: 0 });
  const told = Array.from(rowsBehind(model, known), (row) => data?.[row] ?? NaN);
  const values = [...new Set(told)];
  if (values.length !== 2 || !values.every(Number.isFinite)) return undefined;
  const { column } = model.blocks.get(id)!.node.block as ColumnBlock;
  const of = Uint8Array.from(told, (value) => values.indexOf(value));
  return { id, column, values: values as [number, number], whole: element === 'int', of };
}

/** Times between the first and the last, from 0 on where they are lifetimes, and those of the data themselves. */
function alongTimes(values: Float64Array, count: number, scale: ScaleName): Float64Array {
  const sorted = [...new Set(values.filter(Number.isFinite))].sort((a, b) => a - b);
  const step = Math.max(1, sorted.length / count);
  const kept = Array.from({ length: Math.min(count, sorted.length) }, (_, i) => sorted[Math.floor(i * step)]!);
  const begin = scale === 'linear' && sorted[0]! > 0 ? [0] : [];
  return gridOver([...begin, ...kept, ...sorted.slice(-1)], Math.min(evenly, count), { scale, through: true });
}

function withEitherMark(
  model: Model,
  prediction: Link,
  between: Between,
  mark: Mark,
  times: readonly Float64Array[],
): Pick<Found, 'model' | 'courses'> | undefined {
  const moved = times.flatMap((each) => [...each, ...each]);
  const marks = times.flatMap((each) => mark.values.flatMap((value) => Array.from(each, () => value)));
  const rows = times.flatMap((each, group) => Array.from({ length: 2 * each.length }, () => between.rows[group]!));
  const finer = onOtherRows(
    model,
    [prediction],
    [
      {
        table: between.table,
        moved: new Map<string, Float64Array | Int32Array>([
          [between.column, Float64Array.from(moved)],
          [mark.column, mark.whole ? Int32Array.from(marks) : Float64Array.from(marks)],
        ]),
        rows: Int32Array.from(rows),
      },
    ],
  );
  if (!finer) return undefined;
  const elements = new Int32Array(moved.length).fill(-1);
  rowsBehind(finer, between).forEach((row, element) => (elements[row] = element));
  let from = 0;
  const courses = times.map((each): Course => {
    const [middle, to] = [from + each.length, from + 2 * each.length];
    const course: Course = { times: each, elements: [elements.slice(from, middle), elements.slice(middle, to)] };
    from = to;
    return course;
  });
  return { model: finer, courses };
}
