/** Linear least squares by modified Gram–Schmidt: the coefficients that a shape is affine in, for given others. */

/** The best c of Σ cⱼ φⱼ for `target`; both are taken apart. Undefined where the basis is dependent or not finite. */
export function project(
  basis: readonly Float64Array[],
  target: Float64Array,
): { readonly coefficients: readonly number[]; readonly squares: number } | undefined {
  const count = basis.length;
  // Of a few elements, and made tens of thousands of times: plain lists are made sooner.
  const r = basis.map(() => new Array<number>(count).fill(0));
  const along = new Array<number>(count).fill(0);
  for (const [j, column] of basis.entries()) {
    const before = norm(column);
    for (let k = 0; k < j; k++) r[k]![j] = takeOut(column, basis[k]!);
    const after = norm(column);
    if (!(after > 1e-9 * before) || !Number.isFinite(before)) return undefined;
    for (let i = 0; i < column.length; i++) column[i]! /= after;
    r[j]![j] = after;
    along[j] = takeOut(target, column);
  }
  const coefficients = new Array<number>(count).fill(0);
  for (let j = count - 1; j >= 0; j--) {
    let value = along[j]!;
    for (let k = j + 1; k < count; k++) value -= r[j]![k]! * coefficients[k]!;
    coefficients[j] = value / r[j]![j]!;
  }
  const squares = norm(target) ** 2;
  return coefficients.every(Number.isFinite) && Number.isFinite(squares) ? { coefficients, squares } : undefined;
}

function norm(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value * value;
  return Math.sqrt(sum);
}

/** Takes what lies along the unit vector `unit` out of `values`, and gives how much it was. */
function takeOut(values: Float64Array, unit: Float64Array): number {
  let share = 0;
  for (let i = 0; i < values.length; i++) share += values[i]! * unit[i]!;
  for (let i = 0; i < values.length; i++) values[i]! -= share * unit[i]!;
  return share;
}
