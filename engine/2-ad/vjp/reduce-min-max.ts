/**
 * y = reduce(min, xs)  ⇒  (k, y) = reduce(minᴸ, zip(iota n, xs)),  x̄s[i] = (i = k) ? ȳ : 0. Paper, section 3.2.2.
 *
 * Ties: the smallest index takes all of ȳ. The first NaN wins. An empty axis has an index past all, so no element takes anything.
 * The paper scatters ȳ into zeros; comparing with k writes the same n elements and fuses with what follows.
 */
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { recognise, type Operator } from '../../0-ir/operators.ts';
import type { ConstructOf, Value } from '../../0-ir/program.ts';
import { realLiteral } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { expandAxis, indexAlong, sumTo } from '../layout.ts';
import type { Primal, VjpRule } from '../rule.ts';

export const reduceMinMax: VjpRule<'reduce'> = {
  name: 'reduce-min-max',
  construct: 'reduce',
  sweep: 'min or max',
  example: `program (%0 xs: real[n]) {
  %1: real = reduce[n] along 0 min (%0)
  yield y = %1
}`,
  matches: ({ operator }) => ['min', 'max'].includes(recognise(operator) ?? ''),
  cost: () => ({ traffic: 2, operations: 6, passes: 2 }),
  primal(b, { operator, inputs, shape, axis }): Primal {
    const index = indexAlong(b, shape[axis] as number | string, axis, shape.length);
    const lifted = liftedMinMax(recognise(operator) === 'min' ? 'min' : 'max');
    const [winner, y] = b.emit({ kind: 'reduce', operator: lifted, shape, axis, inputs: [index, ...inputs] });
    return { results: [y as Value], saved: [winner as Value] };
  },
  cotangents(b, { inputs, shape, axis }, { saved }, [cotangent]) {
    const [input] = inputs;
    const winner = saved?.[0];
    if (!input || !cotangent || !winner) return [undefined];
    return [sumTo(b, atWinner(b, shape, axis, winner, cotangent), input.type.shape)];
  },
};

/** The neutral element's index: past all, so that an element wins a tie against it. */
const none = 2147483647;

/** (index, value) pairs: the smaller (larger) value wins, then the smaller index; a NaN beats all that is none. */
export function liftedMinMax(which: 'min' | 'max'): Operator {
  const combine = scalarFunction(['int', 'real', 'int', 'real'], (s, i, x, j, y) => {
    const nanX = s.apply('isnan', x);
    const nanY = s.apply('isnan', y);
    const beats = which === 'min' ? s.apply('lt', x, y) : s.apply('lt', y, x);
    const ties = s.apply('or', s.apply('eq', x, y), s.apply('and', nanX, nanY));
    const better = s.apply('or', beats, s.apply('and', nanX, s.apply('not', nanY)));
    const first = s.apply('or', better, s.apply('and', ties, s.apply('le', i, j)));
    return s.branch(
      first,
      () => [i, x],
      () => [j, y],
    );
  });
  return { combine, neutral: [none, which === 'min' ? Infinity : -Infinity], commutative: true };
}

function atWinner(
  b: ProgramBuilder,
  shape: ConstructOf<'reduce'>['shape'],
  axis: number,
  winner: Value,
  cotangent: Value,
): Value {
  const index = indexAlong(b, shape[axis] as number | string, axis, shape.length);
  return b.elementwise(
    [index, expandAxis(b, winner, axis), expandAxis(b, cotangent, axis)],
    (s, i, k, adjoint) =>
      s.branch(
        s.apply('eq', i, k),
        () => [adjoint],
        () => [realLiteral(0)],
      )[0] as typeof adjoint,
    shape,
  );
}
