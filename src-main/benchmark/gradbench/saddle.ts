/**
 * `saddle`: min over x of max over y of f(x, y) = x₁² + x₂² − y₁² − y₂², and where (J. M. Siskind and B. A. Pearlmutter, Using
 * programming language theory to make automatic differentiation sound and efficient, 2008). Each is sought by gradient descent
 * from `start` [2]; the search for x differentiates through the searches for y. A function's name is the modes of differentiation
 * of the two: f forward, r in reverse. Answered are x, then y.
 */
import * as v from 'valibot';
import {
  arrayType,
  type Program,
  ProgramBuilder,
  type ScalarFunction,
  scalarFunction,
  type Value,
} from '../../../engine/index.ts';
import { leastOf, leastOfProgram } from './descent.ts';
import { evaluation, VALUE, valueOf } from './evaluation.ts';
import { type Mode, modePairs, modesOf, withProgramSlopes, withSlopes } from './modes.ts';

const [INNER, OUTER] = ['growing_inner', 'growing_outer'];

/** (y, x) ↦ −f: what is least where f is greatest. */
const loss: ScalarFunction = scalarFunction(['real', 'real', 'real', 'real'], (s, ...all) => {
  const squares = all.map((each) => s.apply('mul', each, each));
  const [y, x] = [s.apply('add', squares[0]!, squares[1]!), s.apply('add', squares[2]!, squares[3]!)];
  return [s.apply('sub', y, x)];
});

const greatest = (b: ProgramBuilder, x: readonly Value[], start: readonly Value[], mode: Mode): Value[] =>
  leastOf(b, withSlopes(loss, 2, mode), start, x, INNER);

const scalars = (b: ProgramBuilder, names: readonly string[]): Value[] =>
  names.map((name) => b.parameter(name, arrayType('real', [])));

const [X, START] = [
  ['x 0', 'x 1'],
  ['start 0', 'start 1'],
];

/** (x, start) ↦ max over y of f. */
function highest(mode: Mode): Program {
  const b = new ProgramBuilder();
  const [x, start] = [scalars(b, X), scalars(b, START)];
  const [value] = b.map(loss, [...greatest(b, x, start, mode), ...x]) as [Value];
  return b.finish(valueOf(b.apply('neg', value)));
}

function program([outer, inner]: readonly [Mode, Mode]): Program {
  const b = new ProgramBuilder();
  const start = scalars(b, START);
  const x = leastOfProgram(b, withProgramSlopes(highest(inner), X, outer), start, start, OUTER);
  const both = [...x, ...greatest(b, x, start, outer)];
  return b.finish(
    valueOf(
      b.concatenate(
        both.map((each) => b.reshape(each, [1])),
        0,
      ),
    ),
  );
}

export const saddle = evaluation({
  name: 'saddle',
  input: v.object({ start: v.pipe(v.array(v.number()), v.length(2)) }),
  functions: Object.fromEntries(
    modePairs.map((pair) => [
      pair,
      ({ start }: { start: number[] }) => ({
        program: program(modesOf(pair)),
        inputs: { [START[0]!]: [start[0]!], [START[1]!]: [start[1]!] },
        sizes: { [INNER]: 64, [OUTER]: 64 },
        answer: (result: (name: string) => Float64Array) => [...result(VALUE)],
      }),
    ]),
  ),
});
