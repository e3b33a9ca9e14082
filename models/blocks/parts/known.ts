/** The values of what depends on no parameter: as they are written, or computed while the document is checked. */
import type { InferContext, Output } from '../kind.ts';
import { asReal } from './convert.ts';

/** Of each block while it is checked, by port: several questions are about the same data. */
const computed = new WeakMap<InferContext, Map<string, ArrayLike<number> | undefined>>();

/** Row-major, bools as 0 and 1; undefined where a fit may change them, or where data are at fault, which has been said. */
export function knownValues(context: InferContext, port: string, output: Output): ArrayLike<number> | undefined {
  if (output.data) return output.data;
  if (output.computed) return undefined;
  const ofBlock = computed.get(context) ?? new Map<string, ArrayLike<number> | undefined>();
  computed.set(context, ofBlock);
  if (!ofBlock.has(port))
    ofBlock.set(
      port,
      context.compute([port], (there) => asReal(there.builder, there.input(port))),
    );
  return ofBlock.get(port);
}
