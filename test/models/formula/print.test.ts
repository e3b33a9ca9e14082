import fc from 'fast-check';
import katex from 'katex';
import { expect, test } from 'vitest';
import { printExpression, printFormula } from '../../../models/formula/print.ts';
import { formulaToTex, nameToTex, toTex } from '../../../models/formula/tex.ts';
import { expressions, parsed, withoutSpans } from './support.ts';

test('a printed expression reads back as itself', () => {
  fc.assert(
    fc.property(expressions, (expression) => {
      expect(withoutSpans(parsed(printExpression(expression)).result)).toEqual(withoutSpans(expression));
    }),
    { numRuns: 400 },
  );
});

test('printed definitions read back as themselves', () => {
  fc.assert(
    fc.property(expressions, expressions, (value, result) => {
      const nameSpan = { from: 0, to: 0 };
      const again = parsed(printFormula({ definitions: [{ name: 'd', nameSpan, value }], result }));
      expect(again.definitions.map((definition) => [definition.name, withoutSpans(definition.value)])).toEqual([
        ['d', withoutSpans(value)],
      ]);
      expect(withoutSpans(again.result)).toEqual(withoutSpans(result));
    }),
    { numRuns: 100 },
  );
});

test.each([
  ['(a)+((b*c))', 'a + b*c'],
  ['-(x^2)', '-x^2'],
  ['(-x)^2', '(-x)^2'],
  ['a-(b-c)', 'a - (b - c)'],
  ['2^(-1)', '2^-1'],
  ['(a^b)^c', '(a^b)^c'],
  ['not (a<b)', 'not a < b'],
  ['1e3+2.0', '1000.0 + 2.0'],
  ['d=x\n\nd', 'd = x\nd'],
])('%s prints as %s', (text, wanted) => expect(printFormula(parsed(text))).toBe(wanted));

test.each([
  ['A*exp(-k_e*t)', 'A\\,e^{-k_{e}\\,t}'],
  ['a/(b + c)', '\\frac{a}{b + c}'],
  ['(a/b)^2', '\\left(\\frac{a}{b}\\right)^{2}'],
  ['exp(x)^2', '\\left(e^{x}\\right)^{2}'],
  ['2*3', '2 \\cdot 3'],
  ['(a + b)*c', '\\left(a + b\\right)\\,c'],
  ['sqrt(x)', '\\sqrt{x}'],
  // In an exponent a fraction would be too small to be read.
  ['exp(-(x - m)/s)', 'e^{-\\left(x - m\\right)/s}'],
  ['x^(a/b*c)', 'x^{\\left(a/b\\right)\\,c}'],
  ['2^(1/(a + b/c))', '2^{1/\\left(a + b/c\\right)}'],
  ['-(x - m)/s', '-\\frac{x - m}{s}'],
  ['V*S/(K + S*(1 + S/L))', '\\frac{V\\,S}{K + S\\,\\left(1 + S/L\\right)}'],
  ['log(t/m)/s/sqrt(2)', '\\frac{\\ln\\left(t/m\\right)}{s\\,\\sqrt{2}}'],
  ['a/b/(c + d)/2', '\\frac{a}{b\\,\\left(c + d\\right) \\cdot 2}'],
  ['a/(b/c)', '\\frac{a}{b/c}'],
  ['a*(-b/c)', 'a\\,\\frac{-b}{c}'],
  [
    'if(x >= 0, log(x), dose)',
    '\\begin{cases}\\ln\\left(x\\right) & \\text{if }x\\ge 0 \\\\ \\mathrm{dose} & \\text{otherwise}\\end{cases}',
  ],
])('%s typesets as %s', (text, wanted) => expect(toTex(parsed(text).result)).toBe(wanted));

test.each([
  ['b1', 'b_{1}'],
  ['k_e', 'k_{e}'],
  ['k_a1', 'k_{\\mathrm{a1}}'],
  ['alpha2', '\\alpha_{2}'],
  ['dose', '\\mathrm{dose}'],
  ['x', 'x'],
  ['_', '\\_'],
])('the name %s typesets as %s', (name, wanted) => expect(nameToTex(name)).toBe(wanted));

test('KaTeX takes whatever is typeset', () => {
  fc.assert(
    fc.property(expressions, expressions, (value, result) => {
      const tex = formulaToTex({ definitions: [{ name: 'rate_1', nameSpan: { from: 0, to: 0 }, value }], result });
      expect(() => katex.renderToString(tex, { throwOnError: true, strict: 'error' })).not.toThrow();
    }),
    { numRuns: 100 },
  );
});
