/** bins[k] = initial[k] ⊙ v ⊙ … over the elements whose key is k; a key outside the bins is ignored. */
import { componentTypes, type ElementType, type Operator, type Value } from '../../engine/index.ts';
import * as v from 'valibot';
import { common, identifier, ref, refOrCount, refs, strict } from '../notation/fields.ts';
import { operatorSchema } from '../operators/schema.ts';
import { componentOutputs, operatorOf, valuesOf, withRange } from './parts/combining.ts';
import { asElement, asInt, commonElement, wantInt } from './parts/convert.ts';
import { blockKind, type AxisSize, type InferContext, type LowerContext, type Output, type Sizes } from './kind.ts';
import { listPorts, listWires } from './parts/lists.ts';
import { disagreement } from './parts/disagreement.ts';
import { broadcastSizes, literalSize, printOutput, printSizes, sameSizes } from './parts/sizes.ts';

const schema = strict({
  kind: v.literal('histogram'),
  ...common,
  operator: operatorSchema,
  keys: ref,
  values: refs,
  bins: refOrCount,
  initial: v.exactOptional(refs),
  outputs: v.exactOptional(v.array(identifier, 'a list of names')),
});

export type HistogramBlock = v.InferOutput<typeof schema>;

interface Detail {
  readonly operator: Operator;
  /** [n, …] */
  readonly domain: Sizes;
  readonly bins: AxisSize;
}

export const histogram = blockKind<HistogramBlock, Detail>({
  kind: 'histogram',
  schema,

  wires: (block) => [
    { port: 'keys', ref: block.keys },
    ...listWires('values', block.values),
    ...(typeof block.bins === 'string' ? [{ port: 'bins', ref: block.bins }] : []),
    ...(block.initial === undefined ? [] : listWires('initial', block.initial)),
  ],

  infer(block, context) {
    const keys = wantInt(context, 'keys');
    const values = valuesOf(block, context);
    const bins = binsOf(block, context);
    const initial = block.initial === undefined ? [] : context.inputs(listPorts('initial', block.initial));
    if (!keys || !values || !bins || !initial) return undefined;
    if (keys.sizes.length !== 1)
      return context.fail(`"keys" wants a vector, got ${printOutput(keys)}`, {
        port: 'keys',
        wanted: 'int [n]',
        got: printOutput(keys),
      });
    const rank = Math.max(1, ...values.map((value) => value.sizes.length));
    const ports = listPorts('values', block.values);
    const aligned = values.map((value) => ({ ...value, sizes: fromTheLeft(value.sizes, rank) }));
    const keyRows = { ...keys, sizes: fromTheLeft(keys.sizes, rank) };
    const domain = broadcastSizes([keyRows, ...aligned].map((value) => value.sizes));
    if (!domain) return context.fail(...disagreement(['keys', ...ports], [keyRows, ...aligned]));
    const operator = operatorOf(block, context, elementsOf(values, initial), true);
    if (!operator) return undefined;
    const sizes = [bins, ...domain.slice(1)];
    if (!initialFits(context, block, operator, initial, sizes)) return undefined;
    const computed = [keys, ...values, ...initial].some((value) => value.computed);
    const outputs = componentOutputs(block, context, operator, sizes, computed);
    if (!outputs) return undefined;
    const rows = domain[0]?.value ?? 0;
    const ranged = initial.length > 0 ? outputs : withRange(block, context, outputs, values, rows);
    return { outputs: ranged, detail: { operator, domain, bins } };
  },

  lower(block, { operator, domain, bins }, context) {
    const b = context.builder;
    const types = componentTypes(operator);
    const component = (port: string, i: number): Value => asElement(b, context.input(port), types[i]!);
    const initial = block.initial === undefined ? undefined : listPorts('initial', block.initial).map(component);
    const shape = context.shape(domain);
    return b.emit({
      kind: 'histogram',
      operator,
      shape,
      inputs: listPorts('values', block.values).map((port, i) => widen(context, component(port, i), domain.length)),
      keys: b.reshape(asInt(context, 'keys'), shape.slice(0, 1)),
      bins: context.size(bins),
      batch: 0,
      ...(initial && { initial }),
    });
  },
});

/** A vector of values holds one for each key, so it aligns with the first axis and not, as elsewhere, with the last. */
function fromTheLeft(sizes: Sizes, rank: number): Sizes {
  return sizes.length === 0 ? sizes : [...sizes, ...new Array<AxisSize>(rank - sizes.length).fill(literalSize(1))];
}

function widen(context: LowerContext, value: Value, rank: number): Value {
  const shape = value.type.shape;
  if (shape.length === 0) return value;
  return context.builder.reshape(value, [...shape, ...new Array<number>(rank - shape.length).fill(1)]);
}

function binsOf(block: HistogramBlock, context: InferContext): AxisSize | undefined {
  if (typeof block.bins === 'number') return literalSize(block.bins);
  const category = context.input('bins');
  if (!category) return undefined;
  if (category.category) return { value: category.category.length, name: block.bins, literal: false };
  const got = printOutput(category);
  return context.fail(`"bins" wants a number or a category, got ${got}`, {
    port: 'bins',
    wanted: 'a number or a category',
    got,
    fix: 'say "type": "category" on its column, or write the number of bins',
  });
}

/** What is there at first and what is added share a component. */
function elementsOf(values: readonly Output[], initial: readonly Output[]): ElementType[] {
  return values.map((value, i) => {
    const first = initial[i];
    return (first && commonElement([value.element, first.element])) ?? value.element;
  });
}

function initialFits(
  context: InferContext,
  block: HistogramBlock,
  operator: Operator,
  initial: readonly Output[],
  sizes: Sizes,
): boolean {
  if (block.initial === undefined) return true;
  const types = componentTypes(operator);
  if (initial.length !== types.length) {
    context.fail(`"initial" has ${initial.length} arrays for ${types.length} components`, { port: 'initial' });
    return false;
  }
  for (const [i, value] of initial.entries()) {
    const fitted = broadcastSizes([sizes, value.sizes]);
    const type = types[i]!;
    if (fitted && sameSizes(fitted, sizes) && (value.element === 'bool') === (type === 'bool')) continue;
    const [wanted, got] = [`${type} ${printSizes(sizes)}`, printOutput(value)];
    context.fail(`"initial" wants ${wanted}, got ${got}`, {
      port: listPorts('initial', block.initial)[i],
      wanted,
      got,
    });
    return false;
  }
  return true;
}
