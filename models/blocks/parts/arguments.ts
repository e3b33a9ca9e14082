/** Keys that take a reference or a number. */
import type { Value } from '../../../engine/index.ts';
import { isDocumentNumber, toNumber } from '../../notation/numbers.ts';
import type { BlockBase, InferContext, LowerContext, Output, Wire } from '../kind.ts';

function argument(block: BlockBase, key: string): unknown {
  return Object.hasOwn(block, key) ? block[key as keyof BlockBase] : undefined;
}

export function argumentWires(block: BlockBase, keys: readonly string[]): Wire[] {
  return keys.flatMap((key) => {
    const value = argument(block, key);
    return typeof value === 'string' && !isDocumentNumber(value) ? [{ port: key, ref: value }] : [];
  });
}

/** A number is a scalar that is data. */
export function argumentOutput(block: BlockBase, context: InferContext, key: string): Output | undefined {
  const value = argument(block, key);
  if (!isDocumentNumber(value)) return context.input(key);
  return { name: '', element: 'real', sizes: [], computed: false, data: Float64Array.of(toNumber(value)) };
}

export function argumentValue(block: BlockBase, context: LowerContext, key: string): Value {
  const value = argument(block, key);
  return isDocumentNumber(value) ? context.builder.literal(toNumber(value)) : context.input(key);
}
