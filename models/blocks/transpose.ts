/** Axis i of the result is axis axes[i] of the value. */
import * as v from 'valibot';
import { axis, common, ref, strict } from '../notation/fields.ts';
import { rowsOf } from './parts/axis.ts';
import { blockKind } from './kind.ts';
import { printOutput } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('transpose'),
  ...common,
  values: ref,
  axes: v.exactOptional(v.array(axis, 'a list of axes')),
});

export type TransposeBlock = v.InferOutput<typeof schema>;

export const transpose = blockKind<TransposeBlock, readonly number[]>({
  kind: 'transpose',
  schema,
  wires: (block) => [{ port: 'values', ref: block.values }],

  infer(block, context) {
    const values = context.input('values');
    if (!values) return undefined;
    const all = values.sizes.map((_, i) => i);
    const axes = block.axes ?? all.toReversed();
    if (axes.length !== all.length || all.some((i) => !axes.includes(i)))
      return context.fail(`"axes" [${axes.join(', ')}] does not name every axis of ${printOutput(values)} once`, {
        port: 'axes',
        wanted: `an order of [${all.join(', ')}]`,
        got: `[${axes.join(', ')}]`,
      });
    const sizes = axes.map((i) => values.sizes[i]!);
    return { outputs: [{ ...rowsOf(values), name: '', sizes }], detail: axes };
  },

  lower: (_, axes, context) => [context.builder.transpose(context.input('values'), axes)],
});
