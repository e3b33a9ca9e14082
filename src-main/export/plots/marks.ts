/** What is drawn of a group: points, curve, bands, bars. */
import type { PlotSymbol } from '../../../models/notation/plot-marks.ts';
import type { GroupStyle } from '../../contract/plot-styles.ts';
import { isCrowd, shownPoints, type Plot, type PlotGroup } from '../../contract/plots.ts';
import { extentOf } from './scale.ts';

/** What a curve is told by where a group has another. */
export const populationName = 'dashed: population, effects 0';

type To = (value: number) => number;

/** Where values stand in a panel, and whether a point has a place there. */
export interface Placing {
  readonly px: To;
  readonly py: To;
  readonly has: (x: number, y: number) => boolean;
}

export const fixed = (value: number): string => value.toFixed(1);

export const colorOf = ({ color }: GroupStyle, usual: string): string =>
  color?.startsWith('#') ? color : `var(--${color ?? usual})`;

/** Attributes of what has the group's colour; none where it has the usual one. */
const stroked = (style: GroupStyle): string => {
  const dash = style.dash.length > 0 ? ` stroke-dasharray="${style.dash.join(' ')}"` : '';
  return style.color === undefined ? dash : ` style="stroke:${colorOf(style, '')}"${dash}`;
};

type Shape = PlotSymbol | 'triangle down';

/** Around its middle, for a radius of 1. */
const outlines: { readonly [S in Exclude<Shape, 'circle'>]: readonly (readonly [x: number, y: number])[] } = {
  square: [
    [-0.9, -0.9],
    [0.9, -0.9],
    [0.9, 0.9],
    [-0.9, 0.9],
  ],
  triangle: [
    [0, -1.2],
    [1.1, 0.8],
    [-1.1, 0.8],
  ],
  'triangle down': [
    [0, 1.2],
    [1.1, -0.8],
    [-1.1, -0.8],
  ],
  diamond: [
    [0, -1.3],
    [1.3, 0],
    [0, 1.3],
    [-1.3, 0],
  ],
  cross: [
    [-1, -1],
    [1, 1],
    [0, 0],
    [1, -1],
    [-1, 1],
    [0, 0],
  ],
};

/** `shape`: in place of the group's own. */
export function symbolSvg(
  style: GroupStyle,
  kind: string,
  x: string,
  y: number,
  radius: number,
  shape: Shape = style.symbol,
): string {
  const look = style.color === undefined || kind !== 'data' ? '' : ` style="stroke:${colorOf(style, '')}"`;
  if (shape === 'circle') return `<circle class="${kind}"${look} cx="${x}" cy="${fixed(y)}" r="${radius}"/>`;
  const path = outlines[shape]
    .map(([dx, dy], i) => `${i === 0 ? 'M' : 'L'}${fixed(Number(x) + dx * radius)} ${fixed(y + dy * radius)}`)
    .join('');
  return `<path class="${kind}"${look} d="${path}Z"/>`;
}

export function marks({ kind, edges }: Plot, group: PlotGroup, style: GroupStyle, placing: Placing): string {
  const { points, curve, population, band } = group;
  const { px, py, has } = placing;
  const path = (places: readonly number[], ys: readonly number[], at = curve?.x ?? points.x): string =>
    places.map((i, k) => `${k === 0 ? 'M' : 'L'}${fixed(px(at[i]!))} ${fixed(py(ys[i]!))}`).join('');
  const line = (ys: readonly number[], at = curve?.x ?? points.x): string =>
    runsOf(ys.map((y, i) => (has(at[i]!, y) ? y : NaN)))
      .map((run) => path(run, ys, at))
      .join('');
  const parts: string[] = [];
  if (kind === 'residuals') {
    const [first, last] = (extentOf(points.x.filter((x) => has(x, 0))) ?? [0, 1]).map(px) as [number, number];
    parts.push(
      `<line class="zero" x1="${fixed(first)}" x2="${fixed(last)}" y1="${fixed(py(0))}" y2="${fixed(py(0))}"/>`,
    );
  }
  if (kind === 'histogram') parts.push(bars(curve ? { ...points, predicted: [] } : points, edges, px, py).join(''));
  if (curve && band) {
    const { lower, upper } = band.confidence;
    const between = upper.map((high, i) => (has(curve.x[i]!, high) ? high - lower[i]! : NaN));
    const closed = runsOf(between).map(
      (run) => `${path(run, upper)}${path([...run].reverse(), lower).replace('M', 'L')}Z`,
    );
    parts.push(
      `<path class="band"${style.color === undefined ? '' : ` style="fill:${colorOf(style, '')};fill-opacity:.13"`} d="${closed.join('')}"/>`,
    );
    if (band.prediction)
      parts.push(
        `<path class="edge"${stroked({ ...style, dash: [] })} d="${line(band.prediction.lower)}"/><path class="edge"${stroked({ ...style, dash: [] })} d="${line(band.prediction.upper)}"/>`,
      );
  }
  const shown = shownPoints(group);
  const dots = kind === 'histogram' ? '' : symbols(shown, style, placing).join('');
  if (isCrowd(shown)) parts.push(dots);
  if (population)
    parts.push(
      `<path class="population" d="${line(population.y, population.x)}"><title>${populationName}</title></path>`,
    );
  if (curve) parts.push(`<path class="curve"${stroked(style)} d="${line(curve.y)}"/>`);
  if (!isCrowd(shown)) parts.push(dots);
  // Where nothing is known between the rows, what is predicted at them stands there and nowhere else.
  if (!curve && kind === 'comparison') parts.push(predicted(points, band, style, placing).join(''));
  return parts.join('');
}

/** The places of values that stand side by side; a line breaks where there is none. */
function runsOf(values: readonly number[]): number[][] {
  const runs: number[][] = [[]];
  values.forEach((value, i) => (Number.isFinite(value) ? runs.at(-1)?.push(i) : runs.push([])));
  return runs.filter((run) => run.length > 0);
}

function symbols(points: PlotGroup['points'], style: GroupStyle, { px, py, has }: Placing): string[] {
  const { x, y, error, excluded, censored } = points;
  const shapes = { left: 'triangle down', right: 'triangle', interval: 'triangle' } as const;
  const radius = isCrowd(points) ? 1.75 : 2.6;
  return x.flatMap((value, i) => {
    const [seen, half] = [y[i]!, error?.[i] ?? NaN];
    if (!has(value, seen)) return [];
    const cx = fixed(px(value));
    const whisker = Number.isFinite(half)
      ? `<line class="error"${stroked({ ...style, dash: [] })} x1="${cx}" x2="${cx}" y1="${fixed(py(seen - half))}" y2="${fixed(py(seen + half))}"/>`
      : '';
    const side = censored?.[i];
    const symbol = side
      ? symbolSvg(style, 'data', cx, py(seen), 1.4 * radius, shapes[side])
      : symbolSvg(style, excluded?.[i] ? 'excluded' : 'data', cx, py(seen), radius);
    return [`${whisker}${symbol}`];
  });
}

function predicted(
  points: PlotGroup['points'],
  band: PlotGroup['band'],
  style: GroupStyle,
  { px, py, has }: Placing,
): string[] {
  const fill = style.color === undefined ? '' : ` style="fill:${colorOf(style, '')}"`;
  return points.x.flatMap((x, i) => {
    const value = points.predicted?.[i] ?? NaN;
    if (!has(x, value)) return [];
    const [lower, upper] = [band?.confidence.lower[i] ?? NaN, band?.confidence.upper[i] ?? NaN];
    const at = fixed(px(x));
    const bar = Number.isFinite(lower + upper)
      ? `<line class="curve"${stroked(style)} x1="${at}" x2="${at}" y1="${fixed(py(lower))}" y2="${fixed(py(upper))}"/>`
      : '';
    return [`${bar}<circle class="predicted"${fill} cx="${at}" cy="${fixed(py(value))}" r="1.75"/>`];
  });
}

/** Counts as bars over their bins, what is expected as a line across each. */
function bars({ x, y, predicted: expected }: PlotGroup['points'], edges: Plot['edges'], px: To, py: To): string[] {
  const endsOf = (i: number): readonly [number, number] =>
    edges ? [edges[i]!, edges[i + 1]!] : [x[i]! - 0.5, x[i]! + 0.5];
  const boxes = x.map((_, i) => {
    const [left, right] = endsOf(i).map(px) as [number, number];
    const top = py(y[i]!);
    return `<rect class="bar" x="${fixed(left + 0.5)}" y="${fixed(top)}" width="${fixed(Math.max(0.5, right - left - 1))}" height="${fixed(py(0) - top)}"/>`;
  });
  const steps = x.map((_, i) => {
    const [left, right] = endsOf(i).map(px) as [number, number];
    const height = fixed(py(expected?.[i] ?? NaN));
    return `${i === 0 ? 'M' : 'L'}${fixed(left)} ${height}L${fixed(right)} ${height}`;
  });
  return [
    ...boxes,
    ...(expected?.length === x.length && expected.every(Number.isFinite)
      ? [`<path class="curve" d="${steps.join('')}"/>`]
      : []),
  ];
}
