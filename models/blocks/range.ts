/** start + step·i, i = 0, 1, …, length − 1 */
import * as v from 'valibot';
import { intLiteral, realLiteral } from '../../engine/index.ts';
import { common, count, number, ref, strict } from '../notation/fields.ts';
import { toNumber } from '../notation/numbers.ts';
import type { IntRange } from './parts/int-range.ts';
import { blockKind, type AxisSize } from './kind.ts';
import { literalSize, printOutput } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('range'),
  ...common,
  length: v.exactOptional(count()),
  like: v.exactOptional(ref),
  start: v.exactOptional(number),
  step: v.exactOptional(number),
});

export type RangeBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly size: AxisSize;
  readonly int: boolean;
  readonly start: number;
  readonly step: number;
}

export const range = blockKind<RangeBlock, Detail>({
  kind: 'range',
  schema,
  wires: (block) => (block.like === undefined ? [] : [{ port: 'like', ref: block.like }]),

  infer(block, context) {
    if ((block.length === undefined) === (block.like === undefined))
      return context.fail('wants either "length" or "like"', { port: 'length' });
    const size = block.length === undefined ? lengthLike() : literalSize(block.length);
    if (!size) return undefined;
    const start = toNumber(block.start ?? 0);
    const step = toNumber(block.step ?? 1);
    const int = Number.isInteger(start) && Number.isInteger(step);
    const last = start + step * Math.max(0, size.value - 1);
    if (int && Math.max(Math.abs(start), Math.abs(last)) > 2147483647 && size.value < 2 ** 31)
      return context.fail(`its whole numbers reach ${last}, beyond the 32 bits of an int`, {
        port: 'step',
        wanted: 'at most 2147483647',
        got: String(last),
      });
    const output = { name: '', element: int ? ('int' as const) : ('real' as const), sizes: [size], computed: false };
    const ends: IntRange = [Math.min(start, last), Math.max(start, last)];
    return { outputs: [int ? { ...output, range: ends } : output], detail: { size, int, start, step } };

    function lengthLike(): AxisSize | undefined {
      const like = context.input('like');
      if (!like || like.sizes[0]) return like?.sizes[0];
      const got = printOutput(like);
      return context.fail(`"like" wants an array, got ${got}`, { port: 'like', wanted: 'an array', got });
    }
  },

  lower(_, { size, int, start, step }, context) {
    const b = context.builder;
    const index = context.index(size);
    if (int && start === 0 && step === 1) return [index];
    const literal = int ? intLiteral : realLiteral;
    return [
      b.elementwise([index], (s, i) => {
        const steps = s.apply('mul', int ? i : s.apply('real', i), literal(step));
        return s.apply('add', steps, literal(start));
      }),
    ];
  },
});
