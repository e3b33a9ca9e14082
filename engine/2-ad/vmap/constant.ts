/** A construct without operands is the same for every element of the batch. */
import { IrError } from '../../0-ir/types.ts';

export function constant(): never {
  throw new IrError('a construct without operands cannot be batched');
}
