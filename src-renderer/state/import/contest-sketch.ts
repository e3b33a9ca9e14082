/** A small plot as paths and places: points and a curve for each group, and the ends of both axes in figures. */
import type { ImportContest } from '../../../src-main/contract/import.ts';
import { formatNumber } from '../words/number-format.ts';

export interface Sketch {
  readonly axes: string;
  readonly groups: readonly {
    readonly points: readonly (readonly [x: number, y: number])[];
    readonly excluded: readonly (readonly [x: number, y: number])[];
    readonly curve: string;
  }[];
  /** Of a histogram. */
  readonly bars: readonly { readonly x: number; readonly y: number; readonly width: number; readonly height: number }[];
  readonly radius: number;
  readonly labels: readonly {
    readonly x: number;
    readonly y: number;
    readonly text: string;
    readonly anchor: 'start' | 'middle' | 'end';
  }[];
}

interface Line {
  readonly x: readonly number[];
  readonly y: readonly number[];
}

type Range = readonly [low: number, high: number];

/** As far left as the figures beside the axis take, and no less. */
const margin = { left: 40, right: 8, top: 8, bottom: 18 };
const figureWidth = 6;
/** A curve that leaves the data is drawn this far beyond them, in shares of their range. */
const beyond = 0.25;

export function sketchOf(
  contest: Pick<ImportContest, 'points' | 'excluded' | 'binWidth'> & {
    readonly x: { readonly scale: 'linear' | 'log' };
    readonly y: { readonly scale: 'linear' | 'log' };
  },
  curves: readonly Line[],
  { width, height }: { readonly width: number; readonly height: number },
): Sketch {
  const right = width - margin.right;
  const [top, bottom] = [margin.top, height - margin.bottom];
  const axesFrom = (left: number): string => `M${left - 0.5} ${top}V${bottom + 0.5}H${right}`;
  const seen = [...contest.points, ...contest.excluded];
  if (seen.every(({ x }) => x.length === 0))
    return { axes: axesFrom(margin.left), groups: [], bars: [], radius: 0, labels: [] };
  const isLog = contest.x.scale === 'log';
  const half = (contest.binWidth ?? 0) / 2;
  const shownX = seen.flatMap(({ x }) => x).filter((value) => !isLog || value > 0);
  const [x0, x1] = ends(shownX.flatMap((value) => [value - half, value + half]));
  const heightOf = (value: number) => (isLogY ? Math.log(value) : value);
  const isLogY = contest.y.scale === 'log';
  const read = seen.flatMap(({ y }) => y).filter((value) => !isLogY || value > 0);
  const shownY = [...read, ...(contest.binWidth === null ? [] : [0])];
  const [low, high] = ends(shownY.map(heightOf));
  const inside = (value: number) =>
    heightOf(value) >= low - beyond * (high - low) && heightOf(value) <= high + beyond * (high - low);
  const [y0, y1] = ends([...shownY, ...curves.flatMap(({ y }) => y).filter(inside)]);
  const figures = [y0, y1].map((value) => formatNumber(value, 3));
  const left = Math.max(margin.left, figureWidth * Math.max(...figures.map(({ length }) => length)) + 6);
  const way = (value: number) => (isLog ? Math.log(Math.max(value, x0)) : value);
  const across = (value: number) => between(way(value), [way(x0), way(x1)], [left + 5, right - 4]);
  const up = (value: number) =>
    between(heightOf(value), [heightOf(y0), heightOf(y1)], [bottom - (half > 0 ? 0 : 5), top + 4]);
  const places = ({ x, y }: Line) => x.map((value, i) => [across(value), up(y[i] ?? NaN)] as const);
  const all = contest.points.reduce((sum, { x }) => sum + x.length, 0);
  return {
    axes: axesFrom(left),
    groups: contest.points.map((points, g) => ({
      points: half > 0 ? [] : places(points),
      excluded: places(contest.excluded[g] ?? { x: [], y: [] }),
      curve: pathOf(curves[g] ?? { x: [], y: [] }, inside, across, up),
    })),
    bars: half > 0 ? contest.points.flatMap(({ x, y }) => x.map((value, i) => barAt(value, y[i] ?? 0))) : [],
    radius: all > 150 ? 1.1 : all > 60 ? 1.6 : 2.2,
    labels: [
      { x: left - 5, y: up(y1) + 4, text: figures[1]!, anchor: 'end' as const },
      ...(y1 > y0 ? [{ x: left - 5, y: up(y0) + 2, text: figures[0]!, anchor: 'end' as const }] : []),
      { x: left, y: height - 5, text: formatNumber(x0, 3), anchor: 'start' as const },
      ...(x1 > x0 ? [{ x: right, y: height - 5, text: formatNumber(x1, 3), anchor: 'end' as const }] : []),
    ],
  };

  function barAt(value: number, count: number) {
    const [from, to] = [across(value - half), across(value + half)];
    return { x: from, y: up(count), width: Math.max(0.5, to - from - 0.5), height: up(0) - up(count) };
  }
}

function between(value: number, [from, to]: Range, [a, b]: Range): number {
  return to > from ? a + ((b - a) * (value - from)) / (to - from) : (a + b) / 2;
}

function pathOf(
  { x, y }: Line,
  inside: (value: number) => boolean,
  across: (value: number) => number,
  up: (value: number) => number,
): string {
  const drawn = x.map((value, i) => (inside(y[i] ?? NaN) ? ([across(value), up(y[i]!)] as const) : undefined));
  return drawn
    .map((point, i) => (point ? `${drawn[i - 1] ? 'L' : 'M'}${point[0].toFixed(1)} ${point[1].toFixed(1)}` : ''))
    .join('');
}

function ends(values: readonly number[]): Range {
  return values.reduce<Range>(
    ([low, high], value) => [Math.min(low, value), Math.max(high, value)],
    [Infinity, -Infinity],
  );
}
