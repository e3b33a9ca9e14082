import * as v from 'valibot';
import { common, nested, oneOf, strict } from '../notation/fields.ts';
import { denseNumbers } from '../notation/numbers.ts';
import { blockKind, type Output } from './kind.ts';
import { literalSize } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('constant'),
  ...common,
  value: nested,
  type: v.exactOptional(oneOf(['real', 'int'])),
});

export type ConstantBlock = v.InferOutput<typeof schema>;

export const constant = blockKind<ConstantBlock, Output>({
  kind: 'constant',
  schema,
  wires: () => [],

  infer(block, context) {
    const dense = denseNumbers(block.value);
    if (typeof dense === 'string') return context.fail(`"value" is ${dense}`, { port: 'value' });
    const int = block.type === 'int';
    const odd = int ? dense.values.find((x) => (x | 0) !== x) : undefined;
    if (odd !== undefined)
      return context.fail(`"value" wants whole numbers of 32 bits, since its type is int, got ${odd}`, {
        port: 'value',
        wanted: 'int',
        got: String(odd),
        fix: 'say "type": "real"',
      });
    const output: Output = {
      name: '',
      element: int ? 'int' : 'real',
      sizes: dense.shape.map(literalSize),
      computed: false,
      data: int ? Int32Array.from(dense.values) : Float64Array.from(dense.values),
    };
    return { outputs: [output], detail: output };
  },

  lower: (_, { element, sizes, data }, context) => [context.source(context.id, element, sizes, () => data ?? [])],
});
