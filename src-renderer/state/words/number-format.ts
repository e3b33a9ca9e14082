/** Numbers for people: a real minus, thin spaces between thousands, powers of ten written out. */
import { digitsApart } from '../../../models/notation/digits.ts';

const minus = '\u2212';
const thin = '\u2009';
const superscripts: Readonly<Record<string, string>> = {
  '-': '⁻',
  '0': '⁰',
  '1': '¹',
  '2': '²',
  '3': '³',
  '4': '⁴',
  '5': '⁵',
  '6': '⁶',
  '7': '⁷',
  '8': '⁸',
  '9': '⁹',
};

function notNumber(x: number): string | undefined {
  if (Number.isNaN(x)) return '–';
  if (!Number.isFinite(x)) return x > 0 ? '∞' : `${minus}∞`;
  return undefined;
}

function grouped(fixed: string): string {
  const [whole = '', fraction] = fixed.replace('-', minus).split('.');
  const spaced = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+(?!\d))/g, thin) : whole;
  return fraction === undefined ? spaced : `${spaced}.${fraction}`;
}

export function powerOfTen(exponent: number): string {
  return `10${[...String(exponent)].map((digit) => superscripts[digit] ?? digit).join('')}`;
}

/** The power of ten of a number; 0 has 0. */
function exponentOf(x: number): number {
  return x === 0 || !Number.isFinite(x) ? 0 : Math.floor(Math.log10(Math.abs(x)) + 1e-12);
}

/** A large number of which every whole digit is shown is read more easily as it is. */
const needsPower = (exponent: number, digits: number) => exponent < -3 || (exponent > 5 && digits <= exponent);

/** What the canvas has room for. */
const roomy = 4;

/** Significant digits that the settings ask for. */
let usualDigits = roomy;

export function setUsualDigits(digits: number): void {
  usualDigits = digits;
}

/** What stands on the canvas is made wider by so many. */
export const furtherDigits = (): number => Math.max(0, usualDigits - roomy);

/** How much a place shows against what the settings ask for: summaries less, what is compared or copied more. */
const beyond = { rough: -1, usual: 0, fine: 1, finest: 2 } as const;

/** A number where more would say nothing, whatever the settings ask for: of a share, a cost, a mark on an axis. */
export type Digits = keyof typeof beyond | number;

export const digitsOf = (digits: Digits): number =>
  typeof digits === 'number' ? digits : usualDigits + beyond[digits];

/** Trailing zeros are kept only where `keep` says so. */
export function formatNumber(x: number, wanted: Digits = 'usual', keep = false): string {
  const special = notNumber(x);
  const digits = digitsOf(wanted);
  if (special !== undefined) return special;
  const exponent = exponentOf(Number(x.toPrecision(digits)));
  const power = needsPower(exponent, digits);
  const mantissa = power ? x / 10 ** exponent : x;
  const decimals = Math.max(0, power ? digits - 1 : digits - 1 - exponent);
  const fixed = mantissa.toFixed(Math.min(decimals, 20));
  const text = grouped(keep || !fixed.includes('.') ? fixed : fixed.replace(/\.?0+$/, ''));
  return power ? `${text}·${powerOfTen(exponent)}` : text;
}

/** Of ends so many powers of ten apart, the decimals of the smaller say nothing of the larger. */
const farApart = 3;

/**
 * Both ends to the same decimal, so that no zero is lost, and to as many that they are told apart; each by itself where one
 * needs a power of ten or they are far apart.
 */
export function formatInterval(lower: number, upper: number, digits: Digits = 'usual', between = ' to '): string {
  const apart = digitsApart([lower, upper], digitsOf(digits));
  const texts = [lower, upper].map((x) => formatNumber(x, apart));
  const plain = [lower, upper].every((x) => Number.isFinite(x) && !needsPower(exponentOf(x), apart));
  const isFar = lower !== 0 && upper !== 0 && Math.abs(exponentOf(upper) - exponentOf(lower)) >= farApart;
  if (!plain || isFar) return texts.join(between);
  const decimals = Math.max(...texts.map((text) => text.split('.')[1]?.length ?? 0));
  return [lower, upper].map((x) => grouped(x.toFixed(decimals))).join(between);
}

/** With the digits of the interval in which it lies. */
export function formatWithin(value: number, lower: number, upper: number): string {
  return formatNumber(value, digitsApart([lower, upper], digitsOf('fine')));
}

/** All in one unit and with the digits that `error` leaves meaningful: two of its own, and up to four where more are asked for. */
export interface FormattedEstimate {
  readonly value: string;
  readonly error: string;
  readonly lower: string;
  readonly upper: string;
  /** The power of ten that all four are to be multiplied with, or ''. */
  readonly power: string;
}

export function formatEstimate(value: number, error: number, lower: number, upper: number): FormattedEstimate {
  const exponent = exponentOf(value);
  const known = Number.isFinite(error) && error > 0;
  const own = 2 + Math.min(2, furtherDigits());
  const digits = known ? exponent - exponentOf(error) + own : 0;
  const power = needsPower(exponent, digits) ? exponent : 0;
  const scale = 10 ** power;
  // A fit may be exact to many digits: of those beyond eight that tell nothing apart, none is shown.
  const most = digitsApart([lower, upper], 0) > 0 ? 14 : 8;
  const decimals = known
    ? Math.min(Math.max(own - 1 - exponentOf(Number((error / scale).toPrecision(own))), 0), most)
    : Math.min(Math.max(usualDigits - exponentOf(value / scale), 0), 8);
  const show = (x: number) => notNumber(x) ?? grouped((x / scale).toFixed(decimals));
  const isSeen = known && Number((error / scale).toFixed(decimals)) > 0;
  return {
    value: show(value),
    error: !known ? '–' : isSeen ? show(error) : formatNumber(error / scale, 2),
    lower: show(lower),
    upper: show(upper),
    power: power === 0 ? '' : powerOfTen(power),
  };
}

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1) return `${Math.max(1, Math.round(milliseconds * 1000))} µs`;
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(milliseconds < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(milliseconds / 60_000)} min ${Math.round((milliseconds % 60_000) / 1000)} s`;
}

/** `14:32:08` today, `3 November, 14:32` before. */
export function formatMoment(iso: string, now = new Date()): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return '';
  if (moment.toDateString() === now.toDateString()) return moment.toLocaleTimeString('en-GB');
  const day = moment.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    ...(moment.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  });
  return `${day}, ${moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })}`;
}

/** `2 s ago`, `5 min ago`, `3 h ago`. */
export function formatAgo(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  return `${Math.round(seconds / 3600)} h ago`;
}

export function formatPercent(fraction: number): string {
  return `${formatNumber(fraction * 100, 2)} %`;
}
