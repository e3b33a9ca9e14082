/**
 * The sums of which Sobol' indices are formed, over the elements t of the output (a scalar has one):
 *
 *   V_t   = E[f_t²] − E[f_t]²
 *   S1_it = E[f_t(B)·(f_t(A_B^i) − f_t(A))] / V_t,   ST_it = E[(f_t(A) − f_t(A_B^i))²] / 2V_t
 *
 * Of an array as a whole the generalised indices: Σ_t of the numerators over Σ_t V_t, shares of the trace of the output's
 * covariance (Lamboni, Monod & Makowski 2011, DOI 10.1016/j.ress.2010.12.002; Gamboa et al. 2014, DOI 10.1214/14-EJS895).
 * Those of the elements need sums of their own, without a bootstrap: 2d + 2 numbers for each element, whatever N is.
 */
import { groupedSums } from './grouped-sums.ts';
import type { Figures } from './problem.ts';

/** Sums before those of each parameter: rows, Σf, Σf² over A and B. */
const HEAD = 3;

export interface SobolSums {
  /** `f`: d + 2 runs, element by element: A, B, then A with each column of B. All finite. */
  add(f: Float64Array): void;
  /** Now, without intervals. */
  figures(): Figures[];
  /** With bootstrap intervals, and by element where there are several. */
  final(cancel?: Int32Array): Figures[];
  readonly mean: number;
  /** Of an array the sum over its elements. */
  readonly variance: number;
}

export interface SobolSumsOptions {
  /** How many parameters' elements. */
  readonly d: number;
  /** How many elements the output has. */
  readonly elements: number;
  readonly rows: number;
  readonly seed: number;
  /** Of each element a value near its mean: what is summed is centred at it. */
  readonly centre: Float64Array;
}

export function sobolSums({ d, elements, rows, seed, centre }: SobolSumsOptions): SobolSums {
  const width = HEAD + 2 * d;
  const whole = groupedSums(width, rows, seed);
  const row = new Float64Array(width);
  /** As `row`, for each element of an array; the rows are the same for all. */
  const each = new Float64Array(elements > 1 ? elements * width : 0);

  /** Σ_t E[f_t]², which is in Σf² and not in the variance; of a scalar `varianceOf` takes it itself. */
  function meanSquares(): number {
    const n = 2 * whole.total()[0]!;
    let sum = 0;
    for (let at = 1; at < each.length; at += width) sum += (each[at]! / n) ** 2;
    return sum;
  }

  return {
    add(f) {
      row.fill(0);
      row[0] = 1;
      for (let t = 0; t < elements; t++) {
        const middle = centre[t]!;
        const a = f[t]! - middle;
        const b = f[elements + t]! - middle;
        const at = t * width;
        const put = (k: number, value: number): void => {
          row[k] = row[k]! + value;
          if (elements > 1) each[at + k] = each[at + k]! + value;
        };
        put(1, a + b);
        put(2, a * a + b * b);
        for (let i = 0; i < d; i++) {
          const mixed = f[(i + 2) * elements + t]! - middle;
          put(HEAD + 2 * i, b * (mixed - a));
          put(HEAD + 2 * i + 1, (a - mixed) ** 2);
        }
      }
      // The means of an array's elements are taken one by one.
      if (elements > 1) row[1] = 0;
      whole.add(row);
    },
    figures: () => pairs(indicesOf(whole.total(), meanSquares())).map(([S1, ST]) => ({ S1, ST })),
    final(cancel) {
      const squares = meanSquares();
      const total = whole.total();
      const intervals = whole.intervals((sums) => indicesOf(sums, squares), cancel);
      const courses = elements > 1 ? coursesOf(each, total[0]!, d) : [];
      return pairs(indicesOf(total, squares)).map(([S1, ST], i) => ({
        S1,
        S1Interval: intervals[2 * i] ?? [NaN, NaN],
        ST,
        STInterval: intervals[2 * i + 1] ?? [NaN, NaN],
        ...courses[i],
      }));
    },
    get mean() {
      const total = whole.total();
      return elements > 1 ? NaN : total[1]! / (2 * total[0]!) + (centre[0] ?? NaN);
    },
    get variance() {
      return varianceOf(whole.total(), meanSquares());
    },
  };
}

function varianceOf(sums: Float64Array, meanSquares: number): number {
  const n = 2 * sums[0]!;
  return sums[2]! / n - (sums[1]! / n) ** 2 - meanSquares;
}

/** S1 and ST of each parameter in turn; NaN where nothing varies. */
function indicesOf(sums: Float64Array, meanSquares = 0): Float64Array {
  const variance = varianceOf(sums, meanSquares);
  const scale = variance > 0 ? 1 / (sums[0]! * variance) : NaN;
  return sums.slice(HEAD).map((value, k) => (k % 2 === 0 ? value : value / 2) * scale);
}

function pairs(values: Float64Array): [S1: number, ST: number][] {
  return Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i]!, values[2 * i + 1]!]);
}

/** S1 and ST of each parameter over the elements. */
function coursesOf(each: Float64Array, rows: number, d: number): Figures[] {
  const width = HEAD + 2 * d;
  const found = Array.from({ length: each.length / width }, (_, t) => {
    const sums = each.slice(t * width, (t + 1) * width);
    sums[0] = rows;
    return indicesOf(sums);
  });
  return Array.from({ length: d }, (_, i) => ({
    S1Course: found.map((indices) => indices[2 * i]!),
    STCourse: found.map((indices) => indices[2 * i + 1]!),
  }));
}
