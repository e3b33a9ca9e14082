/**
 * Symmetries of an energy: E(T·u) = E(u) for every u, where T lets like coordinates change places, turns signs and turns
 * phases,
 *
 *   (T·u)ⱼ = sⱼ·u_from(j) + k·π,   s = ±1
 *
 * as the terms of A·exp(-k·x) + B·exp(-l·x) may change places and the width of a peak may be negative. Two ends say which
 * T takes the one to the other; values of the energy at other points, drawn about the one, say whether the model has it.
 */
import { coordinateName, type Coordinate } from './coordinates.ts';
import { randomFrom } from './ensembles/random.ts';

export interface Symmetry {
  /** By coordinate: which one takes its place, with which sign, moved by how many half turns. */
  readonly moves: readonly Move[];
}

interface Move {
  readonly from: number;
  readonly sign: 1 | -1;
  readonly halfTurns: number;
}

/** Relative: values that may be each other's. Whether they are the energy says. */
const ALIKE = 1e-2;
/** Of the largest value: next to 0 there is no relative difference. */
const NOTHING = 1e-6;
const TURNED = 1e-3;
const MOST_TURNS = 100;
/** Assignments that are tried, the closest first. */
const MOST = 64;
/** How far points are drawn about an end, and how many of each. */
const REACHES = [0.3, 0.01];
const DRAWN = 4;
/** Points of which the energy has to have a value. */
const FEWEST = 3;

export function applied({ moves }: Symmetry, u: Float64Array): Float64Array {
  return Float64Array.from(moves, ({ from, sign, halfTurns }) => sign * u[from]! + halfTurns * Math.PI);
}

/** Those that may take p to q, what stays in its place first. */
export function candidates(all: readonly Coordinate[], p: Float64Array, q: Float64Array): Symmetry[] {
  const floor = NOTHING * Math.max(...p.map(Math.abs));
  const choices = all.map((_, j) => movesTo(all, p, q[j]!, j, floor));
  const found: Symmetry[] = [];
  const taken = new Set<number>();
  const moves: Move[] = [];
  const assign = (j: number): void => {
    if (found.length === MOST) return;
    if (j === all.length) return void found.push({ moves: [...moves] });
    for (const move of choices[j] as readonly Move[]) {
      if (taken.has(move.from)) continue;
      taken.add(move.from);
      moves.push(move);
      assign(j + 1);
      moves.pop();
      taken.delete(move.from);
    }
  };
  assign(0);
  return found.filter(({ moves }) => moves.some(({ from, sign, halfTurns }, j) => from !== j || sign < 0 || halfTurns));
}

function movesTo(all: readonly Coordinate[], p: Float64Array, wanted: number, j: number, floor: number): Move[] {
  const coordinate = all[j]!;
  const isAlike = (value: number): boolean =>
    Math.abs(value - wanted) <= ALIKE * Math.max(Math.abs(value), Math.abs(wanted)) + floor;
  const signs = canTurn(coordinate) ? ([1, -1] as const) : ([1] as const);
  const places = [j, ...all.keys()].filter((from, i) => (i === 0 || from !== j) && areLike(all[from], coordinate));
  const plain = signs.flatMap((sign) =>
    places.flatMap((from): Move[] => (isAlike(sign * p[from]!) ? [{ from, sign, halfTurns: 0 }] : [])),
  );
  const turned = signs.flatMap((sign): Move[] => {
    const turns = (wanted - sign * p[j]!) / Math.PI;
    const halfTurns = Math.round(turns);
    const may = halfTurns !== 0 && Math.abs(halfTurns) <= MOST_TURNS && Math.abs(turns - halfTurns) <= TURNED;
    return may && signs.length === 2 ? [{ from: j, sign, halfTurns }] : [];
  });
  return [...plain, ...turned];
}

export const areLike = (one: Coordinate | undefined, other: Coordinate): boolean =>
  one?.parameter.scale === other.parameter.scale && one.lower === other.lower && one.upper === other.upper;

const canTurn = ({ parameter, lower, upper }: Coordinate): boolean =>
  parameter.scale === 'linear' && lower === -Infinity && upper === Infinity;

/**
 * Points about an end, at which a symmetry is held against the energy. `errors`, where they are known: what rounding has left
 * of a 0 is no size, and points no farther apart than that would tell nothing.
 */
export function pointsAbout(
  all: readonly Coordinate[],
  end: Float64Array,
  errors: ArrayLike<number> = [],
): Float64Array[] {
  const random = randomFrom(1);
  const floor = NOTHING * Math.max(...end.map(Math.abs));
  const sizeOf = (u: number, error = NaN): number => Math.max(Math.abs(u), Number.isFinite(error) ? error : floor) || 1;
  const size = (j: number): number => (all[j]?.parameter.scale === 'linear' ? sizeOf(end[j]!, errors[j]) : 1);
  return REACHES.flatMap((reach) =>
    Array.from({ length: DRAWN }, () => end.map((u, j) => u + reach * size(j) * random.normal())),
  );
}

/** Whether these energies, at points and at their images, are the same: `rounding` is relative. */
export function areSame(energies: readonly number[], images: readonly number[], rounding: number): boolean {
  const finite = energies.flatMap((energy, i) => (Number.isFinite(energy) ? [[energy, images[i]!]] : []));
  const varied = new Set(energies).size > 1;
  return varied && finite.length >= FEWEST && finite.every(([a, b]) => Math.abs(a! - b!) <= rounding * Math.abs(a!));
}

/** In words: `A, k ↔ B, l`, `±w`. Undefined where a coordinate is no element of what has its name. */
export function symmetryInWords(all: readonly Coordinate[], { moves }: Symmetry): string | undefined {
  if (all.some(({ parameter }) => parameter.freed)) return undefined;
  const name = (j: number): string => coordinateName(all[j]!);
  const seen = new Set<number>();
  const cycles = moves.flatMap((_, j) => {
    const cycle: number[] = [];
    for (let i = j; !seen.has(i); i = moves[i]!.from) {
      seen.add(i);
      cycle.push(i);
    }
    return cycle.length > 1 ? [cycle] : [];
  });
  const lengths = [...new Set(cycles.map(({ length }) => length))];
  const swaps = lengths.map((length) => {
    const of = cycles.filter((cycle) => cycle.length === length);
    return Array.from({ length }, (_, term) => of.map((cycle) => name(cycle[term]!)).join(', ')).join(' ↔ ');
  });
  const signs = moves.flatMap(({ sign }, j) => (sign < 0 ? [`±${name(j)}`] : []));
  const turns = moves.flatMap(({ halfTurns }, j) =>
    halfTurns === 0 ? [] : [`${name(j)} ± ${halfTurns % 2 === 0 ? '2π' : 'π'}`],
  );
  return [...swaps, ...signs, ...turns].join(', ');
}
