/** What the search on the canvas finds: blocks that are there by their names, new ones by their use, and those of a formula that is typed. */
import { freeNames } from '../../../models/formula/names.ts';
import { parseFormula } from '../../../models/formula/parse.ts';
import { kindFacts } from '../../../models/facts/kinds.ts';
import { blockOf, freshId, type BlockDraft, type Draft } from '../document/draft.ts';
import { beginsAll, fitting, recipes, search, wordsOf, type Recipe, type Wanting } from '../document/recipes.ts';
import { columnsNotDrawn } from '../document/tables.ts';
import { blockOfReference } from '../document/wiring.ts';
import { kindOf } from '../words/kinds.ts';

export type SearchOffer =
  | { readonly type: 'add'; readonly recipe: Recipe; readonly id: string }
  /** A block that is there. */
  | { readonly type: 'go'; readonly block: BlockDraft };

export interface Found {
  readonly offers: readonly SearchOffer[];
  /** How many more there were if it had not to fit. */
  readonly unfit: number;
}

/** A block that is called just so stands before all others; what is only a formula after them. */
export function searchOffers(draft: Draft, wanting: Wanting, query: string): Found {
  const taken = new Set(draft.blocks.map(({ id }) => id));
  const adding = (recipe: Recipe): SearchOffer => ({ type: 'add', recipe, id: freshId(taken, recipe.stem) });
  const going = (block: BlockDraft): SearchOffer => ({ type: 'go', block });
  const [all, fit] = [recipes, fitting(wanting)].map((list) => search(withColumns(draft, list), query)) as [
    readonly Recipe[],
    readonly Recipe[],
  ];
  const exact = blockOf(draft, query.trim());
  const named = wanting ? [] : blocksNamed(draft, query);
  return {
    offers: [
      ...named.filter((block) => block === exact).map(going),
      ...(exact ? formulaRecipes(query, wanting).map(adding) : []),
      ...fit.map(adding),
      ...named.filter((block) => block !== exact).map(going),
      ...(isFormula(query) ? formulaRecipes(query, wanting).map(adding) : []),
    ],
    unfit: all.length - fit.length,
  };
}

/** The recipe of a column once for each that no block shows yet. */
function withColumns(draft: Draft, list: readonly Recipe[]): readonly Recipe[] {
  return list.flatMap((recipe) =>
    recipe.kind !== 'column'
      ? [recipe]
      : columnsNotDrawn(draft).map(({ table, column, id }) => ({
          ...recipe,
          hint: `${column} of ${table}`,
          stem: id,
          make: { table, column },
        })),
  );
}

function blocksNamed(draft: Draft, query: string): readonly BlockDraft[] {
  const words = wordsOf(query);
  const said = ({ id, label, column }: BlockDraft) => [id, label, column].filter((text) => typeof text === 'string');
  return words.length === 0 ? [] : draft.blocks.filter((block) => beginsAll(said(block).join(' '), words));
}

/** More than a name alone. */
function isFormula(text: string): boolean {
  const parsed = parseFormula(text);
  return parsed.ok && parsed.formula.result.kind !== 'name';
}

/** What a formula can be of its own; from an output it has to read that. */
function formulaRecipes(text: string, wanting: Wanting): readonly Recipe[] {
  const parsed = parseFormula(text);
  if (!parsed.ok) return [];
  const reads = freeNames(parsed.formula).map(blockOfReference);
  if (wanting?.from === 'output' && !reads.includes(blockOfReference(wanting.reference))) return [];
  const isNumber = wanting?.from !== 'output' || wanting.rank === 0;
  return (isNumber ? (['map', 'quantity'] as const) : (['map'] as const)).map((kind): Recipe => {
    const { stem, gives } = recipes.find((recipe) => recipe.kind === kind)!;
    const make = { formula: text.trim() };
    return {
      kind,
      title: kindFacts[kind].title,
      hint: `with the formula ${text.trim()}`,
      words: '',
      stem,
      make,
      gives,
      written: true,
    };
  });
}

/** What a block that is there is called beside its name. */
export const goHint = ({ kind, column, table }: BlockDraft): string =>
  kind === 'column' ? `column ${String(column)} of ${String(table)}` : kindOf(kind).title;
