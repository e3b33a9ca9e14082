/** Where in parameter space the model is looked at, and the range over which a slider moves. */
import { type Reach, reachOf, reachOfDistribution } from '../../../models/facts/supports.ts';
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { BlockDraft, Draft, Numbers } from './draft.ts';
import { flatNumbers, numberFrom } from './draft.ts';

/** Values by parameter id, row by row. */
export type ParameterPoint = ReadonlyMap<string, readonly number[]>;

/** `sizeOf`: how many elements a parameter has; one that is `like` a category repeats its start for each label. */
export function startPoint(draft: Draft, sizeOf: (id: string) => number | undefined): ParameterPoint {
  const point = new Map<string, readonly number[]>();
  for (const block of draft.blocks) {
    const values = block.kind === 'parameter' ? flatNumbers(block['initial']) : undefined;
    if (!values) continue;
    const repeated = block['like'] !== undefined && values.length === 1;
    const size = repeated ? (sizeOf(block.id) ?? 1) : 1;
    point.set(block.id, size > 1 ? Array.from({ length: size }, () => values[0]!) : values);
  }
  return point;
}

/** `over` where it has a value, `under` elsewhere. */
export function overlay(under: ParameterPoint, over: ParameterPoint): ParameterPoint {
  return new Map([...under].map(([id, values]) => [id, over.get(id) ?? values]));
}

/**
 * Found values in the places that their labels have now, each other place as it starts. Undefined where they have none: what
 * was found for as many elements as there are no more. One value is that of all.
 */
export function placedByLabels(
  found: readonly number[],
  start: readonly number[],
  foundLabels: readonly string[] | undefined,
  labels: readonly string[] | undefined,
): readonly number[] | undefined {
  if (!foundLabels || !labels) return found.length === start.length || found.length === 1 ? found : undefined;
  return labels.map((label, place) => found[foundLabels.indexOf(label)] ?? start[place] ?? NaN);
}

/** As `model.evaluate` and `job.start` take it: a number for a scalar. Own properties only, whatever the ids are. */
export function pointRecord(draft: Draft, point: ParameterPoint): Record<string, number | number[]> {
  const scalar = (id: string, values: readonly number[]) => {
    const block = draft.blocks.find((other) => other.id === id);
    return values.length === 1 && block?.['like'] === undefined && !Array.isArray(block?.['initial']);
  };
  return Object.fromEntries([...point].map(([id, values]) => [id, scalar(id, values) ? values[0]! : [...values]]));
}

/** The estimates of a fit, `k` and `ke[3]`, gathered by block. */
export function pointOfEstimates(
  estimates: readonly { readonly block: string; readonly value: number }[],
): ParameterPoint {
  const point = new Map<string, number[]>();
  for (const { block, value } of estimates) {
    const values = point.get(block);
    if (values) values.push(value);
    else point.set(block, [value]);
  }
  return point;
}

/** The modes of a fit's random effects, by output: `u.b0`. */
export function pointOfEffects(random: FitReport['random'] = {}): ParameterPoint {
  return new Map(
    Object.entries(random).flatMap(([block, { effects }]) =>
      Object.entries(effects).map(([name, { value }]) => [`${block}.${name}`, value] as const),
    ),
  );
}

/** All at which a fit is looked at. */
export const pointOfFit = ({ estimates, random }: Pick<FitReport, 'estimates' | 'random'>): ParameterPoint =>
  new Map([...pointOfEstimates(estimates), ...pointOfEffects(random)]);

export function sameValues(a: readonly number[] | undefined, b: readonly number[] | undefined): boolean {
  return a === b || (!!a && !!b && a.length === b.length && a.every((x, i) => Object.is(x, b[i])));
}

export interface SliderRange {
  readonly lower: number;
  readonly upper: number;
  readonly scale: 'linear' | 'log';
  /** Whether the document gives the end, or it was only chosen for the slider. */
  readonly lowerGiven: boolean;
  readonly upperGiven: boolean;
}

/** The bound of element `index`; bounds may be one number for all. */
export function boundOf(block: BlockDraft, key: 'lower' | 'upper', index: number): number | undefined {
  const all = flatNumbers(block[key]);
  return all?.length === 1 ? all[0] : all?.[index];
}

/** Of `k[3]`; 0 of what has one element, NaN in a matrix. */
export const placeOf = (name: string): number => {
  const [, places] = /\[([\d, ]+)\]$/.exec(name) ?? [];
  return places === undefined ? 0 : Number(places);
};

/** Between what an element of a fit's parameter lies, by its block; of random effects, by its name. */
export function reachIn(draft: Draft, { name, block: id }: { readonly name: string; readonly block: string }): Reach {
  const block = draft.blocks.find((other) => other.id === id);
  if (!block) return reachOfDistribution(name);
  const own = (key: 'lower' | 'upper') => boundOf(block, key, placeOf(name));
  return reachOf({ support: block['support'], scale: block['scale'] }, own('lower'), own('upper'));
}

/**
 * The document's bounds where they are finite; else three times the anchor's magnitude around zero, on the side of the
 * anchor. The anchor is a value at rest (not the one being dragged), so that the range holds still under the hand.
 */
export function sliderRange(block: BlockDraft, index: number, anchor: number): SliderRange {
  const finite = (x: number | undefined) => (x !== undefined && Number.isFinite(x) ? x : undefined);
  const lower = finite(boundOf(block, 'lower', index));
  const upper = finite(boundOf(block, 'upper', index));
  const given = { lowerGiven: lower !== undefined, upperGiven: upper !== undefined };
  const value = Number.isFinite(anchor) ? anchor : 1;
  const size = Math.max(Math.abs(value), 1e-300) || 1;
  if (block['scale'] === 'log' && value > 0 && (lower === undefined || lower >= 0)) {
    const to = upper ?? Math.max(value, lower ?? 0) * 100;
    return {
      lower: lower !== undefined && lower > 0 ? lower : Math.min(value, to) / 100,
      upper: to,
      scale: 'log',
      ...given,
    };
  }
  const reach = value === 0 ? 1 : size;
  const from = lower ?? Math.min(value < 0 ? -3 * reach : 0, (upper ?? Infinity) - reach);
  const to = upper ?? Math.max(value > 0 ? 3 * reach : value < 0 ? 0 : reach, from + reach);
  return { lower: value === 0 && lower === undefined ? -reach : from, upper: to, scale: 'linear', ...given };
}

/** Position on the track in [0, 1]. */
export function trackPosition(range: SliderRange, value: number): number {
  const { lower, upper, scale } = range;
  const at =
    scale === 'log'
      ? Math.log(Math.max(value, Number.MIN_VALUE) / lower) / Math.log(upper / lower)
      : (value - lower) / (upper - lower);
  return Math.min(1, Math.max(0, Number.isFinite(at) ? at : 0));
}

/** The value at a position, rounded to what one pixel of the track can mean. */
export function trackValue(range: SliderRange, position: number): number {
  const { lower, upper, scale } = range;
  const at = Math.min(1, Math.max(0, position));
  if (at === 0) return lower;
  if (at === 1) return upper;
  const value = scale === 'log' ? lower * (upper / lower) ** at : lower + (upper - lower) * at;
  const step = scale === 'log' ? Math.abs(value) * 1e-3 : (upper - lower) * 1e-4;
  const digits = Math.floor(Math.log10(step));
  if (!Number.isFinite(digits)) return value;
  return Number((Math.round(value / 10 ** digits) * 10 ** digits).toPrecision(12));
}

/** A value for `initial` in the nesting that the document has. */
export function likeInitial(initial: unknown, values: readonly number[]): Numbers {
  if (!Array.isArray(initial)) return values.length === 1 ? values[0]! : values;
  let next = 0;
  const fill = (item: unknown): Numbers =>
    Array.isArray(item) ? item.map(fill) : (values[next++] ?? numberFrom(item) ?? NaN);
  return fill(initial);
}
