/** Formulas of Level 1, which are text: `k1*pow(S1, 2)`. */
import { parseFormula } from '../formula/parse.ts';
import type { Expression } from '../formula/syntax.ts';
import { isFunctionName } from '../formula/functions.ts';
import { mathFunctions } from './functions.ts';
import { refuse } from './refusal.ts';
import { binary, call, number, rewrite } from './syntax.ts';

/** Names of Level 1 for what MathML calls otherwise; `log` is the natural one there. */
const named: Readonly<Record<string, (...operands: Expression[]) => Expression>> = {
  acos: (x) => call('acos', x),
  asin: (x) => call('asin', x),
  atan: (x) => call('atan', x),
  ceil: (x) => call('ceil', x),
  log: (x) => call('log', x),
  log10: (x) => call('log10', x),
  pow: (x, y) => binary('^', x, y),
  sqr: (x) => binary('^', x, number(2)),
  sqrt: (x) => call('sqrt', x),
};

export function readInfix(text: string, where: string): Expression {
  // A name that we reserve (`e`, `index`) is a symbol there: each gets the mark of a symbol before it is parsed.
  const marked = text.replace(/[A-Za-z_][A-Za-z0-9_]*/g, (word, at: number) =>
    /[0-9.]/.test(text[at - 1] ?? '') && /^[eE]/.test(word) ? word : `sbml_${word}`,
  );
  const parsed = parseFormula(marked);
  if (!parsed.ok) return refuse(`${where} has a formula that is not understood: ${JSON.stringify(text)}`);
  return rewrite(parsed.formula.result, (node) => {
    if (node.kind === 'name') return { ...node, name: node.name.replace(/^sbml_/, '$') };
    if (node.kind !== 'call') return node;
    const fn = node.name.replace(/^sbml_/, '');
    const own = Object.hasOwn(named, fn) ? named[fn] : undefined;
    if (own) return own(...node.operands);
    const found = fn === 'log' ? undefined : mathFunctions.get(fn);
    if (found && isFunctionName(fn)) return found.write(...node.operands);
    return refuse(`${where} calls "${fn}", which Level 1 does not define`);
  });
}
