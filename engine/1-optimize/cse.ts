/**
 * What is computed twice is computed once: statements that print alike are alike. Only those of one kind on the same
 * operands can be, and few others are ever printed.
 */
import { operandsOf } from '../0-ir/operands.ts';
import { printConstruct } from '../0-ir/print.ts';
import type { Construct, Statement } from '../0-ir/program.ts';
import { rewriteForward, type Rewrite } from './rewrite.ts';

export const commonSubexpressions: Rewrite = (program, context) => {
  const computed = new Map<string, Statement[]>();
  return rewriteForward(program, context, (statement) => {
    const { construct } = statement;
    const key = `${construct.kind} ${operandsOf(construct).map(({ id }) => id)}`;
    const peers = computed.get(key);
    const twin = peers?.find((peer) => textOf(peer.construct) === textOf(construct));
    if (twin) return twin.results;
    if (peers) peers.push(statement);
    else computed.set(key, [statement]);
    return undefined;
  });
};

const texts = new WeakMap<Construct, string>();

function textOf(construct: Construct): string {
  const text = texts.get(construct) ?? printConstruct(construct);
  texts.set(construct, text);
  return text;
}
