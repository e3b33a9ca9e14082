/**
 * Tests the laws of an operator on random elements:
 *
 *     (a ⊙ b) ⊙ c = a ⊙ (b ⊙ c)      e ⊙ a = a = a ⊙ e      a ⊙ b = b ⊙ a      (a ⊙ b) ⊖ b = a
 *
 * A test can refute a law and never prove it.
 */
import { componentTypes, type Operator } from '../../engine/0-ir/operators.ts';
import { compareSides, type Side } from './compare.ts';
import { drawer, literalsOf, type Drawer, type Element } from './draw.ts';
import type { Range } from './operator.ts';
import { showApart, showElement } from './show.ts';
import { evaluateTraced, type Trace } from './trace.ts';

export type Law = 'associative' | 'commutative' | 'neutral' | 'inverse' | 'lift';

export interface CounterExample {
  readonly law: Law;
  /** `(a ⊙ b) ⊙ c = 0 but a ⊙ (b ⊙ c) = 2 for a = 1, b = 1, c = 1`. */
  readonly text: string;
}

export interface LawReport {
  readonly holds: boolean;
  /** At most one for each law. */
  readonly counterExamples: readonly CounterExample[];
  readonly warnings: readonly string[];
}

export interface LawOptions {
  readonly seed?: number;
  readonly domain?: readonly Range[] | undefined;
  /** Commutativity is tested where this is set; where it is not, if the operator claims it. */
  readonly commutative?: boolean;
  /** How many elements each law is tested on. */
  readonly trials?: number;
  /** Where elements come from, in place of random ones of the domain. */
  readonly elements?: (drawer: Drawer, count: number) => Element[];
}

/** One equation between sides, for the elements that are drawn. */
export interface Equation {
  readonly law: Law;
  readonly left: string;
  readonly right: string;
  /** What the elements are called; as many are drawn. */
  readonly names: readonly string[];
  readonly sides: (...elements: Element[]) => readonly [Side, Side];
  /** Whether NaN breaks the law even where it comes of finite numbers. */
  readonly strictNaN?: boolean;
}

export function testLaws(operator: Operator, options: LawOptions = {}): LawReport {
  const tester = lawTester(operator, options);
  const { combine } = operator;
  const e = operator.neutral;
  const join = (trace: Trace, a: Element, b: Element): Element => evaluateTraced(combine, [...a, ...b], trace);

  tester.test({
    law: 'associative',
    left: '(a ⊙ b) ⊙ c',
    right: 'a ⊙ (b ⊙ c)',
    names: ['a', 'b', 'c'],
    sides: (a = [], b = [], c = []) => [(t) => join(t, join(t, a, b), c), (t) => join(t, a, join(t, b, c))],
  });
  const neutral = { law: 'neutral' as const, right: 'a', names: ['a'] };
  tester.test({ ...neutral, left: 'e ⊙ a', sides: (a = []) => [(t) => join(t, e, a), () => a] });
  tester.test({ ...neutral, left: 'a ⊙ e', sides: (a = []) => [(t) => join(t, a, e), () => a] });
  if (options.commutative ?? operator.commutative)
    tester.test({
      law: 'commutative',
      left: 'a ⊙ b',
      right: 'b ⊙ a',
      names: ['a', 'b'],
      sides: (a = [], b = []) => [(t) => join(t, a, b), (t) => join(t, b, a)],
    });
  const { inverse } = operator;
  if (inverse)
    tester.test({
      law: 'inverse',
      left: '(a ⊙ b) ⊖ b',
      right: 'a',
      names: ['a', 'b'],
      strictNaN: true,
      sides: (a = [], b = []) => [(t) => evaluateTraced(inverse, [...join(t, a, b), ...b], t), () => a],
    });
  checkNeutralPair(tester, join({ largest: 0, strayed: false }, e, e), e);
  return tester.report();
}

function checkNeutralPair(tester: LawTester, pair: Element, e: Element): void {
  if (pair.every((value, i) => value === e[i])) return;
  tester.warn(
    `e ⊙ e = ${showElement(pair)} for the neutral element e = ${showElement(e)}; nothing combines two of them`,
  );
}

export interface LawTester {
  readonly drawer: Drawer;
  test(equation: Equation): void;
  warn(text: string): void;
  report(): LawReport;
}

/** Counter-examples are looked for until there are this many, and the shortest is shown. */
const enough = 12;

export function lawTester(operator: Operator, options: LawOptions): LawTester {
  const { combine, inverse, lift } = operator;
  const types = componentTypes(operator);
  const literals = [
    ...literalsOf([combine, inverse, lift?.into, lift?.back, lift?.operator.combine, lift?.operator.inverse]),
    ...operator.neutral.filter((value) => Number.isFinite(value) && value !== 0),
  ];
  const source = drawer(types, options.domain, literals, options.seed ?? 0);
  const draw = options.elements ?? ((from: Drawer, count: number) => from.elements(count));
  const random = () => source.below(2 ** 20) / 2 ** 19 - 1;
  const trials = options.trials ?? 400;
  const counterExamples = new Map<Law, CounterExample>();
  const warnings: string[] = [];

  const test = (equation: Equation): void => {
    const found: string[] = [];
    let aside = 0;
    for (let trial = 0; trial < trials && found.length < enough; trial++) {
      const elements = draw(source, equation.names.length);
      const [left, right] = equation.sides(...elements);
      const comparison = compareSides(types, left, right, random, equation.strictNaN);
      if (comparison.kind === 'aside') aside++;
      if (comparison.kind === 'differ')
        found.push(tell(equation, elements, comparison.left, comparison.right, operator.neutral));
    }
    const text = found.sort((a, b) => a.length - b.length)[0];
    if (text !== undefined && !counterExamples.has(equation.law))
      counterExamples.set(equation.law, { law: equation.law, text });
    if (text === undefined && aside > 0.75 * trials)
      warnings.push(
        `${equation.left} = ${equation.right} could be tested on ${trials - aside} of ${trials} random elements alone: ` +
          'the others leave the range of numbers, and a "domain" would say which are meant',
      );
  };
  return {
    drawer: source,
    test,
    warn: (text) => warnings.push(text),
    report: () => ({ holds: counterExamples.size === 0, counterExamples: [...counterExamples.values()], warnings }),
  };
}

function tell(
  { left, right, names, law }: Equation,
  elements: readonly Element[],
  l: Element,
  r: Element,
  e: Element,
): string {
  const [shownLeft, shownRight] = showApart(l, r);
  const given = names.map((name, i) => `${name} = ${showElement(elements[i] ?? [])}`);
  if (law === 'neutral') given.unshift(`e = ${showElement(e)}`);
  const wanted =
    right === 'a' ? `${left} = ${shownLeft} and not a` : `${left} = ${shownLeft} but ${right} = ${shownRight}`;
  return `${wanted} for ${given.join(', ')}`;
}
