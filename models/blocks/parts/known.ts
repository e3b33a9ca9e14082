/** The values of what depends on no parameter: as they are written, or computed while the document is checked. */
import type { InferContext, Output } from '../kind.ts';
import { asReal } from './convert.ts';

/** Row-major, bools as 0 and 1; undefined where a fit may change them, or where data are at fault, which has been said. */
export function knownValues(context: InferContext, port: string, output: Output): ArrayLike<number> | undefined {
  if (output.data) return output.data;
  if (output.computed) return undefined;
  return context.compute([port], (there) => asReal(there.builder, there.input(port)));
}
