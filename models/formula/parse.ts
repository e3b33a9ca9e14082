/**
 * Text to Formula. The grammar is formula.grammar; here its tree becomes ours.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from './parser.generated.ts';
import { deepest, describeSyntaxError, tooDeep } from './syntax-errors.ts';
import {
  chainOf,
  children,
  FormulaFault,
  type BinaryOperator,
  type Definition,
  type Expression,
  type Formula,
  type FormulaError,
  type Span,
} from './syntax.ts';

export type ParseResult =
  { readonly ok: true; readonly formula: Formula } | { readonly ok: false; readonly error: FormulaError };

const strictParser = parser.configure({ strict: true });

/** Characters of formulas that are remembered: each is asked for several times while a document is checked, of which there may be a hundred thousand. */
const mostRemembered = 8_000_000;
const remembered = new Map<string, ParseResult>();
let characters = 0;

export function parseFormula(text: string): ParseResult {
  const known = remembered.get(text);
  if (known) return known;
  const result = parsed(text);
  characters += text.length;
  if (characters > mostRemembered) {
    remembered.clear();
    characters = text.length;
  }
  remembered.set(text, result);
  return result;
}

function parsed(text: string): ParseResult {
  try {
    const top = strictParser.parse(text).topNode;
    const expressions = nodes(top).filter((node) => node.name !== 'Definition');
    const definitions = nodes(top)
      .filter((node) => node.name === 'Definition')
      .map((node) => definition(node, text));
    const formula = { definitions, result: expression(first(expressions), text, 0) };
    checkHeight(formula);
    return { ok: true, formula };
  } catch (fault) {
    if (fault instanceof FormulaFault) return { ok: false, error: fault.error };
    const stopped = fault instanceof SyntaxError && /^No parse at (\d+)$/.exec(fault.message);
    if (!stopped) throw fault;
    return { ok: false, error: describeSyntaxError(text, Number(stopped[1])) };
  }
}

function definition(node: SyntaxNode, text: string): Definition {
  const [name, , value] = nodes(node);
  const nameSpan = span(first([name]));
  return { name: text.slice(nameSpan.from, nameSpan.to), nameSpan, value: expression(first([value]), text, 0) };
}

function expression(node: SyntaxNode, text: string, depth: number): Expression {
  if (depth > deepest) throw new FormulaFault(tooDeep, span(node));
  const source = (part: SyntaxNode) => text.slice(part.from, part.to);
  const within = (part: SyntaxNode | undefined) => expression(first([part]), text, depth + 1);
  const parts = nodes(node);
  const { from, to } = node;
  switch (node.name) {
    case 'Number': {
      const value = Number(source(node));
      if (!Number.isFinite(value))
        throw new FormulaFault('this number is larger than any that can be held', span(node));
      return { kind: 'number', value, whole: isWhole(source(node)), from, to };
    }
    case 'Boolean':
      return { kind: 'boolean', value: source(node) === 'true', from, to };
    case 'Name':
      return { kind: 'name', name: source(node), from, to };
    case 'Element': {
      const [name, , at] = parts;
      const nameSpan = span(first([name]));
      return {
        kind: 'element',
        name: text.slice(nameSpan.from, nameSpan.to),
        nameSpan,
        at: elementAt(first([at]), text),
        from,
        to,
      };
    }
    case 'Group':
      return within(parts.find((part) => !isPunctuation(part)));
    case 'Call': {
      const [callee, ...rest] = parts;
      const operands = rest.filter((part) => !isPunctuation(part)).map(within);
      return { kind: 'call', name: source(first([callee])), operands, from, to };
    }
    case 'Unary':
      return {
        kind: 'unary',
        operator: parts[0]?.name === 'Not' ? 'not' : '-',
        operand: within(parts[1]),
        from,
        to,
      };
    case 'Binary':
      return chain(parts, text, depth);
    default:
      throw new Error(`the grammar has a node ${node.name} that the parser does not know`);
  }
}

function elementAt(node: SyntaxNode, text: string): number | string {
  const written = text.slice(node.from, node.to);
  if (node.name === 'Label') {
    try {
      return String(JSON.parse(written));
    } catch {
      throw new FormulaFault(`${written} is no text: of what stands behind \\ only \\" and \\\\ are known`, node);
    }
  }
  if (!isWhole(written))
    throw new FormulaFault('an element is at a whole number, counted from 0, or at a "label"', node);
  return Number(written);
}

/** a + b - c is (a + b) - c. However many there are, they are one level of nesting. */
function chain(parts: readonly SyntaxNode[], text: string, depth: number): Expression {
  const start = first(parts);
  let left = expression(start, text, depth + 1);
  for (let at = 1; at < parts.length; at += 2) {
    const operator = first([parts[at]]);
    const operand = first([parts[at + 1]]);
    left = {
      kind: 'binary',
      operator: text.slice(operator.from, operator.to) as BinaryOperator,
      left,
      right: expression(operand, text, depth + 1),
      from: start.from,
      to: operand.to,
    };
  }
  return left;
}

/** A chain of definitions nests as deeply as the one expression that it abbreviates. */
function checkHeight({ definitions, result }: Formula): void {
  const heights = new Map<string, number>();
  const height = (node: Expression): number =>
    1 + Math.max(node.kind === 'name' ? (heights.get(node.name) ?? 0) : 0, highest(operandsOf(node)));
  const highest = (nodes: readonly Expression[]): number =>
    nodes.reduce((most, node) => Math.max(most, height(node)), 0);
  for (const { name, value } of definitions) heights.set(name, checked(value));
  checked(result);

  function checked(node: Expression): number {
    const own = height(node);
    if (own > deepest + 1) throw new FormulaFault(tooDeep, node);
    return own;
  }
}

/** All those of a chain at once. */
function operandsOf(node: Expression): readonly Expression[] {
  if (node.kind !== 'binary') return children(node);
  const links = chainOf(node);
  return [...links.slice(0, 1).map(({ left }) => left), ...links.map(({ right }) => right)];
}

/** Written with digits alone: `2` may be an int, `2.0` and `2e0` are real. */
function isWhole(digits: string): boolean {
  return /^\d+$/.test(digits) && Number.isSafeInteger(Number(digits));
}

function isPunctuation(node: SyntaxNode): boolean {
  return node.name === '(' || node.name === ')' || node.name === ',';
}

function nodes(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

function first(found: readonly (SyntaxNode | undefined)[]): SyntaxNode {
  const [node] = found;
  if (!node) throw new Error('the grammar gave a node without its parts');
  return node;
}

function span({ from, to }: SyntaxNode): Span {
  return { from, to };
}
