/**
 * reduce ⊙ xs, reduce ⊗ ys = reduce (⊙, ⊗) (xs, ys) over one domain and axis: a loss and all its gradient sums are one
 * pass over the data. Scans too, but only those that scan something in common (a primal and its tangents), for a scan of
 * one simple component has faster kernels.
 */
import { componentTypes, productOperator } from '../0-ir/operators.ts';
import type { ConstructOf, Statement, Value } from '../0-ir/program.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import { printShape } from '../0-ir/types.ts';
import { mergeClusters } from './clusters.ts';
import type { Rewrite } from './rewrite.ts';
import { varyingValues } from './varying.ts';

type Combining = ConstructOf<'reduce' | 'scan' | 'segmented-scan'>;
type CombiningStatement = Statement & { readonly construct: Combining };

export const fuseCombining: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  return mergeClusters(program, {
    key({ construct: c, results }) {
      if (c.kind !== 'reduce' && c.kind !== 'scan' && c.kind !== 'segmented-scan') return undefined;
      // An inverse or a lift was declared for one operator alone.
      if (c.operator.inverse || c.operator.lift) return undefined;
      const how = c.kind === 'reduce' ? '' : `${c.exclusive} ${c.reverse}`;
      const flags = c.kind === 'segmented-scan' ? c.flags.id : '';
      const changes = varying.has((results[0] as Value).id);
      return [c.kind, changes, printShape(c.shape), c.axis, how, flags].join(' ');
    },
    chained: false,
    suits: (members, { construct }) =>
      construct.kind === 'reduce' || members.some((member) => shares(member, construct)),
    merge: (members) => merge(members as readonly CombiningStatement[]),
  });
};

function shares({ construct: a }: Statement, b: Statement['construct']): boolean {
  if (!('inputs' in a) || !('inputs' in b)) return false;
  return a.inputs.some((input) => b.inputs.some((other) => other.id === input.id));
}

function merge(members: readonly CombiningStatement[]): Statement {
  const constructs = members.map((member) => member.construct);
  const prologues = constructs.map((c) => c.prologue ?? identityFunction(componentTypes(c.operator)));
  const prologue = scalarFunction(
    prologues.flatMap((fn) => fn.parameters.map((parameter) => parameter.type)),
    (b, ...parameters) => {
      let at = 0;
      return prologues.flatMap((fn) => b.inline(fn, parameters.slice(at, (at += fn.parameters.length))));
    },
  );
  const origin = members.find((member) => member.origin !== undefined)?.origin;
  return {
    results: members.flatMap((member) => member.results),
    construct: {
      ...(constructs[0] as Combining),
      operator: productOperator(constructs.map((c) => c.operator)),
      ...(constructs.some((c) => c.prologue) && { prologue }),
      inputs: constructs.flatMap((c) => c.inputs),
    },
    ...(origin !== undefined && { origin }),
  };
}
