/** Parameters as shapes have them again and again: with their unit and where a search looks. */
import type { DataRange, SearchRange, ShapeParameter } from './shape.ts';

type Range = (data: DataRange) => SearchRange;

const linear = (meaning: string, unit: string): ShapeParameter => ({ meaning, unit, start: 'linear' });

/** In units of y, in which the formula is affine. */
export const level = (meaning: string): ShapeParameter => linear(meaning, 'y');

export const slope = (meaning: string): ShapeParameter => linear(meaning, 'y/x');

export const coefficient = (meaning: string, unit: string): ShapeParameter => linear(meaning, unit);

/** The same, of what cannot be negative. */
export const above0 = (parameter: ShapeParameter): ShapeParameter => ({ ...parameter, positive: true });

/** The reciprocal of what the formula is affine in, such as a volume: y = dose/V·… */
export const divisor = (meaning: string, unit: string): ShapeParameter => ({
  ...{ meaning, unit, start: 'inverse' as const },
  positive: true,
});

const searched = (meaning: string, unit: string, start: Range, positive: boolean): ShapeParameter => ({
  ...{ meaning, unit, start },
  ...(positive && { positive: true as const }),
});

/** A rate by which a change takes from three times to a fortieth of the span, times `faster`. */
export const rate = (meaning: string, faster = 1): ShapeParameter =>
  searched(meaning, '1/x', ({ span }) => ({ low: (0.3 * faster) / span, high: (40 * faster) / span, log: true }), true);

/** An x at which something is half of what it can be, on a log scale. */
export const half = (meaning: string, beyond = 5): ShapeParameter =>
  searched(meaning, 'x', ({ least, high }) => ({ low: least / beyond, high: beyond * high, log: true }), true);

/** A place between the first and the last x. */
export const place = (meaning: string): ShapeParameter =>
  searched(meaning, 'x', ({ low, high }) => ({ low, high, log: false }), false);

/** A width from the distance of two neighbours to the half of the span. */
export const width = (meaning: string): ShapeParameter =>
  searched(meaning, 'x', ({ span, places }) => ({ low: span / Math.max(places, 10), high: span / 2, log: true }), true);

/** A positive stretch of x, up to the span. */
export const stretch = (meaning: string): ShapeParameter =>
  searched(meaning, 'x', ({ span, places }) => ({ low: span / (5 * places), high: 5 * span, log: true }), true);

/** A positive number without a unit. */
export const exponent = (meaning: string, low: number, high: number): ShapeParameter =>
  searched(meaning, '', () => ({ low, high, log: true }), true);

/** A number without a unit, of either sign. */
export const power = (meaning: string, low: number, high: number): ShapeParameter =>
  searched(meaning, '', () => ({ low, high, log: false }), false);

/** A share of the whole. */
export const share = (meaning: string): ShapeParameter => ({
  ...searched(meaning, '', () => ({ low: 0.05, high: 0.95, log: false }), false),
  lower: 0,
  upper: 1,
});

/** A positive quantity in any unit, searched by ratios. */
export const positive = (meaning: string, unit: string, range: (data: DataRange) => readonly [number, number]) =>
  searched(
    meaning,
    unit,
    (data) => {
      const [low, high] = range(data);
      return { low, high, log: true };
    },
    true,
  );

/** Conditions on data that several shapes have. */
export const fromZero = ({ low }: DataRange): boolean => low >= 0;
export const aboveZero = ({ low }: DataRange): boolean => low > 0;
export const places =
  (least: number) =>
  (data: DataRange): boolean =>
    data.places >= least;
export const all =
  (...conditions: readonly ((data: DataRange) => boolean)[]) =>
  (data: DataRange): boolean =>
    conditions.every((holds) => holds(data));
/** Not all the way up or down: a peak of which one side alone is seen is none. */
export const turns = ({ trend }: DataRange): boolean => Math.abs(trend) < 0.9;
/** Not so straight up or down that a slope alone orders it: a peak may stand on a steep line, and none on mere rise. */
export const bends = ({ trend }: DataRange): boolean => Math.abs(trend) < 0.995;
export const falls = ({ trend }: DataRange): boolean => trend < 0.2;
export const rises = ({ trend }: DataRange): boolean => trend > -0.2;
