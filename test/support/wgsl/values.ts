/** Pieces of JavaScript with their WGSL types; numbers that are of no type yet (`whole`, `decimal`) become one's. */

export interface Valued {
  readonly text: string;
  readonly type: string;
}

export function concreteOf(type: string): string {
  return type === 'whole' ? 'i32' : type === 'decimal' ? 'f32' : type;
}

export function unified(a: string, b: string): string {
  if (a === b) return a;
  if (a === 'whole' || (a === 'decimal' && b !== 'whole')) return b;
  if (b === 'whole' || b === 'decimal') return a;
  throw new SyntaxError(`WGSL: ${a} and ${b} together`);
}

export function literal(value: number, type: string): string {
  const text = type === 'f32' ? Math.fround(value) : value;
  return Object.is(text, -0) ? '-0' : `${text}`;
}

/** An abstract number becomes one of a type; any other value must have it. */
export function coerced({ text, type }: Valued, to: string): string {
  if (type === to || to === '') return text;
  if ((type === 'whole' || type === 'decimal') && to === 'f32') return `f(${text})`;
  if (type === 'whole' && (to === 'i32' || to === 'decimal')) return text;
  if (type === 'whole' && to === 'u32') return `(${text} >>> 0)`;
  throw new SyntaxError(`WGSL: ${type} where ${to} is wanted: ${text}`);
}
