/** How an axis may be divided: where a value stands on it, and where its ticks do. Window, report and command line draw by this. */

/** By the name of a scale in a document, what it is for. */
export const scaleFacts = {
  linear: 'equal steps',
  log: 'powers of ten; values above 0',
  reciprocal: 'equal steps of 1/value, ascending; values above 0',
  symlog: 'linear around 0, powers of ten beyond on both sides',
  percent: 'equal steps, written as hundredths',
} as const;

export type ScaleName = keyof typeof scaleFacts;
export const scaleNames = Object.keys(scaleFacts) as [ScaleName, ...ScaleName[]];

/** Places of values, ascending with them, up to a linear map; −∞ of a value that has none. */
export interface Places {
  readonly to: (value: number) => number;
  readonly from: (place: number) => number;
  readonly ticks: (low: number, high: number, most?: number) => number[];
}

/** Whether a value has a place on such an axis. */
export function hasPlace(scale: ScaleName, value: number): boolean {
  return Number.isFinite(value) && (value > 0 || (scale !== 'log' && scale !== 'reciprocal'));
}

/** An axis over these values: a symlog one is linear as far as the least of them that is not 0. */
export function placesOn(scale: ScaleName, values: Iterable<number>): Places {
  const above = (to: (value: number) => number) => (value: number) => (value > 0 ? to(value) : -Infinity);
  switch (scale) {
    case 'linear':
    case 'percent':
      return { to: (value) => value, from: (place) => place, ticks: within(roundTicks) };
    case 'log':
      return { to: above(Math.log), from: Math.exp, ticks: within(powerTicks) };
    case 'reciprocal': {
      const to = (value: number): number => -1 / value;
      // Beyond the place of ∞ is no value.
      const from = (place: number): number => (place < 0 ? to(place) : Infinity);
      return { to: above(to), from, ticks: within((low, high, most) => placedTicks(low, high, most, to, from)) };
    }
    case 'symlog': {
      const near = nearest(values);
      const to = (value: number): number => Math.asinh(value / near / 2);
      const from = (place: number): number => 2 * near * Math.sinh(place);
      return { to, from, ticks: within((low, high, most) => symmetricTicks(low, high, most, near)) };
    }
  }
}

function nearest(values: Iterable<number>): number {
  let least = Infinity;
  for (const value of values) {
    const size = Math.abs(value);
    if (size > 0 && size < least) least = size;
  }
  return Number.isFinite(least) ? least : 1;
}

type Ticks = (low: number, high: number, most: number) => number[];

const within =
  (ticks: Ticks) =>
  (low: number, high: number, most = 5): number[] => {
    const inside = (marks: readonly number[]) => marks.filter((tick) => tick >= low && tick <= high);
    const marks = inside(ticks(low, high, most));
    // Between two powers of ten there may be none.
    return marks.length > 1 ? marks : inside(roundTicks(low, high, most));
  };

const tidy = (value: number, digits = 12): number => Number(value.toPrecision(digits));

/** Round numbers, about `most` of them, from below `low` to above `high`. */
export function roundTicks(low: number, high: number, most = 5): number[] {
  const span = high - low || Math.abs(high) || 1;
  const power = 10 ** Math.floor(Math.log10(span / (most - 1)));
  const step = power * ([1, 2, 5, 10].find((factor) => span / (power * factor) <= most) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: Math.max(last - first, 1) + 1 }, (_, i) => tidy((first + i) * step));
}

/** 1, 2, 5, 10, … where there is room for them, else powers of ten alone, and of very many every second, third, … */
function powerTicks(low: number, high: number, most: number): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first > 3 ? [1] : [1, 2, 5];
  const stride = Math.max(1, Math.ceil((last - first) / (2 * most)));
  return Array.from({ length: last - first + 1 }, (_, i) => first + i)
    .filter((exponent) => exponent % stride === 0)
    .flatMap((exponent) => factors.map((factor) => tidy(factor * 10 ** exponent)));
}

/** Evenly placed, each rounded as far as it then still has its own place. */
function placedTicks(
  low: number,
  high: number,
  most: number,
  to: (value: number) => number,
  from: (place: number) => number,
): number[] {
  const [first, last] = [to(low), to(high)];
  const step = (last - first) / most;
  const marks = Array.from({ length: most + 1 }, (_, i) => {
    const value = from(first + i * step);
    const digits = [1, 2, 3, 4].find((count) => Math.abs(to(tidy(value, count)) - (first + i * step)) < step / 5);
    return tidy(value, digits ?? 12);
  });
  return [...new Set(marks)];
}

/** 0 and powers of ten on both sides of it. */
function symmetricTicks(low: number, high: number, most: number, near: number): number[] {
  const greatest = Math.max(Math.abs(low), Math.abs(high), near);
  const [first, last] = [Math.ceil(Math.log10(near) - 1e-9), Math.floor(Math.log10(greatest) + 1e-9)];
  const stride = Math.max(1, Math.ceil((last - first + 1) / most));
  const powers = Array.from({ length: Math.max(0, Math.floor((last - first) / stride) + 1) }, (_, i) =>
    tidy(10 ** (last - i * stride)),
  ).reverse();
  return [...powers.toReversed().map((power) => -power), 0, ...powers];
}
