/** How elements stand in memory and on the stack: real as f64 or f32, int and bool as i32. */
import type { ScalarLiteral } from '../../0-ir/scalar.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { f32, f64, i32, type Expression } from './wasm/expression.ts';

export type Precision = 'f64' | 'f32';

export function bytesPerElement(precision: Precision): Readonly<Record<ElementType, number>> {
  return { real: precision === 'f64' ? 8 : 4, int: 4, bool: 4 };
}

export function stackType(precision: Precision, element: ElementType): 'i32' | Precision {
  return element === 'real' ? precision : 'i32';
}

export function constant(precision: Precision, { type, value }: Pick<ScalarLiteral, 'type' | 'value'>): Expression {
  if (type !== 'real') return i32(value);
  return precision === 'f64' ? f64(value) : f32(value);
}
