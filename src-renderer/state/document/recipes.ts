/**
 * What the search for a block offers: kinds, and the uses of kinds that people look for by name (the largest, a running
 * sum). A recipe makes the block; opened from a port, only what fits it is offered and the wire comes with it.
 */
import type { BlockDraft } from './draft.ts';
import { kindFacts, type KindName } from '../../../models/facts/kinds.ts';
import type { Element } from './ports.ts';
import type { Recipe } from './recipes/recipe.ts';
import { uses } from './recipes/table.ts';
import { withSource } from './wiring.ts';

export type { Recipe };

/** In the order in which they are offered before anything is typed. */
export const recipes: readonly Recipe[] = Object.entries(uses).flatMap(([name, list]) => {
  const kind = name as KindName;
  return list.map((use) => ({ kind, title: kindFacts[kind].title, ...use }));
});

/** What the search was opened from: an output to be taken, an input to be fed, or nothing. */
export type Wanting =
  | {
      readonly from: 'output';
      readonly reference: string;
      readonly element: Element;
      readonly rank: number;
      readonly shape: string;
      /** A real that goes where an int is wanted. */
      readonly whole: boolean;
    }
  | { readonly from: 'input'; readonly id: string; readonly port: string }
  | undefined;

export function fitting(wanting: Wanting): readonly Recipe[] {
  if (!wanting) return recipes.filter((recipe, i) => firstOfUse(recipe, i));
  if (wanting.from === 'input') return recipes.filter((recipe, i) => !recipe.noOutput && firstOfUse(recipe, i));
  const { element, rank, whole } = wanting;
  const takes = ({ takes }: Recipe) => (takes?.(element, rank) ?? false) || (whole && (takes?.('int', rank) ?? false));
  return recipes.filter((recipe) => recipe.port !== undefined && takes(recipe));
}

/** Without a wire, `as the keys` and `by key` are one and the same. */
function firstOfUse(recipe: Recipe, index: number): boolean {
  const alike = (other: Recipe) =>
    other.kind === recipe.kind && JSON.stringify(other.make) === JSON.stringify(recipe.make);
  return recipes.findIndex(alike) === index;
}

/** As texts are parted where they are looked through, so is what is typed: half-life is two words. */
export const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean);

export function beginsAll(text: string, words: readonly string[]): boolean {
  const parts = wordsOf(text);
  return words.every((word) => parts.some((part) => part.startsWith(word)));
}

/** Every word of the query has to begin a word of the recipe; titles before hints before other words. */
export function search(list: readonly Recipe[], query: string): readonly Recipe[] {
  const words = wordsOf(query);
  const score = ({ title, hint, words: more }: Recipe): number => {
    let total = 0;
    for (const word of words) {
      const place = [more, hint, title].findLastIndex((text) => beginsAll(text, [word]));
      if (place < 0) return -1;
      total += place + 1;
    }
    return total;
  };
  return list
    .map((recipe, i) => ({ recipe, i, rank: score(recipe) }))
    .filter(({ rank }) => rank >= 0)
    .sort((a, b) => b.rank - a.rank || a.i - b.i)
    .map(({ recipe }) => recipe);
}

/** The block, wired to what the search was opened from. */
export function blockFrom(recipe: Recipe, id: string, wanting: Wanting): BlockDraft {
  const block: BlockDraft = { id, kind: recipe.kind, ...recipe.make };
  if (wanting?.from !== 'output' || recipe.port === undefined) return block;
  if (recipe.wired) return { ...block, ...recipe.wired(wanting.reference) };
  return withSource(block, recipe.port, wanting.reference);
}
