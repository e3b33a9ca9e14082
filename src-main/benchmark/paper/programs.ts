/** The program of one row of the paper's tables. */
import type { Precision, Value } from '../../../engine/index.ts';
import { n, SubjectBuilder, type Subject } from '../subject.ts';
import type { PaperRow } from './rows.ts';

/** The block as which a rule can be forced on the row's one construct. */
export const origin = 'measured';

/**
 * Elements are tuples of arrays. Rows are given transposed to reduce and scan, [width, n] along axis 1, and as they are
 * to histograms, [n, width], whose keys are data.
 */
export function primalOf({ construct, operator, ranges, width }: PaperRow, bins: number | null): Subject {
  const b = new SubjectBuilder();
  b.origin = origin;
  const shape = width === undefined ? [n] : construct === 'histogram' ? [n, width] : [width, n];
  const elements = ranges.map((range, i) => b.data(`x${i}`, range, shape));
  const axis = shape.length - 1;
  const write: { readonly [C in PaperRow['construct']]: () => Value[] } = {
    reduce: () => b.reduce(operator, elements, axis),
    scan: () => b.scan(operator, elements, axis),
    histogram: () => b.histogram(operator, b.keys('keys', bins ?? 1), elements, bins ?? 1),
  };
  const results = write[construct]().map((value, i) => ({ name: `y${i}`, value }));
  return { program: b.finish(results), ranges: b.ranges, fixed: new Set(['keys']) };
}

/** Bytes of one element: all its components, a whole row of each. */
export function elementBytes({ operator, width = 1 }: PaperRow, precision: Precision): number {
  return operator.neutral.length * width * (precision === 'f64' ? 8 : 4);
}
