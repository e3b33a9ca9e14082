/** yᵢ = x₀ ⊙ … ⊙ xᵢ along an axis; exclusive, xᵢ is left out; reversed, from the end. */
import { componentTypes, type Operator } from '../../engine/0-ir/operators.ts';
import type { ElementType } from '../../engine/0-ir/types.ts';
import * as v from 'valibot';
import { axis, common, identifier, refs, strict, truth } from '../format/fields.ts';
import { operatorSchema } from '../operators/schema.ts';
import { axisOf } from './axis.ts';
import { componentOutputs, operatorOf, valuesOf, warnOverflow } from './combining.ts';
import { asElement } from './convert.ts';
import { blockKind, type Sizes } from './kind.ts';
import { listPorts, listWires } from './lists.ts';
import { disagreement } from './map.ts';
import { broadcastSizes } from './sizes.ts';

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

interface Detail {
  readonly operator: Operator;
  readonly domain: Sizes;
  readonly axis: number;
}

export const scan = blockKind<ScanBlock, Detail>({
  kind: 'scan',
  summary: 'All elements up to each one combined: a running total, a linear recurrence.',
  group: 'combine',
  schema,
  wires: (block) => listWires('values', block.values),

  infer(block, context) {
    const values = valuesOf(block, context);
    if (!values) return undefined;
    const domain = broadcastSizes(values.map((value) => value.sizes));
    if (!domain) return context.fail(...disagreement(listPorts('values', block.values), values));
    const along = axisOf(context, block, { ...(values[0] as (typeof values)[0]), sizes: domain });
    const operator = operatorOf(
      block,
      context,
      values.map((value) => value.element),
      false,
    );
    if (along === undefined || !operator) return undefined;
    warnOverflow(block, context, operator, values);
    const computed = values.some((value) => value.computed);
    const outputs = componentOutputs(block, context, operator, domain, computed);
    return outputs && { outputs, detail: { operator, domain, axis: along } };
  },

  lower(block, { operator, domain, axis: along }, context) {
    const b = context.builder;
    const types = componentTypes(operator);
    const inputs = listPorts('values', block.values).map((port, i) =>
      asElement(b, context.input(port), types[i] as ElementType),
    );
    const { exclusive = false, reverse = false } = block;
    return b.emit({ kind: 'scan', operator, shape: context.shape(domain), inputs, axis: along, exclusive, reverse });
  },
});
