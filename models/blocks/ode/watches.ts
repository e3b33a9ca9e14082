/**
 * Where a function of a solution may jump: its comparisons and roundings, each as a value that is the same until then, and
 * a quantity that passes through 0 there.
 *
 * They are read off the function itself, branches included, so that nothing of a formula is understood twice.
 */
import {
  jvpFunction,
  realLiteral,
  type ScalarBlock,
  scalarFunction,
  type ScalarFunction,
  type ScalarOperand,
} from '../../../engine/index.ts';
import type { Role } from './methods/role.ts';

export interface Watches {
  /** Over the parameters of the function: value, quantity and magnitude of each, one after the other. */
  readonly function: ScalarFunction;
  readonly count: number;
}

interface Watch {
  readonly value: ScalarOperand;
  readonly quantity: ScalarOperand;
  /** Of what is compared: the quantity is known to its rounding. */
  readonly magnitude: ScalarOperand;
}

/** Of value, quantity and magnitude. */
export const watchWidth = 3;

const roundings = new Set(['floor', 'ceil', 'round', 'trunc', 'sign']);

/** Those that can move along a solution; undefined where there are none. */
export function watchesOf(fn: ScalarFunction, roles: readonly Role[]): Watches | undefined {
  const all = flattened(fn, () => true);
  const { active } = jvpFunction(
    all,
    roles.map(({ kind }) => kind !== 'constant'),
  );
  const moves = (watch: number): boolean => active[watchWidth * watch + 1] === true;
  const count = active.filter((_, i) => i % watchWidth === 0 && moves(i / watchWidth)).length;
  return count === 0 ? undefined : { function: flattened(fn, moves), count };
}

/** All statements, those in branches too, without any result but what is watched. */
function flattened(fn: ScalarFunction, wanted: (watch: number) => boolean): ScalarFunction {
  const types = fn.parameters.map(({ type }) => type);
  return scalarFunction(types, (s, ...operands) => {
    const known = new Map<number, ScalarOperand>();
    fn.parameters.forEach(({ id }, i) => known.set(id, operands[i] as ScalarOperand));
    const resolve = (operand: ScalarOperand): ScalarOperand =>
      operand.kind === 'literal' ? operand : (known.get(operand.id) as ScalarOperand);
    const found: Watch[] = [];
    const sizeOf = (x: ScalarOperand): ScalarOperand => s.apply('abs', x);
    const compare = (a: ScalarOperand, b: ScalarOperand, operation: 'lt' | 'le'): void => {
      const holds = s.apply(operation, a, b);
      const magnitude = s.apply('max', sizeOf(a), sizeOf(b));
      found.push({ value: s.apply('real', holds), quantity: s.apply('sub', b, a), magnitude });
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
        if (roundings.has(operation)) found.push({ value, quantity: s.apply('sub', a, value), magnitude: sizeOf(a) });
        if (operation === 'mod') {
          const turns = s.apply('floor', s.apply('div', a, b));
          found.push({ value: turns, quantity: value, magnitude: sizeOf(a) });
        }
      }
    };
    copy(fn.body);
    const kept = found.filter((_, i) => wanted(i));
    return kept.length === 0
      ? [realLiteral(0)]
      : kept.flatMap(({ value, quantity, magnitude }) => [value, quantity, magnitude]);
  });
}
