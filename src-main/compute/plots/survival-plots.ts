/**
 * Times of which some have not ended, computed: the share that is still there by Kaplan and Meier, the model's S(t) along the
 * times, and how many end in each bin beside how many are to be expected of those that are there, ∫ f/S over their times.
 */
import type { Drawing } from '../../../models/plots/drawing.ts';
import { kaplanMeier } from '../../../models/plots/kaplan-meier.ts';
import type { Bins } from '../../../models/plots/sample.ts';
import { shownRows } from '../../../models/plots/shown-rows.ts';
import type { Plot, PlotGroup } from '../../contract/plots.ts';
import type { Leveled } from './band-ends.ts';
import type { Along } from './comparison-plots.ts';

/** Which value of the mark says that a time has not ended; undefined where none of the two does. */
type Lasting = 0 | 1 | undefined;

/** `dense`: log f or log S along the drawing's curve. No plot where neither is the other's integral. */
export function survivalPlots(
  { comparison, prediction, x, y, values, survival, curve, look, groups: { of, labels, by } }: Drawing,
  dense: Along | undefined,
  band: Leveled | undefined,
): Plot[] {
  const [at] = curve?.arguments.keys() ?? [];
  const logs = at === undefined ? undefined : dense?.(at);
  if (!survival || !logs) return [];
  const { bins, marks, courses } = survival;
  const logsOf = (group: number, mark: 0 | 1): number[] =>
    Array.from(courses[group]!.elements[mark], (element) => logs[element] ?? NaN);
  const lasting = lastingAmong(courses.map(({ times }, group) => [times, logsOf(group, 0), logsOf(group, 1)]));
  if (lasting === undefined) return [];
  const found = labels.map((key, group) => {
    const { times, elements } = courses[group]!;
    const rows = Array.from(values.keys()).filter((row) => of[row] === group && Number.isFinite(values[row]));
    const own = rows.map((row) => values[row]!);
    const ended = rows.map((row) => marks[row] !== lasting);
    const lasts = logsOf(group, lasting);
    const steps = kaplanMeier(own, ended);
    const drawn = Array.from(shownRows(steps.y));
    const points = { x: drawn.map((i) => steps.x[i]!), y: drawn.map((i) => steps.y[i]!) };
    const confidence =
      band &&
      bandOf(
        lasts,
        Array.from(elements[lasting], (element) => band.half[element] ?? NaN),
      );
    const shown: PlotGroup = {
      key,
      points: { ...points, predicted: points.x.map((time) => Math.exp(between(times, lasts, time))) },
      curve: { x: Array.from(times), y: lasts.map(Math.exp) },
      ...(confidence?.upper.some(Number.isFinite) && {
        band: { level: band!.level, confidence, ...(band!.held.length > 0 && { held: [...band!.held] }) },
      }),
    };
    return { shown, residuals: { key, points: residualsIn(bins, own, ended, (time) => -between(times, lasts, time)) } };
  });
  const shared = { of: comparison.of, x, prediction: prediction ?? null, by: by.length > 0 ? by.join(', ') : null };
  const residual = { id: null, label: comparison.measure.residual, unit: '', scale: 'linear' } as const;
  return [
    { ...shared, kind: 'comparison', y, groups: found.map(({ shown }) => shown), ...(look && { look }) },
    { ...shared, kind: 'residuals', y: residual, groups: found.map(({ residuals }) => residuals) },
  ];
}

type Logs = readonly [times: Float64Array, first: readonly number[], second: readonly number[]];

/** −S′ = f along the times of each group. */
function lastingAmong(groups: readonly Logs[]): Lasting {
  const isDensityOf = (lasts: 0 | 1): boolean =>
    groups.every(([times, ...logs]) => isIntegral(times, logs[lasts], logs[1 - lasts]!));
  return isDensityOf(1) ? 1 : isDensityOf(0) ? 0 : undefined;
}

/** Where a density hardly changes between two times the trapezoid is as good as its integral. */
const even = 0.8;
const closeness = 0.05;
const fewest = 3;

function isIntegral(times: Float64Array, lasts: readonly number[], density: readonly number[]): boolean {
  let judged = 0;
  for (let i = 1; i < times.length; i++) {
    const [low, high] = [density[i - 1]!, density[i]!].map(Math.exp).sort((a, b) => a - b) as [number, number];
    if (!(low >= even * high) || high === 0 || high === Infinity) continue;
    const expected = ((low + high) / 2) * (times[i]! - times[i - 1]!);
    const lost = Math.exp(lasts[i - 1]!) - Math.exp(lasts[i]!);
    // Of what is nearly all still there, or nearly none, the difference is rounding.
    if (expected < 1e-9 || !Number.isFinite(lost)) continue;
    if (!(Math.abs(lost - expected) <= closeness * expected)) return false;
    judged++;
  }
  return judged >= fewest;
}

/** Of what is known at ascending times, linear between two. */
function between(times: Float64Array, known: readonly number[], time: number): number {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle;
  }
  if (times[high]! === time || high === low) return known[high]!;
  const share = (time - times[low]!) / (times[high]! - times[low]!);
  return share === 0 ? known[low]! : known[low]! + share * (known[high]! - known[low]!);
}

/** On the scale of log(−log S), so that it stays between 0 and 1. `half`: of log S. */
function bandOf(
  lasts: readonly number[],
  half: readonly number[],
): { readonly lower: number[]; readonly upper: number[] } {
  const end = (sign: 1 | -1): number[] =>
    lasts.map((log, i) => (log === 0 ? 1 : Math.exp(log * Math.exp((sign * half[i]!) / -log))));
  return { lower: end(1), upper: end(-1) };
}

/** Pearson's: (ended − expected)/√expected in each bin. `hazard`: −log S. */
function residualsIn(
  { edges, width }: Bins,
  times: readonly number[],
  ended: readonly boolean[],
  hazard: (time: number) => number,
): PlotGroup['points'] {
  const [x, y]: [number[], number[]] = [[], []];
  const last = edges.length - 2;
  for (let bin = 0; bin <= last; bin++) {
    // What ended before the first time was at risk of it too.
    const [from, to] = [bin === 0 ? -Infinity : edges[bin]!, bin === last ? Infinity : edges[bin + 1]!];
    let [seen, expected] = [0, 0];
    times.forEach((time, i) => {
      if (time < from) return;
      seen += Number(ended[i]! && time < to);
      expected += hazard(Math.min(time, to)) - (from === -Infinity ? 0 : hazard(from));
    });
    if (!(expected > 0) || !Number.isFinite(expected)) continue;
    x.push(edges[bin]! + width / 2);
    y.push((seen - expected) / Math.sqrt(expected));
  }
  return { x, y };
}
