/** What elements of a model's parameters and quantities are called by where they are read. */
import { kindOf } from '../../../models/blocks/index.ts';
import type { Model } from '../../../models/load/model.ts';
import { type ElementLabels, withQuantities } from '../../contract/element-labels.ts';

/** As a report tells them. */
export function labelsTold(model: Model): { readonly labels?: Record<string, string[]> } {
  const labels = [...labelsOf(model)].map(([id, found]): [string, string[]] => [id, [...found]]);
  return labels.length > 0 ? { labels: Object.fromEntries(labels) } : {};
}

/** As the window has them. */
export function labelsOf(model: Model): ElementLabels {
  const ofParameters = new Map(
    model.graph.nodes.flatMap(({ id, block }) => {
      const [column] = (block.kind === 'parameter' && block.like && model.blocks.get(block.like)?.outputs) || [];
      const labels = column?.category ?? column?.dates;
      return labels ? [[id, labels] as const] : [];
    }),
  );
  const quantities = model.graph.nodes.flatMap(({ id, block }) => {
    const [output] = (block.kind === 'quantity' && model.blocks.get(id)?.outputs) || [];
    const sources = kindOf(block)
      .wires(block)
      .map(({ ref }) => ref);
    return output ? [{ id, sizes: output.sizes.map(({ value }) => value), sources }] : [];
  });
  return withQuantities(ofParameters, quantities);
}
