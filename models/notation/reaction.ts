/**
 * Reactions as chemists write them, `A + 2 B -> C`: on each side species with a number before them, `<->` where the rate
 * may be negative.
 */
import { didYouMean } from './names.ts';

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
        // What stands in the reaction already is not what was meant by another name in it.
        const others = species.filter((one) => !new RegExp(`\\b${one}\\b`).test(text));
        const states = species.length === 1 ? 'its state is' : 'its states are';
        const fix = didYouMean(name, others) ?? `${states} ${species.join(', ')}`;
        return { message: `has "${name}", which is no state`, fix };
      }
      found.set(name, (found.get(name) ?? 0) + sign * Number(match?.[1] ?? 1));
    }
  }
  return new Map([...found].filter(([, amount]) => amount !== 0));
}

export const isReactionFault = (parsed: Stoichiometry | ReactionFault): parsed is ReactionFault => 'message' in parsed;
