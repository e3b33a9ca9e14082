/**
 * Symbolic sizes.
 *
 * A size is a number, or the canonical text of an expression over symbols that are bound when a program runs:
 * `"n"`, `"n - 1"`, `"2*n*m + 3"`, `"ceil((n - 1)/2)"`. Equal sizes have equal text, so `===` compares them, a shape
 * can be printed as it stands, and text that names a kernel never holds a table's number of rows.
 */
export type Size = number | string;

/** Symbol → its value. */
export type SizeBinding = Readonly<Record<string, number>>;

/** A polynomial: product of atoms (sorted, joined by `*`; empty for the constant) → integer coefficient. */
type Polynomial = ReadonlyMap<string, number>;

const memo = new Map<string, Polynomial>();

export function sizeAdd(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a + b;
  const sum = new Map(polynomial(a));
  for (const [atoms, coefficient] of polynomial(b)) sum.set(atoms, (sum.get(atoms) ?? 0) + coefficient);
  return canonical(sum);
}

export function sizeSubtract(a: Size, b: Size): Size {
  return sizeAdd(a, sizeMultiply(-1, b));
}

export function sizeMultiply(a: Size, b: Size): Size {
  if (typeof a === 'number' && typeof b === 'number') return a * b;
  const product = new Map<string, number>();
  for (const [left, p] of polynomial(a))
    for (const [right, q] of polynomial(b)) {
      const atoms = [...split(left, '*'), ...split(right, '*')].sort().join('*');
      product.set(atoms, (product.get(atoms) ?? 0) + p * q);
    }
  return canonical(product);
}

/** ⌈a / divisor⌉, the length of a slice with a step. */
export function sizeCeilDivide(a: Size, divisor: number): Size {
  if (divisor === 1) return a;
  if (typeof a === 'number') return Math.ceil(a / divisor);
  return `ceil((${a})/${divisor})`;
}

/** The number of elements of a shape. */
export function sizeProduct(shape: readonly Size[]): Size {
  return shape.reduce<Size>(sizeMultiply, 1);
}

/** The symbols that occur in a size. */
export function sizeSymbols(size: Size): string[] {
  if (typeof size === 'number') return [];
  return [...new Set(size.replaceAll('ceil(', '(').match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [])];
}

/** The value of a size. Throws where a symbol is not bound. */
export function sizeValue(size: Size, binding: SizeBinding): number {
  if (typeof size === 'number') return size;
  let total = 0;
  for (const [atoms, coefficient] of polynomial(size)) {
    let term = coefficient;
    for (const atom of split(atoms, '*')) term *= atomValue(atom, binding);
    total += term;
  }
  return total;
}

function atomValue(atom: string, binding: SizeBinding): number {
  const quotient = /^ceil\(\((.*)\)\/(\d+)\)$/.exec(atom);
  if (quotient) return Math.ceil(sizeValue(quotient[1] ?? '', binding) / Number(quotient[2]));
  const value = Object.hasOwn(binding, atom) ? binding[atom] : undefined;
  if (value === undefined) throw new Error(`the size ${atom} is not bound`);
  return value;
}

function polynomial(size: Size): Polynomial {
  if (typeof size === 'number') return new Map([['', size]]);
  const known = memo.get(size);
  if (known) return known;
  const result = new Map<string, number>();
  // Canonical text joins terms by ' + ' and ' - '; one inside ceil(( … )) is no separator.
  for (const term of split(size.replaceAll(' - ', ' + -'), ' + ')) {
    const factors = split(term, '*');
    let coefficient = 1;
    const atoms: string[] = [];
    for (const factor of factors) {
      const negative = factor.startsWith('-');
      const text = (negative ? factor.slice(1) : factor).replaceAll(' + -', ' - ');
      if (negative) coefficient = -coefficient;
      if (/^\d+$/.test(text)) coefficient *= Number(text);
      else atoms.push(text);
    }
    const key = atoms.sort().join('*');
    result.set(key, (result.get(key) ?? 0) + coefficient);
  }
  memo.set(size, result);
  return result;
}

/** Splits at a separator that is outside parentheses. */
function split(text: string, separator: string): string[] {
  if (text === '') return [];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '(') depth++;
    else if (text[at] === ')') depth--;
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(start, at));
      start = at + separator.length;
      at = start - 1;
    }
  }
  parts.push(text.slice(start));
  return parts;
}

function canonical(terms: Polynomial): Size {
  const present = [...terms].filter(([, coefficient]) => coefficient !== 0);
  // Symbols first, the constant last; positive terms first, so that the text begins without a sign where it can.
  present.sort(
    ([a, p], [b, q]) => Number(a === '') - Number(b === '') || Number(p < 0) - Number(q < 0) || (a < b ? -1 : 1),
  );
  if (present.length === 0) return 0;
  if (present.length === 1 && present[0]?.[0] === '') return present[0][1];
  let text = '';
  for (const [atoms, coefficient] of present) {
    const size = Math.abs(coefficient);
    const term = atoms === '' ? `${size}` : size === 1 ? atoms : `${size}*${atoms}`;
    if (text === '') text = coefficient < 0 ? `-${term}` : term;
    else text += coefficient < 0 ? ` - ${term}` : ` + ${term}`;
  }
  return text;
}
