/** Unit vectors of the optimiser's coordinates, some at once, as inputs of a program that is mapped over its tangents. */
import { tangentName } from '../../2-ad/names.ts';
import { firstSlope, type Coordinate } from '../coordinates.ts';
import { free, writeValues, type Asked, type PlainQuestion } from '../questions.ts';

/** Along the coordinates from `first` on. */
export interface AlongUnits {
  readonly point: Float64Array;
  readonly first: number;
}

/** The parameters, and `tangent of PARAMETER` with a leading axis of so many directions, 0 beyond the last. */
export function alongUnits(
  problem: Asked,
  all: readonly Coordinate[],
  atOnce: number,
): Pick<PlainQuestion<AlongUnits, unknown>, 'inputs' | 'write'> {
  const varying = free(problem);
  return {
    inputs: [
      ...varying,
      ...varying.map(({ name, initial }) => ({
        name: tangentName(name),
        initial: new Array<number>(atOnce * initial.length).fill(0),
      })),
    ],
    write({ point, first }, into, at) {
      writeValues(all, point, into, at);
      into.fill(0, at + all.length, at + all.length * (1 + atOnce));
      for (let j = first; j < Math.min(first + atOnce, all.length); j++) {
        const { parameter, element } = all[j]!;
        const before = j - element;
        into[at + all.length + atOnce * before + (j - first) * parameter.initial.length + element] = firstSlope(
          all[j]!,
          point[j]!,
        );
      }
    },
  };
}

/** At most so many of all at once, as many each time. */
export const evenly = (all: number, most: number): number => Math.ceil(all / Math.ceil(all / most));
