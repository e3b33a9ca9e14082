/**
 * Where starts are drawn: scrambled Sobol' points (sobol-sequence.ts) between the bounds, log-uniform on a log scale. Where a
 * bound is missing: initial ± max(10·|initial|, 1), and on a log scale initial/10³ to initial·10³.
 */
import type { Part } from './ensembles/parts.ts';
import { sobolSequence } from './ensembles/sobol-sequence.ts';
import type { FitParameter } from './problem.ts';

/** The range from which an element of a parameter is drawn. */
export function startingRange(
  { initial, lower, upper, scale, freed, ascending }: FitParameter,
  element: number,
): [number, number] {
  const start = initial[element]!;
  const reach = Math.max(10 * Math.abs(start), 1);
  const [low, high] = scale === 'log' ? [start / 1e3, start * 1e3] : [start - reach, start + reach];
  // Where free numbers end, what is computed of them has come to its edge: no start is meant there.
  const [from, to] = freed && !ascending ? [-Infinity, Infinity] : [lower[element]!, upper[element]!];
  // A log scale's bound of 0 is no bound to draw from.
  const bounded = scale === 'log' ? from > 0 : Number.isFinite(from);
  return [bounded ? from : low, Number.isFinite(to) ? to : high];
}

/** Of `count` versions of the parameters that differ in `initial` those in `part`; the same for the same seed. */
export function* startingPoints(
  parameters: readonly FitParameter[],
  count: number,
  seed: number,
  { from, to }: Part = { from: 0, to: count },
): Generator<readonly FitParameter[]> {
  const elements = parameters.reduce((total, { fixed, initial }) => total + (fixed ? 0 : initial.length), 0);
  const sequence = sobolSequence(elements, seed);
  const shares = new Float64Array(elements);
  if (from === 0 && to > 0) yield parameters;
  for (let start = Math.max(1, from); start < to; start++) {
    sequence.point(start - 1, shares);
    let at = 0;
    yield parameters.map((parameter) => {
      if (parameter.fixed) return parameter;
      const initial = parameter.initial.map((_, element) => {
        const [from, to] = startingRange(parameter, element);
        const t = shares[at++]!;
        return parameter.scale === 'log' ? from * (to / from) ** t : from + (to - from) * t;
      });
      return { ...parameter, initial };
    });
  }
}
