/** Against what a prediction is looked at, and by which groups its rows part. */
import { numbers, upTo } from '../../engine/index.ts';
import type { Block } from '../blocks/block.ts';
import type { ColumnBlock } from '../blocks/column.ts';
import type { Output } from '../blocks/kind.ts';
import { listPorts } from '../blocks/parts/lists.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { computeOutput } from '../graph/data.ts';
import { referenceTo, upstreamOf } from './comparisons.ts';
import { lookedUpBy } from './looked-up.ts';
import { besideRows, rowByRow, rowsBehind, type RowByRow } from './rows.ts';
import { dataOf, solutionBehind, type LookedUpSolution } from './solution.ts';

export interface Groups {
  /** The group of each row; groups are numbered in the order of their labels, or of their first rows. */
  readonly of: Int32Array;
  /** One for each group; null where there is one only. */
  readonly labels: readonly (string | null)[];
  /** The columns that tell them apart, as they would be written. */
  readonly by: readonly string[];
}

export interface Abscissa {
  /** Undefined where it is the number of the row. */
  readonly x: Link | undefined;
  readonly values: Float64Array;
  readonly groups: Groups;
  /** Where the prediction is known between the rows: its table, in each group the same but for x. */
  readonly between: Between | undefined;
}

/** What is known between the rows stands along a column. */
interface BetweenRows {
  readonly x: Link;
  readonly between: Between;
}

export interface Between extends RowByRow {
  /** The column of the table that is the abscissa. */
  readonly column: string;
  /** Of each group a row of the table. */
  readonly rows: readonly number[];
}

/** Of what is looked at by itself, nothing is observed. */
interface Sides {
  readonly prediction: Link | undefined;
  readonly observed: Link | undefined;
}

export function abscissaOf(model: Model, { prediction, observed }: Sides): Abscissa {
  const side = observed ?? prediction;
  const rows = (side && outputAt(model, side).sizes[0]?.value) ?? 0;
  const known = prediction && rowByRow(model, prediction);
  const solution = prediction && solutionBehind(model, prediction);
  if (solution) return alongSolution(model, solution, rows);
  return (known && between(model, known, observed, rows)) ?? atRows(model, { prediction, observed }, rows, !known);
}

/** Numbers of which there is one for each row. */
interface Column {
  readonly id: string;
  readonly link: Link;
  readonly output: Output;
  readonly data: ArrayLike<number>;
}

function between(model: Model, known: RowByRow, observed: Link | undefined, rows: number): Abscissa | undefined {
  const implied = impliedBy(model, observed, known.columns);
  if (known.columns.some((id) => implied.has(id))) return undefined;
  return alongColumn(model, known, rows);
}

/** Why nothing is known between rows that do not hang together: undefined where they do. */
export function whyNotBetween(model: Model, { prediction, observed }: Sides): string | undefined {
  const known = prediction && rowByRow(model, prediction);
  if (!known) return undefined;
  const implied = impliedBy(model, observed, known.columns);
  if (known.columns.some((id) => implied.has(id)))
    return `the prediction "${prediction.block}" is made of what was observed`;
  const isNumber = (id: string): boolean => outputAt(model, { block: id, output: 0 }).element === 'real';
  if (!known.columns.some(isNumber)) return `no column of numbers enters the prediction "${prediction.block}"`;
  const names = known.columns.map((id) => `"${id}"`);
  const all = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  return names.length > 1
    ? `${all} vary from row to row, and nobody knows how they would go together in another`
    : undefined;
}

/** The prediction along one column, the others constant in each group. Undefined where most rows would be groups of their own. */
export function alongColumn(model: Model, known: RowByRow, rows: number): (Abscissa & BetweenRows) | undefined {
  const behind = rowsBehind(model, known);
  if (behind.length !== rows) return undefined;
  const columns = known.columns.map((id): Column => {
    const output = outputAt(model, { block: id, output: 0 });
    const data = numbers(rows, (i) => output.data?.[behind[i]!] ?? NaN);
    return { id, link: { block: id, output: 0 }, output, data };
  });
  const isNumber = ({ output }: Column): boolean => output.element === 'real';
  const parted = groupsBy(
    columns.filter((column) => !isNumber(column)),
    rows,
  );
  const x = mostDistinct(columns.filter(isNumber), parted);
  if (!x) return undefined;
  const name = ({ id }: Column): string => (model.blocks.get(id)!.node.block as ColumnBlock).column;
  // Another block may take the same column: it moves with the abscissa.
  const others = columns.filter((column) => name(column) !== name(x));
  const groups = groupsBy(others, rows);
  if (groups.labels.length > Math.max(1, rows / 2)) return undefined;
  const first = groups.labels.map((_, group) => behind[groups.of.indexOf(group)]!);
  return {
    x: x.link,
    values: new Float64Array(x.data),
    groups,
    between: { ...known, column: name(x), rows: first },
  };
}

/** Rows that look up a solution stand at its times, in groups that are alike in all else, or else of one experiment. */
function alongSolution(model: Model, { x, others }: LookedUpSolution, rows: number): Abscissa {
  const columns = others.map((id): Column => {
    const link = { block: id, output: 0 };
    return { id, link, output: outputAt(model, link), data: dataOf(model, id) };
  });
  const few = ({ labels }: Groups): boolean => labels.length <= Math.max(1, rows / 2);
  const categories = columns.filter(({ output }) => output.category);
  const groups = [columns, categories, []].map((by) => groupsBy(by, rows)).find(few)!;
  return { x: { block: x, output: 0 }, values: new Float64Array(dataOf(model, x)), groups, between: undefined };
}

/** The columns that tell what was observed. Where it is made of others too, of y and x say, x may stand on an axis. */
function impliedBy(model: Model, observed: Link | undefined, predicting: readonly string[]): ReadonlySet<string> {
  const seen = observed ? columnsBehind(model, observed) : [];
  return seen.every((id) => predicting.includes(id)) ? new Set(seen) : new Set();
}

/** The columns that values are made of; of the rows that a filter keeps, not those that decide which. */
function columnsBehind({ blocks }: Model, link: Link): string[] {
  const found = new Set<string>();
  const pending = [link];
  for (let next = pending.pop(); next; next = pending.pop()) {
    const key = `${next.block} ${next.output}`;
    const { node, links } = blocks.get(next.block)!;
    if (found.has(key)) continue;
    found.add(key);
    const { block } = node;
    // Of a range it is the length that is told.
    const ports =
      block.kind === 'range'
        ? []
        : block.kind === 'filter'
          ? [listPorts('values', block.values)[next.output]!]
          : links.keys();
    for (const port of ports) pending.push(links.get(port)!);
  }
  const ids = [...found].map((key) => key.slice(0, key.indexOf(' ')));
  return ids.filter((id) => blocks.get(id)?.node.block.kind === 'column');
}

/** Of what a prediction is made of: data, one number for each row. */
function columnsIn(model: Model, { prediction, observed }: Sides, rows: number): Column[] {
  if (!prediction) return [];
  const upstream = upstreamOf(model, [prediction]);
  const implied = impliedBy(model, observed, columnsBehind(model, prediction));
  const beside = besideRows(model, prediction);
  const lookedUp = lookedUpBy(model, upstream, rows);
  const tellers = new Set(lookedUp.flatMap((by) => by.tellers));
  const places = new Set(lookedUp.map((by) => by.places));
  return [...new Set([...upstream, ...tellers])].flatMap((id) => {
    const { node, outputs } = model.blocks.get(id)!;
    if (!isSource(id, node.block, beside) || places.has(id)) return [];
    return outputs.flatMap((output, index): Column[] => {
      const link = { block: id, output: index };
      if (output.sizes.length !== 1 || output.sizes[0]?.value !== rows || output.computed) return [];
      if (columnsBehind(model, link).some((column) => implied.has(column))) return [];
      return [{ id: referenceTo(model, link), link, output, data: output.data ?? computeOutput(model.blocks, link) }];
    });
  });
}

/** Data of its own, a number for each row: a constant may be a table that is looked up, of as many entries by chance. */
function isSource(id: string, block: Block, beside: ReadonlySet<string>): boolean {
  if (block.kind === 'constant') return beside.has(id);
  return block.kind === 'column' || block.kind === 'filter' || (block.kind === 'range' && block.like !== undefined);
}

/** Where rows hang together (`tied`) an abscissa must follow them, in every group; else it is the row's number. */
function atRows(model: Model, sides: Sides, rows: number, tied: boolean): Abscissa {
  const columns = columnsIn(model, sides, rows);
  const by = partingColumn(model, sides.prediction, columns);
  const groups = groupsBy(by ? [by] : [], rows);
  const candidates = columns.filter(
    ({ data, output, id }) => id !== by?.id && !output.category && (!tied || follows(data, groups)),
  );
  const x = mostDistinct(candidates, groups);
  const values = new Float64Array(x ? x.data : upTo(rows));
  return { x: x?.link, values, groups, between: undefined };
}

/** The column by which parameters are gathered, else the nearest category, if it parts the rows into few. */
function partingColumn(model: Model, prediction: Link | undefined, columns: readonly Column[]): Column | undefined {
  const gathered = new Set(
    upstreamOf(model, prediction ? [prediction] : []).flatMap((id) => {
      const { node, links } = model.blocks.get(id)!;
      const indices = node.block.kind === 'gather' ? links.get('indices') : undefined;
      return indices ? [referenceTo(model, indices)] : [];
    }),
  );
  return [...columns.filter(({ id }) => gathered.has(id)), ...columns.filter(({ output }) => output.category)].find(
    ({ data }) => new Set(Array.from(data)).size <= data.length / 2,
  );
}

/**
 * The column with the most distinct values, counted in each group, says most: what is the same for a patient says nothing of
 * how he does. Of equals the one with the most of all rows, then the nearest. One alone is not counted.
 */
function mostDistinct(columns: readonly Column[], groups: Groups): Column | undefined {
  const [first, ...others] = columns;
  let best = first;
  let most = first && others.length > 0 ? distinctIn(first, groups) : [0, 0];
  for (const column of others) {
    const found = distinctIn(column, groups);
    if (found[0]! > most[0]! || (found[0] === most[0] && found[1]! > most[1]!)) [best, most] = [column, found];
  }
  return best;
}

/** How many distinct values there are, counted in each group and over all. */
function distinctIn({ data }: Column, { of, labels }: Groups): readonly number[] {
  const seen = labels.map(() => new Set<number>());
  for (let row = 0; row < of.length; row++) {
    const value = data[row]!;
    if (Number.isFinite(value)) seen[of[row]!]!.add(value);
  }
  const within = seen.reduce((sum, { size }) => sum + size, 0);
  return [within, seen.length === 1 ? within : new Set(seen.flatMap((values) => [...values])).size];
}

function follows(data: ArrayLike<number>, groups: Groups): boolean {
  const last = new Map<number, number>();
  return Array.from(data).every((value, row) => {
    const group = groups.of[row]!;
    const before = last.get(group);
    last.set(group, value);
    return before === undefined || value >= before;
  });
}

/** Rows that agree in all of these columns; a category that tells them apart by itself names them. */
function groupsBy(columns: readonly Column[], rows: number): Groups {
  if (columns.length === 0) return { of: new Int32Array(rows), labels: [null], by: [] };
  const known = new Map<string, number>();
  const first: number[] = [];
  const of = Int32Array.from({ length: rows }, (_, row) => {
    const key = columns.map(({ data }) => data[row]).join(' ');
    const group = known.get(key) ?? known.size;
    if (!known.has(key)) {
      known.set(key, group);
      first.push(row);
    }
    return group;
  });
  if (first.length <= 1) return { of, labels: [null], by: [] };
  const alone = columns.find(
    ({ data, output }) => output.category && new Set(first.map((row) => data[row])).size === first.length,
  );
  const by = alone ? [alone] : columns;
  return { of, labels: first.map((row) => labelOf(by, row)), by: by.map(({ id }) => id) };
}

function labelOf(columns: readonly Column[], row: number): string {
  return groupLabel(columns.map(({ id, data, output }) => ({ id, value: data[row]!, category: output.category })));
}

/** The value of the one column that tells the groups apart; else of each, with its name. */
export function groupLabel(
  columns: readonly { readonly id: string; readonly value: number; readonly category: Output['category'] }[],
): string {
  const texts = columns.map(({ value, category }) => category?.[value] ?? String(value));
  return columns.length === 1 ? texts[0]! : columns.map(({ id }, i) => `${id} ${texts[i]}`).join(', ');
}
