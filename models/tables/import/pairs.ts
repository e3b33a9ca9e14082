/**
 * A table of curves side by side, each with an abscissa of its own (`x_A,y_A,x_B,y_B`, `x1,x2,y1,y2`, `t,A,t,B`), as other tables
 * have it: one below the other, with a label for each.
 */
import type { RawColumn } from '../cells.ts';
import { cellAs, gathered } from './gathered.ts';
import type { Source, SourceColumn } from './source.ts';

/** What is set, and stands once for each curve. */
const abscissa = String.raw`x|t|time|zeit|conc\p{L}*|konz\p{L}*|dose|dosis|temp\p{L}*|wavelength|wellenlänge|energy|energie|frequency|frequenz|2?theta|voltage|spannung|distance|abstand`;
const before = new RegExp(String.raw`^(?<stem>${abscissa})(?:[\s._-]+(?<label>\S.*)|(?<number>\d+))$`, 'iu');
const behind = new RegExp(String.raw`^(?<label>\S.*?)[\s._-]+(?<stem>${abscissa})$`, 'iu');
const alone = new RegExp(String.raw`^(?:${abscissa})$`, 'iu');

interface Pair {
  readonly label: string;
  readonly x: SourceColumn;
  readonly y: SourceColumn;
}

interface Found {
  readonly x: string;
  readonly y: string;
  readonly pairs: readonly Pair[];
}

export function stackedPairs(source: Source): Source {
  const { rows, dialect, line } = source;
  const columns = withoutCount(source);
  const found = dialect?.header && columns.length >= 4 && columns.length % 2 === 0 ? pairsOf(columns) : undefined;
  if (!found || !dialect) return source;
  const { pairs } = found;
  const areOfOneUnit = pairs.every(({ x, y }) => x.unit === pairs[0]!.x.unit && y.unit === pairs[0]!.y.unit);
  if (!areOfOneUnit) return source;
  const cellOf = ({ raw }: SourceColumn, row: number): string => cellAs(dialect.decimal, raw, row);
  // Curves may be of unequal length.
  const places = pairs.flatMap((pair) =>
    Array.from({ length: rows }, (_, row) => ({ pair, row })).filter(
      (place) => cellOf(place.pair.x, place.row) !== '' || cellOf(place.pair.y, place.row) !== '',
    ),
  );
  const { length } = places;
  const labels: RawColumn = {
    ...{ kind: 'text', length, decimal: dialect.decimal },
    cell: (i) => places[i]!.pair.label,
    quoted: () => false,
  };
  const cells = (of: 'x' | 'y'): RawColumn =>
    gathered(length, dialect.decimal, (i) => [places[i]!.pair[of].raw, places[i]!.row]);
  return {
    ...source,
    columns: [
      { name: 'series', unit: undefined, raw: labels },
      { name: found.x, unit: pairs[0]!.x.unit, raw: cells('x') },
      { name: found.y, unit: pairs[0]!.y.unit, raw: cells('y') },
    ],
    rows: length,
    ...(line && { line: (row: number) => line(places[row]!.row) }),
    notes: [
      ...source.notes,
      `Each column of ${found.y} has an own ${found.x}: the ${pairs.length} pairs of columns are a curve each.`,
    ],
  };
}

/** Names of rows that count them are of no curve. */
function withoutCount({ columns }: Source): readonly SourceColumn[] {
  const [first, ...others] = columns;
  if (first?.name !== 'column1' || first.raw.kind !== 'text') return columns;
  const { cell, length } = first.raw;
  return Array.from({ length }).every((_, row) => cell(row) === String(row + 1)) ? others : columns;
}

function pairsOf(columns: readonly SourceColumn[]): Found | undefined {
  return repeatedAbscissa(columns) ?? named(columns, before) ?? named(columns, behind);
}

/** `t, A, t, B`, of which the second t is called `t 2`; and `x, y, x, y`. */
function repeatedAbscissa(columns: readonly SourceColumn[]): Found | undefined {
  const first = columns[0]!.name;
  const pairs = Array.from({ length: columns.length / 2 }, (_, i) => ({
    x: columns[2 * i]!,
    y: columns[2 * i + 1]!,
  }));
  if (!alone.test(first) || !pairs.every(({ x }, i) => x.name === (i === 0 ? first : `${first} ${i + 1}`)))
    return undefined;
  const own = pairs[0]!.y.name;
  const isOneName = pairs.every(({ y }, i) => y.name === (i === 0 ? own : `${own} ${i + 1}`));
  return {
    x: first,
    y: isOneName ? own : 'value',
    pairs: pairs.map((pair, i) => ({ ...pair, label: isOneName ? String(i + 1) : pair.y.name })),
  };
}

/** Half of the names say one abscissa and a label, and the others one name more with the same labels. */
function named(columns: readonly SourceColumn[], pattern: RegExp): Found | undefined {
  const abscissae = columns.flatMap((x) => {
    const { stem, label, number } = pattern.exec(x.name)?.groups ?? {};
    return stem === undefined ? [] : [{ x, stem, label: label ?? number ?? '' }];
  });
  const [{ stem } = { stem: '' }] = abscissae;
  const own = abscissae.filter((each) => each.stem.toLowerCase() === stem.toLowerCase());
  if (own.length !== columns.length / 2 || new Set(own.map(({ label }) => label)).size < own.length) return undefined;
  const others = columns.filter((column) => !own.some(({ x }) => x === column));
  // With what stands before or behind the label in place of the abscissa.
  const nameOf = (y: string, { x, label }: (typeof own)[number]): string =>
    pattern === before ? y + x.name.slice(stem.length) : label + x.name.slice(label.length, -stem.length) + y;
  const joint = own[0]!.x.name.length - stem.length;
  const [y = ''] = others.flatMap(({ name }) => {
    const rest = pattern === before ? name.slice(0, -joint) : name.slice(joint);
    return rest !== '' && nameOf(rest, own[0]!) === name ? [rest] : [];
  });
  const pairs = own.flatMap((each): Pair[] => {
    const found = others.find(({ name }) => name.toLowerCase() === nameOf(y, each).toLowerCase());
    return found ? [{ label: each.label, x: each.x, y: found }] : [];
  });
  return y !== '' && pairs.length === own.length ? { x: stem, y, pairs } : undefined;
}
