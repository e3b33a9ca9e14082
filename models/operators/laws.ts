/**
 * Tests the laws of an operator on random elements:
 *
 *     (a ⊙ b) ⊙ c = a ⊙ (b ⊙ c)      e ⊙ a = a = a ⊙ e      a ⊙ b = b ⊙ a      (a ⊙ b) ⊖ b = a
 *
 * A test can refute a law and never prove it.
 */
import type { Operator } from '../../engine/index.ts';
import type { Element } from './draw.ts';
import { lawTester, type LawOptions, type LawReport, type LawTester } from './law-tester.ts';
import { showElement } from './show.ts';
import { evaluateTraced, type Trace } from './trace.ts';

type Join = (trace: Trace, a: Element, b: Element) => Element;

/** Commutativity is tested where the operator claims it, the inverse where it has one; a lift in lift.ts. */
export function testLaws(operator: Operator, options: LawOptions = {}): LawReport {
  const tester = lawTester(operator, options);
  const { combine, inverse } = operator;
  const join: Join = (trace, a, b) => evaluateTraced(combine, [...a, ...b], trace);
  tester.test('associative', {
    left: '(a ⊙ b) ⊙ c',
    right: 'a ⊙ (b ⊙ c)',
    names: ['a', 'b', 'c'],
    sides: (a = [], b = [], c = []) => [(t) => join(t, join(t, a, b), c), (t) => join(t, a, join(t, b, c))],
  });
  testNeutral(tester, join, operator.neutral);
  if (operator.commutative)
    tester.test('commutative', {
      left: 'a ⊙ b',
      right: 'b ⊙ a',
      names: ['a', 'b'],
      sides: (a = [], b = []) => [(t) => join(t, a, b), (t) => join(t, b, a)],
    });
  if (inverse)
    tester.test('inverse', {
      left: '(a ⊙ b) ⊖ b',
      right: 'a',
      names: ['a', 'b'],
      strictNaN: true,
      sides: (a = [], b = []) => [(t) => evaluateTraced(inverse, [...join(t, a, b), ...b], t), () => a],
    });
  return tester.report();
}

/**
 * e must leave alone what ⊙ gives. An element that ⊙ never gives, as 101 where addition saturates at 100, it may change:
 * that is worth a warning, and so is an e ⊙ e that is not e, since nothing combines two neutral elements.
 */
function testNeutral(tester: LawTester, join: Join, e: Element): void {
  const given = `e = ${showElement(e)}`;
  const onElement = { right: 'a', names: ['a'], given };
  const element =
    tester.search({ ...onElement, left: 'e ⊙ a', sides: (a = []) => [(t) => join(t, e, a), () => a] }) ??
    tester.search({ ...onElement, left: 'a ⊙ e', sides: (a = []) => [(t) => join(t, a, e), () => a] });
  const onResult = { right: 'a ⊙ b', names: ['a', 'b'], given };
  const result =
    tester.search({
      ...onResult,
      left: 'e ⊙ (a ⊙ b)',
      sides: (a = [], b = []) => [(t) => join(t, e, join(t, a, b)), (t) => join(t, a, b)],
    }) ??
    tester.search({
      ...onResult,
      left: '(a ⊙ b) ⊙ e',
      sides: (a = [], b = []) => [(t) => join(t, join(t, a, b), e), (t) => join(t, a, b)],
    });
  if (result !== undefined) return tester.refute('neutral', element ?? result);
  if (element !== undefined) tester.warn(`${element}: the neutral element changes what ⊙ itself never gives`);
  const pair = join({ largest: 0, strayed: false }, e, e);
  if (pair.some((value, i) => value !== e[i]))
    tester.warn(`e ⊙ e = ${showElement(pair)} for ${given}: nothing combines two neutral elements`);
}
