/**
 * `det`: the determinant of A, ℓ × ℓ, by expansion by minors (det_by_minor of cmpad, https://github.com/bradbell/cmpad), and
 * its gradient. With D_S the determinant of the last |S| rows and the columns S, j the place of c in S:
 *
 *   D_∅ = 1,   D_S = Σ_{c∈S} (−1)ʲ·A_{ℓ−|S|,c}·D_{S∖c}
 *
 * All sets of a size are one array, made of the one before by a gather and a reduce. So a minor that many others have in
 * common is found once: ℓ·2^(ℓ−1) products in place of the recursion's e·ℓ!.
 */
import * as v from 'valibot';
import {
  arrayType,
  gradientName,
  type Program,
  ProgramBuilder,
  realLiteral,
  type Value,
  withGradient,
} from '../../../engine/index.ts';
import { evaluation, sum, VALUE, valueOf } from './evaluation.ts';

interface Level {
  /** [sets · size]: each set's columns in their order. */
  readonly columns: readonly number[];
  /** [sets · size]: where, one level below, the set without that column is. */
  readonly without: readonly number[];
  readonly sets: number;
}

/** The sets of columns of each size from 1 to ℓ, as bits. */
export function levelsOf(ell: number): Level[] {
  const bySize: number[][] = Array.from({ length: ell + 1 }, () => []);
  const places = Array.from({ length: 2 ** ell }, (_, set) => {
    const size = columnsOf(set).length;
    return bySize[size]!.push(set) - 1;
  });
  return bySize.slice(1).map((sets) => ({
    columns: sets.flatMap(columnsOf),
    without: sets.flatMap((set) => columnsOf(set).map((column) => places[set - 2 ** column]!)),
    sets: sets.length,
  }));
}

function columnsOf(set: number): number[] {
  const found: number[] = [];
  for (let column = 0; 2 ** column <= set; column++) if ((set >> column) & 1) found.push(column);
  return found;
}

const [COLUMNS, WITHOUT] = ['columns', 'without'].map((name) => (size: number) => `${name} of ${size}`) as [
  (size: number) => string,
  (size: number) => string,
];

function program(ell: number): Program {
  const b = new ProgramBuilder();
  const a = b.parameter('A', arrayType('real', [ell, ell]));
  const minors = levelsOf(ell).reduce<Value>(
    (below, { sets }, i) => {
      const size = i + 1;
      const indices = (name: string): Value => b.parameter(name, arrayType('int', [sets, size]));
      const row = b.reshape(b.slice(a, 0, ell - size, 1), [ell]);
      const factors = b.gather(row, indices(COLUMNS(size)), 'zero');
      return sum(b, alternating(b, factors, b.gather(below, indices(WITHOUT(size)), 'zero'), size), 1);
    },
    b.replicate(b.literal(1), [1]),
  );
  return b.finish(valueOf(b.reshape(minors, [])));
}

/** (−1)ʲ·x·y, j along the last axis. */
function alternating(b: ProgramBuilder, x: Value, y: Value, length: number): Value {
  return b.elementwise([x, y, b.iota(length)], (s, first, second, j) => {
    const sign = s.apply(
      'sub',
      realLiteral(1),
      s.apply('mul', realLiteral(2), s.apply('mod', s.apply('real', j), realLiteral(2))),
    );
    return s.apply('mul', sign, s.apply('mul', first, second));
  });
}

const inputs = ({ A, ell }: { A: readonly number[]; ell: number }) => ({
  A,
  ...Object.fromEntries(
    levelsOf(ell).flatMap(({ columns, without }, i) => [
      [COLUMNS(i + 1), columns],
      [WITHOUT(i + 1), without],
    ]),
  ),
});

export const det = evaluation({
  name: 'det',
  input: v.object({ A: v.array(v.number()), ell: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(20)) }),
  functions: {
    primal: (input) => ({ program: program(input.ell), inputs: inputs(input), answer: (result) => result(VALUE)[0] }),
    gradient: (input) => ({
      program: withGradient(program(input.ell), VALUE, ['A']),
      inputs: inputs(input),
      answer: (result) => [...result(gradientName('A'))],
    }),
  },
});
