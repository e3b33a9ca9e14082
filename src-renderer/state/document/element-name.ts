/** What an element of a parameter or a quantity is called: by its label where it has one for each label of a column, else by its place. */
import type { BlockReport } from '../../../src-main/contract/contract.ts';
import { withQuantities, type ElementLabels } from '../../../src-main/contract/element-labels.ts';
import type { Draft } from './draft.ts';

interface ElementName {
  readonly base: string;
  /** In brackets; empty of a parameter that is one number. */
  readonly element: string;
}

export function elementName(name: string, labels: ElementLabels): ElementName {
  const [, base = name, places] = /^(.*?)(?:\[(.*)\])?$/s.exec(name) ?? [];
  if (places === undefined) return { base, element: '' };
  return { base, element: labels.get(base)?.[Number(places)] ?? places };
}

/** The same map as before as long as the labels are. */
export function elementLabels(
  draft: Draft,
  blocks: ReadonlyMap<string, BlockReport>,
  before: ElementLabels = new Map(),
): ElementLabels {
  const ofParameters = new Map(
    draft.blocks.flatMap(({ id, like }) => {
      const found = typeof like === 'string' ? blocks.get(like)?.outputs[0]?.labels : undefined;
      return found ? [[id, found] as const] : [];
    }),
  );
  const quantities = draft.blocks.flatMap(({ id, kind }) => {
    const { inputs = [], outputs = [] } = (kind === 'quantity' && blocks.get(id)) || {};
    return [{ id, sizes: outputs[0]?.sizes ?? [], sources: inputs.flatMap(({ source }) => source ?? []) }];
  });
  const labels = withQuantities(ofParameters, quantities);
  const same = labels.size === before.size && [...labels].every(([id, found]) => before.get(id) === found);
  return same ? before : labels;
}

/** Labels in the little room that a block has. */
export function labelsSummary(labels: readonly string[]): string {
  const all = labels.join(', ');
  return all.length <= 24 ? all : `${labels.length} labels`;
}
