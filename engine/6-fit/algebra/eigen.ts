/**
 * Eigenvalues and eigenvectors of a symmetric matrix by cyclic Jacobi rotations (Golub & Van Loan, Matrix Computations,
 * 8.5): small matrices, whose signs matter.
 */
export interface Eigen {
  /** The smallest first. */
  readonly values: Float64Array;
  /** The vector of each value. */
  readonly vectors: readonly Float64Array[];
}

/** `matrix`: by rows. */
export function symmetricEigen(matrix: readonly Float64Array[]): Eigen {
  const n = matrix.length;
  const a = matrix.map((row) => row.slice());
  const v = matrix.map((_, i) => Float64Array.from({ length: n }, (__, j) => (i === j ? 1 : 0)));
  const entry = (i: number, j: number): number => (a[i] as Float64Array)[j]!;
  for (let sweep = 0; sweep < 50; sweep++) {
    let rotated = false;
    for (let p = 0; p < n; p++)
      for (let q = p + 1; q < n; q++) {
        const [app, aqq, apq] = [entry(p, p), entry(q, q), entry(p, q)];
        if (!(Math.abs(apq) > 1e-17 * (Math.abs(app) + Math.abs(aqq)))) continue;
        rotated = true;
        const theta = (aqq - app) / (2 * apq);
        const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = c * t;
        for (const row of a) rotate(row, p, q, c, s);
        const [rowP, rowQ] = [a[p] as Float64Array, a[q] as Float64Array];
        for (let k = 0; k < n; k++) {
          const [x, y] = [rowP[k]!, rowQ[k]!];
          rowP[k] = c * x - s * y;
          rowQ[k] = s * x + c * y;
        }
        for (const row of v) rotate(row, p, q, c, s);
      }
    if (!rotated) break;
  }
  const order = [...a.keys()].sort((i, j) => entry(i, i) - entry(j, j));
  return {
    values: Float64Array.from(order, (i) => entry(i, i)),
    vectors: order.map((j) => Float64Array.from(v, (row) => row[j]!)),
  };
}

function rotate(row: Float64Array, p: number, q: number, c: number, s: number): void {
  const [x, y] = [row[p]!, row[q]!];
  row[p] = c * x - s * y;
  row[q] = s * x + c * y;
}
