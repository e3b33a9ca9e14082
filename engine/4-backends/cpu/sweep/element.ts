/** An element of a sweep as one of its scans takes it. */
import { componentTypes } from '../../../0-ir/operators.ts';
import type { Kernel } from '../kernel.ts';
import { constant } from '../representation.ts';
import type { Expression } from '../wasm/expression.ts';
import type { SweptPart } from './swept.ts';

/** All components of the scan's operator, out of the totals'. Of those that are nowhere nothing is read. */
export function elementFor(k: Kernel, { scan, at }: SweptPart, values: readonly Expression[]): Expression[] {
  return componentTypes(scan.operator).map((type, i) => {
    const place = at[i];
    return place === undefined ? constant(k.precision, { type, value: 0 }) : values[place]!;
  });
}
