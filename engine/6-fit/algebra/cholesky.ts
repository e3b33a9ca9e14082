/** Cholesky factorisation A = L·Lᵀ of a small dense symmetric matrix, given by rows. */

/** L by rows, or undefined where A is not (numerically) positive definite. */
export function cholesky(a: readonly Float64Array[]): Float64Array[] | undefined {
  const n = a.length;
  const l = a.map(() => new Float64Array(n));
  for (let i = 0; i < n; i++) {
    const row = l[i] as Float64Array;
    for (let j = 0; j <= i; j++) {
      const other = l[j] as Float64Array;
      let value = a[i]![j]!;
      for (let k = 0; k < j; k++) value -= row[k]! * other[k]!;
      if (i === j) {
        if (!(value > 0) || !Number.isFinite(value)) return undefined;
        row[i] = Math.sqrt(value);
      } else row[j] = value / other[j]!;
    }
  }
  return l;
}

/** x with L·Lᵀ·x = b. */
export function choleskySolve(l: readonly Float64Array[], b: Float64Array): Float64Array {
  const n = l.length;
  const x = b.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] = x[i]! - l[i]![k]! * x[k]!;
    x[i] = x[i]! / l[i]![i]!;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] = x[i]! - l[k]![i]! * x[k]!;
    x[i] = x[i]! / l[i]![i]!;
  }
  return x;
}

/** A⁻¹ by rows, from its factor. */
export function choleskyInverse(l: readonly Float64Array[]): Float64Array[] {
  return l.map((_, i) => {
    const unit = new Float64Array(l.length);
    unit[i] = 1;
    return choleskySolve(l, unit);
  });
}
