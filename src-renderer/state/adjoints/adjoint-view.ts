/** The adjoint view in numbers and words: what a wire is drawn by, and what is said of wires and rules. */
import type { RequestOutput } from '../../../src-main/contract/contract.ts';
import type { WireAdjoint } from './nan-origins.ts';
import { formatNumber } from '../words/number-format.ts';
import { placeText } from '../words/statistics.ts';

export type AdjointReport = RequestOutput<'model.adjoints'>;
export type RuleReport = AdjointReport['rules'][number];

/** `effect` is free of units and right for a subject of any sign; `largest` is the raw derivative. */
export const measures = ['effect', 'largest'] as const;
export type Measure = (typeof measures)[number];

/** Whether a change can be told in parts of the value itself. */
function isRelative(value: number): boolean {
  return value !== 0 && Number.isFinite(value);
}

/** The effect in percent of the subject's `value` for each percent of the wire, Σ |x·x̄| / |value|; or max |x̄|. */
export function magnitudeOf(wire: WireAdjoint, measure: Measure, value: number): number {
  if (measure === 'largest') return wire.largest;
  return isRelative(value) ? wire.effect / Math.abs(value) : wire.effect / 100;
}

/** What the numbers on the wires mean. */
export function measureText(measure: Measure, name: string, value: number): string {
  if (measure === 'largest') return `Largest |∂${name}/∂wire|`;
  const unit = isRelative(value) ? ', in %,' : '';
  return `Largest change of ${name}${unit} when a wire moves by 1 %`;
}

/** How many elements are NaN and where the first stands: `NaN at [3]`, `12 NaN, the first at [3]`. */
export function missingText({ missing, firstMissing, shape }: WireAdjoint): string {
  if (missing === 0) return 'no NaN';
  const place = placeText(shape, firstMissing ?? 0);
  if (place === '') return 'NaN';
  return missing === 1 ? `NaN at ${place}` : `${missing} NaN, the first at ${place}`;
}

/** Scalars of the operator's Jacobian that are stored for each element: `1 of 4`, `none`. */
export function storedText({ stored, of }: RuleReport): string {
  return stored === null || of === null ? 'none' : `${stored} of ${of}`;
}

export function timesText(times: number): string {
  return Number.isFinite(times) ? `${formatNumber(times, 2)}×` : '–';
}

/** The rule in one sentence, as its badge tells it to who asks. */
export function ruleText(rule: RuleReport): string {
  const stored = rule.stored === null ? '' : `, ${storedText(rule)} entries stored`;
  const times = Number.isFinite(rule.timesPrimal) ? `; ${timesText(rule.timesPrimal)} the block itself, estimated` : '';
  const beaten = rule.passedOver.map((other) => `${other.rule} ${formatNumber(other.cost, 2)} ns`).join(', ');
  const over = beaten === '' ? '' : `; passed over: ${beaten}`;
  return `${rule.construct}: ${rule.rule}${stored}${times}; ${formatNumber(rule.cost, 2)} ns an element${over}`;
}

/** What a wire says of itself to a screen reader. */
export function wireText(wire: WireAdjoint | undefined, measure: Measure, name: string, value: number): string {
  if (!wire) return `not on a path to ${name}`;
  const size = formatNumber(magnitudeOf(wire, measure, value), 2);
  const missing = wire.missing > 0 ? `, ${missingText(wire)}` : '';
  return `${measure === 'effect' ? 'effect' : 'largest derivative'} ${size}${missing}`;
}

/** Said once when the view has its derivatives: what of, and which wire matters most. */
export function announcementOf({ wires, value }: AdjointReport, measure: Measure, name: string): string {
  const size = (wire: WireAdjoint) => magnitudeOf(wire, measure, value);
  const spoilt = wires.filter((wire) => wire.missing > 0).length;
  const most = wires.reduce<WireAdjoint | undefined>((a, b) => (a && size(a) >= size(b) ? a : b), undefined);
  const strongest = most ? ` The strongest goes to ${most.port} of ${most.block}: ${formatNumber(size(most), 2)}.` : '';
  const nan = spoilt > 0 ? ` ${spoilt} ${spoilt === 1 ? 'wire has' : 'wires have'} NaN.` : '';
  return `Adjoints of ${name}, ${wires.length} wires.${strongest}${nan}`;
}
