/**
 * Reactions as chemists write them, `A + 2 B -> C` at a rate v: each adds its stoichiometry times v to its species,
 *
 *   dxᵢ/dt = rateᵢ + Σⱼ (nᵢⱼ⁺ − nᵢⱼ⁻)·vⱼ
 *
 * with nᵢⱼ⁺ of species i made and nᵢⱼ⁻ used up by reaction j. `<->` says that v may be negative, and is the same sum.
 */
import type { InferContext } from '../kind.ts';
import { didYouMean } from '../../notation/names.ts';
import { reactionsOf, stateNames, type OdeBlock } from './schema.ts';

/** Species → how much of it a unit of the reaction makes; negative where it uses it up. */
export type Stoichiometry = ReadonlyMap<string, number>;

export interface ReactionFault {
  readonly message: string;
  readonly fix?: string;
}

const arrow = /<->|->/;
const term = /^(?:(\d+(?:\.\d*)?|\.\d+)\s*\*?\s*)?([A-Za-z_][A-Za-z0-9_]*)$/;
const nothing = new Set(['', '0', '∅']);

/** What a reaction does to each species that it changes. */
export function parseReaction(text: string, species: readonly string[]): Stoichiometry | ReactionFault {
  const sides = text.split(arrow);
  const [left, right] = sides;
  if (left === undefined || right === undefined || sides.length !== 2)
    return { message: `wants one arrow, as in A + 2 B -> C, got ${JSON.stringify(text)}` };
  const found = new Map<string, number>();
  for (const [side, sign] of [
    [left, -1],
    [right, 1],
  ] as const) {
    if (nothing.has(side.trim())) continue;
    for (const part of side.split('+')) {
      const match = term.exec(part.trim());
      const name = match?.[2];
      if (name === undefined) return { message: `wants species with a number before them, got "${part.trim()}"` };
      if (!species.includes(name)) {
        const fix = didYouMean(name, species) ?? `its states are ${species.join(', ')}`;
        return { message: `has "${name}", which is no state`, fix };
      }
      found.set(name, (found.get(name) ?? 0) + sign * Number(match?.[1] ?? 1));
    }
  }
  return new Map([...found].filter(([, amount]) => amount !== 0));
}

export const isReactionFault = (parsed: Stoichiometry | ReactionFault): parsed is ReactionFault => 'message' in parsed;

/** Of each reaction. Every state has a rate of its own or a reaction that changes it. */
export function stoichiometryOf(block: OdeBlock, context: InferContext): Stoichiometry[] | undefined {
  const states = stateNames(block);
  const found: Stoichiometry[] = [];
  for (const [i, { reaction }] of reactionsOf(block).entries()) {
    const parsed = parseReaction(reaction, states);
    if (!isReactionFault(parsed)) {
      found.push(parsed);
      continue;
    }
    const { message, fix } = parsed;
    return context.fail(`reaction ${i} ${message}`, { port: `reactions.${i}`, got: reaction, ...(fix && { fix }) });
  }
  const still = states.find(
    (name) => block.state[name]?.rate === undefined && !found.some((reaction) => reaction.has(name)),
  );
  if (still === undefined) return found;
  return context.fail(`the state "${still}" has no "rate", and no reaction changes it`, {
    port: `${still}.rate`,
    fix: '"rate": "0" keeps it as it is',
  });
}
