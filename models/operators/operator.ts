/**
 * From an operator as a document writes it to the engine's. Its laws are not tested here: see load.ts.
 */
import {
  builtinOperator,
  type BuiltinOperator,
  componentTypes,
  type ElementType,
  type Operator,
  resultTypes,
} from '../../engine/index.ts';
import { toNumber } from '../notation/numbers.ts';
import { OperatorFault, type OperatorError } from './fault.ts';
import { canBe, operatorFunction } from './function.ts';
import type { DocumentOperator, WrittenLift, WrittenOperator } from './schema.ts';
import { checkShape } from './shape.ts';

/** The interval of one component on which the laws are meant. */
export type Range = readonly [low: number, high: number];

export interface ReadOperator {
  /**
   * `commutative` is what the document claims, false where it is silent. A component may be real where its values are
   * int (an operator that divides): those values are to be converted.
   */
  readonly operator: Operator;
  readonly domain?: readonly Range[];
}

export type ReadResult =
  ({ readonly ok: true } & ReadOperator) | { readonly ok: false; readonly errors: readonly OperatorError[] };

/** `elements`: the types of the block's `values`, one for each component. */
export function readOperator(document: DocumentOperator, elements: readonly ElementType[]): ReadResult {
  try {
    const read = typeof document === 'string' ? readBuiltin(document, elements) : readWritten(document, elements, '');
    return { ok: true, ...read };
  } catch (fault) {
    if (fault instanceof OperatorFault) return { ok: false, errors: [fault.error] };
    throw fault;
  }
}

function readBuiltin(name: BuiltinOperator, elements: readonly ElementType[]): ReadOperator {
  const [element, ...more] = elements;
  if (element === undefined || more.length > 0)
    throw new OperatorFault(`"${name}" acts on one array of values, and "values" has ${elements.length}`, '');
  if (element === 'bool') throw new OperatorFault(`"${name}" acts on numbers, and the values are bool`, '');
  return { operator: builtinOperator(name, name === 'logaddexp' ? 'real' : element) };
}

/** `place` is where the operator stands in the document's: empty, or `lift.operator.`. */
function readWritten(document: WrittenOperator, elements: readonly ElementType[], place: string): ReadOperator {
  checkShape(document, elements.length, place);
  const neutral = document.neutral.map(toNumber);
  const types = settledTypes(document, elements, neutral);
  checkNeutral(types, neutral, place);
  const both = { names: [...document.left, ...document.right], types: [...types, ...types] };
  const combine = operatorFunction(both, document.result, types, `${place}result`);
  const inverse = document.inverse && operatorFunction(both, document.inverse, types, `${place}inverse`);
  const lift = document.lift && readLift(document.left, document.lift, types, place);
  const commutative = document.commutative ?? (inverse !== undefined || lift !== undefined);
  const domain = document.domain?.map(([low, high]): Range => [toNumber(low), toNumber(high)]);
  const isConfined = domain?.some((range) => range.some(Number.isFinite)) === true;
  return {
    operator: {
      ...{ combine, neutral, commutative },
      ...(isConfined && { confined: true }),
      ...(inverse && { inverse }),
      ...(lift && { lift }),
    },
    ...(domain && { domain }),
  };
}

/** A component of int values becomes real where its result or its neutral element is no int. */
function settledTypes(
  { left, right, result }: WrittenOperator,
  elements: readonly ElementType[],
  neutral: readonly number[],
): readonly ElementType[] {
  const names = [...left, ...right];
  let types = elements;
  for (;;) {
    const both = { names, types: [...types, ...types] };
    const next = types.map((type, i): ElementType => {
      if (type !== 'int') return type;
      return isInt(neutral[i]) && canBe(both, result[i] ?? '', 'int') ? 'int' : 'real';
    });
    if (next.every((type, i) => type === types[i])) return types;
    types = next;
  }
}

function isInt(value: number | undefined): boolean {
  return value === ((value ?? 0) | 0);
}

function checkNeutral(types: readonly ElementType[], neutral: readonly number[], place: string): void {
  for (const [i, type] of types.entries())
    if (type === 'bool' && neutral[i] !== 0 && neutral[i] !== 1)
      throw new OperatorFault(
        `component ${i} is bool: its neutral element is 0 or 1, got ${neutral[i]}`,
        `${place}neutral[${i}]`,
      );
}

function readLift(
  left: readonly string[],
  lift: WrittenLift,
  types: readonly ElementType[],
  place: string,
): Operator['lift'] {
  const count = lift.operator.left.length;
  for (const [key, list, wanted] of [
    ['into', lift.into, count],
    ['back', lift.back, types.length],
  ] as const)
    if (list.length !== wanted)
      throw new OperatorFault(
        `"${key}" of the lift wants a formula for each of ${wanted} components, got ${list.length}`,
        `${place}lift.${key}`,
      );
  const arguments_ = { names: left, types };
  const wants = resultTypes(operatorFunction(arguments_, lift.into, [], `${place}lift.into`));
  const { operator } = readWritten(lift.operator, wants, `${place}lift.operator.`);
  const lifted = componentTypes(operator);
  return {
    into: operatorFunction(arguments_, lift.into, lifted, `${place}lift.into`),
    operator,
    back: operatorFunction({ names: lift.operator.left, types: lifted }, lift.back, types, `${place}lift.back`),
  };
}
