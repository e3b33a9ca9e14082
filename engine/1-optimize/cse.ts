/** What is computed twice is computed once: statements that print alike are alike. */
import { printConstruct } from '../0-ir/print.ts';
import type { Construct, Value } from '../0-ir/program.ts';
import { rewriteForward, type Rewrite } from './rewrite.ts';

export const commonSubexpressions: Rewrite = (program, context) => {
  const computed = new Map<string, readonly Value[]>();
  return rewriteForward(program, context, ({ construct, results }) => {
    const text = textOf(construct);
    const before = computed.get(text);
    if (before) return before;
    computed.set(text, results);
    return undefined;
  });
};

const texts = new WeakMap<Construct, string>();

function textOf(construct: Construct): string {
  const text = texts.get(construct) ?? printConstruct(construct);
  texts.set(construct, text);
  return text;
}
