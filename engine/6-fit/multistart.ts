/**
 * Starting points. The first is the problem's own; the others are drawn between the bounds, log-uniformly on a log
 * scale. Where a bound is missing: initial ± max(10·|initial|, 1), and on a log scale initial/10³ to initial·10³.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { FitParameter } from './problem.ts';

/** The range from which an element of a parameter is drawn. */
export function startingRange({ initial, lower, upper, scale }: FitParameter, element: number): [number, number] {
  const start = initial[element] as number;
  const reach = Math.max(10 * Math.abs(start), 1);
  const [low, high] = scale === 'log' ? [start / 1e3, start * 1e3] : [start - reach, start + reach];
  const [from, to] = [lower[element] as number, upper[element] as number];
  // A log scale's bound of 0 is no bound to draw from.
  const bounded = scale === 'log' ? from > 0 : Number.isFinite(from);
  return [bounded ? from : low, Number.isFinite(to) ? to : high];
}

/** `count` versions of the parameters that differ in `initial`; the same for the same seed. */
export function startingPoints(
  parameters: readonly FitParameter[],
  count: number,
  seed: number,
): (readonly FitParameter[])[] {
  const generator = xoroshiro128plus(seed);
  const draw = (parameter: FitParameter, element: number): number => {
    const [from, to] = startingRange(parameter, element);
    const t = uniformFloat64(generator);
    return parameter.scale === 'log' ? from * (to / from) ** t : from + (to - from) * t;
  };
  const others = Array.from({ length: count - 1 }, () =>
    parameters.map((parameter) =>
      parameter.fixed ? parameter : { ...parameter, initial: parameter.initial.map((_, i) => draw(parameter, i)) },
    ),
  );
  return [parameters, ...others];
}
