/** Vectors of reals, ints and bools (see lanes.ts): constants, single lanes, masks. */
import type { ScalarLiteral } from '../../../0-ir/scalar.ts';
import type { ElementType } from '../../../0-ir/types.ts';
import type { Kernel } from '../kernel.ts';
import type { Precision } from '../representation.ts';
import { apply, f32x4, f64x2, i32, i32x4, onLane, shuffle, type Expression } from '../wasm/expression.ts';

export function realShape(precision: Precision): 'f64x2' | 'f32x4' {
  return precision === 'f64' ? 'f64x2' : 'f32x4';
}

/** Reals in a vector. */
export function vectorCount(precision: Precision): 2 | 4 {
  return precision === 'f64' ? 2 : 4;
}

export function vectorConstant(precision: Precision, literal: Pick<ScalarLiteral, 'type' | 'value'>): Expression {
  const { type, value } = literal;
  if (type === 'real') return precision === 'f64' ? f64x2(value, value) : f32x4(value, value, value, value);
  const lane = type === 'bool' ? -value : value;
  return i32x4(lane, lane, lane, lane);
}

export function splat(k: Kernel, element: ElementType, value: Expression): Expression {
  if (element === 'real') return apply(`${realShape(k.precision)}.splat`, value);
  const lanes = apply('i32x4.splat', value);
  return element === 'bool' ? apply('i32x4.neg', lanes) : lanes;
}

/** A lane as one point's value. */
export function laneOf(k: Kernel, element: ElementType, vector: Expression, lane: number): Expression {
  if (element === 'real') return onLane(`${realShape(k.precision)}.extract_lane`, lane, vector);
  if (element === 'int') return onLane('i32x4.extract_lane', lane, vector);
  return apply('i32.and', onLane('i32x4.extract_lane', lane * (4 / vectorCount(k.precision)), vector), i32(1));
}

/** A vector of one point's value for each lane. */
export function vectorOf(k: Kernel, element: ElementType, values: readonly Expression[]): Expression {
  const shape = element === 'real' ? realShape(k.precision) : 'i32x4';
  const [first, ...rest] = values as [Expression, ...Expression[]];
  const lanes = rest.reduce(
    (vector, value, i) => onLane(`${shape}.replace_lane`, i + 1, vector, value),
    apply(`${shape}.splat`, first),
  );
  return element === 'bool' ? maskOfInts(k, apply('i32x4.neg', lanes)) : lanes;
}

/** A mask as wide as reals, of one as wide as ints … */
export function maskOfInts(k: Kernel, mask: Expression): Expression {
  return k.precision === 'f64' ? apply('i64x2.extend_low_i32x4_s', mask) : mask;
}

/** … and back. */
export function intsOfMask(k: Kernel, mask: Expression): Expression {
  if (k.precision === 'f32') return mask;
  return shuffle(mask, mask, [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11]);
}

/** mask ? yes : no in each lane. */
export function chosen(k: Kernel, element: ElementType, yes: Expression, no: Expression, mask: Expression): Expression {
  return apply('v128.bitselect', yes, no, element === 'int' ? intsOfMask(k, mask) : mask);
}
