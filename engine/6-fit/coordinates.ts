/**
 * The free parameters as one vector u, in which the optimisers work: u = p, log p, or logit((p - l)/(h - l)).
 */
import type { FitParameter } from './problem.ts';

/** Of u, ±∞ where there is none. A logit parameter has none left. */
export interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** One coordinate: an element of a free parameter. */
export interface Coordinate extends Bounds {
  readonly parameter: FitParameter;
  readonly element: number;
}

export function coordinates(parameters: readonly FitParameter[]): Coordinate[] {
  return parameters
    .filter((parameter) => !parameter.fixed)
    .flatMap((parameter) =>
      parameter.initial.map((_, element): Coordinate => {
        const lower = parameter.lower[element]!;
        const upper = parameter.upper[element]!;
        const bounds = {
          linear: [lower, upper],
          log: [lower > 0 ? Math.log(lower) : -Infinity, Math.log(upper)],
          logit: [-Infinity, Infinity],
        }[parameter.scale] as [number, number];
        return { parameter, element, lower: bounds[0], upper: bounds[1] };
      }),
    );
}

/** How far a change of u is believed from its first and second derivatives alone: all of its range, of a logarithm or logit a factor of e. */
export function believable({ parameter: { scale }, lower, upper }: Coordinate): number {
  return scale === 'linear' ? upper - lower || Infinity : 1;
}

/** `k`, or `K[0,1]` for an element of an array, counted row by row. */
export function elementName(name: string, shape: readonly number[], element: number): string {
  if (shape.length === 0) return name;
  const indices: number[] = [];
  let rest = element;
  for (const size of [...shape].reverse()) {
    indices.unshift(rest % size);
    rest = Math.floor(rest / size);
  }
  return `${name}[${indices.join(',')}]`;
}

/** Of a shape that free numbers make (shares) those are counted row by row; correlations have words, distances name both ends. */
export function coordinateName({ parameter, element }: Coordinate): string {
  const { name, shape, freed, ascending, words } = parameter;
  if (!freed) return elementName(name, shape, element);
  if (words) return words[element]!;
  if (!ascending) return `free number ${element} of ${name}`;
  const own = elementName(name, shape, element);
  return element % shape.at(-1)! === 0 ? own : `${own} - ${elementName(name, shape, element - 1)}`;
}

/** As users know it: which of the free numbers of shares it is says nothing of which share is meant. */
export function knownName(coordinate: Coordinate): string {
  const { name, freed, words, ascending } = coordinate.parameter;
  return freed && !words && !ascending ? name : coordinateName(coordinate);
}

/** Whether its range, by scale or bound, has no negative number. */
export function isPositive({ parameter: { scale, lower }, element }: Coordinate): boolean {
  return scale === 'log' || lower[element]! >= 0;
}

export function toCoordinate({ parameter, element }: Coordinate, value: number): number {
  if (parameter.scale === 'linear') return value;
  if (parameter.scale === 'log') return Math.log(value);
  const lower = parameter.lower[element]!;
  const share = (value - lower) / (parameter.upper[element]! - lower);
  return clamp(Math.log(share / (1 - share)), { lower: -AT_BOUND, upper: AT_BOUND });
}

/** A logit of what is at its bound, to rounding. */
export const AT_BOUND = 40;

/** Within its bounds: exp(log b) may be a rounding beyond b, and would be no value of the parameter. */
export function fromCoordinate({ parameter, element }: Coordinate, u: number): number {
  if (parameter.scale === 'linear') return u;
  const [lower, upper] = [parameter.lower[element]!, parameter.upper[element]!];
  const value = parameter.scale === 'log' ? Math.exp(u) : lower + (upper - lower) / (1 + Math.exp(-u));
  return Math.min(upper, Math.max(lower, value));
}

/** Nearest to the end of its range, as a share of the way there, that a straight line of a parameter leads. */
const NEAREST = 0.1;

/** Where p + dp/du·s is, of u + s: p moves along a straight line, of a range with an end at most nine tenths of the way there. */
export function straightInValue({ parameter: { scale } }: Coordinate, u: number, s: number): number {
  if (scale === 'linear') return u + s;
  // p·(1 + s); of a share σ = 1/(1 + e⁻ᵘ), which moves by σ·(1 − σ)·s, σ·(1 + (1 − σ)·s) and what is left of 1, (1 − σ)·(1 − σ·s).
  if (scale === 'log') return u + Math.log(Math.max(1 + s, NEAREST));
  const share = 1 / (1 + Math.exp(-u));
  const [low, high] = [1 + (1 - share) * s, 1 - share * s];
  return u + Math.log(Math.max(low, NEAREST)) - Math.log(Math.max(high, NEAREST));
}

/** dp/du alone. */
export function firstSlope(coordinate: Coordinate, u: number): number {
  return coordinate.parameter.scale === 'linear' ? 1 : coordinateSlopes(coordinate, u)[0];
}

/** dp/du, and d²p/du². */
export function coordinateSlopes(coordinate: Coordinate, u: number): readonly [first: number, second: number] {
  const { parameter, element } = coordinate;
  if (parameter.scale === 'linear') return [1, 0];
  if (parameter.scale === 'log') return [Math.exp(u), Math.exp(u)];
  // Of the odds that are less than 1: 1 - share has no digits left near 1.
  const odds = Math.exp(-Math.abs(u));
  const slope = ((parameter.upper[element]! - parameter.lower[element]!) * odds) / (1 + odds) ** 2;
  return [slope, (-Math.sign(u) * slope * (1 - odds)) / (1 + odds)];
}

/** Whether u goes up or down to the end of p's range that is next: 0 of a logarithm, a bound of a logit. None where u ends itself. */
export function wayToEnd({ parameter: { scale }, lower }: Coordinate, u: number): 1 | -1 | undefined {
  if (scale === 'logit') return u < 0 ? -1 : 1;
  return scale === 'log' && lower === -Infinity ? -1 : undefined;
}

/** The start in u, moved inside the bounds. */
export function startingPoint(all: readonly Coordinate[]): Float64Array {
  return Float64Array.from(all, (coordinate) =>
    clamp(toCoordinate(coordinate, coordinate.parameter.initial[coordinate.element]!), coordinate),
  );
}

export function clamp(u: number, { lower, upper }: Bounds): number {
  return Math.min(Math.max(u, lower), upper);
}

/** Every parameter's elements at u; a fixed one keeps its initial values. */
export function parameterValues(
  parameters: readonly FitParameter[],
  all: readonly Coordinate[],
  u: ArrayLike<number>,
): Map<string, number[]> {
  const values = new Map(parameters.map((parameter) => [parameter.name, [...parameter.initial]]));
  all.forEach((coordinate, i) => {
    values.get(coordinate.parameter.name)![coordinate.element] = fromCoordinate(coordinate, u[i]!);
  });
  return values;
}
