/**
 * What the Fit panel draws, found in the document: for each objective the observed values, the prediction, and the column
 * against which they are looked at; whether as points and a curve or as counts; by which groups they part.
 */
import type { ArrayValue, CheckReport } from '../../src-main/contract.ts';
import type { BandPoint } from './bands.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { blockOf, objectivesOf, own } from './draft.ts';
import { distinctShare, shownRows } from './shown-rows.ts';
import { blockOfReference } from './wiring.ts';

export interface PlotRequest {
  readonly objective: string;
  /** `counts`: observed is binned, and drawn as bars. */
  readonly form: 'points' | 'counts';
  readonly observed: string;
  readonly prediction: string;
  /** A binomial's trials, times which the prediction (a probability) is taken. */
  readonly trials: string | number | undefined;
  readonly sigma: string | number | undefined;
  /** How the prediction's values become those of `observed`. */
  readonly link: 'identity' | 'exp';
  /** Columns that feed the prediction, nearest first; the values decide among them. */
  readonly candidates: readonly string[];
  readonly group: string | undefined;
  /** The prediction depends on the order of its rows. */
  readonly ordered: boolean;
}

export interface Series {
  /** The group's label, '' where there is one only. */
  readonly label: string;
  readonly points: readonly Mark[];
  /** Sorted by x. */
  readonly curve: readonly (readonly [x: number, y: number])[];
  /** Of the prediction at its rows; empty where none is known. */
  readonly band: readonly BandPoint[];
}

export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly error: number | undefined;
  readonly predicted: number;
}

export interface PlotData {
  readonly objective: string;
  readonly form: 'points' | 'counts';
  /** The column on the abscissa; undefined is the row or bin number. */
  readonly x: string | undefined;
  readonly observed: string;
  readonly series: readonly Series[];
}

/** What each family predicts of the observed values. */
const predictionKey = new Map([
  ['normal', 'mean'],
  ['poisson', 'mean'],
  ['binomial', 'probability'],
  ['student-t', 'mean'],
  ['negative-binomial', 'mean'],
  ['log-normal', 'mean'],
]);

/** Blocks whose result depends on the order of the rows. */
const orderedKinds = new Set(['scan', 'recurrence', 'ode', 'shift']);

export function plotRequests(draft: Draft, report: CheckReport | undefined): PlotRequest[] {
  return objectivesOf(draft).flatMap((id) => {
    const request = plotRequest(draft, report, id);
    return request ? [request] : [];
  });
}

function plotRequest(draft: Draft, report: CheckReport | undefined, id: string): PlotRequest | undefined {
  const block = blockOf(draft, id);
  if (!block) return undefined;
  const family = block.kind === 'likelihood' ? String(block['family']) : undefined;
  if (block.kind !== 'least-squares' && family === undefined) return undefined;
  const observed = block['observed'];
  const prediction = block[family === undefined ? 'prediction' : (predictionKey.get(family) ?? 'mean')];
  if (typeof observed !== 'string' || typeof prediction !== 'string') return undefined;
  const upstream = upstreamOf(report, prediction);
  const blocks = upstream.flatMap((reference) => blockOf(draft, blockOfReference(reference)) ?? []);
  const rows = sizeOf(report, prediction);
  const columns = blocks.filter(
    (other) => other.kind === 'column' && other.id !== blockOfReference(observed) && sizeOf(report, other.id) === rows,
  );
  const group = groupColumn(report, blocks, rows);
  const sigma = block['sigma'];
  return {
    objective: id,
    form: isBinned(draft, report, observed, family) ? 'counts' : 'points',
    observed,
    prediction,
    trials: family === 'binomial' ? scalarOrReference(block['trials']) : undefined,
    sigma: family === undefined || family === 'normal' ? scalarOrReference(sigma) : undefined,
    link: family === 'log-normal' ? 'exp' : 'identity',
    candidates: columns.map((column) => column.id).filter((column) => column !== group),
    group,
    ordered: blocks.some((other) => orderedKinds.has(other.kind)),
  };
}

/** What parts the rows: the column by which parameters are gathered, else a category that the prediction looks at. */
function groupColumn(
  report: CheckReport | undefined,
  blocks: readonly BlockDraft[],
  rows: number | undefined,
): string | undefined {
  const isColumn = (id: string) => blocks.some((block) => block.id === id && block.kind === 'column');
  const gathered = blocks
    .filter((block) => block.kind === 'gather')
    .map((block) => String(block['indices']))
    .find((id) => isColumn(id) && sizeOf(report, id) === rows);
  if (gathered !== undefined) return gathered;
  const isCategory = (id: string) => {
    const output = report?.blocks.find((other) => other.id === id)?.outputs[0];
    return output?.element === 'int' && output.labels !== undefined;
  };
  return blocks.find((block) => isColumn(block.id) && isCategory(block.id) && sizeOf(report, block.id) === rows)?.id;
}

/** Everything that feeds a reference, nearest first. */
export function upstreamOf(report: CheckReport | undefined, reference: string): string[] {
  const reports = new Map((report?.blocks ?? []).map((block) => [block.id, block]));
  const found = [reference];
  const seen = new Set([blockOfReference(reference)]);
  for (let next = 0; next < found.length; next++) {
    for (const { source } of reports.get(blockOfReference(found[next]!))?.inputs ?? []) {
      if (source === undefined || seen.has(blockOfReference(source))) continue;
      seen.add(blockOfReference(source));
      found.push(source);
    }
  }
  return found;
}

/** Counts made by a histogram, or counts in a Poisson likelihood. */
function isBinned(
  draft: Draft,
  report: CheckReport | undefined,
  observed: string,
  family: string | undefined,
): boolean {
  const made = upstreamOf(report, observed).some(
    (reference) => blockOf(draft, blockOfReference(reference))?.kind === 'histogram',
  );
  return made || family === 'poisson' || family === 'negative-binomial';
}

function scalarOrReference(value: unknown): string | number | undefined {
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function sizeOf(report: CheckReport | undefined, reference: string): number | undefined {
  const block = report?.blocks.find((other) => other.id === blockOfReference(reference));
  const name = reference.slice(blockOfReference(reference).length + 1);
  const output = block?.outputs.find((other) => other.name === name) ?? block?.outputs[0];
  return output?.sizes.length === 1 ? output.sizes[0] : undefined;
}

/** The outputs that have to be evaluated for a plot. */
export function referencesOf(request: PlotRequest): string[] {
  const references = [request.observed, request.prediction, ...request.candidates];
  for (const reference of [request.group, request.sigma, request.trials])
    if (typeof reference === 'string') references.push(reference);
  return [...new Set(references)];
}

export type Values = ReadonlyMap<string, ArrayValue>;

/** A curve on a grid of its own, by group; see `curve-draft.ts`. */
export type DenseCurves = ReadonlyMap<number, Series['curve']>;

/** Null where the values do not make a plot: one is missing, or the observations are no list. */
export function plotData(
  request: PlotRequest,
  values: Values,
  labels: readonly string[] = [],
  dense?: DenseCurves,
  bands?: ReadonlyMap<number, readonly BandPoint[]>,
): PlotData | null {
  const observed = values.get(request.observed);
  const prediction = values.get(request.prediction);
  if (!observed || !prediction || observed.shape.length !== 1) return null;
  const rows = observed.values.length;
  const at = (source: string | number | undefined, row: number): number | undefined => {
    if (typeof source === 'number') return source;
    const array = source === undefined ? undefined : values.get(source);
    return array && (array.shape.length === 0 ? array.values[0] : array.values[row]);
  };
  const groupOf = groupsOf(request, values, rows);
  const x = chooseAbscissa(request, values, rows, groupOf);
  const marks = new Map<number, Mark[]>();
  for (const row of shownRows(observed.values)) {
    const predicted = at(request.prediction, row) ?? NaN;
    const linked = request.link === 'exp' ? Math.exp(predicted) : predicted;
    const mark: Mark = {
      x: x === undefined ? row : values.get(x)!.values[row]!,
      y: observed.values[row]!,
      error: at(request.sigma, row),
      predicted: request.trials === undefined ? linked : linked * (at(request.trials, row) ?? NaN),
    };
    const group = groupOf(row);
    const list = marks.get(group);
    if (list) list.push(mark);
    else marks.set(group, [mark]);
  }
  const series = [...marks]
    .sort(([a], [b]) => a - b)
    .map(([group, points]): Series => {
      const curve = points.map((mark) => [mark.x, mark.predicted] as const).sort((a, b) => a[0] - b[0]);
      return {
        label: marks.size > 1 ? (labels[group] ?? String(group)) : '',
        points: points.filter((mark) => Number.isFinite(mark.y) && Number.isFinite(mark.x)),
        band: bands?.get(group) ?? [],
        curve: (dense?.get(group) ?? curve).filter(([u, v]) => Number.isFinite(u) && Number.isFinite(v)),
      };
    });
  return { objective: request.objective, form: request.form, x, observed: request.observed, series };
}

/** The group of each row: 0 where there are none. */
export function groupsOf(request: PlotRequest, values: Values, rows: number): (row: number) => number {
  const groups = request.group === undefined ? undefined : values.get(request.group);
  // Groups of a single row each are no groups.
  const real = groups?.values.length === rows && distinctShare(groups.values) <= 0.5;
  return (row) => (real ? groups.values[row]! : 0);
}

/**
 * The column with the most distinct values says most. Where rows have an order, only a column that follows it in every
 * group can be the abscissa; without one the row number is.
 */
export function chooseAbscissa(
  request: PlotRequest,
  values: Values,
  rows: number,
  groupOf: (row: number) => number,
): string | undefined {
  let best: string | undefined;
  let most = 0;
  for (const candidate of request.candidates) {
    const column = values.get(candidate);
    if (column?.values.length !== rows) continue;
    if (request.ordered && !followsRows(column.values, groupOf)) continue;
    const distinct = distinctShare(column.values);
    if (distinct > most) [best, most] = [candidate, distinct];
  }
  return best;
}

function followsRows(column: ArrayLike<number>, groupOf: (row: number) => number): boolean {
  const last = new Map<number, number>();
  for (let row = 0; row < column.length; row++) {
    const before = last.get(groupOf(row));
    if (before !== undefined && column[row]! < before) return false;
    last.set(groupOf(row), column[row]!);
  }
  return true;
}

/** Unit of the block behind a reference, as the document has it. */
export function unitOf(draft: Draft, reference: string | undefined): string {
  const block: BlockDraft | undefined =
    reference === undefined ? undefined : blockOf(draft, blockOfReference(reference));
  const unit = own(block, 'unit');
  return typeof unit === 'string' ? unit : '';
}
