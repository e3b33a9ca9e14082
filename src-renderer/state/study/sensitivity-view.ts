/** A report of sensitivity as its panel shows it: what is ranked by what, bars, points, sentences. */
import { figureTitle, intervalEnding } from '../../../models/facts/figures.ts';
import { sensitivityFacts } from '../../../models/facts/methods.ts';
import type { SensitivityReport } from '../../../src-main/contract/studies.ts';
import { saidOfBounds } from '../../../src-main/contract/bounds.ts';
import { axisTitle } from '../../../src-main/contract/plots.ts';
import { formatEstimate, formatInterval, formatNumber } from '../words/number-format.ts';

export type IndexRow = SensitivityReport['indices'][number];
type Figure = number | readonly number[];

function figure(row: IndexRow, key: string): Figure | undefined {
  return Object.hasOwn(row.figures, key) ? row.figures[key] : undefined;
}

export function numberOf(row: IndexRow, key: string): number {
  const value = figure(row, key);
  return typeof value === 'number' ? value : NaN;
}

export function intervalOf(row: IndexRow, key: string): readonly [number, number] | undefined {
  const value = figure(row, `${key}${intervalEnding}`);
  return Array.isArray(value) && value.length === 2 ? (value as [number, number]) : undefined;
}

/** Of a time course the root of the mean square of what is finite; of a number its magnitude. */
export function magnitude(value: Figure | undefined): number {
  if (value === undefined) return NaN;
  if (typeof value === 'number') return Math.abs(value);
  const finite = value.filter((x) => Number.isFinite(x));
  return finite.length === 0 ? NaN : Math.sqrt(finite.reduce((sum, x) => sum + x * x, 0) / finite.length);
}

/** By which figure a report is ranked: elasticities that are nowhere defined leave the derivatives. */
export function rankedBy({ method, indices }: SensitivityReport): string {
  const key = sensitivityFacts[method].ranksBy;
  const known = indices.some((row) => Number.isFinite(magnitude(figure(row, key))));
  return method === 'local' && !known ? 'derivative' : key;
}

/** The most influential first; what is not defined last. */
export function ranked(report: SensitivityReport): IndexRow[] {
  const key = rankedBy(report);
  const weight = (row: IndexRow) => {
    const size = magnitude(figure(row, key));
    return Number.isNaN(size) ? -Infinity : size;
  };
  return [...report.indices].sort((a, b) => weight(b) - weight(a));
}

export interface Bar {
  readonly name: string;
  /** From zero, or over which a time course runs. */
  readonly from: number;
  readonly to: number;
  /** The ends of its own interval. */
  readonly interval?: readonly [number, number] | undefined;
}

function span(value: Figure | undefined): { readonly from: number; readonly to: number } {
  if (value === undefined || typeof value === 'number') return { from: 0, to: value ?? NaN };
  const finite = value.filter((x) => Number.isFinite(x));
  return finite.length === 0 ? { from: 0, to: NaN } : { from: Math.min(...finite), to: Math.max(...finite) };
}

/** More bars than these are told apart in the table. */
export const mostBars = 20;

export function bars(report: SensitivityReport, key: string): Bar[] {
  return ranked(report)
    .slice(0, mostBars)
    .map((row) => ({ name: row.name, ...span(figure(row, key)), interval: intervalOf(row, key) }));
}

export interface Course {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** How an index settles as the sample grows, of the most influential. */
export function convergenceLines(report: SensitivityReport, key: string, most = 5): Course[] {
  const { convergence = [], indices } = report;
  return ranked(report)
    .slice(0, most)
    .map((row) => {
      const place = indices.indexOf(row);
      const points = convergence.flatMap(({ samples, indices: figures }) => {
        const value = figures[place]?.[key];
        return typeof value === 'number' ? [{ x: samples, y: value }] : [];
      });
      return { name: row.name, points };
    });
}

/** The keys of the figures that run along the rows of what is studied; none where that is a scalar or a matrix. */
export function courseKeys(report: SensitivityReport): string[] {
  if (report.shape.length !== 1) return [];
  const keys = report.method === 'sobol' ? ['S1Course', 'STCourse'] : [rankedBy(report)];
  return keys.filter((key) => courses(report, key).length > 0);
}

/** Over what figures run: the abscissa of what is studied, else the number of the row. */
export function courseAxis({ along }: SensitivityReport): { readonly title: string; readonly log: boolean } {
  return along ? { title: axisTitle(along.x), log: along.x.scale === 'log' } : { title: 'row', log: false };
}

/** A figure along the rows of what is studied, of the most influential; a gap stands between groups. */
export function courses(report: SensitivityReport, key: string, most = 5): Course[] {
  return ranked(report)
    .slice(0, most)
    .flatMap((row) => {
      const value = figure(row, key);
      return typeof value === 'object' ? [{ name: row.name, points: pointsAlong(report, value) }] : [];
    });
}

function pointsAlong({ along }: SensitivityReport, figures: readonly number[]): Course['points'] {
  if (!along) return figures.map((y, x) => ({ x, y }));
  return along.labels.flatMap((_, group) => {
    const points = figures.flatMap((y, row) => (along.group[row] === group ? [{ x: along.values[row]!, y }] : []));
    points.sort((a, b) => a.x - b.x);
    return group === 0 ? points : [{ x: NaN, y: NaN }, ...points];
  });
}

/** The first direction: how much each parameter takes part in the combination that matters most. */
export function firstDirection({ directions = [], indices }: SensitivityReport): Bar[] {
  const [first = []] = directions;
  return indices
    .map(({ name }, i) => ({ name, from: 0, to: first[i] ?? NaN }))
    .sort((a, b) => Math.abs(b.to) - Math.abs(a.to))
    .slice(0, mostBars);
}

export function tableKeys({ indices }: SensitivityReport): string[] {
  return [...new Set(indices.flatMap(({ figures }) => Object.keys(figures)))];
}

/** Those that a table has a column for: an interval stands under its own figure. */
export function columnKeys(report: SensitivityReport): string[] {
  const keys = tableKeys(report);
  return keys.filter((key) => !key.endsWith(intervalEnding) || !keys.includes(key.slice(0, -intervalEnding.length)));
}

/** A figure and its interval, with the digits that the interval leaves meaningful. */
export function estimateText(row: IndexRow, key: string): { readonly value: string; readonly interval: string } {
  const [lower, upper] = intervalOf(row, key) ?? [NaN, NaN];
  const error = (upper - lower) / 2;
  if (!(error > 0 && Number.isFinite(error))) return { value: figureText(row, key), interval: '' };
  const text = formatEstimate(numberOf(row, key), error, lower, upper);
  const times = text.power === '' ? '' : `·${text.power}`;
  const between = `${text.lower} to ${text.upper}`;
  return { value: `${text.value}${times}`, interval: times === '' ? between : `(${between})${times}` };
}

export function figureText(row: IndexRow, key: string): string {
  const value = figure(row, key);
  if (value === undefined) return '–';
  if (typeof value === 'number') return formatNumber(value);
  if (key.endsWith(intervalEnding)) return formatInterval(value[0] ?? NaN, value[1] ?? NaN, 'rough');
  const { from, to } = span(value);
  return formatInterval(from, to, 'rough');
}

/** Where runs failed, one sentence for each place; empty where none did. */
export function failureTexts({ failures, indices }: SensitivityReport): string[] {
  return failures.map(({ point, reason }) => {
    const where = indices.map(({ name }, i) => `${name} = ${formatNumber(point[i] ?? NaN)}`).join(', ');
    return `${reason} at ${where}`;
  });
}

/** Below it lies what a fit leaves of the objective's gradient, by rounding and by when it stops. */
const levelElasticity = 1e-6;

/** What the first places say, in one sentence. */
export function rankingText(report: SensitivityReport): string {
  const [first, second] = ranked(report);
  if (!first) return '';
  const key = rankedBy(report);
  const title = figureTitle(key);
  const of = report.of === 'objective' ? report.of : `output ${report.of}`;
  const size = (row: IndexRow) => formatNumber(magnitude(figure(row, key)), 'rough');
  const then = second ? `, then ${second.name} with ${size(second)}` : '';
  const said = saidOfBounds(report);
  const sizes = report.indices.map((row) => magnitude(figure(row, key)));
  if (!sizes.some((value) => value > 0)) {
    const isConstant = report.variance === 0 || sizes.every((value) => value === 0);
    return isConstant ? `The ${of} depends on none of them.` : `No index of the ${of} is defined.`;
  }
  if (key === 'elasticity' && report.of === 'objective' && magnitude(figure(first, key)) < levelElasticity)
    return 'No parameter moves the objective to first order here, as where it is lowest; choose an output to study.';
  if (said !== '' && numberOf(first, key) > 1) return `The ${of} is steepest along ${first.name}. ${said}`;
  return `The ${of} depends most on ${first.name}: ${title} ${size(first)}${then}.${said && ` ${said}`}`;
}
