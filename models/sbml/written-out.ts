/** A formula as one expression: names that it defines are put in. */
import { parseFormula } from '../formula/parse.ts';
import type { Expression } from '../formula/syntax.ts';
import { refuse } from './refusal.ts';
import { rewrite } from './syntax.ts';

/** Throws `SbmlRefusal`. */
export function writtenOut(text: string): Expression {
  const parsed = parseFormula(text);
  if (!parsed.ok) return refuse(`the formula "${text}" cannot be read`);
  const known = new Map<string, Expression>();
  const put = (expression: Expression): Expression =>
    rewrite(expression, (node) => (node.kind === 'name' ? (known.get(node.name) ?? node) : node));
  for (const { name, value } of parsed.formula.definitions) known.set(name, put(value));
  return put(parsed.formula.result);
}
