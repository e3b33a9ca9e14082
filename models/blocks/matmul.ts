/** left @ right, as NumPy: vectors are rows on the left and columns on the right, leading axes broadcast. */
import * as v from 'valibot';
import type { Shape } from '../../engine/index.ts';
import { common, ref, strict } from '../notation/fields.ts';
import { asReal, wantNumber } from './parts/convert.ts';
import { blockKind, type AxisSize, type InferContext, type Output, type Sizes } from './kind.ts';
import { broadcastSizes, literalSize, pick, printOutput } from './parts/sizes.ts';

const schema = strict({ kind: v.literal('matmul'), ...common, left: ref, right: ref });

export type MatmulBlock = v.InferOutput<typeof schema>;

interface Detail {
  /** Both operands of one rank, with the axes that vectors lack. */
  readonly left: Sizes;
  readonly right: Sizes;
}

export const matmul = blockKind<MatmulBlock, Detail>({
  kind: 'matmul',
  schema,
  wires: (block) => [
    { port: 'left', ref: block.left },
    { port: 'right', ref: block.right },
  ],

  infer(_, context) {
    const a = wantArray(context, 'left');
    const b = wantArray(context, 'right');
    if (!a || !b) return undefined;
    const full = {
      left: a.sizes.length === 1 ? [literalSize(1), ...a.sizes] : a.sizes,
      right: b.sizes.length === 1 ? [...b.sizes, literalSize(1)] : b.sizes,
    };
    const inner = full.left.at(-1)!;
    const other = full.right.at(-2)!;
    const batch = broadcastSizes([full.left.slice(0, -2), full.right.slice(0, -2)]);
    if (inner.value !== other.value || !batch) {
      const [wanted, got] = [printOutput(a), printOutput(b)];
      const why = batch
        ? `the last axis of "left" is ${inner.value}, that of the rows of "right" ${other.value}`
        : 'their leading axes differ';
      return context.fail(`${wanted} and ${got} cannot be multiplied: ${why}`, {
        port: 'right',
        wanted: `${inner.value} rows`,
        got,
        ...(b.sizes.length === 2 && b.sizes[1]?.value === inner.value && { fix: 'transpose the right one' }),
      });
    }
    const shared = pick(inner, other);
    const pad = (sizes: Sizes): Sizes => [
      ...new Array<AxisSize>(batch.length + 2 - sizes.length).fill(literalSize(1)),
      ...sizes,
    ];
    const detail: Detail = {
      left: pad([...full.left.slice(0, -1), shared]),
      right: pad([...full.right.slice(0, -2), shared, full.right.at(-1)!]),
    };
    const sizes = [
      ...batch,
      ...(a.sizes.length === 1 ? [] : full.left.slice(-2, -1)),
      ...(b.sizes.length === 1 ? [] : full.right.slice(-1)),
    ];
    return { outputs: [{ name: '', element: 'real', sizes, computed: a.computed || b.computed }], detail };
  },

  lower(_, { left, right }, context) {
    const b = context.builder;
    const fit = (port: string, shape: Shape) => b.reshape(asReal(b, context.input(port)), shape);
    return [b.matmul(fit('left', context.shape(left)), fit('right', context.shape(right)))];
  },
});

function wantArray(context: InferContext, port: string): Output | undefined {
  const value = wantNumber(context, port, context.input(port));
  if (!value || value.sizes.length > 0) return value;
  return context.fail(`"${port}" wants an array, got ${printOutput(value)}`, {
    port,
    wanted: 'an array',
    got: printOutput(value),
    fix: 'multiply by a scalar in a map',
  });
}
