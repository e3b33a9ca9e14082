/** Which blocks a fit adds up: one reference or a list of them in the document, boxes to tick in the window. */
import { measuresMisfit } from '../../../../models/facts/kinds.ts';
import type { ArrayValue } from '../../../../src-main/contract/contract.ts';
import type { Draft } from '../draft.ts';
import { blockOf, objectivesOf, own } from '../draft.ts';
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

export interface ObjectiveShare {
  /** As it was computed where the parameters stand; undefined where it was not. */
  readonly value: number | undefined;
  /** Of the sum of all that are counted; undefined of one that is not, and where they are no parts of a whole. */
  readonly share: number | undefined;
  /** What weighs its residuals, in words; empty where nothing does. */
  readonly weight: string;
}

export interface ObjectiveShares {
  readonly of: ReadonlyMap<string, ObjectiveShare>;
  /** Why no shares are told, or what they are no shares of; empty where there is nothing to be said. */
  readonly remark: string;
}

/** What each choice contributes to the objective. `earlier`: names whose values are of before, which count for none. */
export function objectiveShares(
  draft: Draft,
  choices: readonly ObjectiveChoice[],
  values: ReadonlyMap<string, ArrayValue>,
  earlier: ReadonlySet<string>,
): ObjectiveShares {
  const valueOf = (reference: string): number | undefined => {
    // A group with one output is computed under its own name.
    const name = values.has(reference) ? reference : blockOfReference(reference);
    const value = earlier.has(name) ? undefined : values.get(name);
    return value?.shape.length === 0 ? value.values[0] : undefined;
  };
  const counted = choices.filter((choice) => choice.counted).map(({ reference }) => valueOf(reference));
  const known = counted.flatMap((value) => (value !== undefined && Number.isFinite(value) ? [value] : []));
  const total = known.reduce((sum, value) => sum + value, 0);
  const integrated =
    own(draft['fit'], 'marginal') !== false && draft.blocks.some(({ kind }) => kind === 'random-effect');
  const areParts = known.length === counted.length && known.every((value) => value * total > 0 || value === 0);
  const several = counted.length > 1;
  const isTold = several && areParts && total !== 0 && !integrated;
  const of = choices.map(({ reference, counted }): [string, ObjectiveShare] => {
    const value = valueOf(reference);
    const share = isTold && counted && value !== undefined ? value / total : undefined;
    return [reference, { value, share, weight: weightOf(draft, reference) }];
  });
  const remark = !several
    ? ''
    : integrated
      ? 'No shares: the random effects are integrated out of the sum.'
      : known.length === counted.length && !areParts
        ? 'No shares: some are above 0 and some below.'
        : isTold && areMixed(draft, choices)
          ? 'Shares of the sum; a fit minimises what these are as one likelihood.'
          : '';
  return { of: new Map(of), remark };
}

/** Squares beside likelihoods, or with sigma beside those without: a fit adds them up as −log p. */
function areMixed(draft: Draft, choices: readonly ObjectiveChoice[]): boolean {
  const blocks = choices.flatMap(({ reference, counted }) => (counted ? (blockOf(draft, reference) ?? []) : []));
  const misfits = blocks.filter(({ kind }) => measuresMisfit(kind));
  const sorts = new Set(misfits.map(({ kind, sigma }) => `${kind} ${kind === 'least-squares' && sigma !== undefined}`));
  return sorts.size > 1;
}

function weightOf(draft: Draft, reference: string): string {
  const block = blockOf(draft, reference);
  if (block?.kind !== 'least-squares') return '';
  const said = (name: string, by: unknown) => (typeof by === 'number' || typeof by === 'string' ? `${name} ${by}` : '');
  return said('weights', block['weights']) || said('σ', block['sigma']);
}
