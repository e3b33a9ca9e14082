/** Formulas and texts of programs, broken in every way: compiled, or refused at a place in the text. */
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { parseProgram } from '../../engine/0-ir/parse.ts';
import { printProgram } from '../../engine/0-ir/print.ts';
import { IrError } from '../../engine/0-ir/types.ts';
import { verify } from '../../engine/0-ir/verify.ts';
import { compileFormulas } from '../../models/formula/compile.ts';
import { functionNames } from '../../models/formula/functions.ts';
import { parseFormula } from '../../models/formula/parse.ts';
import { printFormula } from '../../models/formula/print.ts';
import { fuzzBudget, fuzzTimeout, keptTexts, mutatedText } from '../support/files/mutated.ts';
import { randomProgram } from '../support/random/programs.ts';

vi.setConfig({ testTimeout: fuzzTimeout });

const formulas = [
  'A * exp(-k * t) + B',
  'x = a^2 + 1\ny = log1p(x)\nif(x > y and not (a == 1), x / y, 2^-y)',
  'polygamma(2, a) + min(a, 3) - mod(k, 2) * index / length(a)',
  '((((a))))',
  'floor(k / 2) + 1 - -1',
];
const words = [...'+-*/^()=<>!,.\n\t \0"\'#%&|~', '==', '<=', 'and', 'or', 'not', 'if', 'true', 'pi', 'inf', 'nan'];
const more = ['index', 'length(', '1e308', '1e999', '00', '2.', '.5', '0x1', '\u2212', '\u{1d465}', '\ud800'];

it('a formula is compiled, or refused in words at its characters', async () => {
  const tokens = [...words, ...more, ...functionNames, 'a', 'k', 't'];
  const texts = fc.oneof(
    mutatedText(formulas, tokens),
    fc.array(fc.constantFrom(...tokens), { maxLength: 20 }).map((parts) => parts.join(' ')),
    fc
      .tuple(fc.constantFrom('(', '-', 'not ', 'exp(', '2^', 'if(', 'a+'), fc.nat(3000))
      .map(([part, n]) => part.repeat(n) + 'a'),
  );
  const typeOf = (name: string) => (name === 'k' ? 'int' : ['a', 't', 'A', 'B'].includes(name) ? 'real' : undefined);
  await fc.assert(
    fc.asyncProperty(texts, fc.constantFrom('real', 'int', 'bool', undefined), async (text, want) => {
      await Promise.resolve();
      const result = compileFormulas([{ output: '', text, ...(want && { want }) }], typeOf);
      if (result.ok) {
        const parsed = parseFormula(text);
        if (!parsed.ok) throw new Error('it compiles, and is none');
        // What is printed means the same.
        const again = parseFormula(printFormula(parsed.formula));
        expect(again.ok && printFormula(again.formula)).toBe(printFormula(parsed.formula));
      } else
        for (const { message, from, to } of result.errors) {
          expect(message).toMatch(/\S/);
          expect(from).toBeGreaterThanOrEqual(0);
          expect(to).toBeGreaterThanOrEqual(from);
          expect(to).toBeLessThanOrEqual(text.length);
        }
    }),
    {
      examples: keptTexts('formulas').map(([text]): [string, undefined] => [text, undefined]),
      ...fuzzBudget(600, 10_000),
    },
  );
});

it('the text of a program is read, or refused with line and column', () => {
  const samples = fc.sample(randomProgram({}), { numRuns: 40, seed: 5 }).map(({ program }) => printProgram(program));
  const tokens = [
    ...'(){}[]%:,=@"',
    '-1',
    '1e999',
    'real',
    'int',
    'bool',
    'map',
    'reduce',
    'along',
    '%0',
    '%99',
    'x0',
    'yield',
    'n',
    '\n',
  ];
  fc.assert(
    fc.property(mutatedText(samples, tokens), (text) => {
      try {
        const program = parseProgram(text);
        verify(program);
      } catch (error) {
        if (!(error instanceof IrError)) throw error;
      }
    }),
    fuzzBudget(1500, 10_000),
  );
});
