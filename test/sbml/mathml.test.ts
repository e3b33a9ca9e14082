/** MathML as programs write it, against the formula that it is. */
import { expect, it } from 'vitest';
import { printExpression } from '../../models/formula/print.ts';
import { asTruth } from '../../models/sbml/coerce.ts';
import { readMath } from '../../models/sbml/mathml.ts';
import { parseXml } from '../../models/sbml/xml.ts';

it('an application of nothing to an application is a pair of brackets', () => {
  const product = '<apply><times/><ci>a</ci><ci>b</ci></apply>';
  const math = parseXml(`<math><apply><divide/><apply>${product}</apply><ci>c</ci></apply></math>`);
  const found = readMath(math, 'a rate');
  expect(found && printExpression(found)).toBe('$a*$b/$c');
});

it('numbers that are one or the other are truth values first: 1 xor 2 is false', () => {
  const math = parseXml('<math><apply><xor/><ci>a</ci><ci>b</ci></apply></math>');
  const found = readMath(math, 'a condition');
  expect(found && printExpression(asTruth(found))).toBe('($a != 0) != ($b != 0)');
});

it.each([
  ['<cn base="16">10</cn>', 'has a <cn> to the base 16, which is not read'],
  ['<cn>0x10</cn>', 'has a <cn> that is no number, "0x10"'],
  ['<cn>Infinity</cn>', 'has a <cn> that is no number, "Infinity"'],
  ['<cn type="e-notation">1<sep/>0x2</cn>', 'has a <cn> that is no number, "0x2"'],
  ['<cn type="e-notation">2<sep/>1.5</cn>', 'has a <cn> that is no number, "1.5"'],
  ['<cn type="integer">1.5</cn>', 'has a <cn> that is no whole number, "1.5"'],
  ['<cn type="rational">3<sep/>2.5</cn>', 'has a <cn> that is no whole number, "2.5"'],
  ['<cn> </cn>', 'has a <cn> that is no number, ""'],
  ['<apply><log/><degree><cn>2</cn></degree><cn>100</cn></apply>', 'gives <log> a <degree>, which it does not have'],
  ['<apply><ln/><logbase><cn>10</cn></logbase><cn>100</cn></apply>', 'gives <ln> a <logbase>, which it does not have'],
  [
    '<apply><root/><degree><cn>2</cn></degree><degree><cn>3</cn></degree><cn>9</cn></apply>',
    'gives <root> a <degree>, which it does not have',
  ],
  ['<cn>1</cn><cn>2</cn>', 'has a <cn> beside its <cn> in <math>'],
])('what MathML does not say is refused: %s', (content, why) => {
  expect(() => readMath(parseXml(`<math>${content}</math>`), 'a rate')).toThrow(`a rate ${why}`);
});

it.each([
  ['<cn> -1.5E-3 </cn>', '-0.0015'],
  ['<cn type="integer">+7</cn>', '7'],
  ['<cn>.5</cn>', '0.5'],
  ['<cn>5.</cn>', '5'],
  ['<cn type="e-notation">2<sep/>-3</cn>', '0.002'],
  ['<apply><log/><logbase><cn>2</cn></logbase><ci>x</ci></apply>', 'log2($x)'],
])('%s is %s', (content, wanted) => {
  const found = readMath(parseXml(`<math>${content}</math>`), 'a rate');
  expect(found && printExpression(found)).toBe(wanted);
});
