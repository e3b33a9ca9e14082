/**
 * The limited-memory BFGS matrix in compact form (Byrd, Nocedal & Schnabel 1994, DOI 10.1007/BF01582063):
 *
 *     B = θ·I - W·M·Wᵀ,  W = [Y  θS],  M⁻¹ = [-D  Lᵀ; L  θSᵀS]
 *
 * of the last pairs s = Δu, y = Δg, where D + L is the lower triangle of SᵀY. A matrix is a list of rows.
 */
import { dot } from '../algebra/vectors.ts';

const PAIRS = 10;

export interface LimitedMemory {
  readonly theta: number;
  /** Twice the number of pairs. */
  readonly width: number;
  /** The columns of W. */
  readonly columns: readonly Float64Array[];
  /** M·v. */
  timesM(v: Float64Array): Float64Array;
}

interface Pair {
  readonly s: Float64Array;
  readonly y: Float64Array;
}

export function limitedMemory(): {
  readonly matrix: LimitedMemory;
  /** A pair without positive curvature is passed over. */
  add(s: Float64Array, y: Float64Array): void;
  clear(): void;
} {
  let pairs: Pair[] = [];
  let matrix = compact(pairs);
  return {
    get matrix() {
      return matrix;
    },
    add(s, y) {
      if (!(dot(s, y) > 2.2e-16 * dot(y, y))) return;
      pairs = [...pairs, { s, y }].slice(-PAIRS);
      matrix = compact(pairs);
    },
    clear() {
      pairs = [];
      matrix = compact(pairs);
    },
  };
}

function compact(pairs: readonly Pair[]): LimitedMemory {
  const last = pairs.at(-1);
  if (!last) return { theta: 1, width: 0, columns: [], timesM: (v) => v };
  const m = pairs.length;
  const theta = dot(last.y, last.y) / dot(last.s, last.y);
  const inverse = Array.from({ length: 2 * m }, () => new Float64Array(2 * m));
  const set = (i: number, j: number, value: number): void => {
    (inverse[i] as Float64Array)[j] = value;
    (inverse[j] as Float64Array)[i] = value;
  };
  pairs.forEach(({ s }, i) =>
    pairs.forEach((other, j) => {
      if (i === j) set(i, i, -dot(s, other.y));
      if (i > j) set(m + i, j, dot(s, other.y));
      if (i >= j) set(m + i, m + j, theta * dot(s, other.s));
    }),
  );
  const solve = solverOf(inverse);
  const columnsOfM = inverse.map((_, j) => solve(unitVector(2 * m, j)));
  return {
    theta,
    width: 2 * m,
    columns: [...pairs.map(({ y }) => y), ...pairs.map(({ s }) => s.map((value) => theta * value))],
    // M is symmetric.
    timesM: (v) => Float64Array.from(columnsOfM, (column) => dot(column, v)),
  };
}

function unitVector(n: number, j: number): Float64Array {
  const unit = new Float64Array(n);
  unit[j] = 1;
  return unit;
}

/** b ↦ A⁻¹·b by elimination with row pivots, which is done once: small, indefinite. */
export function solverOf(a: readonly Float64Array[]): (b: Float64Array) => Float64Array {
  const n = a.length;
  const rows = a.map((row) => row.slice());
  const order = rows.map((_, i) => i);
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(entry(rows, i, k)) > Math.abs(entry(rows, pivot, k))) pivot = i;
    for (const list of [rows, order]) [list[k], list[pivot]] = [list[pivot] as never, list[k] as never];
    const upper = rows[k] as Float64Array;
    for (let i = k + 1; i < n; i++) {
      const row = rows[i] as Float64Array;
      const factor = row[k]! / upper[k]!;
      // The place of what is eliminated keeps the factor.
      row[k] = factor;
      if (factor !== 0) for (let j = k + 1; j < n; j++) row[j] = row[j]! - factor * upper[j]!;
    }
  }
  return (b) => {
    const x = Float64Array.from(order, (i) => b[i]!);
    for (let i = 1; i < n; i++)
      for (let k = 0; k < i; k++) {
        const factor = entry(rows, i, k);
        if (factor !== 0) x[i] = x[i]! - factor * x[k]!;
      }
    for (let i = n - 1; i >= 0; i--) {
      let value = x[i]!;
      for (let j = i + 1; j < n; j++) value -= entry(rows, i, j) * x[j]!;
      x[i] = value / entry(rows, i, i);
    }
    return x;
  };
}

const entry = (rows: readonly Float64Array[], i: number, j: number): number => rows[i]![j]!;
