/** What constructs hold beside operands: sizes and programs of their own. */
import type { Construct, ConstructKind, ConstructOf, Program } from './program.ts';
import type { Size } from './sizes.ts';

/** The sizes that a construct itself states, beside those of its operands' types. */
const sizes: { [K in ConstructKind]: (construct: ConstructOf<K>) => readonly Size[] } = {
  literal: () => [],
  map: (c) => c.shape,
  reduce: (c) => c.shape,
  scan: (c) => c.shape,
  'segmented-scan': (c) => c.shape,
  histogram: (c) => [...c.shape, c.bins],
  'keyed-scan': (c) => [...c.shape, c.bins],
  recurrence: (c) => c.shape,
  history: (c) => c.shape,
  solve: (c) => [...c.shape, c.iterations],
  loop: (c) => [c.count],
  gather: () => [],
  scatter: () => [],
  'sort-permutation': (c) => (c.bound === undefined ? [] : [c.bound]),
  iota: (c) => [c.length],
  replicate: (c) => c.shape,
  reverse: () => [],
  transpose: () => [],
  reshape: (c) => c.shape,
  slice: (c) => [c.start, c.length],
  concatenate: () => [],
  matmul: () => [],
  call: () => [],
};

export function sizesOf(construct: Construct): readonly Size[] {
  return (sizes[construct.kind] as (construct: Construct) => readonly Size[])(construct);
}

/** A loop's body, a call's callee. */
export function nestedPrograms(construct: Construct): Program[] {
  if (construct.kind === 'loop') return [construct.body];
  return construct.kind === 'call' ? [construct.program] : [];
}

export function mapNestedPrograms(construct: Construct, f: (program: Program) => Program): Construct {
  if (construct.kind === 'loop') return { ...construct, body: f(construct.body) };
  return construct.kind === 'call' ? { ...construct, program: f(construct.program) } : construct;
}
