/**
 * hist = histogram(⊙, keys, vs)  ⇒  as for reduce, in each bin, and without a sort: a keyed scan for the prefixes, which
 * gives hist too; one from the end, with the classes of ⊙'s Jacobians, for what they make of hist̄; a map.
 */
import { arity } from '../../../0-ir/operators.ts';
import type { HistogramConstruct } from '../../../0-ir/program.ts';
import type { VjpRule } from '../../rule.ts';
import { closedStructure } from '../../structure.ts';
import { storedOf } from '../parts/jacobian-recurrence.ts';
import { exclusiveCotangents, exclusiveScan, keyedAdjointCost } from '../parts/keyed-scan-adjoint.ts';
import { histogramGeneral } from './histogram-general.ts';

export const histogramStructured: VjpRule<'histogram'> = {
  name: 'histogram-structured',
  construct: 'histogram',
  sweep: 'any',
  example: histogramGeneral.example,
  matches: () => true,
  cost: (construct) => keyedAdjointCost(construct, closedStructure(construct.operator)),
  stored: ({ operator }) => storedOf(closedStructure(operator)),
  primal(b, construct) {
    const { running, totals } = exclusiveScan(b, forward(construct));
    return { results: totals, saved: running };
  },
  cotangents: (b, construct, { saved = [] }, totals) =>
    exclusiveCotangents(b, forward(construct), closedStructure(construct.operator), saved, {
      running: Array.from({ length: arity(construct.operator) }, () => undefined),
      totals,
    }),
};

function forward(construct: HistogramConstruct) {
  return { ...construct, reverse: false };
}
