/** What a design says of further samples: along the curve, at one place, and in the order in which they are best taken. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { DesignReport, DesignRequest } from '../../../src-main/contract/studies.ts';
import { digitsApart } from '../../../models/notation/digits.ts';
import { placesOn, type ScaleName } from '../../../models/notation/scales.ts';
import { digitsOf, formatNumber } from '../words/number-format.ts';

export type DesignCurve = DesignReport['curves'][number];

/** The criteria, in the order in which they are asked for. */
export const designMethods: readonly {
  readonly id: DesignRequest['method'];
  readonly title: string;
  readonly summary: string;
}[] = [
  {
    id: 'c',
    title: 'one quantity',
    summary: 'How much one more sample, at each place of the abscissa, would narrow a parameter or quantity.',
  },
  { id: 'D', title: 'all, D', summary: 'Samples that shrink the volume of the region in which all parameters lie.' },
  { id: 'A', title: 'all, A', summary: 'Samples that shrink the sum of the variances of all parameters.' },
];

/** What can be narrowed: free elements of parameters, and quantities. */
export function targetsOf(report: FitReport | null): string[] {
  if (!report) return [];
  const free = report.estimates.filter(({ fixed }) => !fixed).map(({ name }) => name);
  return [...free, ...(report.quantities ?? []).map(({ name }) => name)];
}

/** The criterion at a place between two of the curve's. NaN beyond its ends. */
export function afterAt({ x, after }: DesignCurve, at: number): number {
  const next = x.findIndex((value) => value >= at);
  if (next < 0 || at < (x[0] ?? NaN)) return NaN;
  if (next === 0 || x[next] === at) return after[next] ?? NaN;
  const [from, to] = [x[next - 1]!, x[next]!];
  const share = (at - from) / (to - from);
  return (1 - share) * after[next - 1]! + share * after[next]!;
}

/** A slider along an axis moves as the axis is divided: the place at a share of its way. */
export function atShare(scale: ScaleName, [first, last]: readonly [number, number], share: number): number {
  if (share <= 0) return first;
  if (share >= 1) return last;
  const { to, from } = placesOn(scale, [first, last]);
  return from((1 - share) * to(first) + share * to(last));
}

/** And back. */
export function shareAt(scale: ScaleName, [first, last]: readonly [number, number], at: number): number {
  const { to } = placesOn(scale, [first, last]);
  const share = (to(at) - to(first)) / (to(last) - to(first));
  return Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
}

const words: { readonly [M in DesignRequest['method']]: string } = {
  c: 'standard error',
  D: 'log det of the information',
  A: 'trace of the covariance',
};

export const criterionText = ({ method, of }: Pick<DesignReport, 'method' | 'of'>): string =>
  method === 'c' ? `± of ${of ?? ''}` : words[method];

/** `± 0.047`, or the criterion's own number. */
export function criterionValue({ method }: Pick<DesignReport, 'method'>, value: number): string {
  return `${method === 'c' ? '± ' : ''}${formatNumber(value, 'rough')}`;
}

type Place = Readonly<Record<string, number | string>>;

/** Each column with the digits that tell `all` of its values apart. */
function placeText(x: Place, all: readonly Place[]): string {
  const text = (column: string, value: number): string => {
    const values = all.flatMap((each) => (typeof each[column] === 'number' ? [each[column]] : []));
    return formatNumber(value, digitsApart(values, digitsOf('usual')));
  };
  return Object.entries(x)
    .map(([column, value]) => `${column} ${typeof value === 'number' ? text(column, value) : value}`)
    .join(', ');
}

/** Where on a curve, told apart from its ends. */
export const atText = ({ x }: DesignCurve, at: number): string =>
  formatNumber(at, digitsApart([x[0] ?? at, x.at(-1) ?? at], digitsOf('usual')));

export interface DesignRow {
  readonly number: number | null;
  readonly place: string;
  readonly after: number;
}

/** None, where the pointer is, and the suggested ones one after the other. */
export function designRows(report: DesignReport, curve: DesignCurve | undefined, at: number | undefined): DesignRow[] {
  const here: DesignRow[] =
    curve && at !== undefined
      ? [{ number: null, place: `${curve.column} ${atText(curve, at)} at the pointer`, after: afterAt(curve, at) }]
      : [];
  const all = placesOf(report);
  const suggested = report.points.map(({ x, after }, i) => ({ number: i + 1, place: placeText(x, all), after }));
  return [{ number: null, place: 'none', after: report.now }, ...here, ...suggested];
}

/** The suggested ones, and the ends of the curves. */
const placesOf = ({ points, curves }: DesignReport): Place[] => [
  ...points.map(({ x }) => x),
  ...curves.flatMap(({ column, x }) =>
    [x[0], x.at(-1)].flatMap((end) => (end === undefined ? [] : [{ [column]: end }])),
  ),
];

/** What was found, in one sentence; why nothing was where that is so. */
export function designText(report: DesignReport): string {
  const { fit, points, now, method, of } = report;
  if (fit.status !== 'converged') return `The fit ${fit.status}: ${fit.reason}.`;
  const [first] = points;
  if (!first) return 'No further sample tells more.';
  const what = method === 'c' ? `the error of ${of ?? ''}` : `the ${words[method]}`;
  return `One sample at ${placeText(first.x, placesOf(report))} brings ${what} from ${criterionValue(report, now)} to ${criterionValue(report, first.after)}.`;
}

/** Places on the abscissa of one group's curve at which samples are suggested, with their numbers. */
export function suggestedOn(
  { points }: DesignReport,
  { of, column, group }: DesignCurve,
): { readonly number: number; readonly x: number }[] {
  return points.flatMap((point, i) => {
    const { [column]: x, ...others } = point.x;
    const inGroup =
      group === undefined ||
      Object.values(others)
        .map(String)
        .every((value) => group.includes(value));
    return point.of === of && typeof x === 'number' && inGroup ? [{ number: i + 1, x }] : [];
  });
}

/** The curve on which the first sample is suggested; the first where there is none. */
export const curveOfFirst = (report: DesignReport): number =>
  Math.max(
    0,
    report.curves.findIndex((curve) => suggestedOn(report, curve).some(({ number }) => number === 1)),
  );
