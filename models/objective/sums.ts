import {
  builtinOperator,
  type ProgramBuilder,
  realLiteral,
  type ScalarBuilder,
  type ScalarOperand,
  type ScalarVariable,
  type Shape,
  sizeProduct,
  type Value,
} from '../../engine/index.ts';

/** The sum of all elements. */
export function sumAll(builder: ProgramBuilder, value: Value): Value {
  let sum = value;
  while (sum.type.shape.length > 0) sum = builder.reduce(builtinOperator('add'), [sum], sum.type.shape.length - 1)[0]!;
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
      return result!;
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
