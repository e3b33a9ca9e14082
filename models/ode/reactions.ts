/**
 * Reactions as chemists write them, `A + 2 B -> C` at a rate v: each adds its stoichiometry times v to its species,
 *
 *   dxᵢ/dt = rateᵢ + Σⱼ (nᵢⱼ⁺ − nᵢⱼ⁻)·vⱼ
 *
 * with nᵢⱼ⁺ of species i made and nᵢⱼ⁻ used up by reaction j. `<->` says that v may be negative, and is the same sum.
 */
import { realLiteral, scalarFunction, type ScalarFunction, type ScalarOperand } from '../../engine/index.ts';
import { didYouMean } from '../format/names.ts';
import { expression } from '../objective/expression.ts';
import type { OdeBlock } from './schema.ts';

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

export function reactionsOf(block: OdeBlock): NonNullable<OdeBlock['reactions']> {
  return block.reactions ?? [];
}

/** The name of a reaction's rate among a block's formulas: no state has such a one. */
export function reactionOutput(i: number): string {
  return `reactions.${i}`;
}

/** Each formula of the rates with its name: those of the states that have one, then those of the reactions. */
export function rateFormulas(block: OdeBlock): (readonly [output: string, text: string])[] {
  return [
    ...Object.entries(block.state).flatMap(([name, { rate }]) => (rate === undefined ? [] : [[name, rate] as const])),
    ...reactionsOf(block).map(({ rate }, i) => [reactionOutput(i), rate] as const),
  ];
}

/** Of a function that gives the rates of `rateFormulas`: the rate of every state. */
export function summedRates(
  block: OdeBlock,
  rates: ScalarFunction,
  stoichiometry: readonly Stoichiometry[],
): ScalarFunction {
  const states = Object.entries(block.state);
  const types = rates.parameters.map(({ type }) => type);
  return scalarFunction(types, (s, ...operands) => {
    const e = expression(s);
    const found = s.inline(rates, operands);
    const own = new Map<string, ScalarOperand>();
    for (const [name, { rate }] of states) if (rate !== undefined) own.set(name, found.shift() as ScalarOperand);
    return states.map(([name]) => {
      const terms = stoichiometry.flatMap((reaction, j) => {
        const amount = reaction.get(name);
        const rate = found[j] as ScalarOperand;
        if (amount === undefined) return [];
        if (amount === 1) return [rate];
        return amount === -1 ? [e.apply('neg', rate)] : [e.multiply(realLiteral(amount), rate)];
      });
      const rate = own.get(name);
      return e.add(...(rate === undefined ? [] : [rate]), ...terms);
    });
  });
}
