/** Sums over vectors, or over ranges of an array in which several lie one after the other. */

/** `Float64Array.from` goes by an iterator, which takes longer than all else that is done to a short vector. */
export function numbers(length: number, at: (i: number) => number): Float64Array {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) values[i] = at(i);
  return values;
}

/** √ of a sum of squares, unless some of them have overflowed or been lost. */
export function rootOf(squares: number): number | undefined {
  return squares > 1e-280 && squares < 1e300 ? Math.sqrt(squares) : undefined;
}

/** ‖x‖ of the elements from `from` to `to`, without overflow. */
export function norm(x: Float64Array, from = 0, to = x.length): number {
  const squares = dot(x, x, from, to);
  const root = rootOf(squares);
  if (root !== undefined) return root;
  let largest = 0;
  for (let i = from; i < to; i++) largest = Math.max(largest, Math.abs(x[i]!));
  if (largest === 0 || !Number.isFinite(largest)) return largest;
  let total = 0;
  for (let i = from; i < to; i++) {
    const share = x[i]! / largest;
    total += share * share;
  }
  return largest * Math.sqrt(total);
}

/**
 * Σ xᵢ·yᵢ over the elements of x from `from` to `to` and as many of y from `other` on, as four sums, so that none waits
 * for the one before it.
 */
export function dot(x: Float64Array, y: Float64Array, from = 0, to = x.length, other = from): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  const apart = other - from;
  let i = from;
  for (; i + 3 < to; i += 4) {
    a += x[i]! * y[i + apart]!;
    b += x[i + 1]! * y[i + apart + 1]!;
    c += x[i + 2]! * y[i + apart + 2]!;
    d += x[i + 3]! * y[i + apart + 3]!;
  }
  for (; i < to; i++) a += x[i]! * y[i + apart]!;
  return a + b + (c + d);
}

export function isFiniteVector(x: Float64Array): boolean {
  for (let i = 0; i < x.length; i++) if (!Number.isFinite(x[i])) return false;
  return true;
}

/** √(a² + b²). `Math.hypot` takes ten times as long. */
export function hypotenuse(a: number, b: number): number {
  return rootOf(a * a + b * b) ?? Math.hypot(a, b);
}
