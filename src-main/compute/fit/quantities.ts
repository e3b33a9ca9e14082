/** The quantities of a model, as the engine is asked for them and as reports tell of them. */
import { elementName, type FitProblem, type QuantityInterval, type QuantityModel } from '../../../engine/index.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import { parametersOf, type Model } from '../../../models/load/model.ts';
import { lowerModel } from '../../../models/lower/lower.ts';
import { standardEffects } from '../../../models/lower/standard-effects.ts';
import { variedEffects } from './random-effects.ts';

/** `half`, or `g/half` in a group. */
export const quantityIds = ({ blocks }: Model): string[] =>
  [...blocks].flatMap(([id, { node }]) => (node.block.kind === 'quantity' ? [id] : []));

/** All of them, or these; undefined where there is none. */
export function quantityModel(
  model: Model,
  problem: FitProblem,
  ids: readonly string[] = quantityIds(model),
): QuantityModel | undefined {
  if (ids.length === 0) return undefined;
  const scaled = standardEffects(model);
  const linked = (id: string) => [id, scaled.get(id) ?? { block: id, output: 0 }] as const;
  const varied = variedEffects(model, problem);
  const { program, inputs, sizes } = lowerModel(varied, { links: new Map(ids.map(linked)) });
  const read = new Set(problem.parameters.map(({ name }) => name));
  const free = new Set(parametersOf(model).flatMap(({ id, fixed }) => (fixed || read.has(id) ? [] : [id])));
  const unreadBy = (id: string): string[] =>
    free.size === 0
      ? []
      : lowerModel(model, { links: new Map([linked(id)]) }).parameters.flatMap(({ id: each }) =>
          free.has(each) ? [each] : [],
        );
  return {
    ...{ program, sizes },
    data: new Map([...inputs].flatMap(([name, { values }]) => (read.has(name) ? [] : [[name, values] as const]))),
    reads: new Map(
      ids.map((id) => {
        const alone = lowerModel(varied, { links: new Map([linked(id)]) }).program;
        return [id, new Set(alone.parameters.map(({ name }) => name))];
      }),
    ),
    unread: new Map(ids.map((id) => [id, unreadBy(id)])),
  };
}

/** With the name of each element: `half`, `half[2]`. */
export function quantityRows(model: Model, found: readonly QuantityInterval[]) {
  const scaled = standardEffects(model);
  return found.map(({ quantity, element, gradient: _, series: __, ...interval }) => {
    const shape = outputAt(model, scaled.get(quantity) ?? { block: quantity, output: 0 }).sizes.map(
      ({ value }) => value,
    );
    return { ...interval, name: elementName(quantity, shape, element), block: quantity };
  });
}

/** The quantities that no group hides, each once: those that have a meaning of their own. */
export const topLevel = (rows: readonly { readonly block: string }[]): string[] =>
  [...new Set(rows.map(({ block }) => block))].filter((id) => !id.includes('/'));
