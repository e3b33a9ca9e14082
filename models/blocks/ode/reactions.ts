/**
 * Reactions as chemists write them, `A + 2 B -> C` at a rate v: each adds its stoichiometry times v to its species,
 *
 *   dxᵢ/dt = rateᵢ + Σⱼ (nᵢⱼ⁺ − nᵢⱼ⁻)·vⱼ
 *
 * with nᵢⱼ⁺ of species i made and nᵢⱼ⁻ used up by reaction j. `<->` says that v may be negative, and is the same sum.
 */
import type { InferContext } from '../kind.ts';
import { isReactionFault, parseReaction, type Stoichiometry } from '../../notation/reaction.ts';
import { reactionsOf, stateNames, type OdeBlock } from './schema.ts';

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
