/** A sub-graph used as one block. It is taken apart before anything is inferred (models/graph/graph.ts). */
import * as v from 'valibot';
import { common, isRecord, named, ref, strict } from '../notation/fields.ts';
import type { GroupBlock } from './block.ts';
import { blockKind, type Wire } from './kind.ts';

/** The inner blocks are read one by one, each by the schema of its kind. */
const innerBlocks = v.custom<readonly unknown[]>(
  (value) => Array.isArray(value) && value.every(isRecord),
  'a list of blocks',
);

const schema = strict({
  kind: v.literal('group'),
  ...common,
  inputs: v.exactOptional(named(ref, 'references by port')),
  blocks: innerBlocks,
  outputs: named(ref, 'inner references by output name'),
});

export const group = blockKind<GroupBlock, undefined>({
  kind: 'group',
  schema: schema as unknown as v.GenericSchema<unknown, GroupBlock>,
  wires: (block) => Object.entries(block.inputs ?? {}).map(([port, source]): Wire => ({ port, ref: source })),
  infer: () => undefined,
  lower: () => [],
});
