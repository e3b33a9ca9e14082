/** The line through the points (xs, ys) at x, constant outside them. */
import * as v from 'valibot';
import { common, ref, strict } from '../format/fields.ts';
import { blockKind } from './kind.ts';
import { notYet } from './later.ts';

const schema = strict({ kind: v.literal('interpolate'), ...common, x: ref, xs: ref, ys: ref });

export type InterpolateBlock = v.InferOutput<typeof schema>;

export const interpolate = blockKind<InterpolateBlock, undefined>({
  kind: 'interpolate',
  summary: 'Straight lines between given points.',
  group: 'formulas',
  schema,
  wires: (block) => [
    { port: 'x', ref: block.x },
    { port: 'xs', ref: block.xs },
    { port: 'ys', ref: block.ys },
  ],
  infer: (_, context) => notYet(context, 'interpolate'),
  lower: () => [],
});
