/**
 * The operator on dual numbers: (a, ȧ) ⊙̇ (b, ḃ) = (a ⊙ b, ∂(a ⊙ b)/∂a·ȧ + ∂(a ⊙ b)/∂b·ḃ). It is associative where ⊙ is,
 * so reduce, scan and histogram go forward as themselves. The first operand wins ties of min and max, as it must.
 */
import { componentTypes, type Operator, withLaws } from '../../0-ir/operators.ts';
import type { Value } from '../../0-ir/program.ts';
import type { ProgramBuilder } from '../../0-ir/builder.ts';
import { realLiteral, type ScalarOperand } from '../../0-ir/scalar.ts';
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import type { Derivative } from '../rule.ts';
import { jvpFunction } from '../scalar/jvp-function.ts';

export interface DualOperator {
  /** On (components…, tangents of the moving components…). */
  readonly operator: Operator;
  /** Which components have a tangent: those that move, and those that they move. */
  readonly moving: readonly boolean[];
}

export function dualOperator(operator: Operator, moves: readonly boolean[]): DualOperator {
  const types = componentTypes(operator);
  const moving = closure(operator, moves);
  const tangents = moving.filter(Boolean).length;
  const push = jvpFunction(operator.combine, [...moving, ...moving]);
  const reals = Array.from({ length: tangents }, () => 'real' as const);
  const combine = scalarFunction([...types, ...reals, ...types, ...reals], (s, ...operands) => {
    const d = types.length;
    const left = operands.slice(0, d);
    const leftTangents = operands.slice(d, d + tangents);
    const right = operands.slice(d + tangents, 2 * d + tangents);
    const rightTangents = operands.slice(2 * d + tangents);
    const out = s.inline(push.function, [...left, ...right, ...leftTangents, ...rightTangents]);
    let next = d;
    const moved = push.active.map((active) => (active ? out[next++] : undefined));
    return [...out.slice(0, d), ...moving.flatMap((m, i): ScalarOperand[] => (m ? [moved[i] ?? realLiteral(0)] : []))];
  });
  const neutral = [...operator.neutral, ...reals.map(() => 0)];
  return {
    operator: withLaws({ ...operator, commutative: operator.commutative && isSmooth(operator) }, combine, neutral),
    moving,
  };
}

/**
 * Whether no order of operands decides a derivative. Where it does, as in min, whose first operand takes a tie, the dual
 * operator does not commute, though the operator does; and what is put together otherwise has another tie.
 */
export function isSmooth({ combine }: Operator): boolean {
  return combine.body.statements.every((statement) => statement.kind === 'apply' && !choosing.has(statement.operation));
}

const choosing: ReadonlySet<ScalarOperation> = new Set(['min', 'max', 'clamp', 'lt', 'le', 'eq', 'ne']);

/** One real component's movement may move others: repeat until nothing changes. */
function closure(operator: Operator, moves: readonly boolean[]): boolean[] {
  let moving = [...moves];
  for (;;) {
    const { active } = jvpFunction(operator.combine, [...moving, ...moving]);
    const next = moving.map((m, i) => m || Boolean(active[i]));
    if (next.every((m, i) => m === moving[i])) return moving;
    moving = next;
  }
}

/** The tangents that go with the moving components: zeros for those that do not move yet. */
export function dualInputs(b: ProgramBuilder, moving: readonly boolean[], tangents: readonly Derivative[]): Value[] {
  return moving.flatMap((m, i) => (m ? [tangents[i] ?? b.literal(0)] : []));
}

/** Splits (components…, tangents of the moving ones…). */
export function splitDual(
  values: readonly Value[],
  moving: readonly boolean[],
): { results: Value[]; tangents: Derivative[] } {
  let next = moving.length;
  return { results: values.slice(0, next), tangents: moving.map((m) => (m ? values[next++] : undefined)) };
}
