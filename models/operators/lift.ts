/**
 * Tests a lift: an operator ⊗ that carries more than ⊙ and so has an inverse ⊖ (paper, section 3.3).
 *
 *     back(into(a)) = a      back(into(a) ⊗ into(b)) = a ⊙ b      (x ⊗ y) ⊖ y = x for what `into` and ⊗ give
 *
 * and what it is for, the adjoint of an element a among others, l before it and r after it: the tangent of
 * back((total ⊖ into(a)) ⊗ into(a)) must be that of l ⊙ a ⊙ r, at repeated, zero and neutral elements too. The paper's
 * lift of × differs at zeros: its branches are constant there and lose the gradient.
 */
import {
  componentTypes,
  jvpFunction,
  type Operator,
  realLiteral,
  type ScalarBuilder,
  scalarFunction,
  type ScalarFunction,
  type ScalarOperand,
} from '../../engine/index.ts';
import type { Drawer, Element } from './draw.ts';
import { lawTester, type LawOptions, type LawReport, type LawTester } from './law-tester.ts';
import { testLaws } from './laws.ts';
import { evaluateTraced, type Trace } from './trace.ts';

type Lift = NonNullable<Operator['lift']>;

export function testLift(operator: Operator, lift: Lift, options: LawOptions = {}): LawReport {
  const { into, back } = lift;
  const tester = lawTester(operator, options);
  const join = (t: Trace, a: Element, b: Element): Element => evaluateTraced(operator.combine, [...a, ...b], t);
  const joinLifted = (t: Trace, a: Element, b: Element): Element =>
    evaluateTraced(lift.operator.combine, [...a, ...b], t);
  tester.test('lift', {
    left: 'back(into(a))',
    right: 'a',
    names: ['a'],
    strictNaN: true,
    sides: (a = []) => [(t) => evaluateTraced(back, evaluateTraced(into, a, t), t), () => a],
  });
  tester.test('lift', {
    left: 'back(into(a) ⊗ into(b))',
    right: 'a ⊙ b',
    names: ['a', 'b'],
    sides: (a = [], b = []) => [
      (t) => evaluateTraced(back, joinLifted(t, evaluateTraced(into, a, t), evaluateTraced(into, b, t)), t),
      (t) => join(t, a, b),
    ],
  });
  if (tester.report().holds) testTangents(operator, lift, options, tester);
  return merged(tester.report(), liftedLaws(operator, lift, options));
}

/** The laws of ⊗ hold on what it is given: elements that come from `into`, and their products. */
function liftedLaws(operator: Operator, lift: Lift, options: LawOptions): LawReport {
  const source = lawTester(operator, options).drawer;
  const quiet = (): Trace => ({ largest: 0, strayed: false });
  const lifted = (a: Element): Element => evaluateTraced(lift.into, a, quiet());
  const elements = (drawer: Drawer, count: number): Element[] =>
    source.elements(2 * count).flatMap((a, i, drawn) => {
      if (i >= count) return [];
      const other = drawn[count + i];
      if (!other || drawer.below(2) === 0) return [lifted(a)];
      return [evaluateTraced(lift.operator.combine, [...lifted(a), ...lifted(other)], quiet())];
    });
  const report = testLaws(lift.operator, { ...options, domain: undefined, elements });
  return {
    ...report,
    counterExamples: report.counterExamples.map(({ law, text }) => ({ law, text: `of the lifted operator, ${text}` })),
    warnings: report.warnings.map((text) => `of the lifted operator, ${text}`),
  };
}

function testTangents(operator: Operator, lift: Lift, options: LawOptions, tester: LawTester): void {
  const general = generalTangent(operator);
  const byLift = liftedTangent(operator, lift);
  const e = operator.neutral;
  const edges = [e, e.map(() => 0)].filter((element) => inside(element, options));
  // Neutral and zero elements in every place, beside random ones: 0 · 0 · a is where a lift of × goes wrong.
  const pick = (a: Element): Element => edges[tester.drawer.below(8)] ?? a;
  tester.test('lift', {
    left: 'the derivative of l ⊙ a ⊙ r along v by the lift',
    right: 'by the general rule',
    names: ['l', 'a', 'r', 'v'],
    strictNaN: true,
    pick: ([l = [], a = [], r = [], v = []]) => [pick(l), pick(a), pick(r), v],
    sides: (...elements) => [
      (trace) => evaluateTraced(byLift, elements.flat(), trace),
      (trace) => evaluateTraced(general, elements.flat(), trace),
    ],
  });
}

function inside(element: Element, { domain }: LawOptions): boolean {
  return element.every((value, i) => {
    const [low, high] = domain?.[i] ?? [-Infinity, Infinity];
    return Number.isFinite(value) && value >= low && value <= high;
  });
}

/** (l, a, r, v) ↦ the tangent of l ⊙ a ⊙ r where a moves along v. */
function generalTangent(operator: Operator): ScalarFunction {
  const types = componentTypes(operator);
  const d = types.length;
  return scalarFunction([...types, ...types, ...types, ...types], (b, ...operands) => {
    const [l, a, r, v] = quarters(operands, d);
    const combined = scalarFunction([...types, ...types, ...types], (c, ...inner) =>
      c.inline(operator.combine, [...c.inline(operator.combine, inner.slice(0, 2 * d)), ...inner.slice(2 * d)]),
    );
    return tangent(b, combined, [l, a, r], 1, v);
  });
}

/** (l, a, r, v) ↦ the tangent of back(rest ⊗ into(a)) where a moves along v and rest = total ⊖ into(a) stays. */
function liftedTangent(operator: Operator, { into, operator: lifted, back }: Lift): ScalarFunction {
  const types = componentTypes(operator);
  const d = types.length;
  const { combine, inverse } = lifted;
  if (!inverse) throw new Error('a lifted operator without its inverse');
  const restored = scalarFunction([...componentTypes(lifted), ...types], (c, ...inner) => {
    const rest = inner.slice(0, inner.length - d);
    return c.inline(back, c.inline(combine, [...rest, ...c.inline(into, inner.slice(inner.length - d))]));
  });
  return scalarFunction([...types, ...types, ...types, ...types], (b, ...operands) => {
    const [l, a, r, v] = quarters(operands, d);
    const [intoL, intoA, intoR] = [b.inline(into, l), b.inline(into, a), b.inline(into, r)];
    const total = b.inline(combine, [...b.inline(combine, [...intoL, ...intoA]), ...intoR]);
    const rest = b.inline(inverse, [...total, ...intoA]);
    return tangent(b, restored, [rest, a], 1, v);
  });
}

type Operands = readonly ScalarOperand[];

function quarters(operands: Operands, d: number): [Operands, Operands, Operands, Operands] {
  return [operands.slice(0, d), operands.slice(d, 2 * d), operands.slice(2 * d, 3 * d), operands.slice(3 * d)];
}

/** The results' tangents, where the real operands of `groups[moving]` move along `v`; 0 for those that stay. */
function tangent(
  b: ScalarBuilder,
  fn: ScalarFunction,
  groups: readonly Operands[],
  moving: number,
  v: Operands,
): ScalarOperand[] {
  const active = groups.flatMap((group, i) => group.map((operand) => i === moving && operand.type === 'real'));
  const along = v.filter((operand) => operand.type === 'real');
  const jvp = jvpFunction(fn, active);
  const tangents = b.inline(jvp.function, [...groups.flat(), ...along]).slice(fn.body.results.length);
  let next = 0;
  return jvp.active.map((moves) => (moves ? (tangents[next++] ?? realLiteral(NaN)) : realLiteral(0)));
}

function merged(...reports: readonly LawReport[]): LawReport {
  return {
    holds: reports.every((report) => report.holds),
    counterExamples: reports.flatMap((report) => report.counterExamples),
    warnings: reports.flatMap((report) => report.warnings),
  };
}
