/** Mathematics of a file in our names, along a solution or at its start. */
import { walk, type Expression } from '../formula/syntax.ts';
import { asNumber, asTruth } from './coerce.ts';
import type { Lambda } from './mathml.ts';
import { refuse } from './refusal.ts';
import { binary, call, choose, name, number, rateSymbol, rateSymbolOf, rewrite, symbolOf, within } from './syntax.ts';

/** Calls of functions within one another; beyond, they call themselves. */
const mostNested = 100;

/** What symbols stand for. */
export interface Place {
  symbol(id: string): Expression;
  time(): Expression;
  rateOf(id: string): Expression;
  /** What stands for a delay() there, undefined where it stays itself; absent where it has no meaning. */
  delayed?(of: Expression, lag: Expression): Expression | undefined;
}

export interface Translator {
  /** Without calls of the file's own functions. */
  expanded(math: Expression): Expression;
  number(math: Expression, place: Place): Expression;
  truth(math: Expression, place: Place): Expression;
}

export function translator(functions: ReadonlyMap<string, Lambda>): Translator {
  const expanded = (math: Expression, depth: number): Expression =>
    rewrite(math, (node) => {
      if (node.kind !== 'call' || !node.name.startsWith('$')) return node;
      const name = node.name.slice(1);
      const found = functions.get(name);
      if (!found) return refuse(`"${name}" is called, and no such function is defined`);
      if (depth > mostNested) return refuse(`the function "${name}" calls itself`);
      if (found.parameters.length !== node.operands.length)
        return refuse(`"${name}" takes ${found.parameters.length} arguments, and is given ${node.operands.length}`);
      const given = new Map(found.parameters.map((parameter, i) => [parameter, node.operands[i]!]));
      // The body's own calls first: what is put in for a parameter is expanded already.
      return rewrite(expanded(found.body, depth + 1), (inner) => put(inner, given));
    });
  const placed = (math: Expression, place: Place): Expression => {
    const put = (node: Expression): Expression => {
      if (node.kind === 'call' && node.name === 'delay') {
        if (!place.delayed) return refuse('delay() is asked for where nothing is known of what was before');
        const found = place.delayed(...(node.operands as [Expression, Expression]));
        if (found) return found;
      }
      const rate = rateSymbolOf(node);
      if (rate !== undefined) return place.rateOf(rate);
      const id = symbolOf(node);
      if (id !== undefined) return place.symbol(id);
      return node.kind === 'name' && node.name === 'time' ? place.time() : within(node, put);
    };
    return put(rewrite(expanded(math, 0), withRatesFromTheStart));
  };
  return {
    expanded: (math) => expanded(math, 0),
    number: (math, place) => asNumber(placed(math, place)),
    truth: (math, place) => asTruth(placed(math, place)),
  };
}

/** Nothing changes before the start: a delay() of what asks for a rateOf() is one of 0 in its place until then. */
function withRatesFromTheStart(node: Expression): Expression {
  if (node.kind !== 'call' || node.name !== 'delay') return node;
  const [of, lag] = node.operands as [Expression, Expression];
  const atRest = rewrite(of, (inner) => (rateSymbolOf(inner) === undefined ? inner : number(0)));
  const asks = [...walk(of)].some((inner) => rateSymbolOf(inner) !== undefined);
  return asks ? choose(binary('<', name('time'), lag), call('delay', atRest, lag), node) : node;
}

function put(node: Expression, given: ReadonlyMap<string, Expression>): Expression {
  const rate = rateSymbolOf(node);
  const of = rate === undefined ? undefined : given.get(rate);
  const id = of && symbolOf(of);
  if (of) return id === undefined ? refuse('rateOf is asked of what is no symbol') : rateSymbol(id);
  return given.get(symbolOf(node) ?? '') ?? node;
}
