/** Numbers as u32 that are ordered as they are, so that native atomics find the least and the greatest. */
import type { ElementType } from '../../../0-ir/types.ts';

/** A zero is +0 whatever its sign, and a NaN stands at the end that wins. */
const ofReal = (nan: string): string => `fn image(x: f32) -> u32 {
  if (is_nan(x)) { return ${nan}; }
  if (is_zero(x)) { return 0x80000000u; }
  return select(bitcast<u32>(x) | 0x80000000u, ~bitcast<u32>(x), is_negative(x));
}
fn number(image: u32) -> f32 {
  if (image == ${nan}) { return nan(); }
  return bitcast<f32>(select(~image, image ^ 0x80000000u, image >= 0x80000000u));
}`;

const ofInt = `fn image(x: i32) -> u32 { return bitcast<u32>(x) ^ 0x80000000u; }
fn number(image: u32) -> i32 { return bitcast<i32>(image ^ 0x80000000u); }`;
/** Sums of ints need no order. */
const asItIs = `fn image(x: i32) -> u32 { return bitcast<u32>(x); }
fn number(image: u32) -> i32 { return bitcast<i32>(image); }`;

/** Declarations of `image` and `number`, one the other's inverse, with names of their own. */
export function imageText(type: ElementType, combination: 'add' | 'min' | 'max', suffix: string): string {
  const real = ofReal(combination === 'min' ? '0u' : '0xffffffffu');
  const text = type === 'real' ? real : combination === 'add' ? asItIs : ofInt;
  return text.replace(/fn (image|number)/g, `fn $1${suffix}`);
}
