/**
 * Looks for elements that break an equation.
 */
import { componentTypes, type Operator } from '../../engine/index.ts';
import { compareSides, type Side } from './compare.ts';
import { drawer, literalsOf, type Drawer, type Element } from './draw.ts';
import type { Range } from './operator.ts';
import { showApart, showElement } from './show.ts';

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
  /** How many elements each law is tested on. */
  readonly trials?: number;
  /** Where elements come from, in place of random ones of the domain. */
  readonly elements?: (drawer: Drawer, count: number) => readonly Element[];
}

/** One equation between two sides, for the elements that are drawn. */
export interface Equation {
  readonly left: string;
  /** `a` alone reads as "and not a". */
  readonly right: string;
  /** What the elements are called; as many are drawn. */
  readonly names: readonly string[];
  /** What else a reader needs, `e = 0`. */
  readonly given?: string;
  /** Changes the elements that were drawn. */
  readonly pick?: (elements: readonly Element[]) => readonly Element[];
  readonly sides: (...elements: Element[]) => readonly [Side, Side];
  /** Whether NaN breaks the equation even where it comes of finite numbers. */
  readonly strictNaN?: boolean;
}

export interface LawTester {
  readonly drawer: Drawer;
  /** The shortest counter-example found, if any was. */
  search(equation: Equation): string | undefined;
  /** Searches, and reports what is found as a breach of the law. */
  test(law: Law, equation: Equation): void;
  refute(law: Law, text: string): void;
  warn(text: string): void;
  report(): LawReport;
}

/** Counter-examples are looked for until there are this many, and the shortest is shown. */
const enough = 12;

export function lawTester(operator: Operator, options: LawOptions): LawTester {
  const types = componentTypes(operator);
  const source = drawer(types, options.domain, marksOf(operator), options.seed ?? 0);
  const draw = options.elements ?? ((from: Drawer, count: number) => from.elements(count));
  const random = () => source.below(2 ** 20) / 2 ** 19 - 1;
  const trials = options.trials ?? trialsFor(operator);
  const counterExamples = new Map<Law, CounterExample>();
  const warnings: string[] = [];

  const search = (equation: Equation): string | undefined => {
    const found: string[] = [];
    let aside = 0;
    for (let trial = 0; trial < trials && found.length < enough; trial++) {
      const drawn = draw(source, equation.names.length);
      const elements = equation.pick?.(drawn) ?? drawn;
      const [left, right] = equation.sides(...elements);
      const comparison = compareSides(types, left, right, random, equation.strictNaN);
      if (comparison.kind === 'aside') aside++;
      if (comparison.kind === 'differ') found.push(tell(equation, elements, comparison.left, comparison.right));
    }
    if (found.length === 0 && aside > 0.75 * trials) warnings.push(untested(equation, trials - aside, trials));
    return found.sort((a, b) => a.length - b.length)[0];
  };
  const refute = (law: Law, text: string): void => {
    if (!counterExamples.has(law)) counterExamples.set(law, { law, text });
  };
  return {
    drawer: source,
    search,
    test(law, equation) {
      const text = search(equation);
      if (text !== undefined) refute(law, text);
    },
    refute,
    warn: (text) => warnings.push(text),
    report: () => ({ holds: counterExamples.size === 0, counterExamples: [...counterExamples.values()], warnings }),
  };
}

/** Every literal in the formulas, and the neutral element: where an operator is likely to change its ways. */
function marksOf({ combine, inverse, lift, neutral }: Operator): number[] {
  const lifted = lift && [lift.into, lift.back, lift.operator.combine, lift.operator.inverse];
  return [
    ...literalsOf([combine, inverse, ...(lifted ?? [])]),
    ...neutral.filter((e) => Number.isFinite(e) && e !== 0),
  ];
}

/** Fewer for an operator of many operations, so that a 5×5 matrix product is not felt while a model is edited. */
function trialsFor({ combine }: Operator): number {
  return Math.round(Math.min(400, Math.max(80, 20_000 / (1 + combine.body.statements.length))));
}

function tell(
  { left, right, names, given }: Equation,
  elements: readonly Element[],
  leftValue: Element,
  rightValue: Element,
): string {
  const [shownLeft, shownRight] = showApart(leftValue, rightValue);
  const drawn = names.map((name, i) => `${name} = ${showElement(elements[i] ?? [])}`);
  const difference = right === 'a' ? 'and not a' : `but ${right} = ${shownRight}`;
  return `${left} = ${shownLeft} ${difference} for ${[...(given ? [given] : []), ...drawn].join(', ')}`;
}

function untested({ left, right }: Equation, tested: number, trials: number): string {
  return (
    `${left} = ${right} could be tested on ${tested} of ${trials} random elements only: the others leave the range of ` +
    'numbers, and a "domain" would say which elements are meant'
  );
}
