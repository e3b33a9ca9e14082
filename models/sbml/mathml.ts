/** MathML as SBML has it, to expressions (syntax.ts). Calls of the file's own functions are calls of `$name`. */
import type { Expression } from '../formula/syntax.ts';
import { mathFunctions, pieces } from './functions.ts';
import { refuse } from './refusal.ts';
import { binary, call, name, number, rateSymbol, symbol, symbolOf as symbolIn, truth } from './syntax.ts';
import { decimal, type XmlElement } from './xml.ts';

/** Mol⁻¹, as SBML Level 3 fixes it. */
const avogadro = 6.02214179e23;

const symbols = 'http://www.sbml.org/sbml/symbols/';

const constants: ReadonlyMap<string, Expression> = new Map([
  ['true', truth(true)],
  ['false', truth(false)],
  ['pi', name('pi')],
  ['exponentiale', name('e')],
  ['infinity', name('inf')],
  ['notanumber', name('nan')],
]);

export interface Lambda {
  readonly parameters: readonly string[];
  readonly body: Expression;
}

/** `where` names the element that the mathematics stands in. Undefined where `math` is empty. */
export function readMath(math: XmlElement, where: string): Expression | undefined {
  const content = onlyChild(math, where);
  return content && expressionOf(content, where);
}

/** Undefined where there is no body. */
export function readLambda(math: XmlElement, where: string): Lambda | undefined {
  const lambda = unwrapped(onlyChild(math, where));
  if (!lambda) return undefined;
  if (lambda.name !== 'lambda') return { parameters: [], body: expressionOf(lambda, where) };
  const parameters = lambda.children.filter((each) => each.name === 'bvar').map((each) => textOf(each.children[0]));
  const [body, second] = lambda.children.filter((each) => each.name !== 'bvar');
  if (second) return refuse(`${where} has a <${second.name}> beside its <${body?.name}>`);
  const twice = parameters.find((id, i) => parameters.indexOf(id) < i);
  if (twice !== undefined) return refuse(`${where} has two arguments "${twice}"`);
  const strange = body && symbolsIn(body).find((id) => !parameters.includes(id));
  if (strange !== undefined) return refuse(`${where} reads "${strange}", which is none of its arguments`);
  return body && { parameters, body: expressionOf(body, where) };
}

/** What is read, but for the functions that are called. */
function symbolsIn(element: XmlElement): string[] {
  if (element.name === 'ci') return [textOf(element)];
  const read = element.children.filter((each, i) => element.name !== 'apply' || i > 0 || each.name !== 'ci');
  return read.flatMap(symbolsIn);
}

function onlyChild({ children }: XmlElement, where: string): XmlElement | undefined {
  const [only, second] = children;
  return second ? refuse(`${where} has a <${second.name}> beside its <${only?.name}> in <math>`) : only;
}

/** The content of `semantics`, whose annotations say nothing of the value. */
function unwrapped(element: XmlElement | undefined): XmlElement | undefined {
  return element?.name === 'semantics' ? unwrapped(element.children[0]) : element;
}

function textOf(element: XmlElement | undefined): string {
  return element?.texts.join('').trim() ?? '';
}

function expressionOf(element: XmlElement, where: string): Expression {
  const inner = unwrapped(element) ?? element;
  const constant = constants.get(inner.name);
  if (constant) return constant;
  switch (inner.name) {
    case 'cn':
      return numberOf(inner, where);
    case 'ci':
      return symbol(textOf(inner));
    case 'csymbol':
      return symbolOf(inner, where);
    case 'apply':
      return applied(inner, where);
    case 'piecewise':
      return piecewise(inner, where);
    default:
      return refuse(`${where} uses <${inner.name}>, which is not understood`);
  }
}

function numberOf(element: XmlElement, where: string): Expression {
  const [first = '', second = ''] = element.texts.map((text) => text.trim());
  const type = element.attributes.get('type') ?? 'real';
  const base = element.attributes.get('base')?.trim() ?? '10';
  if (base !== '10') return refuse(`${where} has a <cn> to the base ${base}, which is not read`);
  const parts = type === 'e-notation' || type === 'rational' ? [first, second] : [first];
  if (element.texts.length > parts.length)
    return refuse(`${where} has a <cn> of type ${type} in ${element.texts.length} parts`);
  const isWhole = type === 'integer' || type === 'rational';
  const fault = parts.find((part, i) => {
    const value = decimal(part);
    return isWhole || i > 0 ? !Number.isInteger(value) : Number.isNaN(value);
  });
  if (fault !== undefined) return refuse(`${where} has a <cn> that is no ${isWhole ? 'whole ' : ''}number, "${fault}"`);
  if (type === 'rational') return binary('/', number(decimal(first)), number(decimal(second)));
  return number(decimal(type === 'e-notation' ? `${first}e${second}` : first));
}

function symbolOf(element: XmlElement, where: string): Expression {
  const url = element.attributes.get('definitionURL') ?? '';
  const kind = url.replace(symbols, '');
  if (kind === 'time') return name('time');
  if (kind === 'avogadro') return number(avogadro);
  return refuse(`${where} uses the symbol "${kind}", which is not understood`);
}

function applied(element: XmlElement, where: string): Expression {
  const [head, ...rest] = element.children;
  if (!head) return refuse(`${where} has an <apply> that applies nothing`);
  // A pair of brackets, as some programs write it.
  if (head.name === 'apply' && rest.length === 0) return applied(head, where);
  const isQualifier = ({ name }: XmlElement): boolean => name === 'degree' || name === 'logbase';
  const [qualifier, ...more] = rest.filter(isQualifier);
  const misplaced = head.name === (qualifier?.name === 'degree' ? 'root' : 'log') ? more[0] : qualifier;
  if (misplaced) return refuse(`${where} gives <${head.name}> a <${misplaced.name}>, which it does not have`);
  const operands = rest.filter((each) => !isQualifier(each)).map((each) => expressionOf(each, where));
  if (head.name === 'ci') return call(`$${textOf(head)}`, ...operands);
  if (head.name === 'csymbol') {
    const kind = (head.attributes.get('definitionURL') ?? '').replace(symbols, '');
    const of = operands[0] && symbolIn(operands[0]);
    if (kind === 'rateOf' && operands.length === 1 && of !== undefined) return rateSymbol(of);
    const [what, lag] = operands;
    if (kind === 'delay' && what && lag && operands.length === 2) return call('delay', what, lag);
    return refuse(`${where} uses the symbol "${kind}", which is not understood`);
  }
  const found = mathFunctions.get(head.name);
  if (!found) return refuse(`${where} uses <${head.name}>, which is not understood`);
  const qualified = head.name === 'root' || head.name === 'log';
  const given = qualifier?.children[0] && expressionOf(qualifier.children[0], where);
  const all = qualified ? [given ?? number(head.name === 'root' ? 2 : 10), ...operands] : operands;
  const [least, most] = found.arity;
  if (all.length < least || all.length > most)
    return refuse(`${where} gives <${head.name}> ${operands.length} arguments`);
  return found.write(...all);
}

function piecewise(element: XmlElement, where: string): Expression {
  const list = element.children
    .filter(({ name }) => name === 'piece')
    .map(({ children }) => {
      const [value, condition, third] = children;
      if (!value || !condition || third) return refuse(`${where} has a <piece> that is not a value and a condition`);
      return [expressionOf(value, where), expressionOf(condition, where)] as const;
    });
  const otherwise = element.children.filter(({ name }) => name === 'otherwise').flatMap(({ children }) => children);
  if (otherwise.length > 1) return refuse(`${where} has a <piecewise> that is two things otherwise`);
  return pieces(list, otherwise[0] && expressionOf(otherwise[0], where));
}
