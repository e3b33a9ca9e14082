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
  readonly count: number;
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
  const all = flattened(fn, () => true, everything);
  const { active } = jvpFunction(
    all,
    roles.map(({ kind }) => kind !== 'constant'),
  );
  const moves = (watch: number): boolean => active[watchWidth * watch + 1] === true;
  const count = active.filter((_, i) => i % watchWidth === 0 && moves(i / watchWidth)).length;
  if (count === 0) return undefined;
  const argument = (watch: readonly ScalarOperand[]): readonly ScalarOperand[] => [watch[argumentPlace]!];
  return {
    function: simplifyFunction(flattened(fn, moves, everything)),
    arguments: simplifyFunction(flattened(fn, moves, argument)),
    count,
  };
}

type Told = (watch: readonly ScalarOperand[]) => readonly ScalarOperand[];

const everything: Told = (watch) => watch;

/** All statements, those in branches too, without any result but what is told of what is watched. */
function flattened(fn: ScalarFunction, wanted: (watch: number) => boolean, told: Told): ScalarFunction {
  const types = fn.parameters.map(({ type }) => type);
  return scalarFunction(types, (s, ...operands) => {
    const known = new Map<number, ScalarOperand>();
    fn.parameters.forEach(({ id }, i) => known.set(id, operands[i] as ScalarOperand));
    const resolve = (operand: ScalarOperand): ScalarOperand =>
      operand.kind === 'literal' ? operand : known.get(operand.id)!;
    const found: Watch[] = [];
    const sizeOf = (x: ScalarOperand): ScalarOperand => s.apply('abs', x);
    const compare = (a: ScalarOperand, b: ScalarOperand, operation: 'lt' | 'le'): void => {
      const holds = s.apply(operation, a, b);
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
    };
    const round = (rounding: Rounding, a: ScalarOperand, value: ScalarOperand): void => {
      const [low, high] = reachOf[rounding](s, value);
      found.push({ value, quantity: s.apply('sub', a, value), magnitude: sizeOf(a), argument: a, low, high });
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
          statement.results.forEach(({ id }, i) => known.set(id, results[i] as ScalarOperand));
          continue;
        }
        const { operation, result } = statement;
        const given = statement.operands.map(resolve);
        const value = s.apply(operation, ...given);
        known.set(result.id, value);
        const [a, b] = given as [ScalarOperand, ScalarOperand];
        if (a.type !== 'real') continue;
        if (operation === 'lt' || operation === 'le') compare(a, b, operation);
        // An equality holds for a moment: what is seen is that one side has passed the other.
        if (operation === 'eq' || operation === 'ne') for (const each of ['lt', 'le'] as const) compare(a, b, each);
        if (isRounding(operation)) round(operation, a, value);
        if (operation === 'mod') {
          const turns = s.apply('div', a, b);
          round('floor', turns, s.apply('floor', turns));
        }
      }
    };
    copy(fn.body);
    const kept = found.filter((_, i) => wanted(i));
    return kept.length === 0
      ? [realLiteral(0)]
      : kept.flatMap(({ value, quantity, magnitude, argument, low, high }) =>
          told([value, quantity, magnitude, argument, low, high]),
        );
  });
}
