/**
 * y = reduce(⊙, as)  ⇒  āᵢ = ∂(lᵢ ⊙ aᵢ ⊙ rᵢ)/∂aᵢ · ȳ, with l and r two exclusive scans. Paper, figure "red-gen-rule".
 * ⊙ need not commute. Tuples of any size.
 */
import { componentTypes, flipped } from '../../../0-ir/operators.ts';
import { intLiteral } from '../../../0-ir/scalar.ts';
import { workOf } from '../../../1-optimize/work.ts';
import { expandAxis, indexAlong, sumTo } from '../../layout.ts';
import type { VjpRule } from '../../rule.ts';
import { betweenFunction, takesBetween } from '../parts/between.ts';

export const reduceGeneral: VjpRule<'reduce'> = {
  name: 'reduce-general',
  construct: 'reduce',
  sweep: 'any',
  example: `program (%0 offsets: real[n], %1 slopes: real[n]) {
  %2: real, %3: real = reduce[n] along 0 operator neutral (0.0, 1.0)
    (x0: real, x1: real, x2: real, x3: real) { x4 = x3 * x0; x5 = x2 + x4; x6 = x1 * x3; yield x5, x6 }
    (%0, %1)
  yield offset = %2, slope = %3
}`,
  matches: ({ operator }) => takesBetween(operator),
  cost: ({ operator }) => ({
    traffic: 9 * operator.neutral.length,
    operations: 7 * workOf(operator.combine),
    passes: 4,
  }),
  cotangents(b, { operator, inputs, shape, axis }, _, cotangents) {
    const types = componentTypes(operator);
    const ls = b.emit({ kind: 'scan', operator, shape, axis, inputs, exclusive: true, reverse: false });
    const rs = b.emit({
      kind: 'scan',
      operator: flipped(operator),
      shape,
      axis,
      inputs,
      exclusive: true,
      reverse: true,
    });
    const index = indexAlong(b, shape[axis]!, axis, shape.length);
    const hasLeft = b.elementwise([index], (s, i) => s.apply('lt', intLiteral(0), i));
    const hasRight = b.elementwise([b.reverse(index, axis)], (s, i) => s.apply('lt', intLiteral(0), i));
    const seeded = cotangents.map((cotangent) => cotangent !== undefined);
    const across = cotangents.filter((c) => c !== undefined).map((cotangent) => expandAxis(b, cotangent, axis));
    const adjoints = b.map(
      betweenFunction(operator, seeded),
      [hasLeft, hasRight, ...ls, ...inputs, ...rs, ...across],
      shape,
    );
    let next = 0;
    return inputs.map((input, i) => (types[i] === 'real' ? sumTo(b, adjoints[next++]!, input.type.shape) : undefined));
  },
};
