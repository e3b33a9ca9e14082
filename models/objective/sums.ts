import type { ProgramBuilder } from '../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../engine/0-ir/operators.ts';
import type { Value } from '../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand, type ScalarVariable } from '../../engine/0-ir/scalar.ts';
import type { ScalarBuilder } from '../../engine/0-ir/scalar-builder.ts';
import { sizeProduct } from '../../engine/0-ir/sizes.ts';
import type { Shape } from '../../engine/0-ir/types.ts';

/** The sum of all elements. */
export function sumAll(builder: ProgramBuilder, value: Value): Value {
  let sum = value;
  while (sum.type.shape.length > 0)
    sum = builder.reduce(builtinOperator('add'), [sum], sum.type.shape.length - 1)[0] as Value;
  return sum;
}

/** All elements in one row; a scalar becomes an array of one. */
export function flatten(builder: ProgramBuilder, value: Value): Value {
  return value.type.shape.length === 1 ? value : builder.reshape(value, [sizeProduct(value.type.shape)]);
}

/**
 * Elementwise over `shape`, and exactly 0 where `observed` is missing. Structured, so that no derivative is taken
 * where nothing was observed.
 */
export function whereObserved(
  builder: ProgramBuilder,
  observed: Value,
  inputs: readonly Value[],
  shape: Shape,
  write: (s: ScalarBuilder, observed: ScalarVariable, ...inputs: ScalarVariable[]) => ScalarOperand,
): Value {
  return builder.elementwise(
    [observed, ...inputs],
    (s, y, ...x) => {
      const [result] = s.branch(
        s.apply('isnan', y),
        () => [realLiteral(0)],
        () => [write(s, y, ...x)],
      );
      return result as ScalarVariable;
    },
    shape,
  );
}

/** How many elements of the domain were observed. */
export function countObserved(builder: ProgramBuilder, observed: Value, shape: Shape): Value {
  return sumAll(
    builder,
    whereObserved(builder, observed, [], shape, () => realLiteral(1)),
  );
}
