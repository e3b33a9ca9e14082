/**
 * On which of its inputs each value of a program depends, and how: along an axis, element i on element i of an input
 * alone (a map over rows), or in any other way (a sum over the rows, a scan, a sort).
 *
 *   y[…, i, …] = f(x[i], …)  ⇒  x ∈ along(y, axis).inputs
 *   else                     ⇒  x ∈ whole(y)
 *
 * It errs on the side of `whole` and `varies`: what it calls row by row is.
 */
import type { Construct, ConstructKind, ConstructOf, Program, Value } from './program.ts';
import { operandsOf } from './operands.ts';
import { type Size, sizeSymbols } from './sizes.ts';
import type { Shape } from './types.ts';

export interface AlongAxis {
  /** Inputs of rank 1 whose element i enters element i. */
  readonly inputs: ReadonlySet<string>;
  /** Elements differ for another reason: their index, an array of their own, what stands before them. */
  readonly varies: boolean;
}

export interface Dependence {
  /** One for each axis. */
  readonly along: readonly AlongAxis[];
  /** Inputs that enter otherwise than element by element, and `length n` for every size n that does. */
  readonly whole: ReadonlySet<string>;
}

const constant: AlongAxis = { inputs: new Set(), varies: false };
const varying: AlongAxis = { inputs: new Set(), varies: true };

export const lengthOf = (symbol: string): string => `length ${symbol}`;

/**
 * By the values' ids. `tracked` names the inputs of rank 1 that are followed; any other array varies along its axes for
 * reasons of its own. `known` says what is known better of a value, from what it was made of (a solver's output by its times).
 */
export function dependenceOf(
  program: Program,
  tracked: ReadonlySet<string>,
  known: ReadonlyMap<number, (of: (value: Value) => Dependence) => Dependence> = new Map(),
): (value: Value) => Dependence {
  const found = new Map<number, Dependence>();
  const of = (value: Value): Dependence => {
    const dependence = found.get(value.id);
    if (!dependence) throw new Error(`value ${value.id} is used before it is defined`);
    return dependence;
  };
  for (const { name, value } of program.parameters) {
    const rank = value.type.shape.length;
    const axis = tracked.has(name) && rank === 1 ? { inputs: new Set([name]), varies: false } : varying;
    const along = value.type.shape.map((size) => (size === 1 ? constant : axis));
    found.set(value.id, { along, whole: new Set(name.startsWith('length ') ? [name] : []) });
  }
  for (const { construct, results } of program.statements) {
    const rule = rules[construct.kind] as (construct: Construct, of: (value: Value) => Dependence) => Spread;
    const spread = rule(construct, of);
    results.forEach((result, i) => {
      const { along, whole } = spread;
      const axes =
        along === 'any' ? result.type.shape.map(() => varying) : typeof along === 'function' ? along(i) : along;
      found.set(result.id, known.get(result.id)?.(of) ?? { along: axes, whole });
    });
  }
  return of;
}

interface Spread {
  readonly along: readonly AlongAxis[] | ((result: number) => readonly AlongAxis[]) | 'any';
  readonly whole: ReadonlySet<string>;
}

type Of = (value: Value) => Dependence;

function joined(axes: readonly AlongAxis[]): AlongAxis {
  return { inputs: union(axes.map(({ inputs }) => inputs)), varies: axes.some(({ varies }) => varies) };
}

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

/** What all of these values depend on, element by element or not. */
function everything(values: readonly Dependence[]): Set<string> {
  return union(values.flatMap(({ along, whole }) => [...along.map(({ inputs }) => inputs), whole]));
}

/** Broadcast to a shape, aligned at the right. */
function over(shape: Shape, values: readonly Dependence[]): Dependence {
  const along = shape.map((_, axis) =>
    joined(values.map((value) => value.along[axis - (shape.length - value.along.length)] ?? constant)),
  );
  return { along, whole: union(values.map(({ whole }) => whole)) };
}

const symbolsOf = (size: Size | undefined): string[] => (size === undefined ? [] : sizeSymbols(size).map(lengthOf));

/** Elements along an axis enter together. Where they are all the same, their number still does. */
function mixed({ inputs, varies }: AlongAxis, size: Size | undefined): Set<string> {
  return inputs.size > 0 || varies ? new Set(inputs) : new Set(symbolsOf(size));
}

const without = <T>(list: readonly T[], axis: number): T[] => list.filter((_, i) => i !== axis);

/** Elements along the axis meet those before them. */
function mixedAlong(domain: Dependence, axis: number, size: Size | undefined): Dependence {
  return {
    along: domain.along.map((along, i) => (i === axis ? varying : along)),
    whole: union([domain.whole, mixed(domain.along[axis] ?? constant, size)]),
  };
}

/** Anything may enter anywhere. */
function anyhow(values: readonly Value[], of: Of): Spread {
  return { along: 'any', whole: everything(values.map(of)) };
}

/** Elements are taken from elsewhere along the axis; of what is the same everywhere that changes nothing. */
function moved(value: Dependence, axis: number): Dependence {
  const { inputs, varies } = value.along[axis] ?? constant;
  if (inputs.size === 0 && !varies) return value;
  return {
    along: value.along.map((along, i) => (i === axis ? varying : along)),
    whole: union([value.whole, inputs]),
  };
}

interface Sized {
  readonly size: Size;
  readonly axis: number;
}

/** How many sizes agree from the start. */
function commonLength(a: readonly Sized[], b: readonly Sized[]): number {
  const differs = a.findIndex(({ size }, i) => size !== b[i]?.size);
  return differs < 0 ? a.length : differs;
}

/** One entry a construct. */
const rules: { readonly [K in ConstructKind]: (construct: ConstructOf<K>, of: Of) => Spread } = {
  literal: () => ({ along: [], whole: new Set() }),
  map: ({ shape, inputs }, of) => over(shape, inputs.map(of)),
  reduce({ shape, inputs, axis }, of) {
    const domain = mixedAlong(over(shape, inputs.map(of)), axis, shape[axis]);
    return { along: without(domain.along, axis), whole: domain.whole };
  },
  scan({ shape, inputs, axis, epilogue }, of) {
    const scanned = mixedAlong(over(shape, inputs.map(of)), axis, shape[axis]);
    return over(shape, [scanned, ...(epilogue?.inputs ?? []).map(of)]);
  },
  'segmented-scan'({ shape, inputs, axis, flags, epilogue }, of) {
    const scanned = mixedAlong(over(shape, [...inputs, flags].map(of)), axis, shape[axis]);
    return over(shape, [scanned, ...(epilogue?.inputs ?? []).map(of)]);
  },
  histogram({ shape, inputs, batch, keys, bins, initial = [] }, of) {
    // Keys lack the trailing axes of the domain.
    const keyed = of(keys);
    const aligned = {
      ...keyed,
      along: [...keyed.along, ...Array.from({ length: shape.length - keyed.along.length }, () => constant)],
    };
    const domain = mixedAlong(over(shape, [...inputs.map(of), aligned]), batch, shape[batch]);
    const result = shape.map((size, axis) => (axis === batch ? bins : size));
    return over(result, [domain, ...initial.map(of)]);
  },
  'keyed-scan': (construct, of) => anyhow(operandsOf(construct), of),
  recurrence({ shape, axis, initial, inputs, invariants }, of) {
    const stepped = mixedAlong(over(shape, inputs.map(of)), axis, shape[axis]);
    const across = over(without(shape, axis), [...initial, ...invariants].map(of));
    const last = over(without(shape, axis), [{ along: without(stepped.along, axis), whole: stepped.whole }, across]);
    const along = (result: number): readonly AlongAxis[] =>
      result < initial.length
        ? last.along
        : shape.map((_, i) => (i === axis ? varying : (last.along[i < axis ? i : i - 1] ?? constant)));
    return { along, whole: last.whole };
  },
  history: (construct, of) => anyhow(operandsOf(construct), of),
  solve: ({ shape, initial, given }, of) => over(shape, [...initial, ...given].map(of)),
  loop: (construct, of) => anyhow(operandsOf(construct), of),
  gather({ batch, from, indices }, of) {
    const [source, at] = [of(from), of(indices)];
    const batches = Array.from({ length: batch }, (_, i) =>
      joined([source.along[i] ?? constant, at.along[i] ?? constant]),
    );
    return {
      along: [...batches, ...at.along.slice(batch), ...source.along.slice(batch + 1)],
      whole: union([source.whole, at.whole, (source.along[batch] ?? constant).inputs]),
    };
  },
  scatter({ batch, into, indices, values }, of) {
    const [target, at, rows] = [of(into), of(indices), of(values)];
    const along = target.along.map((each, i) =>
      i === batch
        ? varying
        : joined([each, rows.along[i] ?? constant, ...(i < batch ? [at.along[i] ?? constant] : [])]),
    );
    const mixes = [target, rows, at].map((each) => (each.along[batch] ?? constant).inputs);
    return { along, whole: union([target.whole, at.whole, rows.whole, ...mixes]) };
  },
  'sort-permutation'({ keys }, of) {
    const value = of(keys);
    return mixedAlong(value, value.along.length - 1, keys.type.shape.at(-1));
  },
  iota: ({ length }) => ({ along: [varying], whole: new Set(symbolsOf(length)) }),
  replicate: ({ value, shape }, of) => over(shape, [of(value)]),
  reverse: ({ value, axis }, of) => moved(of(value), axis),
  transpose({ value, permutation }, of) {
    const { along, whole } = of(value);
    return { along: permutation.map((axis) => along[axis] ?? constant), whole };
  },
  reshape({ value, shape }, of) {
    const { along, whole } = of(value);
    const [old, now] = [value.type.shape, shape].map((sizes) =>
      sizes.flatMap((size, axis) => (size === 1 ? [] : [{ size, axis }])),
    ) as [Sized[], Sized[]];
    const first = commonLength(old, now);
    const last = commonLength(old.slice(first).reverse(), now.slice(first).reverse());
    const [taken, made] = [old.slice(first, old.length - last), now.slice(first, now.length - last)];
    const axes = shape.map(() => constant);
    const keep = (from: Sized | undefined, to: Sized | undefined): void => {
      if (from && to) axes[to.axis] = along[from.axis] ?? constant;
    };
    for (let i = 0; i < first; i++) keep(old[i], now[i]);
    for (let i = 1; i <= last; i++) keep(old.at(-i), now.at(-i));
    // One size spelt in two ways.
    if (taken.length === 1 && made.length === 1) {
      keep(taken[0], made[0]);
      return { along: axes, whole };
    }
    const met = joined(taken.map(({ axis }) => along[axis] ?? constant));
    const same = met.inputs.size === 0 && !met.varies;
    for (const { axis } of made) if (!same) axes[axis] = varying;
    return { along: axes, whole: union([whole, met.inputs]) };
  },
  slice({ value, axis, start, length, step }, of) {
    const whole = start === 0 && step === 1 && length === value.type.shape[axis];
    return whole ? of(value) : moved(of(value), axis);
  },
  concatenate({ values, axis }, of) {
    const parts = values.map((value) => moved(of(value), axis));
    const shape = values[0]!.type.shape;
    const result = over(shape, parts);
    return { along: result.along.map((along, i) => (i === axis ? varying : along)), whole: result.whole };
  },
  matmul({ left, right }, of) {
    const [a, b] = [of(left), of(right)];
    const rank = a.along.length;
    const batches = Array.from({ length: rank - 2 }, (_, i) =>
      joined([a.along[i] ?? constant, b.along[i] ?? constant]),
    );
    const size = left.type.shape[rank - 1];
    const inner = joined([a.along[rank - 1] ?? constant, b.along[rank - 2] ?? constant]);
    return {
      along: [...batches, a.along[rank - 2] ?? constant, b.along[rank - 1] ?? constant],
      whole: union([a.whole, b.whole, mixed(inner, size)]),
    };
  },
  call: (construct, of) => anyhow(operandsOf(construct), of),
};
