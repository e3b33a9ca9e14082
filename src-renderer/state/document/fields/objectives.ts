/** Which blocks a fit adds up: one reference or a list of them in the document, boxes to tick in the window. */
import { measuresMisfit } from '../../../../models/facts/kinds.ts';
import type { Draft } from '../draft.ts';
import { blockOf, objectivesOf } from '../draft.ts';
import { referencesOf } from '../references.ts';
import { blockOfReference } from '../wiring.ts';

export interface ObjectiveChoice {
  readonly reference: string;
  readonly counted: boolean;
}

/** What is varied, given or only told of the model: nothing that a fit could make small. */
const noMisfit: ReadonlySet<string> = new Set(['parameter', 'constant', 'column', 'quantity', 'random-effect']);

/** Losses, what the document names already, and scalars that nothing else reads, such as penalties. */
export function objectiveChoices(draft: Draft, scalars: readonly string[]): ObjectiveChoice[] {
  const named = objectivesOf(draft);
  const read = new Set(draft.blocks.flatMap(referencesOf).map(blockOfReference));
  const losses = draft.blocks.filter(({ kind }) => measuresMisfit(kind)).map(({ id }) => id);
  const loose = scalars.filter((reference) => {
    const block = blockOfReference(reference);
    return !read.has(block) && !noMisfit.has(blockOf(draft, block)?.kind ?? '');
  });
  return [...new Set([...losses, ...named, ...loose])].map((reference) => ({
    reference,
    counted: named.includes(reference),
  }));
}

/** The document's `objective` with a reference in it or without; what else it names stays, in its order. */
export function withObjective(draft: Draft, reference: string, counted: boolean): string | string[] | undefined {
  const others = objectivesOf(draft).filter((other) => other !== reference);
  const next = counted ? [...others, reference] : others;
  return next.length < 2 ? next[0] : next;
}
