/** Recurrences over one domain and axis that do not wait for each other walk it together. */
import type { ConstructOf, Statement } from '../0-ir/program.ts';
import { parameterTypes, type ScalarOperand } from '../0-ir/scalar.ts';
import { scalarFunction } from '../0-ir/scalar-builder.ts';
import { printShape } from '../0-ir/types.ts';
import { mergeClusters } from './clusters.ts';
import type { Rewrite } from './rewrite.ts';
import { varyingValues } from './varying.ts';

export const fuseRecurrences: Rewrite = (program, context) => {
  const varying = varyingValues(program, context.varying);
  return mergeClusters(program, {
    key({ construct: c, results }) {
      if (c.kind !== 'recurrence') return undefined;
      return [varying.has(results[0]!.id), printShape(c.shape), c.axis, c.reverse].join(' ');
    },
    chained: false,
    suits: () => true,
    merge,
  });
};

function merge(members: readonly Statement[]): Statement {
  const constructs = members.map((member) => member.construct as ConstructOf<'recurrence'>);
  // Parameters: everybody's carries, then everybody's inputs, then everybody's invariants; results likewise.
  const part = (c: ConstructOf<'recurrence'>, which: 0 | 1 | 2): [from: number, to: number] => {
    const [carries, inputs] = [c.initial.length, c.initial.length + c.inputs.length];
    return [
      [0, carries],
      [carries, inputs],
      [inputs, c.step.parameters.length],
    ][which] as [number, number];
  };
  const sections = [0, 1, 2] as const;
  const types = sections.flatMap((which) => constructs.flatMap((c) => parameterTypes(c.step).slice(...part(c, which))));
  const step = scalarFunction(types, (b, ...parameters) => {
    let next = 0;
    const given = constructs.map((): ScalarOperand[] => []);
    for (const which of sections)
      constructs.forEach((c, i) => {
        const [from, to] = part(c, which);
        given[i]?.push(...parameters.slice(next, (next += to - from)));
      });
    const results = constructs.map((c, i) => b.inline(c.step, given[i]!));
    return [
      ...results.flatMap((own, i) => own.slice(0, constructs[i]?.initial.length)),
      ...results.flatMap((own, i) => own.slice(constructs[i]?.initial.length)),
    ];
  });
  const carried = (i: number) => constructs[i]?.initial.length;
  const origin = members.find((member) => member.origin !== undefined)?.origin;
  return {
    results: [
      ...members.flatMap(({ results }, i) => results.slice(0, carried(i))),
      ...members.flatMap(({ results }, i) => results.slice(carried(i))),
    ],
    construct: {
      ...constructs[0]!,
      step,
      initial: constructs.flatMap((c) => c.initial),
      inputs: constructs.flatMap((c) => c.inputs),
      invariants: constructs.flatMap((c) => c.invariants),
    },
    ...(origin !== undefined && { origin }),
  };
}
