/**
 * Mathematics of PEtab's tables, as trees of our formulas in which a name of the problem begins with `$` (sbml/syntax.ts).
 * Tightest first: call, `^` (from the right), `+ - !` before an operand, `* /`, `+ -`, comparisons, `&& ||` on one level.
 */
import type { BinaryOperator, Expression } from '../formula/syntax.ts';
import { mathFunctions, pieces } from '../sbml/functions.ts';
import { refuse } from '../sbml/refusal.ts';
import { binary, call, name, negate, not, number, symbol, truth } from '../sbml/syntax.ts';

const token =
  /\s*(?:(\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(\*\*|&&|\|\||[<>=!]=|[-+*/^<>!(),]))/y;

const levels: readonly Readonly<Record<string, BinaryOperator>>[] = [
  { '&&': 'and', '||': 'or' },
  { '<': '<', '<=': '<=', '>': '>', '>=': '>=', '==': '==', '!=': '!=' },
  { '+': '+', '-': '-' },
  { '*': '*', '/': '/' },
];

const power = new Set(['^', '**']);

/** Names of PEtab for what MathML calls otherwise, and what takes several forms. */
const own: Readonly<Record<string, (...operands: Expression[]) => Expression | undefined>> = {
  pow: (a, b) => b && binary('^', a, b),
  sqrt: (x) => x && call('sqrt', x),
  log: (x, base) => (base ? mathFunctions.get('log')?.write(base, x) : x && call('log', x)),
  log2: (x) => x && call('log2', x),
  log10: (x) => x && call('log10', x),
  sign: (x) => x && call('sign', x),
  asin: (x) => x && call('asin', x),
  acos: (x) => x && call('acos', x),
  atan: (x) => x && call('atan', x),
  piecewise(...operands) {
    const pairs = Array.from({ length: Math.floor(operands.length / 2) }, (_, i) => {
      return [operands[2 * i]!, operands[2 * i + 1]!] as const;
    });
    return operands.length < 2 ? undefined : pieces(pairs, operands.length % 2 ? operands.at(-1) : undefined);
  },
};

const known = new Set([
  ...['exp', 'ln', 'abs', 'min', 'max', 'floor', 'ceiling'],
  ...['', 'h'].flatMap((h) =>
    ['sin', 'cos', 'tan', 'sec', 'csc', 'cot'].flatMap((fn) => [`${fn}${h}`, `arc${fn}${h}`]),
  ),
]);

/** Throws a refusal that names the place. */
export function readMath(text: string, where: string): Expression {
  const fail = (why: string): never =>
    refuse(`${where} has a formula that is not understood (${why}): ${JSON.stringify(text)}`);
  const tokens: { readonly kind: 'number' | 'name' | 'sign'; readonly text: string }[] = [];
  token.lastIndex = 0;
  const end = text.trimEnd().length;
  while (token.lastIndex < end) {
    const from = token.lastIndex;
    const found = token.exec(text);
    if (!found) return fail(`at ${JSON.stringify(text.slice(from).trim())}`);
    const kind = found[1] !== undefined ? 'number' : found[2] !== undefined ? 'name' : 'sign';
    tokens.push({ kind, text: found[0].trim() });
  }
  let at = 0;
  const takes = (sign: string): boolean => {
    const next = tokens[at];
    if (next?.kind !== 'sign' || next.text !== sign) return false;
    at++;
    return true;
  };
  const demand = (sign: string): void => {
    if (!takes(sign)) fail(`"${sign}" is missing`);
  };
  function joined(level: number): Expression {
    const operators = levels[level];
    if (!operators) return signed();
    let left = joined(level + 1);
    for (;;) {
      const next = tokens[at];
      const operator = next?.kind === 'sign' && Object.hasOwn(operators, next.text) ? operators[next.text] : undefined;
      if (!operator) return left;
      at++;
      left = binary(operator, left, joined(level + 1));
    }
  }
  function signed(): Expression {
    if (takes('-')) return negate(signed());
    if (takes('+')) return signed();
    if (takes('!')) return not(signed());
    const base = atom();
    const next = tokens[at];
    if (next?.kind !== 'sign' || !power.has(next.text)) return base;
    at++;
    return binary('^', base, signed());
  }
  function atom(): Expression {
    if (takes('(')) {
      const inner = joined(0);
      demand(')');
      return inner;
    }
    const next = tokens[at++];
    if (!next) return fail('it ends too early');
    if (next.kind === 'number') return number(Number(next.text));
    if (next.kind === 'sign') return fail(`at "${next.text}"`);
    if (takes('(')) return called(next.text);
    if (/^(true|false)$/i.test(next.text)) return truth(next.text.toLowerCase() === 'true');
    if (/^inf$/i.test(next.text)) return name('inf');
    return next.text === 'time' ? name('time') : symbol(next.text);
  }
  function called(fn: string): Expression {
    const operands: Expression[] = [];
    if (!takes(')')) {
      do operands.push(joined(0));
      while (takes(','));
      demand(')');
    }
    if (Object.hasOwn(own, fn)) return own[fn]?.(...operands) ?? fail(`"${fn}" wants other operands`);
    const found = known.has(fn) ? mathFunctions.get(fn) : undefined;
    if (!found) return fail(`it calls "${fn}", which PEtab does not define`);
    const [least, most] = found.arity;
    if (operands.length < least || operands.length > most) return fail(`"${fn}" wants other operands`);
    return found.write(...operands);
  }
  const result = joined(0);
  return at < tokens.length ? fail(`at "${tokens[at]?.text}"`) : result;
}
