/** Unit vectors of the optimiser's coordinates, some at once, as inputs of a program that is mapped over its tangents. */
import { operandsOf } from '../../0-ir/operands.ts';
import type { ConstructKind, Program } from '../../0-ir/program.ts';
import { tangentName } from '../../2-ad/names.ts';
import { firstSlope, type Coordinate } from '../coordinates.ts';
import { free, writeValues, type Asked, type PlainQuestion } from '../questions.ts';

/** Along these coordinates. */
export interface AlongUnits {
  readonly point: Float64Array;
  readonly along: readonly number[];
}

/** The parameters, and `tangent of PARAMETER` of those that are among `moving` with a leading axis of so many directions, 0 beyond the last. */
export function alongUnits(
  problem: Asked,
  all: readonly Coordinate[],
  moving: readonly number[],
  atOnce: number,
): Pick<PlainQuestion<AlongUnits, unknown>, 'inputs' | 'write'> {
  const moved = free(problem).filter((parameter) => moving.some((j) => all[j]!.parameter.name === parameter.name));
  const before = new Map<string, number>();
  let elements = 0;
  for (const { name, initial } of moved) {
    before.set(name, elements);
    elements += initial.length;
  }
  return {
    inputs: [
      ...free(problem),
      ...moved.map(({ name, initial }) => ({
        name: tangentName(name),
        initial: new Array<number>(atOnce * initial.length).fill(0),
      })),
    ],
    write({ point, along }, into, at) {
      writeValues(all, point, into, at);
      const tangents = at + all.length;
      into.fill(0, tangents, tangents + elements * atOnce);
      along.forEach((j, k) => {
        const { parameter, element } = all[j]!;
        const own = atOnce * before.get(parameter.name)! + k * parameter.initial.length + element;
        into[tangents + own] = firstSlope(all[j]!, point[j]!);
      });
    },
  };
}

/** Names of the parameters of coordinates, each once. */
export const namesAlong = (all: readonly Coordinate[], coordinates: readonly number[]): string[] => [
  ...new Set(coordinates.map((j) => all[j]!.parameter.name)),
];

/** At most so many of all at once, as many each time. */
export const evenly = (all: number, most: number): number => Math.ceil(all / Math.ceil(all / most) || 1);

/** What takes steps. */
const STEPPING: ReadonlySet<ConstructKind> = new Set(['recurrence', 'history', 'solve', 'loop', 'call'] as const);

/**
 * Coordinates by whether what takes steps hangs on them: derivatives by the others, as by a noise or a scale of what was observed, go
 * through none of it, and cost next to nothing.
 */
export function byStepping(
  program: Program,
  all: readonly Coordinate[],
): { readonly stepping: readonly number[]; readonly others: readonly number[] } {
  const isStepping = new Map<string, boolean>();
  const asked = (name: string): boolean => {
    const known = isStepping.get(name);
    if (known !== undefined) return known;
    const found = reachesSteps(program, name);
    isStepping.set(name, found);
    return found;
  };
  const indices = [...all.keys()];
  const others = indices.filter((j) => !asked(all[j]!.parameter.name));
  if (others.length < MANY * all.length) return { stepping: indices, others: [] };
  return { stepping: indices.filter((j) => asked(all[j]!.parameter.name)), others };
}

/** Of all coordinates: of fewer a program of their own costs more than it saves. */
const MANY = 1 / 4;

function reachesSteps({ parameters, statements }: Program, name: string): boolean {
  const moved = new Set(parameters.filter((each) => each.name === name).map(({ value }) => value.id));
  return statements.some(({ construct, results }) => {
    if (!operandsOf(construct).some(({ id }) => moved.has(id))) return false;
    for (const { id } of results) moved.add(id);
    return STEPPING.has(construct.kind);
  });
}

/** So many at a time. */
export const inTurns = (coordinates: readonly number[], atOnce: number): number[][] =>
  Array.from({ length: Math.ceil(coordinates.length / atOnce) }, (_, turn) =>
    coordinates.slice(turn * atOnce, (turn + 1) * atOnce),
  );
