/** Plots as pictures in characters: `o` observed, `x` excluded, `v` at most and `^` more than that, `·` the curve, `:` that of the population where a group has another, `+` what is predicted at a row without one. Of a predictive check `=` ends its intervals. */
import { axisTitle, isPlaced, undrawnText, type Plot, type PlotGroup } from '../../contract/plots.ts';
import { scalesOf, tickText, type Scale } from './scale.ts';

const columns = 64;
const lines = 18;
/** More groups than these are in `--json` and `--out`. */
const mostGroups = 4;

export function plotText(plot: Plot): string {
  const scales = scalesOf(plot);
  const shown = plot.groups.slice(0, mostGroups).map((group) => panelText(plot, [group], scales));
  const more = plot.groups.length - shown.length;
  const rest = more > 0 ? [`and ${more} more ${more === 1 ? 'group' : 'groups'}: --out and --json have them all`] : [];
  return [...shown, ...rest, ...asides(plot), ''].join('\n');
}

/** All groups in one picture, the first behind the others; marks of those are their places among them, `1`, `2`, …. */
export function checkText(plot: Plot): string {
  return [panelText(plot, plot.groups, scalesOf(plot)), ...asides(plot), ''].join('\n');
}

/** Lines of their own, below the pictures. */
const asides = (plot: Plot): string[] => [undrawnText(plot)].filter((text) => text !== '');

function markOf({ excluded, censored }: PlotGroup['points'], i: number): string {
  const side = censored?.[i];
  if (side) return side === 'left' ? 'v' : '^';
  return excluded?.[i] ? 'x' : 'o';
}

function panelText(
  plot: Plot,
  groups: readonly PlotGroup[],
  { x: across, y: up }: { readonly x: Scale; readonly y: Scale },
): string {
  const cells = Array.from({ length: lines }, () => new Array<string>(columns).fill(' '));
  const lineAt = (y: number): number => Math.round((1 - up.at(y)) * (lines - 1));
  const put = (x: number, y: number, mark: string): void => {
    if (!isPlaced(plot, x, y)) return;
    const [row, column] = [cells[lineAt(y)], Math.round(across.at(x) * (columns - 1))];
    if (row && column >= 0 && column < columns) row[column] = mark;
  };
  const together = groups.length > 1;
  groups.forEach((group, place) => {
    const { points, curve, population, band } = group;
    if (plot.kind === 'residuals') cells[lineAt(0)]?.fill('-');
    if (plot.kind === 'histogram')
      points.x.forEach((x, i) => {
        const height = points.y[i]!;
        for (let k = 0; k <= lines; k++) put(x, (height * k) / lines, '#');
      });
    population?.x.forEach((x, i) => put(x, population.y[i]!, ':'));
    if (together && band)
      for (const ends of [band.confidence.lower, band.confidence.upper])
        ends.forEach((y, i) => put((curve ?? points).x[i]!, y, '='));
    curve?.x.forEach((x, i) => put(x, curve.y[i]!, '·'));
    if (!curve && plot.kind !== 'residuals') points.predicted?.forEach((y, i) => put(points.x[i]!, y, '+'));
    if (plot.kind !== 'histogram')
      points.x.forEach((x, i) => put(x, points.y[i]!, together && place > 0 ? String(place) : markOf(points, i)));
  });
  const title = [plot.of, plot.kind, ...groups.flatMap(({ key }) => (key === null ? [] : [key]))].join(', ');
  const width = Math.max(...up.ticks.map((tick) => tickText(tick, up.kind).length));
  const labels = new Map(up.ticks.map((tick) => [lineAt(tick), tickText(tick, up.kind)]));
  const body = cells.map((row, i) => `${(labels.get(i) ?? '').padStart(width)} |${row.join('').trimEnd()}`);
  const foot = new Array<string>(columns + 8).fill(' ');
  for (const tick of across.ticks) {
    const text = tickText(tick, across.kind);
    const from = Math.max(0, Math.round(across.at(tick) * (columns - 1)) - (text.length >> 1));
    if (foot.slice(Math.max(0, from - 1), from + text.length + 1).every((cell) => cell === ' '))
      [...text].forEach((letter, i) => (foot[from + i] = letter));
  }
  const blank = ' '.repeat(width);
  return [
    `${title}: ${axisTitle(plot.y)}`,
    ...body,
    `${blank} +${'-'.repeat(columns)}`,
    `${blank}  ${foot.join('').trimEnd()}`,
    `${blank}  ${axisTitle(plot.x)}${groups.some(({ population }) => population) ? '   · the group at its modes, : the population (effects 0)' : ''}`,
    '',
  ].join('\n');
}
