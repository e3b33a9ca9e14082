/**
 * Says in one sentence why the grammar refused a formula at a character.
 *
 * The parser knows where it stopped; what it wanted there depends on little: whether the text before is a complete
 * operand, and which parentheses are open.
 */
import { functionNamed } from './functions.ts';
import { inAscii } from './names.ts';
import type { FormulaError, Span } from './syntax.ts';

/** A formula that nests deeper than this is refused, so that no reader of the tree runs out of stack. */
export const deepest = 500;
export const tooDeep = `the formula nests deeper than ${deepest} levels`;

interface Token extends Span {
  readonly text: string;
}

const tokenPattern =
  /"(?:[^"\\\n]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|\*\*|&&|\|\||<=|>=|==|!=|[^ \t\r\n]/gu;

const elementHint = 'an element is that of a name, at a number or at a "label": k[2], k["wild type"]';

const foreign = new Map([
  ['**', 'a power is written ^'],
  ['&', 'write and'],
  ['&&', 'write and'],
  ['|', 'write or'],
  ['||', 'write or'],
  ['!', 'write not, or != for "is not equal"'],
  ['%', 'write mod(x, y) for the remainder'],
  [';', 'a newline separates the lines of a formula'],
  ['[', elementHint],
  [']', elementHint],
  ['.', 'a formula names its inputs: wire an output such as "g.y" to a name through "inputs"'],
  ['?', 'write if(condition, a, b)'],
  ['÷', 'write /'],
  ['×', 'write *'],
  ['·', 'write *'],
  ['−', 'write - with the hyphen of the keyboard'],
]);

const grammatical = /^([A-Za-z_]\w*|[\d.]+.*|[-+*/^(),=]|<=?|>=?|==|!=)$/;

/** What the text before `at` left open. */
interface Context {
  readonly previous: Token | undefined;
  readonly openParentheses: readonly Token[];
  /** Whether `previous` can end an expression. */
  readonly complete: boolean;
  /** First token of the line, and whether it is `name = …`. */
  readonly lineStart: Token | undefined;
  readonly defines: boolean;
}

/** `at` is where the grammar stopped: the start of the token that does not fit, or the end of the text. */
export function describeSyntaxError(text: string, at: number): FormulaError {
  const tokens = [...text.matchAll(tokenPattern)].map((match) => ({
    text: match[0],
    from: match.index,
    to: match.index + match[0].length,
  }));
  const found = tokens.find((token) => token.to > at);
  const context = contextOf(text, found ? tokens.slice(0, tokens.indexOf(found)) : tokens);
  if (context.openParentheses.length > deepest)
    return error(tooDeep, context.openParentheses[deepest] ?? { from: at, to: at });
  return found ? describeToken(text, found, context) : describeEnd(text, context);
}

function contextOf(text: string, tokens: readonly Token[]): Context {
  const open: Token[] = [];
  let line: Token[] = [];
  for (const token of tokens) {
    const last = line.at(-1);
    if (last && open.length === 0 && canEnd(last) && text.slice(last.to, token.from).includes('\n')) line = [];
    line.push(token);
    if (token.text === '(') open.push(token);
    if (token.text === ')') open.pop();
  }
  const previous = line.at(-1);
  return {
    previous,
    openParentheses: open,
    complete: previous !== undefined && canEnd(previous),
    lineStart: line[0],
    defines: line[1]?.text === '=',
  };
}

function canEnd(token: Token): boolean {
  return /^[\w.)\]]/.test(token.text) && !['and', 'or', 'not'].includes(token.text);
}

function describeEnd(text: string, context: Context): FormulaError {
  const { previous, complete, lineStart, openParentheses, defines } = context;
  const open = openParentheses.at(-1);
  if (!previous || !lineStart) return { message: 'the formula is empty', from: 0, to: text.length };
  if (previous.text === 'if') return error("'if' is a function: write if(condition, a, b)", previous);
  if (!complete) return error(`expected an expression after '${previous.text}'`, previous);
  if (open) return error("this '(' is not closed", open);
  if (defines)
    return error(`the last line must be an expression: '${lineStart.text} = …' only defines a name`, lineStart);
  return error('the formula ends too early', previous);
}

function describeToken(text: string, found: Token, context: Context): FormulaError {
  const { previous, complete, openParentheses, defines } = context;
  const newLine = previous && text.slice(previous.to, found.from).includes('\n') && openParentheses.length === 0;
  // `a ** b` stops at the second star: the pattern has joined the two.
  const hint = foreign.get(found.text);
  if (hint) return error(`'${found.text}' has no meaning in a formula: ${hint}`, found);
  if (previous?.text === '[') return error(elementHint, found);
  if (!grammatical.test(found.text)) {
    const name = nameAround(text, found);
    const spelled = name && inAscii(name);
    const instead = spelled && /^[A-Za-z_]\w*$/.test(spelled) ? `: write ${spelled} for ${name}` : '';
    return error(`${shown(found.text)} has no meaning in a formula${instead}`, found);
  }
  if (previous?.text === 'if') return error("'if' is a function: write if(condition, a, b)", previous);
  if (complete && newLine && !defines)
    return error('only the last line may be an expression: the lines before it are name = expression', found);
  if (!complete || newLine) return describeMissingOperand(found, complete ? undefined : previous);
  return describeMissingOperator(found, context);
}

/** A name as a table has it, of which the grammar knows some letters alone: blocks are called by those of ASCII. */
function nameAround(text: string, { from, to }: Span): string | undefined {
  return [...text.matchAll(/[\p{L}_][\p{L}\p{N}\p{M}_]*/gu)].find(
    ({ 0: name, index }) => index <= from && to <= index + name.length,
  )?.[0];
}

function describeMissingOperand(found: Token, previous: Token | undefined): FormulaError {
  if (found.text === 'not') return error("write parentheses around 'not …' here: it binds more loosely", found);
  if (previous?.text === '(' && found.text === ')')
    return { message: "expected an expression between '(' and ')'", from: previous.from, to: found.to };
  // Here an expression can begin: the parser gave up because of the depth.
  if (/^[\w.(-]/.test(found.text) && found.text !== 'and' && found.text !== 'or') return error(tooDeep, found);
  if (previous) return error(`expected an expression after '${previous.text}', got '${found.text}'`, found);
  return error(`expected an expression, got '${found.text}'`, found);
}

function describeMissingOperator(found: Token, { previous, openParentheses }: Context): FormulaError {
  const before = previous?.text ?? '';
  if (found.text === '=') return error("'=' defines a name at the start of a line: 'is equal' is written ==", found);
  if (/^[<>=!]/.test(found.text)) return error('comparisons do not chain: write a < b and b < c', found);
  if (found.text === ')') return error("this ')' closes nothing", found);
  if (found.text === ',') return error("a ',' separates the arguments of a function, nothing else", found);
  if (functionNamed(before) && openParentheses.at(-1) !== previous)
    return error(`'${before}' is a function: write ${before}(…)`, previous ?? found);
  if (found.text === '(' || /^\w/.test(found.text))
    return error(`expected an operator before '${found.text}': a product is written with *`, found);
  return error(`expected an operator, got '${found.text}'`, found);
}

/** White space that is no blank, and what has no picture, by its number. */
function shown(character: string): string {
  if (!/[\p{Z}\p{C}]/u.test(character)) return `'${character}'`;
  return `the character U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}

function error(message: string, { from, to }: Span): FormulaError {
  return { message, from, to };
}
