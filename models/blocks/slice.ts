/** values[start:stop:step] along an axis, as in Python without negatives. */
import * as v from 'valibot';
import { axis, common, count, ref, strict } from '../notation/fields.ts';
import { axisOf, rowsOf } from './parts/axis.ts';
import { blockKind, type AxisSize } from './kind.ts';
import { replaceAxis } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('slice'),
  ...common,
  values: ref,
  axis: v.exactOptional(axis),
  start: v.exactOptional(count()),
  stop: v.exactOptional(count()),
  step: v.exactOptional(count()),
});

export type SliceBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly axis: number;
  readonly start: number;
  readonly length: AxisSize;
  readonly step: number;
}

export const slice = blockKind<SliceBlock, Detail>({
  kind: 'slice',
  schema,
  wires: (block) => [{ port: 'values', ref: block.values }],

  infer(block, context) {
    const values = context.input('values');
    const along = axisOf(context, block, values);
    if (!values || along === undefined) return undefined;
    const step = block.step ?? 1;
    if (step === 0)
      return context.fail('"step" wants 1 or more, got 0', { port: 'step', wanted: '1 or more', got: '0' });
    const size = values.sizes[along]!;
    const stop = Math.min(block.stop ?? size.value, size.value);
    const start = Math.min(block.start ?? 0, size.value);
    const count = Math.max(0, Math.ceil((stop - start) / step));
    const length = count === size.value ? size : { value: count, name: context.id, literal: size.literal };
    const sizes = replaceAxis(values.sizes, along, length);
    return { outputs: [{ ...rowsOf(values), name: '', sizes }], detail: { axis: along, start, length, step } };
  },

  lower(_, { axis: along, start, length, step }, context) {
    const values = context.input('values');
    // Whole, nothing is cut; an empty slice may start anywhere, and 0 is in range whatever the data.
    if (length.value === context.output('values').sizes[along]?.value && step === 1) return [values];
    return [context.builder.slice(values, along, length.value === 0 ? 0 : start, context.size(length), step)];
  },
});
