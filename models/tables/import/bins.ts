/** Bins as their middles: `0.5-1.0` in one cell, or lower and upper edge side by side, where each begins as the one above ends. */
import { cellNumber, type RawColumn } from '../cells.ts';
import { distinct, type Source, type SourceColumn } from './source.ts';

/** Fewer may meet by chance. */
const leastBins = 4;

const isEdges = (lower: string, upper: string): boolean =>
  /(?:^|[^\p{L}])(?:low(?:er)?|lo|left|from|min|start|begin|unten|untere?|von|links)(?!\p{L})/iu.test(lower) &&
  /(?:^|[^\p{L}])(?:high(?:er)?|hi|upper|up|right|to|max|stop|end|oben|obere?|bis|rechts)(?!\p{L})/iu.test(upper);

type Bin = readonly [from: number, to: number];

export function binned(source: Source): Source {
  const notes: string[] = [];
  const columns: SourceColumn[] = [];
  for (let j = 0; j < source.columns.length; j++) {
    const [column, next] = [source.columns[j]!, source.columns[j + 1]];
    const own = binsOf(source.rows, (row) => rangeIn(column.raw, row));
    const both =
      own ??
      (next && isEdges(column.name, next.name)
        ? binsOf(source.rows, (row) => edgesIn(column.raw, next.raw, row))
        : undefined);
    if (!both) {
      columns.push(column);
      continue;
    }
    const name = own ? column.name : nameOfBoth(column.name, next!.name);
    columns.push({ name, unit: column.unit, raw: middles(both) });
    notes.push(`${name} is taken as the middle of each bin.`);
    if (!own) j++;
  }
  if (notes.length === 0) return source;
  const names = distinct(columns.map(({ name }) => name));
  return {
    ...source,
    columns: columns.map((column, j) => ({ ...column, name: names[j]! })),
    notes: [...source.notes, ...notes],
  };
}

function binsOf(rows: number, at: (row: number) => Bin | undefined): readonly Bin[] | undefined {
  if (rows < leastBins) return undefined;
  const bins: Bin[] = [];
  for (let row = 0; row < rows; row++) {
    const bin = at(row);
    const isNext = bin && bin[0] < bin[1] && (row === 0 || bins[row - 1]![1] === bin[0]);
    if (!isNext) return undefined;
    bins.push(bin);
  }
  return bins;
}

/** `0.5-1.0`, `0.5 – 1.0`, `0.5 to 1.0`, `[0.5, 1.0)`. */
const range = /^[[(]?\s*(-?[\d.,]+?(?:e[+-]?\d+)?)\s*(?:[-–—]|to|bis|,\s)\s*(-?[\d.,]+(?:e[+-]?\d+)?)\s*[\])]?$/iu;

function rangeIn(raw: RawColumn, row: number): Bin | undefined {
  if (raw.kind !== 'text') return undefined;
  const [, from = '', to = ''] = range.exec(raw.cell(row).trim()) ?? [];
  return edges(cellNumber(from, raw.decimal), cellNumber(to, raw.decimal));
}

const edgesIn = (lower: RawColumn, upper: RawColumn, row: number): Bin | undefined =>
  edges(numberIn(lower, row), numberIn(upper, row));

const numberIn = (raw: RawColumn, row: number): number | undefined =>
  raw.kind === 'text' ? cellNumber(raw.cell(row), raw.decimal) : raw.values[row];

const edges = (from: number | undefined, to: number | undefined): Bin | undefined =>
  from === undefined || to === undefined ? undefined : [from, to];

/** Not 0.15000000000000002. */
const middles = (bins: readonly Bin[]): RawColumn => ({
  kind: 'numbers',
  values: Float64Array.from(bins, ([from, to]) => Number(((from + to) / 2).toPrecision(12))),
});

/** `bin_low`, `bin_high`: bin. */
function nameOfBoth(lower: string, upper: string): string {
  let length = 0;
  while (length < lower.length && lower[length] === upper[length]) length++;
  return lower.slice(0, length).replace(/[\s._-]+$/, '') || lower;
}
