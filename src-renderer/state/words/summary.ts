/** A value in a few words: the number itself, or the range that an array spans. */
import type { ArrayValue } from '../../../src-main/contract/contract.ts';
import { formatInterval, formatNumber } from './number-format.ts';

export interface Extent {
  readonly low: number;
  readonly high: number;
  readonly missing: number;
}

export function extentOf(values: ArrayLike<number>): Extent {
  let low = Infinity;
  let high = -Infinity;
  let missing = 0;
  for (let i = 0; i < values.length; i++) {
    const x = values[i]!;
    if (Number.isNaN(x)) missing++;
    else {
      if (x < low) low = x;
      if (x > high) high = x;
    }
  }
  return { low, high, missing };
}

export function summaryOf(value: ArrayValue): string {
  if (value.values.length === 0) return 'empty';
  if (value.shape.length === 0)
    return value.element === 'bool' ? String(value.values[0] === 1) : formatNumber(value.values[0]!);
  const { low, high, missing } = extentOf(value.values);
  if (missing === value.values.length) return 'all missing';
  const range = low === high ? `all ${formatNumber(low)}` : formatInterval(low, high, undefined, ' – ');
  return missing > 0 ? `${range}, ${missing} missing` : range;
}

/** Evenly chosen points of a long list, for a sparkline: each stretch keeps its least and its greatest. */
export function sparkline(values: ArrayLike<number>, width: number, height: number): string {
  const { low, high } = extentOf(values);
  const x = (i: number) => (values.length > 1 ? (i / (values.length - 1)) * width : width / 2);
  const y = (value: number) => (high > low ? height - ((value - low) / (high - low)) * height : height / 2);
  const stretch = Math.max(1, Math.ceil(values.length / (width * 2)));
  let path = '';
  let pen = 'M';
  for (let i = 0; i < values.length; i += stretch) {
    let [least, greatest] = [i, i];
    for (let j = i; j < Math.min(i + stretch, values.length); j++) {
      if (values[j]! < values[least]!) least = j;
      if (values[j]! > values[greatest]!) greatest = j;
    }
    for (const j of least === greatest ? [i] : [Math.min(least, greatest), Math.max(least, greatest)]) {
      const value = values[j]!;
      if (!Number.isFinite(value)) {
        pen = 'M';
        continue;
      }
      path += `${pen}${x(j).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = 'L';
    }
  }
  return path;
}
