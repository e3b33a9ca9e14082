/** The rows for which a condition on data holds. */
import * as v from 'valibot';
import { common, formula, named, ref, refs, strict } from '../format/fields.ts';
import { formulaWires } from './formulas.ts';
import { blockKind } from './kind.ts';
import { notYet } from './later.ts';
import { listWires } from './lists.ts';

const schema = strict({
  kind: v.literal('filter'),
  ...common,
  values: refs,
  where: formula,
  inputs: v.exactOptional(named(ref, 'references by port')),
});

export type FilterBlock = v.InferOutput<typeof schema>;

export const filter = blockKind<FilterBlock, undefined>({
  kind: 'filter',
  summary: 'The rows for which a condition holds.',
  group: 'select',
  schema,
  wires: (block) => [...listWires('values', block.values), ...formulaWires([['', block.where]], block.inputs)],
  infer: (_, context) => notYet(context, 'filter'),
  lower: () => [],
});
