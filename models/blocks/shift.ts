/** y[i] = x[i − by], and `fill` where that is outside */
import * as v from 'valibot';
import { type ElementType, sizeSubtract, type Value } from '../../engine/index.ts';
import { axis, common, number, ref, strict, whole } from '../notation/fields.ts';
import { toNumber } from '../notation/numbers.ts';
import { axisOf, rowsOf } from './parts/axis.ts';
import { asElement } from './parts/convert.ts';
import { blockKind } from './kind.ts';
import { printOutput } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('shift'),
  ...common,
  values: ref,
  axis: v.exactOptional(axis),
  by: v.exactOptional(whole),
  fill: v.exactOptional(number),
});

export type ShiftBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly axis: number;
  readonly by: number;
  readonly fill: number;
  readonly element: ElementType;
}

export const shift = blockKind<ShiftBlock, Detail>({
  kind: 'shift',
  schema,
  wires: (block) => [{ port: 'values', ref: block.values }],

  infer(block, context) {
    const values = context.input('values');
    const along = axisOf(context, block, values);
    if (!values || along === undefined) return undefined;
    const fill = toNumber(block.fill ?? 0);
    if (values.element === 'bool' && fill !== 0)
      return context.fail(`"fill" ${fill} does not go into ${printOutput(values)}`, {
        port: 'fill',
        wanted: '0, for false',
      });
    // A fill that is no int makes the whole real.
    const element = values.element === 'int' && (fill | 0) !== fill ? 'real' : values.element;
    const outputs = [{ ...rowsOf(values), element, name: '' }];
    return { outputs, detail: { axis: along, by: block.by ?? 1, fill, element } };
  },

  lower(_, { axis: along, by, fill, element }, context) {
    const b = context.builder;
    const values = asElement(b, context.input('values'), element);
    const shape = values.type.shape;
    const size = context.output('values').sizes[along]!;
    const filling = (length: number): Value =>
      b.replicate(
        b.literal(fill, element),
        length < size.value ? shape.map((s, i) => (i === along ? length : s)) : shape,
      );
    const outside = Math.abs(by);
    if (by === 0) return [values];
    if (outside >= size.value) return [filling(size.value)];
    const kept = b.slice(values, along, Math.max(0, -by), sizeSubtract(context.size(size), outside));
    return [b.concatenate(by > 0 ? [filling(outside), kept] : [kept, filling(outside)], along)];
  },
});
