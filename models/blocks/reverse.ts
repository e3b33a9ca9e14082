/** y[i] = x[n − 1 − i] along an axis */
import * as v from 'valibot';
import { axis, common, ref, strict } from '../notation/fields.ts';
import { axisOf, rowsOf } from './parts/axis.ts';
import { blockKind } from './kind.ts';

const schema = strict({ kind: v.literal('reverse'), ...common, values: ref, axis: v.exactOptional(axis) });

export type ReverseBlock = v.InferOutput<typeof schema>;

export const reverse = blockKind<ReverseBlock, number>({
  kind: 'reverse',
  schema,
  wires: (block) => [{ port: 'values', ref: block.values }],

  infer(block, context) {
    const values = context.input('values');
    const along = axisOf(context, block, values);
    if (!values || along === undefined) return undefined;
    return { outputs: [{ ...rowsOf(values), name: '' }], detail: along };
  },

  lower: (_, along, context) => [context.builder.reverse(context.input('values'), along)],
});
