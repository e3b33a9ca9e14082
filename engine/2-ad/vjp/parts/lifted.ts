/**
 * op(⊙, as) = f< (op(⊙ᴸ, map f> as)), op a reduce or a histogram: what an operator that is invertible only because it
 * carries more becomes before it is differentiated. Paper, section 3.3, equation "enabling-inv".
 */
import { ProgramBuilder } from '../../../0-ir/builder.ts';
import { mapOperands, operandsOf } from '../../../0-ir/operands.ts';
import { componentTypes, type Operator } from '../../../0-ir/operators.ts';
import type { Program, ReduceConstruct, Value } from '../../../0-ir/program.ts';
import { intLiteral, parameterTypes, type ScalarFunction, type ScalarOperand } from '../../../0-ir/scalar.ts';
import { scalarFunction } from '../../../0-ir/scalar-builder.ts';
import { inlineProgram } from '../../../0-ir/walk.ts';
import { workOf } from '../../../1-optimize/work.ts';
import type { Cost } from '../../cost.ts';
import { sizeAsValue } from '../../layout.ts';
import type { Derivative, Primal, Recursion } from '../../rule.ts';
import { occupancy, type PlainHistogram } from './decoupled.ts';
import { takeOutCost } from './take-out.ts';

type Liftable = ReduceConstruct | PlainHistogram;

export function liftedPrimal(b: ProgramBuilder, construct: Liftable): Primal {
  return { results: inlineProgram(b, liftedProgram(b, construct), operandsOf(construct)) };
}

/** An adjoint for each input. */
export function liftedCotangents(
  b: ProgramBuilder,
  construct: Liftable,
  cotangents: readonly Derivative[],
  recursion: Pick<Recursion, 'vjp'>,
): Derivative[] {
  const program = liftedProgram(b, construct);
  const operands = operandsOf(construct);
  const real = componentTypes(construct.operator).map((type) => type === 'real');
  const wanted = [...operands.slice(real.length).map(() => false), ...real];
  const seeded = cotangents.map((cotangent) => cotangent !== undefined);
  const pulled = recursion.vjp(program, seeded, wanted, { forced: false });
  const seeds = cotangents.filter((cotangent) => cotangent !== undefined);
  const adjoints = inlineProgram(b, pulled, [...operands, ...seeds]).slice(program.results.length);
  let next = 0;
  return real.map((isReal) => (isReal ? adjoints[next++] : undefined));
}

/** As if the lifted operator had no better rule than the one for its inverse. */
export function liftedCost({ lift, neutral }: Operator): Cost {
  if (!lift) return { traffic: Infinity, operations: 0, passes: 0 };
  const { operations, passes } = takeOutCost(lift.operator);
  return { traffic: 3 * neutral.length, operations: operations + 4 * workOf(lift.into), passes };
}

/** The construct by its lift, over its operands. */
function liftedProgram({ origin }: ProgramBuilder, construct: Liftable): Program {
  const b = new ProgramBuilder();
  b.origin = origin;
  let count = 0;
  const over = mapOperands(construct, ({ type }): Value => b.parameter(`operand ${count++}`, type));
  const { lift } = construct.operator;
  if (!lift) throw new TypeError('an operator without a lift');
  const inputs = b.map(lift.into, over.inputs, over.shape);
  const totals = b.emit({ ...over, operator: lift.operator, inputs });
  const results = b.map(backFunction(construct.operator, lift), [occupied(b, over), ...totals]);
  return b.finish(results.map((value, i) => ({ name: `component ${i}`, value })));
}

/** Whether there is an element at all. */
function occupied(b: ProgramBuilder, construct: Liftable): Value {
  if (construct.kind === 'histogram') return occupancy(b, construct);
  const length = sizeAsValue(b, construct.shape[construct.axis]!);
  return b.elementwise([length], (s, n) => s.apply('lt', intLiteral(0), n));
}

/** (occupied, total…) ↦ back(total) or the neutral element, where `back` may have no derivative: √ at 0. */
function backFunction(operator: Operator, { back }: NonNullable<Operator['lift']>): ScalarFunction {
  const types = componentTypes(operator);
  return scalarFunction(['bool', ...parameterTypes(back)], (s, any, ...totals) =>
    s.branch(
      any,
      () => s.inline(back, totals),
      () =>
        operator.neutral.map((value, i): ScalarOperand => ({
          kind: 'literal',
          type: types[i]!,
          value,
        })),
    ),
  );
}
