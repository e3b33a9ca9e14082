/** What of data the shapes look at. */
import { ascending } from '../../engine/index.ts';
import type { DataRange } from './shape.ts';

/** Rows of one curve, or the values of one column as x, in any order; all finite. */
export interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** 1/σ or √w. */
  readonly weights: Float64Array;
  /** Columns beside x, by the name that formulas have for them. */
  readonly covariates: ReadonlyMap<string, Float64Array>;
}

export function rangeOf({ x, y }: Pick<Points, 'x' | 'y'>): DataRange {
  const sorted = Float64Array.from(x).sort();
  const [low, high] = [sorted[0] ?? NaN, sorted.at(-1) ?? NaN];
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? NaN;
  return {
    low,
    high,
    span: high - low,
    least: sorted.find((value) => value > 0) ?? high,
    places: new Set(x).size,
    rows: x.length,
    whole: x.every((value) => Number.isInteger(value) && value >= 0),
    yLow: y.reduce((a, b) => Math.min(a, b), Infinity),
    yHigh: y.reduce((a, b) => Math.max(a, b), -Infinity),
    trend: correlation(ranks(x), ranks(y)),
    middle: at(0.5),
    quartiles: [at(0.25), at(0.75)],
  };
}

/** Ties share their mean rank. */
function ranks(values: Float64Array): Float64Array {
  const order = ascending(values);
  const ranked = new Float64Array(values.length);
  for (let from = 0; from < order.length;) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]!] === values[order[from]!]) to++;
    for (let i = from; i <= to; i++) ranked[order[i]!] = (from + to) / 2;
    from = to + 1;
  }
  return ranked;
}

/** 0 where one of them is constant. */
function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [ma, mb] = [mean(a), mean(b)];
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [da, db] = [a[i]! - ma, b[i]! - mb];
    ab += da * db;
    aa += da * da;
    bb += db * db;
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}
