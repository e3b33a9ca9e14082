/**
 * y = reduce(×, xs)  ⇒  x̄s[i] = ȳ · (the product of the others). Paper, figure "red-mult-rule".
 *
 * The primal also counts the zeros and multiplies the rest: no zero, p/x; one zero, p at the zero and 0 elsewhere;
 * several, 0 everywhere. The result itself stays the plain product, so infinities and NaN are IEEE's.
 */
import { recognise, type Operator } from '../../0-ir/operators.ts';
import type { Value } from '../../0-ir/program.ts';
import { intLiteral, realLiteral } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { expandAxis, sumTo } from '../layout.ts';
import type { VjpRule } from '../rule.ts';

/** (product, number of zeros, product of the rest) */
const lifted: Operator = {
  combine: scalarFunction(['real', 'int', 'real', 'real', 'int', 'real'], (s, y1, n1, p1, y2, n2, p2) => [
    s.apply('mul', y1, y2),
    s.apply('add', n1, n2),
    s.apply('mul', p1, p2),
  ]),
  neutral: [1, 0, 1],
  commutative: true,
};

const lift = scalarFunction(['real'], (s, x) => {
  const counted = s.branch(
    s.apply('eq', x, realLiteral(0)),
    () => [intLiteral(1), realLiteral(1)],
    () => [intLiteral(0), x],
  );
  return [x, ...counted];
});

const adjoint = scalarFunction(['real', 'int', 'real', 'real'], (s, x, zeros, rest, cotangent) =>
  s.branch(
    s.apply('eq', zeros, intLiteral(0)),
    () => [s.apply('mul', s.apply('div', rest, x), cotangent)],
    () => {
      const only = s.apply('and', s.apply('eq', zeros, intLiteral(1)), s.apply('eq', x, realLiteral(0)));
      return s.branch(
        only,
        () => [s.apply('mul', rest, cotangent)],
        () => [realLiteral(0)],
      );
    },
  ),
);

export const reduceMultiply: VjpRule<'reduce'> = {
  name: 'reduce-multiply',
  construct: 'reduce',
  matches: ({ operator }) => recognise(operator) === 'multiply',
  cost: () => ({ traffic: 3, operations: 8, passes: 2 }),
  primal(b, { inputs, shape, axis }) {
    const elements = b.map(lift, inputs, shape);
    const [y, zeros, rest] = b.emit({ kind: 'reduce', operator: lifted, shape, axis, inputs: elements });
    return { results: [y as Value], saved: [zeros as Value, rest as Value] };
  },
  cotangents(b, { inputs, shape, axis }, { saved }, [cotangent]) {
    const [input] = inputs;
    const [zeros, rest] = saved ?? [];
    if (!input || !cotangent || !zeros || !rest) return [undefined];
    const across = [zeros, rest, cotangent].map((value) => expandAxis(b, value, axis));
    const [result] = b.map(adjoint, [input, ...across], shape);
    return [sumTo(b, result as Value, input.type.shape)];
  },
};
