/**
 * What Fisher scoring goes by in the place of a long program's Hessian: the expected information,
 *
 *   H̃ = Σ (∂a/∂u)ᵀ·V(a)·(∂a/∂u) − ∂² log p(u)/∂u²
 *
 * a the arguments of each observation's distribution, V their information, p the priors. It takes one forward sweep for each
 * coordinate where the Hessian takes one over a reverse one, and is nowhere negative: far from a minimum it leads there in
 * fewer steps.
 *
 * Osborne (1992), Fisher's method of scoring.
 */
import { OutOfMemory } from '../../0-ir/errors.ts';
import type { Program } from '../../0-ir/program.ts';
import { jvp } from '../../2-ad/jvp.ts';
import { tangentName } from '../../2-ad/names.ts';
import { vmap } from '../../2-ad/vmap.ts';
import type { Coordinate } from '../coordinates.ts';
import type { SweepOptions } from '../derivative-programs.ts';
import { alongUnits, byStepping, evenly, inTurns, namesAlong, type AlongUnits } from './directions.ts';
import type { FitProblem, Informed } from '../problem.ts';
import {
  quadraticOf,
  withResults,
  type Ask,
  type Asked,
  type ComposedQuestion,
  type PlainQuestion,
} from '../questions.ts';

/** Directions that are followed at once. */
const AT_ONCE = 16;

/** By rows, of the energy that `problem.scoring` belongs to. */
export function informationOf(
  problem: Asked & Required<Pick<FitProblem, 'scoring'>>,
  all: readonly Coordinate[],
  options: SweepOptions,
): ComposedQuestion<Float64Array, readonly Float64Array[]> {
  const { terms, priors } = problem.scoring;
  const prior = priors === undefined ? undefined : quadraticOf(problem, all, priors, options);
  const of = terms.flatMap((term) => term.arguments);
  const { stepping, others } = byStepping(withResults(problem.program, of), all);
  const groups = [stepping, others].filter((along) => along.length > 0);
  const moving = groups.map((along) => movedAlong(problem, all, terms, along));
  return {
    get parts() {
      return [...moving.flatMap(({ parts }) => parts), ...(prior ? [prior] : [])];
    },
    async compose(ask, point) {
      const columns: (readonly Float64Array[])[][] = all.map(() => []);
      let entries: Moved['entries'] = [];
      for (const { moved } of moving)
        for (const { along, tangents, entries: found } of await moved(ask, point)) {
          along.forEach((j, k) => (columns[j] = tangents.map((ofTerm) => ofTerm[k]!)));
          entries = found;
        }
      const information = all.map(() => new Float64Array(all.length));
      terms.forEach(({ entries: own }, t) => {
        const ofTerm = columns.map((column) => column[t]!);
        own.forEach(({ by }, e) => addProducts(information, ofTerm, by, entries[t]![e]!));
      });
      if (!prior) return information;
      const { hessian } = await ask(prior, point);
      return information.map((row, i) => row.map((entry, j) => entry + hessian[i]![j]!));
    },
  };
}

/** Of each term: of each direction the tangents of the arguments, and the entries of V. */
interface Moved {
  readonly tangents: readonly (readonly (readonly Float64Array[])[])[];
  readonly entries: readonly (readonly Float64Array[])[];
}

/** Some directions at once, fewer where there is no room for as many. */
function movedAlong(problem: Asked, all: readonly Coordinate[], terms: readonly Informed[], along: readonly number[]) {
  let atOnce = evenly(along.length, AT_ONCE);
  let moved: PlainQuestion<AlongUnits, Moved> | undefined;
  return {
    get parts() {
      return moved ? [moved] : [];
    },
    async moved(ask: Ask, point: Float64Array): Promise<(Moved & { readonly along: readonly number[] })[]> {
      for (;;)
        try {
          const found: (Moved & { readonly along: readonly number[] })[] = [];
          moved ??= movedBy(problem, all, terms, along, atOnce);
          for (const turn of inTurns(along, atOnce))
            found.push({ ...(await ask(moved, { point, along: turn })), along: turn });
          return found;
        } catch (error) {
          if (!(error instanceof OutOfMemory) || atOnce === 1) throw error;
          atOnce = evenly(along.length, Math.floor(atOnce / 2));
          moved = undefined;
        }
    },
  };
}

function movedBy(
  problem: Asked,
  all: readonly Coordinate[],
  terms: readonly Informed[],
  moving: readonly number[],
  atOnce: number,
): PlainQuestion<AlongUnits, Moved> {
  const of = terms.flatMap((term) => term.arguments);
  const entries = terms.flatMap((term) => term.entries.map(({ name }) => name));
  const by = namesAlong(all, moving);
  const forward = jvp(withResults(problem.program, [...of, ...entries]), { by, of });
  const program: Program = {
    ...forward,
    results: forward.results.filter(({ name }) => !of.includes(name)),
  };
  return {
    program: vmap(program, atOnce, by.map(tangentName)),
    ...alongUnits(problem, all, moving, atOnce),
    read: (result, { along }) => {
      const lane = (name: string, k: number): Float64Array => {
        const whole = result(name);
        const length = whole.length / atOnce;
        return whole.slice(k * length, (k + 1) * length);
      };
      return {
        tangents: terms.map((term) => along.map((_, k) => term.arguments.map((name) => lane(tangentName(name), k)))),
        entries: terms.map((term) => term.entries.map(({ name }) => lane(name, 0))),
      };
    },
  };
}

/** Σ vᵣ·(∂aᵢ/∂uⱼ·∂aₖ/∂uₗ + ∂aₖ/∂uⱼ·∂aᵢ/∂uₗ) over the rows r, once where i is k. */
function addProducts(
  into: readonly Float64Array[],
  columns: readonly (readonly Float64Array[])[],
  [i, k]: readonly [number, number],
  weights: Float64Array,
): void {
  const moving = columns.flatMap((tangents, j) => (tangents[i]!.some((x) => x !== 0) ? [j] : []));
  const others = columns.flatMap((tangents, l) => (tangents[k]!.some((x) => x !== 0) ? [l] : []));
  for (const j of moving) {
    const column = tangents(columns, j, i);
    for (const l of others) {
      const other = tangents(columns, l, k);
      let sum = 0;
      // What is missing weighs nothing, and may be NaN.
      for (let r = 0; r < weights.length; r++) if (weights[r] !== 0) sum += column[r]! * weights[r]! * other[r]!;
      into[j]![l]! += sum;
      if (i !== k) into[l]![j]! += sum;
    }
  }
}

const tangents = (columns: readonly (readonly Float64Array[])[], direction: number, argument: number): Float64Array =>
  columns[direction]![argument]!;
