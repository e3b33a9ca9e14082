/** The states, reactions and formulas of a model, as an ode block has them. */
import { printExpression } from '../formula/print.ts';
import type { Along } from './along.ts';
import type { Reaction, Species, SpeciesReference } from './model.ts';
import type { Start } from './start.ts';
import { name, over } from './syntax.ts';

export interface StateJson {
  readonly initial: number | string;
  readonly rate?: string;
  readonly per?: string;
  readonly history?: string;
}

export interface ReactionJson {
  readonly name: string;
  readonly reaction: string;
  readonly rate: string;
}

export interface Dynamics {
  readonly state: Record<string, StateJson>;
  readonly reactions: ReactionJson[];
  readonly formulas: Record<string, string>;
}

export function dynamicsOf(along: Along, start: Start): Dynamics {
  const { symbols, model } = along;
  const state: [string, StateJson][] = [];
  const formulas: [string, string][] = [];
  const ours = (id: string): string => along.ids.get(id) ?? id;
  const print = printExpression;
  for (const [id, math] of symbols.assignments) formulas.push([ours(id), print(along.number(math))]);
  for (const [id, role] of symbols.roles) {
    const species = symbols.species.get(id);
    const amount = along.amounts.get(id);
    if (amount !== undefined && species)
      formulas.push([ours(id), print(over(name(amount), along.symbol(species.compartment)))]);
    if (role !== 'state') continue;
    const rule = symbols.rates.get(id);
    const key = amount ?? ours(id);
    const initial = start.initial(id, amount === undefined ? start.value(id) : start.amount(id));
    if (rule) state.push([key, { initial, rate: print(along.number(rule)) }]);
    else
      state.push([key, { initial, ...(species && symbols.reacts(species) ? changes(along, species) : { rate: '0' }) }]);
  }
  const reactions: ReactionJson[] = [];
  for (const reaction of model.reactions) {
    const rate = print(along.rateOfReaction(reaction));
    const written = reactionText(along, reaction);
    if (written === undefined) formulas.push([ours(reaction.id), rate]);
    else reactions.push({ name: ours(reaction.id), reaction: written, rate });
  }
  return {
    state: Object.fromEntries(
      symbols.looksBack ? state.map(([key, each]) => withHistory(start, along, key, each)) : state,
    ),
    reactions,
    formulas: Object.fromEntries(formulas),
  };
}

/** Only of models that look back: nothing else sees what was before the start. */
function withHistory(start: Start, along: Along, key: string, state: StateJson): [string, StateJson] {
  const [id] = [...along.amounts, ...along.ids].find(([, own]) => own === key) ?? [];
  const history = id === undefined ? undefined : start.history(id);
  return [key, history ? { ...state, history: printExpression(history) } : state];
}

/** What a reaction's text can say: a plain number of a species that is a state. */
function isPlain(along: Along, { id, stoichiometry, species }: SpeciesReference): boolean {
  const found = along.symbols.species.get(species);
  return (
    id === undefined &&
    typeof stoichiometry === 'number' &&
    /^\d+(\.\d+)?$/.test(String(Math.abs(stoichiometry))) &&
    found !== undefined &&
    along.symbols.reacts(found)
  );
}

/** How reactions change a species: by their texts, and where these cannot say it by a rate of its own. */
function changes(along: Along, species: Species): Omit<StateJson, 'initial'> {
  const per = along.per(species);
  const rest = along.made(species, (reference) => !isPlain(along, reference));
  const byText = along.model.reactions.some((reaction) => netOf(along, reaction, species) !== 0);
  return {
    ...(rest && { rate: printExpression(per ? over(rest, per) : rest) }),
    ...(!rest && !byText && { rate: '0' }),
    ...(per && byText && { per: printExpression(per) }),
  };
}

/** What a reaction's text makes of a species in all: 0 of one that is on both sides alike. */
function netOf(along: Along, { references }: Reaction, { id }: Species): number {
  return references.reduce(
    (sum, each) => (each.species === id && isPlain(along, each) ? sum + each.side * Number(each.stoichiometry) : sum),
    0,
  );
}

/** `A + 2 B -> C`; undefined where none of it can be said so. */
function reactionText(along: Along, { references, reversible }: Reaction): string | undefined {
  const side = (wanted: -1 | 1): string[] =>
    references.flatMap((reference) => {
      if (!isPlain(along, reference)) return [];
      const amount = Number(reference.stoichiometry) * reference.side;
      if (amount === 0 || Math.sign(amount) !== wanted) return [];
      const species = along.amounts.get(reference.species) ?? along.ids.get(reference.species) ?? '';
      return [Math.abs(amount) === 1 ? species : `${Math.abs(amount)} ${species}`];
    });
  const [left, right] = [side(-1), side(1)];
  if (left.length + right.length === 0) return undefined;
  return `${left.join(' + ') || '0'} ${reversible ? '<->' : '->'} ${right.join(' + ') || '0'}`;
}
