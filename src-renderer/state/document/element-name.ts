/** What an element of a parameter is called: by its label where it has one for each label of a column, else by its place. */
import type { BlockReport } from '../../../src-main/contract/contract.ts';
import type { Draft } from './draft.ts';

interface ElementName {
  readonly base: string;
  /** In brackets; empty of a parameter that is one number. */
  readonly element: string;
}

export function elementName(name: string, labelsOf: (id: string) => readonly string[] | undefined): ElementName {
  const [, base = name, places] = /^(.*?)(?:\[([\d, ]+)\])?$/s.exec(name) ?? [];
  if (places === undefined) return { base, element: '' };
  return { base, element: labelsOf(base)?.[Number(places)] ?? places };
}

/** `IC50[mutant]`, in a sentence. */
export function spokenName(name: string, labelsOf: (id: string) => readonly string[] | undefined): string {
  const { base, element } = elementName(name, labelsOf);
  return element === '' ? base : `${base}[${element}]`;
}

/** The labels by which a parameter has its elements: those of the column that it is like. */
export function labelsIn(
  draft: Draft,
  blocks: ReadonlyMap<string, BlockReport>,
): (id: string) => readonly string[] | undefined {
  return (id) => {
    const like = draft.blocks.find((block) => block.id === id)?.['like'];
    return typeof like === 'string' ? blocks.get(like)?.outputs[0]?.labels : undefined;
  };
}

/** Labels in the little room that a block has. */
export function labelsSummary(labels: readonly string[]): string {
  const all = labels.join(', ');
  return all.length <= 24 ? all : `${labels.length} labels`;
}
