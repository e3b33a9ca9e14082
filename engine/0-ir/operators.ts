/**
 * The operator ⊙ of reduce, scan and histogram: a function of two d-tuples with a neutral element.
 */
import type { ScalarFunction, ScalarOperand } from './scalar.ts';
import { scalarFunction, type ScalarBuilder } from './scalar-builder.ts';
import type { ScalarOperation } from './scalar-operations.ts';
import type { ElementType } from './types.ts';

export interface Operator {
  /** (left₀ … left_{d-1}, right₀ … right_{d-1}) ↦ (result₀ … result_{d-1}), associative, without free variables. */
  readonly combine: ScalarFunction;
  /**
   * The neutral element, one number for each component. It is what an empty reduction gives; chunks, lanes and bins
   * that are empty are skipped, so two neutral elements are never combined.
   */
  readonly neutral: readonly number[];
  readonly commutative: boolean;
  /** Its laws hold only within a domain that has an edge: it may not be put together otherwise beyond it, as derivatives there do. */
  readonly confined?: true;
  /** (total, element) ↦ total with the element taken out (paper, section 3.3). */
  readonly inverse?: ScalarFunction;
  /** Conversions into and out of an operator that is invertible because it carries more (paper, section 3.3). */
  readonly lift?: { readonly into: ScalarFunction; readonly operator: Operator; readonly back: ScalarFunction };
}

export const builtinOperators = {
  add: { operation: 'add', neutral: 0 },
  multiply: { operation: 'mul', neutral: 1 },
  min: { operation: 'min', neutral: Infinity },
  max: { operation: 'max', neutral: -Infinity },
  logaddexp: { operation: 'logaddexp', neutral: -Infinity },
} as const satisfies Record<string, { operation: ScalarOperation; neutral: number }>;

export type BuiltinOperator = keyof typeof builtinOperators;

const intLimits = { min: 2147483647, max: -2147483648 } as const;

/** One of the operators with a name, on one component of the given type. */
export function builtinOperator(name: BuiltinOperator, element: ElementType = 'real'): Operator {
  const { operation, neutral } = builtinOperators[name];
  const limit = element === 'int' && (name === 'min' || name === 'max') ? intLimits[name] : neutral;
  return {
    combine: scalarFunction([element, element], (b, left, right) => [b.apply(operation, left, right)]),
    neutral: [limit],
    commutative: true,
  };
}

/** The built-in that an operator is, recognised by its code, so that a model's own `a + b` is one too. */
export function recognise(operator: Operator): BuiltinOperator | undefined {
  const { parameters, body } = operator.combine;
  const [statement] = body.statements;
  const [left, right] = parameters;
  if (parameters.length !== 2 || body.statements.length !== 1 || statement?.kind !== 'apply') return undefined;
  if (left?.type === 'bool' || !isVariable(body.results[0], statement.result.id)) return undefined;
  const [a, b] = statement.operands;
  const straight = isVariable(a, left?.id) && isVariable(b, right?.id);
  const swapped = isVariable(a, right?.id) && isVariable(b, left?.id);
  // min and max take the first operand on ties, so the order of theirs is part of what they mean.
  const ordered = statement.operation === 'min' || statement.operation === 'max';
  if (!straight && !(swapped && !ordered)) return undefined;
  for (const name of Object.keys(builtinOperators) as BuiltinOperator[])
    if (builtinOperators[name].operation === statement.operation) return name;
  return undefined;
}

function isVariable(operand: ScalarOperand | undefined, id: number | undefined): boolean {
  return operand?.kind === 'variable' && operand.id === id;
}

/** d, the number of components. */
export function arity(operator: Operator): number {
  return operator.neutral.length;
}

export function componentTypes(operator: Operator): ElementType[] {
  return operator.combine.parameters.slice(0, arity(operator)).map((parameter) => parameter.type);
}

/** left ⊙ right, written into a function under construction. */
export function combine(
  builder: ScalarBuilder,
  operator: Operator,
  left: readonly ScalarOperand[],
  right: readonly ScalarOperand[],
): ScalarOperand[] {
  return builder.inline(operator.combine, [...left, ...right]);
}

/** With the laws of `from`, of which it does a part. */
export function withLaws(from: Operator, combine: ScalarFunction, neutral: readonly number[]): Operator {
  return { combine, neutral, commutative: from.commutative, ...(from.confined && { confined: true }) };
}

/** right ⊙ left, for a scan that runs from the end. */
export function flipped(operator: Operator): Operator {
  const types = componentTypes(operator);
  const flippedCombine = scalarFunction([...types, ...types], (b, ...operands) =>
    combine(b, operator, operands.slice(types.length), operands.slice(0, types.length)),
  );
  return withLaws(operator, flippedCombine, operator.neutral);
}

/** Several operators side by side on the tuple of all their components (horizontal fusion, dual numbers). */
export function productOperator(operators: readonly Operator[]): Operator {
  const types = operators.flatMap(componentTypes);
  const combineAll = scalarFunction([...types, ...types], (b, ...operands) => {
    let at = 0;
    return operators.flatMap((operator) => {
      const d = arity(operator);
      const results = combine(
        b,
        operator,
        operands.slice(at, at + d),
        operands.slice(types.length + at, types.length + at + d),
      );
      at += d;
      return results;
    });
  });
  return {
    combine: combineAll,
    neutral: operators.flatMap((operator) => operator.neutral),
    commutative: operators.every((operator) => operator.commutative),
    ...(operators.some((operator) => operator.confined) && { confined: true }),
  };
}
