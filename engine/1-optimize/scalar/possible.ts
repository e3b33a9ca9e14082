/**
 * What the results of a scalar function can be, whatever its arguments: reals in seven classes, which any rounding and
 * any flushing of subnormals respects. Never less than what is possible, so what is a single value here is that value.
 */
import type { ScalarBlock, ScalarFunction, ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import type { ElementType } from '../../0-ir/types.ts';
import { fold } from './fold.ts';

/** Bits of a set of classes; a bool is one of the two zeros-and-ones below, an int nothing but a number or any. */
const NaNs = 1;
const minusInfinity = 2;
const negative = 4;
const minusZero = 8;
const plusZero = 16;
const positive = 32;
const plusInfinity = 64;

const allReals = 127;
const zeros = minusZero | plusZero;
const finite = negative | zeros | positive;

/** One number, or a set of classes (bool: 1 for false, 2 for true; int: anything). */
export type Possible = { readonly value: number } | { readonly classes: number };

const isFalse = 1;
const isTrue = 2;

export function anything(type: ElementType): Possible {
  return { classes: type === 'bool' ? isFalse | isTrue : allReals };
}

/** What each result can be. */
export function possibleResults(fn: ScalarFunction, parameters: readonly Possible[]): Possible[] {
  const known: Known = new Map(fn.parameters.map(({ id }, i) => [id, parameters[i]!]));
  return blockResults(fn.body, known, new Map());
}

type Known = Map<number, Possible>;

/** What a condition says: of which variable, in which of the two cases, which classes are left. */
interface Test {
  readonly id: number;
  readonly classes: number;
}

function blockResults(block: ScalarBlock, known: Known, tests: Map<number, Test>): Possible[] {
  const of = (operand: ScalarOperand): Possible =>
    operand.kind === 'literal' ? { value: operand.value } : (known.get(operand.id) ?? anything(operand.type));
  for (const statement of block.statements) {
    if (statement.kind === 'apply') {
      const { operation, operands, result } = statement;
      const test = testOf(operation, operands);
      if (test) tests.set(result.id, test);
      known.set(result.id, applied(operation, operands, operands.map(of), result.type));
      continue;
    }
    const condition = classesOf(of(statement.condition), 'bool');
    const test = statement.condition.kind === 'variable' ? tests.get(statement.condition.id) : undefined;
    const sides: Possible[][] = [];
    if (condition & isTrue) sides.push(blockResults(statement.then, narrowed(known, test, true), new Map(tests)));
    if (condition & isFalse) sides.push(blockResults(statement.else, narrowed(known, test, false), new Map(tests)));
    statement.results.forEach(({ id, type }, i) =>
      known.set(
        id,
        sides.map((side) => side[i]!).reduce((a, b) => either(a, b, type)),
      ),
    );
  }
  return block.results.map(of);
}

function testOf(operation: ScalarOperation, [x, y]: readonly ScalarOperand[]): Test | undefined {
  if (operation === 'isnan' && x?.kind === 'variable') return { id: x.id, classes: NaNs };
  const [variable, other] = x?.kind === 'variable' ? [x, y] : [y, x];
  const isZero = other?.kind === 'literal' && other.value === 0;
  return operation === 'eq' && variable?.kind === 'variable' && variable.type === 'real' && isZero
    ? { id: variable.id, classes: zeros }
    : undefined;
}

function narrowed(known: Known, test: Test | undefined, holds: boolean): Known {
  const before = test && known.get(test.id);
  if (!test || !before) return new Map(known);
  const left = classesOf(before, 'real') & (holds ? test.classes : ~test.classes);
  // Nothing is left where the other branch is taken; what is said of this one then does not matter.
  return new Map(known).set(test.id, left === 0 || 'value' in before ? before : { classes: left });
}

function either(a: Possible, b: Possible, type: ElementType): Possible {
  if ('value' in a && 'value' in b && Object.is(a.value, b.value)) return a;
  return type === 'int' ? anything(type) : { classes: classesOf(a, type) | classesOf(b, type) };
}

function applied(
  operation: ScalarOperation,
  operands: readonly ScalarOperand[],
  given: readonly Possible[],
  type: ElementType,
): Possible {
  const literals = operands.map((operand, i): ScalarOperand => {
    const possible = given[i]!;
    const value = certainValue(possible, operand.type);
    return value === undefined ? operand : { kind: 'literal', type: operand.type, value };
  });
  const folded = fold(operation, literals);
  if (folded) return { value: folded.value };
  const classes = operands.map((operand, i) => classesOf(given[i]!, operand.type));
  const [x = 0, y = 0] = classes;
  if (operands.some((operand) => operand.type === 'int')) return anything(type);
  switch (operation) {
    case 'isnan':
      return { classes: (x & NaNs ? isTrue : 0) | (x & ~NaNs ? isFalse : 0) };
    case 'and':
      return { classes: (x & y & isTrue) | ((x | y) & isFalse) };
    case 'or':
      return { classes: (x & y & isFalse) | ((x | y) & isTrue) };
    case 'not':
      return { classes: (x & isTrue ? isFalse : 0) | (x & isFalse ? isTrue : 0) };
    case 'eq':
    case 'ne': {
      const apart = operands[0]?.type === 'real' && !overlap(x, y);
      return apart ? { classes: operation === 'eq' ? isFalse : isTrue } : anything('bool');
    }
    case 'neg':
      return { classes: mirrored(x) };
    case 'abs':
      return { classes: (x | mirrored(x)) & ~(minusInfinity | negative | minusZero) };
    case 'add':
      return { classes: pairs(x, y, sum) };
    case 'sub':
      return { classes: pairs(x, mirrored(y), sum) };
    case 'mul':
      return { classes: pairs(x, y, product) };
    case 'exp':
    case 'exp2':
      return { classes: (x & NaNs) | (x & ~NaNs ? plusZero | positive | plusInfinity : 0) };
    case 'logistic':
      return { classes: (x & NaNs) | (x & ~NaNs ? plusZero | positive : 0) };
    case 'sin':
    case 'cos':
      return { classes: (x & (NaNs | minusInfinity | plusInfinity) ? NaNs : 0) | (x & finite ? finite : 0) };
    case 'detach':
      return { classes: x };
    default:
      return anything(type);
  }
}

/** The number that it is in any case; undefined where it can be several. */
export function certainValue(possible: Possible, type: ElementType): number | undefined {
  if ('value' in possible) return possible.value;
  if (type === 'bool') return possible.classes === isTrue ? 1 : possible.classes === isFalse ? 0 : undefined;
  if (type === 'int') return undefined;
  return single.get(possible.classes);
}

const single = new Map([
  [NaNs, NaN],
  [minusInfinity, -Infinity],
  [minusZero, -0],
  [plusZero, 0],
  [plusInfinity, Infinity],
]);

/** Whether a number is among them. */
export function includes(possible: Possible, value: number, type: ElementType): boolean {
  if ('value' in possible) return Object.is(possible.value, value);
  return type === 'int' || (possible.classes & classesOf({ value }, type)) !== 0;
}

function classesOf(possible: Possible, type: ElementType): number {
  if ('classes' in possible) return possible.classes;
  const { value } = possible;
  if (type === 'bool') return value === 0 ? isFalse : isTrue;
  if (Number.isNaN(value)) return NaNs;
  if (value === 0) return Object.is(value, -0) ? minusZero : plusZero;
  // In f32 a number may be infinite or nothing, whatever it is here.
  if (value > 0) return value === Infinity ? plusInfinity : plusZero | positive | plusInfinity;
  return value === -Infinity ? minusInfinity : minusZero | negative | minusInfinity;
}

function overlap(x: number, y: number): boolean {
  const loose = (set: number): number => (set & zeros ? set | zeros : set) & ~NaNs;
  return (loose(x) & loose(y)) !== 0;
}

const realClasses = [NaNs, minusInfinity, negative, minusZero, plusZero, positive, plusInfinity] as const;

function pairs(x: number, y: number, combine: (a: number, b: number) => number): number {
  let found = 0;
  for (const a of realClasses) if (x & a) for (const b of realClasses) if (y & b) found |= combine(a, b);
  return found;
}

function mirrored(set: number): number {
  return realClasses.reduce((found, from, i) => {
    const to = from === NaNs ? NaNs : (realClasses[realClasses.length - i] as number);
    return found | (set & from ? to : 0);
  }, 0);
}

const infinities = minusInfinity | plusInfinity;
const below = minusInfinity | negative | minusZero;

function sum(a: number, b: number): number {
  if ((a | b) & NaNs) return NaNs;
  if (a & infinities && b & infinities) return a === b ? a : NaNs;
  if (a & infinities) return a;
  if (b & infinities) return b;
  if (a & zeros && b & zeros) return a === b ? a : plusZero;
  if (a & zeros) return b;
  if (b & zeros) return a;
  if (a !== b) return finite;
  return a === positive ? plusZero | positive | plusInfinity : minusZero | negative | minusInfinity;
}

function product(a: number, b: number): number {
  if ((a | b) & NaNs) return NaNs;
  const [isNothing, isInfinite] = [(a | b) & zeros, (a | b) & infinities];
  if (isNothing && isInfinite) return NaNs;
  const isBelow = ((a & below) !== 0) !== ((b & below) !== 0);
  if (isNothing) return isBelow ? minusZero : plusZero;
  if (isInfinite) return isBelow ? minusInfinity : plusInfinity;
  return isBelow ? minusZero | negative | minusInfinity : plusZero | positive | plusInfinity;
}
