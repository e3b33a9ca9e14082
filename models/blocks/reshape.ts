/** The same elements, row by row, in another shape. */
import * as v from 'valibot';
import { common, ref, strict } from '../notation/fields.ts';
import { isReference } from '../notation/references.ts';
import { rowsOf } from './parts/axis.ts';
import { blockKind, type AxisSize, type InferContext, type Sizes } from './kind.ts';
import { elementCount, highestRank, literalSize, printOutput, printSizes } from './parts/sizes.ts';

const entry = v.custom<number | string>(
  (value) =>
    (Number.isSafeInteger(value) && (value as number) >= -1) || (typeof value === 'string' && isReference(value)),
  'a whole number, -1 or a reference',
);

const schema = strict({
  kind: v.literal('reshape'),
  ...common,
  values: ref,
  shape: v.array(entry, 'a list of sizes'),
});

export type ReshapeBlock = v.InferOutput<typeof schema>;

export const reshape = blockKind<ReshapeBlock, Sizes>({
  kind: 'reshape',
  schema,

  wires: (block) => [
    { port: 'values', ref: block.values },
    ...block.shape.flatMap((size, i) => (typeof size === 'string' ? [{ port: `shape.${i}`, ref: size }] : [])),
  ],

  infer(block, context) {
    const values = context.input('values');
    if (!values) return undefined;
    if (block.shape.length > highestRank)
      return context.fail(`"shape" has ${block.shape.length} axes, and ${highestRank} is the most`, { port: 'shape' });
    const free = block.shape.indexOf(-1);
    if (free !== block.shape.lastIndexOf(-1)) return context.fail('"shape" has more than one -1', { port: 'shape' });
    const total = elementCount(values.sizes);
    const sizes: AxisSize[] = [];
    for (const [i, size] of block.shape.entries()) {
      const known =
        size === -1 ? literalSize(1) : typeof size === 'number' ? literalSize(size) : sizeOf(context, `shape.${i}`);
      if (!known) return undefined;
      sizes.push(known);
    }
    if (free >= 0) {
      const rest = elementCount(sizes);
      const count = rest === 0 ? 0 : total / rest;
      const whole = values.sizes.every((size) => size.literal) && sizes.every((size) => size.literal);
      // An axis that is as long as one of the value's is that axis, as far as its name goes.
      const same = values.sizes.find((size) => size.value === count && size.literal === whole);
      sizes[free] = same ?? { value: count, literal: whole };
    }
    if (!sizes.every((size) => Number.isInteger(size.value)) || elementCount(sizes) !== total) {
      const got = `[${block.shape.join(', ')}]`;
      return context.fail(`${printOutput(values)} has ${total} elements, which do not fill ${got}`, {
        port: 'shape',
        wanted: `${total} elements`,
        got: free >= 0 ? got : `${elementCount(sizes)} elements, ${printSizes(sizes)}`,
        ...(free < 0 && sizes.length > 0 && { fix: 'write -1 for the axis that follows from the others' }),
      });
    }
    return { outputs: [{ ...rowsOf(values), name: '', sizes }], detail: sizes };
  },

  lower: (_, sizes, context) => [context.builder.reshape(context.input('values'), context.shape(sizes))],
});

function sizeOf(context: InferContext, port: string): AxisSize | undefined {
  const like = context.input(port);
  if (!like || like.sizes.length === 1) return like?.sizes[0];
  const got = printOutput(like);
  return context.fail(`"shape" takes the size of a vector, got ${got}`, { port, wanted: 'an array of rank 1', got });
}
