/** x₀ ⊙ x₁ ⊙ … along an axis; the neutral element where there is none. */
import { componentTypes, type Operator } from '../../engine/0-ir/operators.ts';
import type { ElementType } from '../../engine/0-ir/types.ts';
import * as v from 'valibot';
import { axis, common, identifier, refs, strict } from '../format/fields.ts';
import { operatorSchema } from '../operators/schema.ts';
import { axisOf } from './axis.ts';
import { componentOutputs, operatorOf, valuesOf, warnOverflow } from './combining.ts';
import { asElement } from './convert.ts';
import { blockKind, type Sizes } from './kind.ts';
import { listPorts, listWires } from './lists.ts';
import { disagreement } from './map.ts';
import { broadcastSizes, withoutAxis } from './sizes.ts';

const schema = strict({
  kind: v.literal('reduce'),
  ...common,
  operator: operatorSchema,
  values: refs,
  axis: v.exactOptional(axis),
  outputs: v.exactOptional(v.array(identifier, 'a list of names')),
});

export type ReduceBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly operator: Operator;
  readonly domain: Sizes;
  readonly axis: number;
}

export const reduce = blockKind<ReduceBlock, Detail>({
  kind: 'reduce',
  summary: 'All elements along an axis combined into one: a sum, a product, an extreme.',
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
    const outputs = componentOutputs(block, context, operator, withoutAxis(domain, along), computed);
    return outputs && { outputs, detail: { operator, domain, axis: along } };
  },

  lower(block, { operator, domain, axis: along }, context) {
    const b = context.builder;
    const types = componentTypes(operator);
    const inputs = listPorts('values', block.values).map((port, i) =>
      asElement(b, context.input(port), types[i] as ElementType),
    );
    return b.emit({ kind: 'reduce', operator, shape: context.shape(domain), inputs, axis: along });
  },
});
