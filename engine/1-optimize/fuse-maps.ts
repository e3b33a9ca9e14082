/**
 * Maps over one domain become one map, whether they stand side by side or read each other's results: residuals and all
 * columns of a Jacobian are one pass over the data. What does not change from run to run stays apart, to be prepared once.
 */
import type { ConstructOf, Statement, Value } from '../0-ir/program.ts';
import type { ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction } from '../0-ir/scalar-builder.ts';
import { printShape } from '../0-ir/types.ts';
import { mergeClusters } from './clusters.ts';
import type { Rewrite } from './rewrite.ts';
import { varyingValues } from './varying.ts';

export const fuseMaps: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  return mergeClusters(program, {
    key({ construct, results }) {
      if (construct.kind !== 'map') return undefined;
      return `${varying.has(results[0]!.id)} ${printShape(construct.shape)}`;
    },
    chained: true,
    suits: () => true,
    merge,
  });
};

function merge(members: readonly Statement[]): Statement {
  const maps = members as readonly (Statement & { construct: ConstructOf<'map'> })[];
  const results = maps.flatMap((member) => member.results);
  const inner = new Set(results.map((result) => result.id));
  const inputs = new Map<number, Value>();
  for (const { construct } of maps)
    for (const input of construct.inputs) if (!inner.has(input.id)) inputs.set(input.id, input);
  const fn = scalarFunction(
    [...inputs.values()].map((input) => input.type.element),
    (b, ...parameters) => {
      const known = new Map<number, ScalarOperand>(
        [...inputs.keys()].map((id, i) => [id, parameters[i] as ScalarOperand]),
      );
      return maps.flatMap(({ construct, results: own }) => {
        const values = b.inline(
          construct.function,
          construct.inputs.map((input) => known.get(input.id)!),
        );
        own.forEach((result, i) => known.set(result.id, values[i]!));
        return values;
      });
    },
  );
  const { shape } = maps[0]!.construct;
  const origin = maps.find((member) => member.origin !== undefined)?.origin;
  const construct: ConstructOf<'map'> = { kind: 'map', function: fn, shape, inputs: [...inputs.values()] };
  return { results, construct, ...(origin !== undefined && { origin }) };
}
