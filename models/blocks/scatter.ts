/** `into` with the rows at `indices` replaced by `values`. */
import * as v from 'valibot';
import type { ElementType } from '../../engine/index.ts';
import { common, ref, strict } from '../notation/fields.ts';
import { asElement, asInt, commonElement, wantInt } from './parts/convert.ts';
import { blockKind, type Sizes } from './kind.ts';
import { broadcastSizes, printOutput, printSizes, sameSizes } from './parts/sizes.ts';

const schema = strict({ kind: v.literal('scatter'), ...common, into: ref, indices: ref, values: ref });

export type ScatterBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly element: ElementType;
  /** [k, …], the shape of the rows that are written. */
  readonly rows: Sizes;
}

export const scatter = blockKind<ScatterBlock, Detail>({
  kind: 'scatter',
  schema,
  wires: (block) => [
    { port: 'into', ref: block.into },
    { port: 'indices', ref: block.indices },
    { port: 'values', ref: block.values },
  ],

  infer(_, context) {
    const into = context.input('into');
    const values = context.input('values');
    const indices = wantInt(context, 'indices');
    if (!into || !values || !indices) return undefined;
    if (into.sizes.length === 0)
      return context.fail(`"into" wants an array, got ${printOutput(into)}`, {
        port: 'into',
        wanted: 'an array',
        got: printOutput(into),
      });
    if (indices.sizes.length !== 1)
      return context.fail(`"indices" wants a vector, got ${printOutput(indices)}`, {
        port: 'indices',
        wanted: 'rank 1',
        got: printOutput(indices),
      });
    const rows = [indices.sizes[0]!, ...into.sizes.slice(1)];
    const fitted = broadcastSizes([rows, values.sizes]);
    if (!fitted || !sameSizes(fitted, rows))
      return context.fail(`"values" wants ${printSizes(rows)}, got ${printOutput(values)}`, {
        port: 'values',
        wanted: printSizes(rows),
        got: printOutput(values),
      });
    const element = commonElement([into.element, values.element]);
    if (!element)
      return context.fail(
        `"values" is ${printOutput(values)} and "into" ${printOutput(into)}: bools and numbers do not mix`,
        {
          port: 'values',
          wanted: into.element,
          got: values.element,
        },
      );
    const twice = indices.data && repeated(indices.data, into.sizes[0]!.value);
    if (twice !== undefined)
      return context.fail(`the index ${twice} occurs twice in "indices"`, {
        port: 'indices',
        wanted: 'each row at most once',
        got: String(twice),
      });
    const computed = into.computed || values.computed || indices.computed;
    return { outputs: [{ name: '', element, sizes: into.sizes, computed }], detail: { element, rows } };
  },

  lower(_, { element, rows }, context) {
    const b = context.builder;
    const values = b.replicate(asElement(b, context.input('values'), element), context.shape(rows));
    const into = asElement(b, context.input('into'), element);
    const [result] = b.emit({
      kind: 'scatter',
      into,
      indices: asInt(context, 'indices'),
      values,
      batch: 0,
      checked: true,
    });
    return result ? [result] : [];
  },
});

/** The first index in range that occurs a second time. */
function repeated(indices: ArrayLike<number>, rows: number): number | undefined {
  const seen = new Set<number>();
  for (let i = 0; i < indices.length; i++) {
    const index = indices[i]!;
    if (!(index >= 0 && index < rows)) continue;
    if (seen.has(index)) return index;
    seen.add(index);
  }
  return undefined;
}
