import { rangeOf } from './int-range.ts';
import type { InferContext, Output } from '../kind.ts';
import { printOutput } from './sizes.ts';

/** The axis that a block says, 0 by default. Reports, and returns undefined, where the value has no such axis. */
export function axisOf(
  context: InferContext,
  block: { readonly axis?: number },
  values: Output | undefined,
  port = 'values',
): number | undefined {
  if (!values) return undefined;
  const axis = block.axis ?? 0;
  if (axis < values.sizes.length) return axis;
  const got = printOutput(values);
  if (values.sizes.length === 0)
    return context.fail(`"${port}" wants an array, got ${got}`, { port, wanted: 'an array', got });
  return context.fail(`"axis" ${axis} is not there: "${port}" is ${got}, of rank ${values.sizes.length}`, {
    port: 'axis',
    wanted: `0 to ${values.sizes.length - 1}`,
    got: String(axis),
  });
}

/** What stays true of a value whose elements are taken, moved or left out, and not changed. */
export function rowsOf(
  values: Output,
): Pick<Output, 'element' | 'sizes' | 'computed' | 'category' | 'whole' | 'range' | 'unit'> {
  const { element, sizes, computed, category, whole, unit } = values;
  const range = rangeOf(values);
  return {
    element,
    sizes,
    computed,
    ...(category && { category }),
    ...(whole !== undefined && { whole }),
    ...(range && { range }),
    ...(unit !== undefined && { unit }),
  };
}
