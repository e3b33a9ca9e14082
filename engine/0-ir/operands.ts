/** The operands of each construct, read and replaced: what every walker over programs stands on. */
import type { Construct, ConstructKind, ConstructOf, Epilogue, Value } from './program.ts';

type Replace = (value: Value) => Value;

/** One entry a construct: the same construct with `f` applied to its operands, in a fixed order. */
const rebuild: { [K in ConstructKind]: (construct: ConstructOf<K>, f: Replace) => ConstructOf<K> } = {
  literal: (c) => c,
  map: (c, f) => ({ ...c, inputs: c.inputs.map(f) }),
  reduce: (c, f) => ({ ...c, inputs: c.inputs.map(f) }),
  scan: (c, f) => ({ ...c, inputs: c.inputs.map(f), ...epilogue(c, f) }),
  'segmented-scan': (c, f) => ({ ...c, flags: f(c.flags), inputs: c.inputs.map(f), ...epilogue(c, f) }),
  histogram: (c, f) => ({
    ...c,
    keys: f(c.keys),
    inputs: c.inputs.map(f),
    ...(c.initial && { initial: c.initial.map(f) }),
  }),
  'keyed-scan': (c, f) => ({
    ...c,
    keys: f(c.keys),
    inputs: c.inputs.map(f),
    ...(c.initial && { initial: c.initial.map(f) }),
    ...epilogue(c, f),
  }),
  recurrence: (c, f) => ({
    ...c,
    initial: c.initial.map(f),
    inputs: c.inputs.map(f),
    invariants: c.invariants.map(f),
    ...(c.reached?.from && { reached: { ...c.reached, from: f(c.reached.from) } }),
  }),
  history: (c, f) => ({
    ...c,
    initial: c.initial.map(f),
    inputs: c.inputs.map(f),
    places: c.places.map(f),
    invariants: c.invariants.map(f),
  }),
  solve: (c, f) => ({ ...c, initial: c.initial.map(f), given: c.given.map(f) }),
  loop: (c, f) => ({ ...c, initial: c.initial.map(f), invariants: c.invariants.map(f) }),
  gather: (c, f) => ({ ...c, from: f(c.from), indices: f(c.indices) }),
  scatter: (c, f) => ({ ...c, into: f(c.into), indices: f(c.indices), values: f(c.values) }),
  'sort-permutation': (c, f) => ({ ...c, keys: f(c.keys) }),
  iota: (c) => c,
  replicate: (c, f) => ({ ...c, value: f(c.value) }),
  reverse: (c, f) => ({ ...c, value: f(c.value) }),
  transpose: (c, f) => ({ ...c, value: f(c.value) }),
  reshape: (c, f) => ({ ...c, value: f(c.value) }),
  slice: (c, f) => ({ ...c, value: f(c.value) }),
  concatenate: (c, f) => ({ ...c, values: c.values.map(f) }),
  matmul: (c, f) => ({ ...c, left: f(c.left), right: f(c.right) }),
  call: (c, f) => ({ ...c, inputs: c.inputs.map(f) }),
};

function epilogue({ epilogue }: { readonly epilogue?: Epilogue }, f: Replace): { readonly epilogue?: Epilogue } {
  return epilogue ? { epilogue: { ...epilogue, inputs: epilogue.inputs.map(f) } } : {};
}

export function mapOperands<C extends Construct>(construct: C, f: Replace): C {
  const one = rebuild[construct.kind] as unknown as (construct: C, f: Replace) => C;
  return one(construct, f);
}

/** Every pass over a program asks for them, and constructs are never changed. */
const known = new WeakMap<Construct, readonly Value[]>();

export function operandsOf(construct: Construct): readonly Value[] {
  const before = known.get(construct);
  if (before) return before;
  const operands: Value[] = [];
  mapOperands(construct, (value) => {
    operands.push(value);
    return value;
  });
  known.set(construct, operands);
  return operands;
}
