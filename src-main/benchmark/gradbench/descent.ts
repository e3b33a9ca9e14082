/**
 * The gradient descent of GradBench's `particle` and `saddle` (its cpp/gradbench/gd.hpp), as slots of which each does one
 * thing, and those after the end none: with x′ = x − η·∇f(x),
 *
 *   ‖∇f(x)‖ ≤ ε: end;   10 steps in a row: η ← 2η;   ‖x′ − x‖ ≤ ε: end;   f(x′) < f(x): x ← x′;   else η ← η/2
 *
 * How many it takes is not known before: they are sizes that grow.
 */
import {
  arrayType,
  type ElementType,
  intLiteral,
  type Program,
  ProgramBuilder,
  realLiteral,
  type ScalarBuilder,
  type ScalarFunction,
  scalarFunction,
  type ScalarOperand,
  type Size,
  type Value,
} from '../../../engine/index.ts';

const [SHORTEST, IN_A_ROW, FIRST_RATE] = [1e-5, 10, 1e-5];

/** x…, f, ∂f/∂x…, η, steps in a row, whether it has ended. */
const stateTypes = (d: number): ElementType[] => [...reals(2 * d + 2), 'int', 'bool'];

export const reals = (length: number): ElementType[] => Array.from({ length }, () => 'real');

const norm = (s: ScalarBuilder, of: readonly ScalarOperand[]): ScalarOperand =>
  s.apply(
    'sqrt',
    of.map((each) => s.apply('mul', each, each)).reduce((sum, each) => s.apply('add', sum, each)),
  );

/** x′ of a state. */
function trial(s: ScalarBuilder, d: number, state: readonly ScalarOperand[]): ScalarOperand[] {
  const [slopes, rate] = [state.slice(d + 1, 2 * d + 1), state[2 * d + 1]!];
  return slopes.map((slope, i) => s.apply('sub', state[i]!, s.apply('mul', rate, slope)));
}

/** The next state, of a state, x′, and f and ∂f/∂x there. */
function decided(
  s: ScalarBuilder,
  d: number,
  state: readonly ScalarOperand[],
  there: readonly ScalarOperand[],
): ScalarOperand[] {
  const [value, slopes] = [state[d]!, state.slice(d + 1, 2 * d + 1)];
  const [rate, row, ended] = state.slice(2 * d + 1) as [ScalarOperand, ScalarOperand, ScalarOperand];
  const short = (of: readonly ScalarOperand[]): ScalarOperand => s.apply('le', norm(s, of), realLiteral(SHORTEST));
  const full = s.apply('eq', row, intLiteral(IN_A_ROW));
  const still = s.apply(
    'and',
    s.apply('not', full),
    short(there.slice(0, d).map((x, i) => s.apply('sub', x, state[i]!))),
  );
  const end = s.apply('or', s.apply('or', ended, short(slopes)), still);
  const paced = (factor: number): ScalarOperand[] => [
    ...state.slice(0, 2 * d + 1),
    ...[s.apply('mul', rate, realLiteral(factor)), intLiteral(0), end],
  ];
  const lower = s.apply('lt', there[d]!, value);
  const step = (): ScalarOperand[] =>
    s.branch(
      lower,
      () => [...there, rate, s.apply('add', row, intLiteral(1)), end],
      () => paced(0.5),
    );
  const going = (): ScalarOperand[] => s.branch(full, () => paced(2), step);
  return s.branch(end, () => [...state.slice(0, -1), end], going);
}

/** What the search begins with, of x and f and ∂f/∂x there. */
const begun = (b: ProgramBuilder, there: readonly Value[]): Value[] => [
  ...[...there, b.literal(FIRST_RATE)],
  ...[b.literal(0, 'int'), b.literal(0, 'bool')],
];

/** x of the last state; a fault where it has not ended, so that slots grow. */
function found(b: ProgramBuilder, d: number, state: readonly Value[]): Value[] {
  return state.slice(0, d).map((x) => whereTrue(b, state.at(-1)!, x));
}

/** A fault unless the condition is true. */
export function whereTrue(b: ProgramBuilder, condition: Value, value: Value): Value {
  const index = b.elementwise([condition], (s, holds) => s.apply('sub', intLiteral(1), s.apply('int', holds)));
  return b.reshape(b.gather(b.reshape(value, [1]), b.reshape(index, [1]), 'fault'), []);
}

/** Where (x…, given…) ↦ (f, ∂f/∂x…) is least, from `start`: all in one recurrence. */
export function leastOf(
  b: ProgramBuilder,
  slopes: ScalarFunction,
  start: readonly Value[],
  given: readonly Value[],
  slots: Size,
): Value[] {
  const d = start.length;
  const step = scalarFunction([...stateTypes(d), ...reals(given.length)], (s, ...all) => {
    const [state, others] = [all.slice(0, 2 * d + 4), all.slice(2 * d + 4)];
    const x = trial(s, d, state);
    return decided(s, d, state, [...x, ...s.inline(slopes, [...x, ...others])]);
  });
  const initial = begun(b, [...start, ...b.map(slopes, [...start, ...given])]);
  const state = b.emit({
    ...{ kind: 'recurrence', step, shape: [slots], axis: 0, reverse: false },
    ...{ initial, inputs: [], invariants: given },
  });
  return found(b, d, state);
}

/** The same of a program: a loop, whose body runs it. */
export function leastOfProgram(
  b: ProgramBuilder,
  slopes: Program,
  start: readonly Value[],
  given: readonly Value[],
  slots: Size,
): Value[] {
  const d = start.length;
  const body = new ProgramBuilder();
  body.parameter('slot', arrayType('int', []));
  const state = stateTypes(d).map((type, i) => body.parameter(`state ${i}`, arrayType(type, [])));
  const others = given.map(({ type }, i) => body.parameter(`given ${i}`, type));
  const x = body.map(
    scalarFunction(stateTypes(d), (s, ...all) => trial(s, d, all)),
    state,
  );
  const there = [...x, ...body.emit({ kind: 'call', program: slopes, inputs: [...x, ...others] })];
  const decide = scalarFunction([...stateTypes(d), ...reals(2 * d + 1)], (s, ...all) =>
    decided(s, d, all.slice(0, 2 * d + 4), all.slice(2 * d + 4)),
  );
  const next = body.map(decide, [...state, ...there]);
  const initial = begun(b, [...start, ...b.emit({ kind: 'call', program: slopes, inputs: [...start, ...given] })]);
  const results = body.finish(next.map((value, i) => ({ name: `state ${i}`, value })));
  return found(b, d, b.emit({ kind: 'loop', count: slots, body: results, initial, invariants: given }));
}
