/**
 * Where a function of a solution may jump: its comparisons and roundings, each as a value that is the same until then, a
 * quantity that passes through 0 there, and bounds which an argument keeps within until then.
 *
 * They are read off the function itself, branches included, so that nothing of a formula is understood twice.
 */
import {
  jvpFunction,
  realLiteral,
  type ScalarBlock,
  type ScalarBuilder,
  scalarFunction,
  simplifyFunction,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../engine/index.ts';
import type { Role } from './methods/role.ts';

export interface Watches {
  /** Over the parameters of the function: what `Watch` says of each, one after the other. */
  readonly function: ScalarFunction;
  /** The same of all `argument`s alone. */
  readonly arguments: ScalarFunction;
  /** What is watched itself, with the `value`s of all watches given after its parameters, whatever its arguments say. */
  readonly held: ScalarFunction;
  readonly count: number;
  /** Of each result of what is watched the watches that it hangs on, by their number. */
  readonly behind: readonly (readonly number[])[];
}

interface Watch {
  readonly value: ScalarOperand;
  readonly quantity: ScalarOperand;
  /** Of what is compared: the quantity is known to its rounding. */
  readonly magnitude: ScalarOperand;
  /** What does not jump itself, and between what it lies as long as the value is the same. */
  readonly argument: ScalarOperand;
  readonly low: ScalarOperand;
  readonly high: ScalarOperand;
}

export const watchWidth = 6;
const argumentPlace = 3;

type Rounding = 'floor' | 'ceil' | 'round' | 'trunc' | 'sign';
type Reach = (s: ScalarBuilder, value: ScalarOperand) => readonly [ScalarOperand, ScalarOperand];

const from =
  (below: number, above: number): Reach =>
  (s, value) => [s.apply('add', value, realLiteral(below)), s.apply('add', value, realLiteral(above))];

/** Between what an argument lies that is rounded to a value. */
const reachOf: Readonly<Record<Rounding, Reach>> = {
  floor: from(0, 1),
  ceil: from(-1, 0),
  round: from(-0.5, 0.5),
  // Towards 0, to which both sides are rounded.
  trunc: (s, value) => {
    const beyond = (isIn: ScalarOperand, by: number): ScalarOperand =>
      s.apply('add', value, s.apply('mul', realLiteral(by), s.apply('real', isIn)));
    return [beyond(s.apply('le', value, realLiteral(0)), -1), beyond(s.apply('le', realLiteral(0), value), 1)];
  },
  sign: (s, value) => {
    const unless = (isIn: ScalarOperand, bound: number): ScalarOperand =>
      s.either(
        isIn,
        () => realLiteral(bound),
        () => realLiteral(0),
      );
    return [
      unless(s.apply('lt', value, realLiteral(0)), -Infinity),
      unless(s.apply('lt', realLiteral(0), value), Infinity),
    ];
  },
};

const isRounding = (operation: string): operation is Rounding => Object.hasOwn(reachOf, operation);

/** Those that can move along a solution; undefined where there are none. */
export function watchesOf(fn: ScalarFunction, roles: readonly Role[]): Watches | undefined {
  const all = flattened(fn, () => true, telling(everything));
  const { active } = jvpFunction(
    all.function,
    roles.map(({ kind }) => kind !== 'constant'),
  );
  const moves = (watch: number): boolean => active[watchWidth * watch + 1] === true;
  const count = active.filter((_, i) => i % watchWidth === 0 && moves(i / watchWidth)).length;
  if (count === 0) return undefined;
  const argument = (watch: readonly ScalarOperand[]): readonly ScalarOperand[] => [watch[argumentPlace]!];
  const kept = Array.from({ length: active.length / watchWidth }, (_, i) => i).filter(moves);
  return {
    function: simplifyFunction(flattened(fn, moves, telling(everything)).function),
    arguments: simplifyFunction(flattened(fn, moves, telling(argument)).function),
    held: simplifyFunction(flattened(fn, moves, (_, results) => [...results], count).function),
    count,
    behind: all.behind.map((watches) => kept.flatMap((watch, i) => (watches.has(watch) ? [i] : []))),
  };
}

type Told = (watch: readonly ScalarOperand[]) => readonly ScalarOperand[];
type Results = (watches: readonly Watch[], results: readonly ScalarOperand[]) => ScalarOperand[];

const everything: Told = (watch) => watch;

function telling(told: Told): Results {
  return (watches) =>
    watches.length === 0
      ? [realLiteral(0)]
      : watches.flatMap(({ value, quantity, magnitude, argument, low, high }) =>
          told([value, quantity, magnitude, argument, low, high]),
        );
}

/**
 * All statements, those in branches too, with other results: of the wanted watches and of the function's own. `held`: so
 * many values are given of the wanted watches.
 */
function flattened(
  fn: ScalarFunction,
  wanted: (watch: number) => boolean,
  resultsOf: Results,
  held = 0,
): { readonly function: ScalarFunction; readonly behind: readonly ReadonlySet<number>[] } {
  const types = fn.parameters.map(({ type }) => type);
  /** Of each variable the watches that it hangs on. */
  const behind = new Map<number, ReadonlySet<number>>();
  const behindAll = (operands: readonly ScalarOperand[], more: readonly number[] = []): ReadonlySet<number> =>
    new Set([
      ...operands.flatMap((each) => (each.kind === 'literal' ? [] : [...(behind.get(each.id) ?? [])])),
      ...more,
    ]);
  const written = scalarFunction([...types, ...new Array<'real'>(held).fill('real')], (s, ...operands) => {
    const known = new Map<number, ScalarOperand>();
    fn.parameters.forEach(({ id }, i) => known.set(id, operands[i] as ScalarOperand));
    const givenValues = operands.slice(types.length);
    const resolve = (operand: ScalarOperand): ScalarOperand =>
      operand.kind === 'literal' ? operand : known.get(operand.id)!;
    const found: Watch[] = [];
    /** What the watch that is found next says, if not what its arguments do. */
    const heldValue = (): ScalarOperand | undefined =>
      held > 0 && wanted(found.length) ? givenValues.shift() : undefined;
    const sizeOf = (x: ScalarOperand): ScalarOperand => s.apply('abs', x);
    const compare = (a: ScalarOperand, b: ScalarOperand, operation: 'lt' | 'le'): ScalarOperand => {
      const heldTo = heldValue();
      const holds = heldTo ? s.apply('eq', heldTo, realLiteral(1)) : s.apply(operation, a, b);
      const magnitude = s.apply('max', sizeOf(a), sizeOf(b));
      const quantity = s.apply('sub', b, a);
      const where = (yes: number, no: number): ScalarOperand =>
        s.either(
          holds,
          () => realLiteral(yes),
          () => realLiteral(no),
        );
      const bounds = { argument: quantity, low: where(0, -Infinity), high: where(Infinity, 0) };
      found.push({ value: s.apply('real', holds), quantity, magnitude, ...bounds });
      return holds;
    };
    const round = (rounding: Rounding, a: ScalarOperand): ScalarOperand => {
      const value = heldValue() ?? s.apply(rounding, a);
      const [low, high] = reachOf[rounding](s, value);
      found.push({ value, quantity: s.apply('sub', a, value), magnitude: sizeOf(a), argument: a, low, high });
      return value;
    };
    const watched = (operation: string, [a, b]: readonly [ScalarOperand, ScalarOperand]): ScalarOperand | undefined => {
      if (operation === 'lt' || operation === 'le') return compare(a, b, operation);
      // An equality holds for a moment: what is seen is that one side has passed the other.
      if (operation === 'eq' || operation === 'ne') {
        const [below, within] = [compare(a, b, 'lt'), compare(a, b, 'le')];
        const equal = s.apply('and', within, s.apply('not', below));
        return operation === 'eq' ? equal : s.apply('not', equal);
      }
      if (isRounding(operation)) return round(operation, a);
      if (operation === 'mod') return s.apply('sub', a, s.apply('mul', b, round('floor', s.apply('div', a, b))));
      return undefined;
    };
    const copy = (block: ScalarBlock): void => {
      for (const statement of block.statements) {
        if (statement.kind === 'if') {
          copy(statement.then);
          copy(statement.else);
          const results = s.branch(
            resolve(statement.condition),
            () => statement.then.results.map(resolve),
            () => statement.else.results.map(resolve),
          );
          for (const [i, { id }] of statement.results.entries()) {
            known.set(id, results[i] as ScalarOperand);
            behind.set(id, behindAll([statement.condition, statement.then.results[i]!, statement.else.results[i]!]));
          }
          continue;
        }
        const { operation, result } = statement;
        const given = statement.operands.map(resolve);
        const first = found.length;
        const value =
          given[0]!.type === 'real' ? watched(operation, given as [ScalarOperand, ScalarOperand]) : undefined;
        known.set(result.id, held > 0 && value ? value : s.apply(operation, ...given));
        const own = Array.from({ length: found.length - first }, (_, i) => first + i);
        behind.set(result.id, behindAll(statement.operands, own));
      }
    };
    copy(fn.body);
    return resultsOf(
      found.filter((_, i) => wanted(i)),
      fn.body.results.map(resolve),
    );
  });
  return { function: written, behind: fn.body.results.map((result) => behindAll([result])) };
}
