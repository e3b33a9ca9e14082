/**
 * reduce ⊙ xs, reduce ⊗ ys = reduce (⊙, ⊗) (xs, ys) over one domain and axis: a loss and all its gradient sums are one
 * pass over the data.
 */
import { componentTypes, productOperator } from '../0-ir/operators.ts';
import type { ConstructOf, Statement, Value } from '../0-ir/program.ts';
import { identityFunction, scalarFunction } from '../0-ir/scalar-builder.ts';
import { printShape } from '../0-ir/types.ts';
import { mergeClusters } from './clusters.ts';
import type { Rewrite } from './rewrite.ts';
import { varyingValues } from './varying.ts';

export const fuseReduces: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  return mergeClusters(program, {
    key({ construct, results }) {
      // An inverse or a lift was declared for one operator alone.
      if (construct.kind !== 'reduce' || construct.operator.inverse || construct.operator.lift) return undefined;
      return `${varying.has((results[0] as Value).id)} ${printShape(construct.shape)} ${construct.axis}`;
    },
    chained: false,
    merge,
  });
};

function merge(members: readonly Statement[]): Statement {
  const reduces = members.map((member) => member.construct as ConstructOf<'reduce'>);
  const [first] = reduces as [ConstructOf<'reduce'>, ...ConstructOf<'reduce'>[]];
  const prologues = reduces.map((c) => c.prologue ?? identityFunction(componentTypes(c.operator)));
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
      kind: 'reduce',
      operator: productOperator(reduces.map((c) => c.operator)),
      ...(reduces.some((c) => c.prologue) && { prologue }),
      shape: first.shape,
      axis: first.axis,
      inputs: reduces.flatMap((c) => c.inputs),
    },
    ...(origin !== undefined && { origin }),
  };
}
