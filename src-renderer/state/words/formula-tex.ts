/** A formula as TeX; one that does not parse (it is being typed) is shown as it stands, one of many pages by its length. */
import { parseFormula } from '../../../models/formula/parse.ts';
import { chainOf } from '../../../models/formula/syntax.ts';
import type { Expression } from '../../../models/formula/syntax.ts';
import { formulaToTex, longestTypeset } from '../../../models/formula/tex.ts';
import { symbolName } from './symbols.ts';

export function formulaTex(text: string, isParameter: (name: string) => boolean): string {
  if (text.length > longestTypeset) return `\\text{a formula of ${text.length} characters}`;
  const parsed = parseFormula(text);
  if (!parsed.ok) return `\\text{${asWritten(text)}}`;
  const { definitions, result } = parsed.formula;
  const rename = (expression: Expression): Expression => withSymbols(expression, isParameter);
  return formulaToTex({
    definitions: definitions.map((definition) => ({ ...definition, value: rename(definition.value) })),
    result: rename(result),
  });
}

const inText: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '^': '\\textasciicircum{}',
  '~': '\\textasciitilde{}',
};

/** Every character as it stands, those that mean something to TeX too. */
function asWritten(text: string): string {
  return text.replace(/[\\^~{}$%&#_]/g, (sign) => inText[sign] ?? `\\${sign}`);
}

function withSymbols(expression: Expression, isParameter: (name: string) => boolean): Expression {
  const within = (part: Expression) => withSymbols(part, isParameter);
  switch (expression.kind) {
    case 'name':
      return isParameter(expression.name) ? { ...expression, name: symbolName(expression.name) } : expression;
    case 'call':
      return { ...expression, operands: expression.operands.map(within) };
    case 'unary':
      return { ...expression, operand: within(expression.operand) };
    case 'binary': {
      const links = chainOf(expression);
      return links.reduce<Expression>(
        (left, link, i) => ({ ...link, left: i === 0 ? within(link.left) : left, right: within(link.right) }),
        expression,
      );
    }
    default:
      return expression;
  }
}
