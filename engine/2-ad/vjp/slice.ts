/** ys = xs[start :: step]  ⇒  x̄s = zeros with ȳs in those places. */
import type { Value } from '../../0-ir/program.ts';
import type { Size } from '../../0-ir/sizes.ts';
import { sizeAdd, sizeSubtract } from '../../0-ir/sizes.ts';
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { arrayType } from '../../0-ir/types.ts';
import type { VjpRule } from '../rule.ts';

export const slice: VjpRule<'slice'> = {
  name: 'slice',
  construct: 'slice',
  example: `program (%0 xs: real[n]) {
  %1: real[n - 1] = slice %0 along 0 from [1] length [n - 1] step [1]
  yield ys = %1
}`,
  matches: () => true,
  cost: () => ({ traffic: 3, operations: 0, passes: 1 }),
  cotangents(b, { value, axis, start, length, step }, _, [cotangent]) {
    if (!cotangent) return [undefined];
    const whole = value.type.shape;
    if (step !== 1) return [scattered(b, cotangent, value, axis, start, length, step)];
    const zeros = (size: Size): Value =>
      b.zeros(
        arrayType(
          'real',
          whole.map((own, at) => (at === axis ? size : own)),
        ),
      );
    const after = sizeSubtract(whole[axis]!, sizeAdd(start, length));
    const parts = [start === 0 ? [] : [zeros(start)], [cotangent], after === 0 ? [] : [zeros(after)]].flat();
    return [parts.length === 1 ? cotangent : b.concatenate(parts, axis)];
  },
};

/** With a step the places are not adjacent: rows start, start + step, … of the axis. */
function scattered(
  b: ProgramBuilder,
  cotangent: Value,
  value: Value,
  axis: number,
  start: Size,
  length: Size,
  step: number,
): Value {
  const places = b.slice(b.iota(value.type.shape[axis]!), 0, start, length, step);
  const indices = b.reshape(places, [...value.type.shape.slice(0, axis).map(() => 1), length]);
  return b.scatter(b.zeros(value.type), indices, cotangent, {
    batch: axis,
  });
}
