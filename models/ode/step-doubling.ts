/**
 * The error of x_h, of a method of order p, from the same solution by half the steps:
 *
 *   |x_h − x| ≈ 2ᵖ/(2ᵖ − 1)·|x_h − x_{h/2}|
 *
 * the largest over all states and times, and beside it the largest |x_{h/2}|, which tells what that error is worth. A
 * solution that is not finite, by either, has an error of ∞. Hairer, Nørsett, Wanner: Solving Ordinary Differential Equations I, section II.4.
 */
import {
  builtinOperator,
  type ProgramBuilder,
  realLiteral,
  type ScalarOperand,
  type Value,
} from '../../engine/index.ts';
import type { LowerContext } from '../blocks/kind.ts';
import { expression } from '../objective/expression.ts';
import { flatten } from '../objective/sums.ts';
import type { OdeDetail } from './infer.ts';
import { askedFrom, lowerOde, methodOf } from './lower.ts';
import { substepsOf, type OdeBlock } from './schema.ts';

export function stepDoubling(block: OdeBlock, detail: OdeDetail, context: LowerContext): Value {
  const b = context.builder;
  const substeps = substepsOf(block);
  const coarse = lowerOde(block, detail, context, substeps);
  const fine = lowerOde(block, detail, context, 2 * substeps);
  const power = 2 ** methodOf(block).order;
  const asked = askedFrom(block, detail, context, fine);
  const errors = coarse.map((value, i) =>
    b.elementwise([value, fine[i] as Value, asked[i] as Value], (s, x, y, start) => {
      const e = expression(s);
      const error = e.multiply(e.apply('abs', e.subtract(x, y)), realLiteral(power / (power - 1)));
      const known = (): ScalarOperand =>
        e.choose(
          e.apply('isnan', error),
          () => realLiteral(Infinity),
          () => error,
        );
      return e.choose(e.apply('isnan', start), () => realLiteral(0), known);
    }),
  );
  const sizes = fine.map((value) =>
    b.elementwise([value], (s, x) =>
      expression(s).choose(
        s.apply('isnan', x),
        () => realLiteral(0),
        () => s.apply('abs', x),
      ),
    ),
  );
  return b.concatenate(
    [errors, sizes].map((values) => b.reshape(largest(b, values), [1])),
    0,
  );
}

function largest(b: ProgramBuilder, values: readonly Value[]): Value {
  return values
    .map((value) => b.reduce(builtinOperator('max'), [flatten(b, value)], 0)[0] as Value)
    .reduce((a, c) => b.apply('max', a, c), b.literal(0));
}
