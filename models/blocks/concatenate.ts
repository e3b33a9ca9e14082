import * as v from 'valibot';
import type { ElementType } from '../../engine/index.ts';
import { asList, axis, common, refs, strict } from '../notation/fields.ts';
import { axisOf } from './parts/axis.ts';
import { asElement, commonElement } from './parts/convert.ts';
import { blockKind, type Output } from './kind.ts';
import { listWires, listPorts } from './parts/lists.ts';
import { pick, printOutput, replaceAxis, sameSizes, withoutAxis } from './parts/sizes.ts';

const schema = strict({ kind: v.literal('concatenate'), ...common, values: refs, axis: v.exactOptional(axis) });

export type ConcatenateBlock = v.InferOutput<typeof schema>;

export const concatenate = blockKind<ConcatenateBlock, { axis: number; element: ElementType }>({
  kind: 'concatenate',
  schema,
  wires: (block) => listWires('values', block.values),

  infer(block, context) {
    const ports = listPorts('values', block.values);
    const values = context.inputs(ports);
    const first = values?.[0];
    if (!first) return undefined;
    const along = axisOf(context, block, first, ports[0]);
    if (along === undefined) return undefined;
    for (const [i, value] of values.entries())
      if (
        value.sizes.length !== first.sizes.length ||
        !sameSizes(withoutAxis(value.sizes, along), withoutAxis(first.sizes, along))
      ) {
        const [wanted, got] = [printOutput(first), printOutput(value)];
        return context.fail(
          `"${asList(block.values)[i]}" is ${got}, which does not go beside ${wanted} along axis ${along}`,
          {
            port: ports[i],
            wanted: `${wanted}, but for axis ${along}`,
            got,
          },
        );
      }
    const element = commonElement(values.map((value) => value.element));
    if (!element)
      return context.fail('bools and numbers do not go into one array', { port: 'values', fix: 'write real(x)' });
    const axes = values.map((value) => value.sizes[along]!);
    const total = axes.reduce((sum, size) => sum + size.value, 0);
    // Beside nothing, an axis stays what it is.
    const one = axes.find((size) => size.value === total);
    const size = one ?? { value: total, name: context.id, literal: axes.every((own) => own.literal) };
    const rest = values.reduce((sizes, value) => sizes.map((own, i) => pick(own, value.sizes[i]!)), first.sizes);
    const output: Output = {
      name: '',
      element,
      sizes: replaceAxis(rest, along, size),
      computed: values.some((value) => value.computed),
      ...(element === 'real' &&
        values.every((value) => value.whole === true || value.element === 'int') && { whole: true }),
    };
    return { outputs: [output], detail: { axis: along, element } };
  },

  lower(block, { axis: along, element }, context) {
    const b = context.builder;
    const values = listPorts('values', block.values).map((port) => asElement(b, context.input(port), element));
    const [first, ...more] = values;
    if (!first || more.length === 0) return values;
    // Sizes that are equal by value may be spelt differently: a literal 1 and a table of one row.
    const like = (value: typeof first) =>
      b.reshape(
        value,
        value.type.shape.map((size, i) => (i === along ? size : first.type.shape[i]!)),
      );
    return [b.concatenate(values.map(like), along)];
  },
});
