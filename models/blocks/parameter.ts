import * as v from 'valibot';
import type { Value } from '../../engine/index.ts';
import { common, nested, nestedOrRef, oneOf, ref, strict, truth } from '../notation/fields.ts';
import { denseNumbers, isDocumentNumber, type Nested } from '../notation/numbers.ts';
import { priors, type Range } from '../facts/families.ts';
import { isJoint, jointFits, jointWires } from './parts/joint-prior.ts';
import { supportNames } from '../facts/supports.ts';
import { jointPriorSchema, type JointPrior } from '../objective/joint-priors.ts';
import { priorDensity, priorSchema, priorWires, type Prior } from '../objective/priors.ts';
import type { Bound, ParameterInfo } from '../objective/parameter-info.ts';
import { writeBetween } from '../supports/between.ts';
import { isFreed, supports } from '../supports/index.ts';
import type { Written } from '../supports/support.ts';
import { asReal, wantNumber } from './parts/convert.ts';
import { blockKind, type InferContext, type LowerContext, type Sizes, type Wire } from './kind.ts';
import { checkRange } from './parts/observed.ts';
import { broadcastSizes, elementCount, literalSize, printOutput, printSizes } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('parameter'),
  ...common,
  initial: nested,
  like: v.exactOptional(ref),
  lower: v.exactOptional(nestedOrRef),
  upper: v.exactOptional(nestedOrRef),
  support: v.exactOptional(oneOf(supportNames)),
  fixed: v.exactOptional(truth),
  scale: v.exactOptional(oneOf(['linear', 'log', 'logit'])),
  prior: v.exactOptional(
    v.lazy((said): typeof priorSchema | typeof jointPriorSchema => (isJoint(said) ? jointPriorSchema : priorSchema)),
  ),
});

export type ParameterBlock = v.InferOutput<typeof schema>;

export interface ParameterDetail {
  readonly info: ParameterInfo;
  readonly sizes: Sizes;
  /** In a model in which others are varied (../lower/freed.ts): they. */
  readonly freed?: ParameterInfo;
}

export const parameter = blockKind<ParameterBlock, ParameterDetail>({
  kind: 'parameter',
  schema,
  wires: (block) => [
    ...(block.like === undefined ? [] : [{ port: 'like', ref: block.like }]),
    ...boundWires(block),
    ...wiresOf(block.prior),
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
    const axis = labels && { value: labels.length, name: block.like!, literal: false };
    const dense = denseNumbers(block.initial);
    if (typeof dense === 'string') return context.fail(`"initial" is ${dense}`, { port: 'initial' });
    const sizes = axis ? [axis] : dense.shape.map(literalSize);
    const spread = (key: 'initial' | 'lower' | 'upper', value: Nested): number[] | undefined =>
      spreadOver(context, key, value, sizes);
    const initial = spread('initial', block.initial);
    const bound = (key: Bound, none: Nested): number[] | undefined => boundOf(block, context, key, none, sizes);
    const lower = bound('lower', '-Infinity');
    const upper = bound('upper', 'Infinity');
    if (!initial || !lower || !upper) return undefined;
    const isPositive = block.support === 'positive';
    const scale = block.scale ?? (isPositive ? 'log' : 'linear');
    const between = betweenOf(block, context);
    if (!supportFits(block, context, between, initial, sizes)) return undefined;
    const joint = block.prior && isJoint(block.prior) ? block.prior : undefined;
    const single = block.prior && !isJoint(block.prior) ? block.prior : undefined;
    const prior = single && priorDensity(single);
    if (typeof prior === 'string') return context.fail(prior, { port: 'prior' });
    if (!priorFits(context, single, sizes)) return undefined;
    if (joint && !jointFits(context, joint, block.support, sizes)) return undefined;
    const info: ParameterInfo = {
      id: context.id,
      shape: sizes.map((size) => size.value),
      initial,
      // A logarithm has no other side of 0; logit stretches 0 to 1 where the document does not say what.
      lower: lower.map((x) =>
        scale === 'log' || isPositive ? Math.max(x, 0) : scale === 'logit' && x === -Infinity ? 0 : x,
      ),
      upper: upper.map((x) => (scale === 'logit' && x === Infinity ? 1 : x)),
      fixed: block.fixed ?? false,
      scale,
      prior,
      ...(joint && { joint }),
      labels,
      ...(isFreed(block.support) && { support: block.support }),
      ...(between && { support: 'between' as const, between }),
    };
    if (isPositive && initial.some((x) => !(x > 0)))
      return context.fail(`"support": "positive" wants "initial" above 0, got ${initial.join(', ')}`, {
        port: 'initial',
      });
    if (!inBounds(context, info)) return undefined;
    return {
      outputs: [{ name: '', element: 'real', sizes, computed: true, parameter: true, ...(labels && { labels }) }],
      detail: { info, sizes },
    };
  },

  parameters: ({ info, freed }) => [freed ?? info],

  lower: (_, detail, context) => [
    detail.freed
      ? writeFreed(detail, context).value
      : context.source(context.id, 'real', detail.sizes, () => detail.info.initial),
  ],
});

/** A parameter of what is varied in its place. */
export function writeFreed({ info, freed }: ParameterDetail, context: LowerContext): Written {
  const b = context.builder;
  const { shape, initial } = freed!;
  const v = context.source(context.id, 'real', shape.map(literalSize), () => initial);
  if (info.support !== undefined && info.support !== 'between') return supports[info.support].write(b, v, info.shape);
  const bound = (key: Bound): Value | undefined => {
    if (info.between?.[key] !== undefined) return asReal(b, context.input(key));
    const [first = NaN] = info[key];
    if (!Number.isFinite(first)) return undefined;
    const listed = b.concatenate(
      info[key].map((x) => b.replicate(b.literal(x), [1])),
      0,
    );
    return b.reshape(listed, info.shape);
  };
  return writeBetween(b, v, bound('lower'), bound('upper'));
}

const isRef = (value: unknown): value is string => typeof value === 'string' && !isDocumentNumber(value);

const boundWires = (block: ParameterBlock): Wire[] =>
  (['lower', 'upper'] as const).flatMap((port) => {
    const ref = block[port];
    return isRef(ref) ? [{ port, ref }] : [];
  });

/** Numbers as far as they are known before anything is varied. */
function boundOf(
  block: ParameterBlock,
  context: InferContext,
  key: Bound,
  none: Nested,
  sizes: Sizes,
): number[] | undefined {
  const value = block[key] ?? none;
  if (!isRef(value)) return spreadOver(context, key, value, sizes);
  const given = wantNumber(context, key, context.input(key));
  if (!given) return undefined;
  if (broadcastSizes([sizes, given.sizes])?.length !== sizes.length) {
    const [wanted, got] = [`a scalar or an array ${printSizes(sizes)}`, printOutput(given)];
    return context.fail(`"${key}" wants ${wanted}, got ${got}`, { port: key, wanted, got });
  }
  if (given.computed) return spreadOver(context, key, none, sizes);
  const shape = sizes.map((size) => size.value);
  const known = context.compute([key], ({ builder, input }) => builder.replicate(asReal(builder, input(key)), shape));
  return known && Array.from(known);
}

function betweenOf(block: ParameterBlock, context: InferContext): ParameterInfo['between'] {
  const computed = boundWires(block).filter(({ port }) => context.input(port)?.computed === true);
  return computed.length === 0 ? undefined : Object.fromEntries(computed.map(({ port, ref }) => [port, ref]));
}

/** Whether it can be what it is said to be. */
function supportFits(
  block: ParameterBlock,
  context: InferContext,
  between: ParameterInfo['between'],
  initial: readonly number[],
  sizes: Sizes,
): boolean {
  const { support } = block;
  if (between && block.scale !== undefined && block.scale !== 'linear') {
    context.fail(`"scale": "${block.scale}" wants bounds that are numbers or data`, { port: 'scale' });
    return false;
  }
  if (!isFreed(support)) return true;
  const beside = (['lower', 'upper', 'scale', 'like'] as const).find((key) => block[key] !== undefined);
  if (beside) {
    context.fail(`"support": "${support}" says where it lies, and takes no "${beside}"`, { port: beside });
    return false;
  }
  const shape = sizes.map((size) => size.value);
  const free = supports[support].free(shape);
  if (typeof free === 'string') {
    context.fail(`"support": "${support}" wants ${free}, got ${printSizes(sizes)}`, { port: 'support', wanted: free });
    return false;
  }
  const start = supports[support].toFree(initial, shape);
  if (typeof start === 'string')
    context.fail(`"initial" of "support": "${support}" wants ${start}`, { port: 'initial', wanted: start });
  return typeof start !== 'string';
}

const wiresOf = (prior: Prior | JointPrior | undefined): Wire[] =>
  isJoint(prior) ? jointWires(prior) : priorWires(prior);

/** Whether the references of a prior broadcast to the parameter and, where they are data, lie where its family has them. */
function priorFits(context: InferContext, prior: Prior | undefined, sizes: Sizes): boolean {
  return priorWires(prior).every(({ argument, port }) => {
    const given = wantNumber(context, port, context.input(port));
    if (!given || !prior) return false;
    const ranges: Readonly<Record<string, Range>> = priors[prior.family].arguments;
    if (!checkRange(context, port, given, ranges[argument] ?? 'any')) return false;
    if (broadcastSizes([sizes, given.sizes])?.length === sizes.length) return true;
    context.fail(`"${port}" wants a scalar or an array ${printSizes(sizes)}, got ${printOutput(given)}`, { port });
    return false;
  });
}

/** A number for every element, or an array of the parameter's own shape. */
function spreadOver(context: InferContext, key: string, value: Nested, sizes: Sizes): number[] | undefined {
  const dense = denseNumbers(value);
  if (typeof dense === 'string') return context.fail(`"${key}" is ${dense}`, { port: key });
  if (dense.shape.length === 0) return new Array<number>(elementCount(sizes)).fill(dense.values[0]!);
  if (dense.shape.length === sizes.length && dense.shape.every((size, i) => size === sizes[i]?.value))
    return [...dense.values];
  const wanted = printSizes(sizes);
  const got = printSizes(dense.shape.map(literalSize));
  return context.fail(`"${key}" wants a number or an array ${wanted}, got ${got}`, { port: key, wanted, got });
}

function inBounds(context: InferContext, info: ParameterInfo): boolean {
  for (const [i, x] of info.initial.entries()) {
    const [low, high] = [info.lower[i]!, info.upper[i]!];
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
