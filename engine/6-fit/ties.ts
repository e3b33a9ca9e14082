/** Distances that are 0: of neighbours of an ascending list, which are held together, or of a parameter from a bound that moves. */
import { coordinateName, elementName, type Coordinate } from './coordinates.ts';

/** What is tied, in words: each run of neighbours once. */
export function tiesAmong(all: readonly Coordinate[], isHeld: (j: number) => boolean): string[] {
  const runs: string[][] = [];
  let last: { readonly at: number; readonly run: string[] } | undefined;
  all.forEach(({ parameter: { name, shape, ascending }, element }, j) => {
    if (!ascending || !isHeld(j)) return;
    const run = last?.at === j - 1 && element % shape.at(-1)! > 1 ? last.run : [elementName(name, shape, element - 1)];
    if (run.length === 1) runs.push(run);
    run.push(elementName(name, shape, element));
    last = { at: j, run };
  });
  return runs.map((names) => `${names.slice(0, -1).join(', ')} and ${names.at(-1)} are tied`);
}

/** What has come to a bound that depends on parameters, in words. */
export const gapsAmong = (all: readonly Coordinate[], isHeld: (j: number) => boolean): string[] =>
  all.flatMap((coordinate, j) =>
    coordinate.parameter.gap && isHeld(j) ? [`"${coordinateName(coordinate)}" is at its bound`] : [],
  );

/** By the elements of ascending lists, the slope of each where `gradient` has those by the first and by the distances. */
export function slopesByElement(all: readonly Coordinate[], gradient: Float64Array): Float64Array {
  return gradient.map((slope, j) => {
    const { ascending, shape } = all[j]!.parameter;
    const isLast = !ascending || (all[j]!.element + 1) % shape.at(-1)! === 0;
    return isLast ? slope : slope - gradient[j + 1]!;
  });
}
