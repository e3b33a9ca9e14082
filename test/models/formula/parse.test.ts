import { describe, expect, test } from 'vitest';
import { parseFormula } from '../../../models/formula/parse.ts';
import { printFormula } from '../../../models/formula/print.ts';
import { deepest } from '../../../models/formula/syntax-errors.ts';
import { formulaToTex } from '../../../models/formula/tex.ts';
import { formulaUnit } from '../../../models/units/formula-units.ts';
import { parseUnit } from '../../../models/units/unit.ts';
import { grouped, parsed } from './support.ts';

describe('how operators bind', () => {
  test.each([
    ['a + b*c', '(a + (b * c))'],
    ['a*b + c', '((a * b) + c)'],
    ['a - b - c', '((a - b) - c)'],
    ['a/b/c*d', '(((a / b) / c) * d)'],
    ['a^b^c', '(a ^ (b ^ c))'],
    ['-x^2', '(- (x ^ 2))'],
    ['2^-1', '(2 ^ (- 1))'],
    ['2^-x^2', '(2 ^ (- (x ^ 2)))'],
    ['2^--x', '(2 ^ (- (- x)))'],
    ['2^-x*3', '((2 ^ (- x)) * 3)'],
    ['-a*b', '((- a) * b)'],
    ['a*-b', '(a * (- b))'],
    ['a - -b', '(a - (- b))'],
    ['--a', '(- (- a))'],
    ['(a + b)*c', '((a + b) * c)'],
    ['(-x)^2', '((- x) ^ 2)'],
    ['f(x)^2', '(f(x) ^ 2)'],
    ['a + b < c*d', '((a + b) < (c * d))'],
    ['a < b and b < c', '((a < b) and (b < c))'],
    ['not a < b', '(not (a < b))'],
    ['not a and b', '((not a) and b)'],
    ['not not a', '(not (not a))'],
    ['a or b and c', '(a or (b and c))'],
    ['a and b or c', '((a and b) or c)'],
    ['a or b or c', '((a or b) or c)'],
    ['a == (b < c)', '(a == (b < c))'],
    ['if(a > 0, b, c) + 1', '(if((a > 0), b, c) + 1)'],
    ['android + notch*oregon', '(android + (notch * oregon))'],
  ])('%s is %s', (text, wanted) => {
    expect(grouped(parsed(text).result)).toBe(wanted);
  });
});

describe('numbers', () => {
  test.each([
    ['1e-3', 0.001, false],
    ['1E+3', 1000, false],
    ['.5', 0.5, false],
    ['2.', 2, false],
    ['2', 2, true],
    ['007', 7, true],
    ['9007199254740993', 9007199254740992, false],
  ])('%s', (text, value, whole) => {
    expect(parsed(text).result).toMatchObject({ kind: 'number', value, whole, from: 0, to: text.length });
  });

  test('0 to the minus 400 is 0', () => expect(parsed('1e-400').result).toMatchObject({ value: 0 }));
});

describe('lines', () => {
  test('definitions come before the last expression', () => {
    const { definitions, result } = parsed('\n r = a - b\r\n\n  s = r*r \n r + s\n\n');
    expect(definitions.map(({ name, value }) => [name, grouped(value)])).toEqual([
      ['r', '(a - b)'],
      ['s', '(r * r)'],
    ]);
    expect(grouped(result)).toBe('(r + s)');
  });

  test('a line goes on after an operator and inside parentheses', () => {
    expect(grouped(parsed('a +\n b*(c\n - d)').result)).toBe('(a + (b * (c - d)))');
    expect(grouped(parsed('max(\n a,\n b\n)').result)).toBe('max(a, b)');
  });

  test('a line ends before a sign or a parenthesis', () => {
    const { definitions, result } = parsed('a = b\n-c');
    expect([grouped(definitions[0]!.value), grouped(result)]).toEqual(['b', '(- c)']);
    expect(grouped(parsed('a = b\n(c)').result)).toBe('c');
  });

  test('spans point into the text', () => {
    const text = 'rate = k*t\nexp(-rate)';
    const { definitions, result } = parsed(text);
    const at = ({ from, to }: { from: number; to: number }) => text.slice(from, to);
    expect(at(definitions[0]!.nameSpan)).toBe('rate');
    expect(at(definitions[0]!.value)).toBe('k*t');
    expect(at(result)).toBe('exp(-rate)');
  });
});

/** The formula with the span of its error between « and ». */
function marked(text: string): [string, string] {
  const result = parseFormula(text);
  if (result.ok) throw new Error(`${text} was taken`);
  const { from, to, message } = result.error;
  return [`${text.slice(0, from)}«${text.slice(from, to)}»${text.slice(to)}`, message];
}

describe('errors', () => {
  test.each([
    ['«»', 'the formula is empty'],
    ['« \n »', 'the formula is empty'],
    ['a «+»', "expected an expression after '+'"],
    ['a + «*» b', "expected an expression after '+', got '*'"],
    ['«+»a', "expected an expression, got '+'"],
    ['x = 1\n«+» 2', "expected an expression, got '+'"],
    ['a < b «<» c', 'comparisons do not chain: write a < b and b < c'],
    ['a == b «!=» c', 'comparisons do not chain: write a < b and b < c'],
    ['a + «(»b', "this '(' is not closed"],
    ['f«(»a + (b)', "this '(' is not closed"],
    ['f(a«,»', "expected an expression after ','"],
    ['f(«,»)', "expected an expression after '(', got ','"],
    ['a + b«)»', "this ')' closes nothing"],
    ['«()»', "expected an expression between '(' and ')'"],
    ['a«,» b', "a ',' separates the arguments of a function, nothing else"],
    ['a «b»', "expected an operator before 'b': a product is written with *"],
    ['2«x»', "expected an operator before 'x': a product is written with *"],
    ['(a) «(»b)', "expected an operator before '(': a product is written with *"],
    ['«sin» x', "'sin' is a function: write sin(…)"],
    ['«if»', "'if' is a function: write if(condition, a, b)"],
    ['a and «not»', "expected an expression after 'not'"],
    ['a == «not» b', "write parentheses around 'not …' here: it binds more loosely"],
    ['3 «=» 2', "'=' defines a name at the start of a line: 'is equal' is written =="],
    ['a = b «=» c\nd', "'=' defines a name at the start of a line: 'is equal' is written =="],
    ['a\n«b»', 'only the last line may be an expression: the lines before it are name = expression'],
    ['x = 1\n«y» = 2', "the last line must be an expression: 'y = …' only defines a name"],
    ['a «**» b', "'**' has no meaning in a formula: a power is written ^"],
    ['a «&&» b', "'&&' has no meaning in a formula: write and"],
    ['«!»a', `'!' has no meaning in a formula: write not, or != for "is not equal"`],
    ['a«;» b', "';' has no meaning in a formula: a newline separates the lines of a formula"],
    ['a «$» b', "'$' has no meaning in a formula"],
    ['«𝛼»+1', "'𝛼' has no meaning in a formula"],
    ['log(Aktivit«ä»t - 1)', "'ä' has no meaning in a formula: write Aktivitaet for Aktivität"],
    ['2*«Δ»t_1 + b', "'Δ' has no meaning in a formula: write Deltat_1 for Δt_1"],
    ['«Ж» + b', "'Ж' has no meaning in a formula"],
    ['a*«µ»', "'µ' has no meaning in a formula: write u for µ"],
    ['a«\u00a0»+ b', 'the character U+00A0 has no meaning in a formula'],
    ['«1e999»', 'this number is larger than any that can be held'],
  ])('%j', (wanted, message) => {
    expect(marked(wanted.replace(/[«»]/g, ''))).toEqual([wanted, message]);
  });

  test.each([deepest + 1, 10 * deepest])('what nests to %i levels is refused, however it does', (deep) => {
    for (const text of [
      `${'('.repeat(deep)}x${')'.repeat(deep)}`,
      `${'if(x > 0, 1, '.repeat(deep)}x${')'.repeat(deep)}`,
      `${'-'.repeat(deep)}x`,
      `${'x^'.repeat(deep)}x`,
      `d0 = x\n${Array.from({ length: deep }, (_, i) => `d${i + 1} = -d${i}\n`).join('')}d${deep}`,
    ])
      expect(marked(text)[1]).toBe(`the formula nests deeper than ${deepest} levels`);
  });

  test('a formula of many terms is none that nests, and is read as it is written', () => {
    const terms = Array.from({ length: 20_000 }, (_, i) => `a * ${i % 7}`).join(' + ');
    const parsed = parseFormula(terms);
    if (!parsed.ok) throw new Error(parsed.error.message);
    expect(printFormula(parsed.formula)).toBe(terms.replaceAll(' * ', '*'));
    expect(formulaToTex(parsed.formula)).toMatch(/^a \\cdot 0 \+ a \\cdot 1 .* a \\cdot 0 \+ a \\cdot 1 /);
    expect(formulaUnit(parsed.formula, () => parseUnit('m')).unit).toEqual(parseUnit('m'));
  });
});

test('each of the hundred thousand formulas of a document is read once, however often it is asked for', () => {
  const formulas = Array.from({ length: 100_000 }, (_, i) => `sin(f${i}) + ${i + 1}*a`);
  const first = formulas.slice(0, 100).map((text) => parseFormula(text));
  for (const text of formulas) parseFormula(text);
  for (const [i, result] of first.entries()) expect(parseFormula(formulas[i]!)).toBe(result);
});
