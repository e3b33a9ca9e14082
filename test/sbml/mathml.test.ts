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
