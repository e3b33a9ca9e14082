/** Literals, iotas, and the shape operations. */
import type { Value } from '../../engine/0-ir/program.ts';
import { sizeCeilDivide, sizeProduct, sizeSubtract, type Size } from '../../engine/0-ir/sizes.ts';
import { withAxis, type ElementType, type Shape } from '../../engine/0-ir/types.ts';
import { ints, reals, some, type Making } from './small-choices.ts';

export function literal({ b, pick }: Making): Value[] {
  const element = pick<ElementType>(['real', 'real', 'int', 'bool']);
  return [b.literal(pick({ real: reals, int: ints, bool: [0, 1] }[element]), element)];
}

export function shapeOperation(making: Making): Value[] {
  const { b, pick } = making;
  const value = pick(making.pool);
  const { shape } = value.type;
  const kind = pick(['iota', 'replicate', 'reverse', 'transpose', 'slice', 'slice'] as const);
  if (kind === 'iota') return [b.iota(pick<Size>(['n', 'm', 3]))];
  if (kind === 'replicate') return [b.replicate(value, withAxis(shape, 0, pick<Size>(['n', 2])))];
  if (shape.length === 0) return [];
  const axis = pick(shape.map((_, i) => i));
  if (kind === 'reverse') return [b.reverse(value, axis)];
  if (kind === 'transpose')
    return [
      b.transpose(
        value,
        shape.map((_, i) => (i + 1) % shape.length),
      ),
    ];
  const length = shape[axis] as Size;
  return pick([true, false])
    ? [b.slice(value, axis, 0, sizeCeilDivide(length, 2), 2)]
    : typeof length === 'number' && length > 0
      ? [b.slice(value, axis, length - 1, 1)]
      : [b.slice(value, axis, 0, sizeSubtract(length, 0), 1)];
}

export function reshape(making: Making): Value[] {
  const { b, pick } = making;
  const value = pick(making.pool);
  const { shape } = value.type;
  const choices: Shape[] = [[sizeProduct(shape)], [...shape, 1], [1, ...shape], [...shape].reverse()];
  if (shape.length > 1) choices.push([sizeProduct(shape.slice(0, 2)), ...shape.slice(2)]);
  return [b.reshape(value, pick(choices))];
}

export function concatenate(making: Making): Value[] {
  const { b, pick } = making;
  const first = some(making, (v) => v.type.shape.length > 0);
  if (!first) return [];
  const axis = pick(first.type.shape.map((_, i) => i));
  const fits = (v: Value) =>
    v.type.element === first.type.element &&
    v.type.shape.length === first.type.shape.length &&
    v.type.shape.every((size, i) => i === axis || size === first.type.shape[i]);
  return [b.concatenate([first, some(making, fits) as Value], axis)];
}
