/** from[indices], along axis 0, as NumPy. */
import * as v from 'valibot';
import { common, ref, strict } from '../notation/fields.ts';
import { rowsOf } from './parts/axis.ts';
import { asInt, wantInt } from './parts/convert.ts';
import { blockKind, type AxisSize, type InferContext, type Output } from './kind.ts';
import { highestRank, printOutput, printSizes } from './parts/sizes.ts';

const schema = strict({ kind: v.literal('gather'), ...common, from: ref, indices: ref });

export type GatherBlock = v.InferOutput<typeof schema>;

/** What an index out of range does. */
type Outside = 'nan' | 'fault';

export const gather = blockKind<GatherBlock, Outside>({
  kind: 'gather',
  schema,
  wires: (block) => [
    { port: 'from', ref: block.from },
    { port: 'indices', ref: block.indices },
  ],

  infer(_, context) {
    const from = context.input('from');
    const indices = wantInt(context, 'indices');
    if (!from || !indices) return undefined;
    if (from.sizes.length === 0) {
      const got = printOutput(from);
      return context.fail(`"from" wants an array, got ${got}`, { port: 'from', wanted: 'an array', got });
    }
    const sizes = [...indices.sizes, ...from.sizes.slice(1)];
    if (sizes.length > highestRank)
      return context.fail(
        `the result would be ${printSizes(sizes)}, of rank ${sizes.length}, and ${highestRank} is the highest`,
        {
          port: 'indices',
        },
      );
    if (indices.data && !inRange(context, indices, indices.data, from.sizes[0]!)) return undefined;
    const computed = from.computed || indices.computed;
    // A computed index moves with the parameters: NaN tells the fit to turn back, where a fault would end it.
    const detail = indices.computed && from.element === 'real' ? 'nan' : 'fault';
    return { outputs: [{ ...rowsOf(from), name: '', sizes, computed }], detail };
  },

  lower: (_, outside, context) => [context.builder.gather(context.input('from'), asInt(context, 'indices'), outside)],
});

function inRange(context: InferContext, indices: Output, data: ArrayLike<number>, size: AxisSize): boolean {
  for (let i = 0; i < data.length; i++) {
    const index = data[i]!;
    if (index >= 0 && index < size.value) continue;
    const missing = Number.isNaN(index) || (indices.category !== undefined && index === -1);
    const got = missing ? 'a missing cell' : String(index);
    const range = size.value === 0 ? '"from" is empty' : `the indices of "from" are 0 to ${size.value - 1}`;
    context.fail(`index ${i} of "indices" is ${got}, and ${range}`, {
      port: 'indices',
      wanted: `0 to ${size.value - 1}`,
      got,
      ...(index === size.value &&
        size.value > 0 && { fix: 'indices count from 0: subtract 1, or say "type": "category" on the column' }),
      ...(index > size.value && { fix: 'if these numbers are labels, say "type": "category" on their column' }),
    });
    return false;
  }
  return true;
}
