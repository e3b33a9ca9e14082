import * as v from 'valibot';
import { common, nested, oneOf, ref, strict, truth } from '../notation/fields.ts';
import { denseNumbers, type Nested } from '../notation/numbers.ts';
import { priorDensity, priorSchema, priorWires, type PriorDensity } from '../objective/priors.ts';
import { wantNumber } from './parts/convert.ts';
import { blockKind, type InferContext, type Sizes } from './kind.ts';
import { broadcastSizes, elementCount, literalSize, printOutput, printSizes } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('parameter'),
  ...common,
  initial: nested,
  like: v.exactOptional(ref),
  lower: v.exactOptional(nested),
  upper: v.exactOptional(nested),
  fixed: v.exactOptional(truth),
  scale: v.exactOptional(oneOf(['linear', 'log', 'logit'])),
  prior: v.exactOptional(priorSchema),
});

export type ParameterBlock = v.InferOutput<typeof schema>;

/** What a fit knows of a parameter. Arrays are row-major, one entry for each element. */
export interface ParameterInfo {
  readonly id: string;
  readonly shape: readonly number[];
  readonly initial: readonly number[];
  /** -∞ where there is no bound. */
  readonly lower: readonly number[];
  readonly upper: readonly number[];
  readonly fixed: boolean;
  readonly scale: 'linear' | 'log' | 'logit';
  readonly prior: PriorDensity | undefined;
  /** The labels of the category that it is like, one for each element. */
  readonly labels: readonly string[] | undefined;
}

export interface ParameterDetail {
  readonly info: ParameterInfo;
  readonly sizes: Sizes;
}

export const parameter = blockKind<ParameterBlock, ParameterDetail>({
  kind: 'parameter',
  schema,
  wires: (block) => [
    ...(block.like === undefined ? [] : [{ port: 'like', ref: block.like }]),
    ...priorWires(block.prior),
  ],

  infer(block, context) {
    const like = block.like === undefined ? undefined : context.input('like');
    if (block.like !== undefined && !like) return undefined;
    if (like && !like.category)
      return context.fail(`"like" wants a category, got ${printOutput(like)}`, {
        port: 'like',
        wanted: 'a category',
        got: printOutput(like),
        fix: 'say "type": "category" on its column',
      });
    const labels = like?.category;
    const axis = labels && { value: labels.length, name: block.like as string, literal: false };
    const dense = denseNumbers(block.initial);
    if (typeof dense === 'string') return context.fail(`"initial" is ${dense}`, { port: 'initial' });
    const sizes = axis ? [axis] : dense.shape.map(literalSize);
    const spread = (key: 'initial' | 'lower' | 'upper', value: Nested): number[] | undefined =>
      spreadOver(context, key, value, sizes);
    const initial = spread('initial', block.initial);
    const lower = spread('lower', block.lower ?? '-Infinity');
    const upper = spread('upper', block.upper ?? 'Infinity');
    if (!initial || !lower || !upper) return undefined;
    const scale = block.scale ?? 'linear';
    const prior = block.prior && priorDensity(block.prior);
    if (typeof prior === 'string') return context.fail(prior, { port: 'prior' });
    if (!priorFits(context, block, sizes)) return undefined;
    const info: ParameterInfo = {
      id: context.id,
      shape: sizes.map((size) => size.value),
      initial,
      // A logarithm has no other side of 0; logit stretches 0 to 1 where the document does not say what.
      lower: lower.map((x) => (scale === 'log' ? Math.max(x, 0) : scale === 'logit' && x === -Infinity ? 0 : x)),
      upper: upper.map((x) => (scale === 'logit' && x === Infinity ? 1 : x)),
      fixed: block.fixed ?? false,
      scale,
      prior,
      labels,
    };
    if (!inBounds(context, info)) return undefined;
    return {
      outputs: [{ name: '', element: 'real', sizes, computed: true, parameter: true }],
      detail: { info, sizes },
    };
  },

  lower: (_, { info, sizes }, context) => [context.source(context.id, 'real', sizes, () => info.initial)],
});

/** Whether the references of a prior broadcast to the parameter. */
function priorFits(context: InferContext, { prior }: ParameterBlock, sizes: Sizes): boolean {
  return priorWires(prior).every(({ port }) => {
    const given = wantNumber(context, port, context.input(port));
    if (!given) return false;
    if (broadcastSizes([sizes, given.sizes])?.length === sizes.length) return true;
    context.fail(`"${port}" wants a scalar or an array ${printSizes(sizes)}, got ${printOutput(given)}`, { port });
    return false;
  });
}

/** A number for every element, or an array of the parameter's own shape. */
function spreadOver(context: InferContext, key: string, value: Nested, sizes: Sizes): number[] | undefined {
  const dense = denseNumbers(value);
  if (typeof dense === 'string') return context.fail(`"${key}" is ${dense}`, { port: key });
  if (dense.shape.length === 0) return new Array<number>(elementCount(sizes)).fill(dense.values[0] as number);
  if (dense.shape.length === sizes.length && dense.shape.every((size, i) => size === sizes[i]?.value))
    return [...dense.values];
  const wanted = printSizes(sizes);
  const got = printSizes(dense.shape.map(literalSize));
  return context.fail(`"${key}" wants a number or an array ${wanted}, got ${got}`, { port: key, wanted, got });
}

function inBounds(context: InferContext, info: ParameterInfo): boolean {
  for (const [i, x] of info.initial.entries()) {
    const [low, high] = [info.lower[i] as number, info.upper[i] as number];
    const at = info.shape.length === 0 ? '' : ` of element ${i}`;
    const details = { port: 'initial', wanted: `${low} to ${high}`, got: String(x) };
    if (!(low <= high)) context.fail(`"lower" ${low}${at} is above "upper" ${high}`, { ...details, port: 'lower' });
    else if (info.scale === 'log' && !(x > 0))
      context.fail(`"scale": "log" wants "initial" above 0, got ${x}${at}`, details);
    else if (x < low || x > high)
      context.fail(`"initial" ${x}${at} lies outside its bounds ${low} to ${high}`, details);
    else if (info.scale === 'logit' && (x === low || x === high))
      context.fail(`"scale": "logit" wants "initial" between its bounds, got ${x}${at}`, details);
    else continue;
    return false;
  }
  return true;
}
