/** x₀ ⊙ x₁ ⊙ … along an axis; the neutral element where there is none. */
import * as v from 'valibot';
import { axis, common, identifier, refs, strict } from '../notation/fields.ts';
import { operatorSchema } from '../operators/schema.ts';
import { alongAxis, componentValues, type AlongAxis } from './parts/combining.ts';
import { blockKind } from './kind.ts';
import { listWires } from './parts/lists.ts';
import { withoutAxis } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('reduce'),
  ...common,
  operator: operatorSchema,
  values: refs,
  axis: v.exactOptional(axis),
  outputs: v.exactOptional(v.array(identifier, 'a list of names')),
});

export type ReduceBlock = v.InferOutput<typeof schema>;

export const reduce = blockKind<ReduceBlock, AlongAxis>({
  kind: 'reduce',
  schema,
  wires: (block) => listWires('values', block.values),

  infer: (block, context) => alongAxis(block, context, withoutAxis),

  lower(block, { operator, domain, axis: along }, context) {
    const inputs = componentValues(block, context, operator);
    return context.builder.emit({ kind: 'reduce', operator, shape: context.shape(domain), inputs, axis: along });
  },
});
