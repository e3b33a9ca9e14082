/**
 * reduce ⊙ xs, reduce ⊗ ys = reduce (⊙, ⊗) (xs, ys) over one domain and axis: a loss and all its gradient sums are one
 * pass over the data. Histograms by the same keys likewise. Scans too, but only those that scan something in common (a
 * primal and its tangents), for a scan of one simple component has faster kernels.
 */
import { componentTypes, productOperator } from '../0-ir/operators.ts';
import type { Construct, ConstructOf, Statement } from '../0-ir/program.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import { printShape } from '../0-ir/types.ts';
import { mergeClusters } from './clusters.ts';
import type { Rewrite } from './rewrite.ts';
import { varyingValues } from './varying.ts';

type Combining = ConstructOf<'reduce' | 'scan' | 'segmented-scan' | 'histogram'>;
type CombiningStatement = Statement & { readonly construct: Combining };

export const fuseCombining: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  return mergeClusters(program, {
    key({ construct: c, results }) {
      if (!isCombining(c)) return undefined;
      // An inverse or a lift was declared for one operator alone; an epilogue was made for one.
      if (c.operator.inverse || c.operator.lift || 'epilogue' in c) return undefined;
      return [c.kind, varying.has(results[0]!.id), printShape(c.shape), ...how(c)].join(' ');
    },
    chained: false,
    suits: (members, { construct }) =>
      construct.kind === 'reduce' ||
      construct.kind === 'histogram' ||
      members.some((member) => shares(member, construct)),
    merge: (members) => merge(members as readonly CombiningStatement[]),
  });
};

function isCombining(c: Construct): c is Combining {
  return c.kind === 'reduce' || c.kind === 'scan' || c.kind === 'segmented-scan' || c.kind === 'histogram';
}

/** What must be equal for elements to be combined side by side, beside the domain. */
function how(c: Combining): unknown[] {
  switch (c.kind) {
    case 'reduce':
      return [c.axis];
    case 'scan':
      return [c.axis, c.exclusive, c.reverse];
    case 'segmented-scan':
      return [c.axis, c.exclusive, c.reverse, c.flags.id];
    case 'histogram':
      return [c.batch, c.bins, c.keys.id, c.initial !== undefined];
  }
}

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
  const initial = constructs.flatMap((c) => ('initial' in c && c.initial) || []);
  return {
    results: members.flatMap((member) => member.results),
    construct: {
      ...(constructs[0] as Combining),
      ...(initial.length > 0 && { initial }),
      operator: productOperator(constructs.map((c) => c.operator)),
      ...(constructs.some((c) => c.prologue) && { prologue }),
      inputs: constructs.flatMap((c) => c.inputs),
    },
    ...(origin !== undefined && { origin }),
  };
}
