/** yᵢ = x₀ ⊙ … ⊙ xᵢ along an axis; exclusive, xᵢ is left out; reversed, from the end. */
import * as v from 'valibot';
import { axis, common, identifier, refs, strict, truth } from '../notation/fields.ts';
import { operatorSchema } from '../operators/schema.ts';
import { alongAxis, componentValues, type AlongAxis } from './parts/combining.ts';
import { blockKind } from './kind.ts';
import { listWires } from './parts/lists.ts';

const schema = strict({
  kind: v.literal('scan'),
  ...common,
  operator: operatorSchema,
  values: refs,
  axis: v.exactOptional(axis),
  exclusive: v.exactOptional(truth),
  reverse: v.exactOptional(truth),
  outputs: v.exactOptional(v.array(identifier, 'a list of names')),
});

export type ScanBlock = v.InferOutput<typeof schema>;

export const scan = blockKind<ScanBlock, AlongAxis>({
  kind: 'scan',
  schema,
  wires: (block) => listWires('values', block.values),

  infer: (block, context) => alongAxis(block, context, (domain) => domain),

  lower(block, { operator, domain, axis: along }, context) {
    const inputs = componentValues(block, context, operator);
    const { exclusive = false, reverse = false } = block;
    return context.builder.emit({
      kind: 'scan',
      operator,
      shape: context.shape(domain),
      inputs,
      axis: along,
      exclusive,
      reverse,
    });
  },
});
