/** Numbers as WGSL text. */
import { IrError, type ElementType } from '../../../0-ir/types.ts';

export type WgslType = 'f32' | 'i32' | 'bool';

const types: { [E in ElementType]: WgslType } = { real: 'f32', int: 'i32', bool: 'bool' };

export function wgslType(element: ElementType): WgslType {
  return types[element];
}

/**
 * A finite f32, exactly: its shortest decimal as a double has digits enough. Infinity and NaN have no literal in WGSL,
 * and a constant -0 is safe only by its bits.
 */
export function f32Literal(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) throw new IrError(`WGSL has no literal for ${value}`);
  if (Object.is(single, -0)) return 'bitcast<f32>(0x80000000u)';
  return single < 0 ? `(${single}f)` : `${single}f`;
}

/** -2147483648 is no literal of its own: WGSL reads it as a negated number that is too large. */
export function i32Literal(value: number): string {
  const int = value | 0;
  return int === -2147483648 ? '(-2147483647i - 1i)' : int < 0 ? `(${int}i)` : `${int}i`;
}

/** c₀ + c₁x + c₂x² + … in Horner's form. */
export function horner(coefficients: readonly number[], x: string): string {
  return coefficients.reduceRight(
    (inner, c) => (inner === '' ? f32Literal(c) : `(${inner} * ${x} + ${f32Literal(c)})`),
    '',
  );
}
