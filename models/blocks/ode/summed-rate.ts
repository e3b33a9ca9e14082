/** The rate of one state: its own formula, and what reactions do to it. */
import { realLiteral, type ScalarBuilder, type ScalarOperand } from '../../../engine/index.ts';
import { expression } from '../../objective/expression.ts';
import { perOutput, reactionOutput } from './named.ts';
import type { Stoichiometry } from '../../notation/reaction.ts';
import { reactionsOf, type OdeBlock } from './schema.ts';

/** `valueOf` gives the value of a formula of the block. */
export function summedRate(
  block: OdeBlock,
  name: string,
  stoichiometry: readonly Stoichiometry[],
  s: ScalarBuilder,
  valueOf: (output: string) => ScalarOperand,
): ScalarOperand {
  const e = expression(s);
  const { rate, per } = block.state[name] ?? {};
  const terms = reactionsOf(block).flatMap((reaction, j) => {
    const amount = stoichiometry[j]?.get(name);
    if (amount === undefined) return [];
    const each = valueOf(reactionOutput(reaction, j));
    if (amount === 1) return [each];
    return amount === -1 ? [e.apply('neg', each)] : [e.multiply(realLiteral(amount), each)];
  });
  const own = rate === undefined ? [] : [valueOf(name)];
  if (per === undefined || terms.length === 0) return e.add(...own, ...terms);
  return e.add(...own, e.divide(e.add(...terms), valueOf(perOutput(name))));
}
