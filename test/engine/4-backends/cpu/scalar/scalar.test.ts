import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import type { Value } from '../../../../../engine/0-ir/program.ts';
import { scalarFunction } from '../../../../../engine/0-ir/scalar-builder.ts';
import {
  operationInfo,
  operationType,
  scalarOperationNames,
  type ScalarOperation,
} from '../../../../../engine/0-ir/scalar-operations.ts';
import { realLiteral } from '../../../../../engine/0-ir/scalar.ts';
import { arrayType, type ElementType } from '../../../../../engine/0-ir/types.ts';
import { lower } from '../../../../../engine/3-plan/lower.ts';
import { isElementary } from '../../../../../engine/4-backends/cpu/elementary/table.ts';
import { meaningOf } from '../../../../../engine/4-backends/reference/scalar/meaning.ts';
import { expectUlps } from '../../../../support/numbers/ulps.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

const values: Record<ElementType, number[]> = {
  real: [
    0,
    -0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    -2.5,
    3.75,
    7,
    -12.25,
    1e-30,
    3e9,
    -3e9,
    1e30,
    1e-310,
    Infinity,
    -Infinity,
    NaN,
  ],
  int: [0, 1, -1, 2, -2, 3, -7, 46341, 2147483647, -2147483648],
  bool: [0, 1],
};

/** All tuples of so many values. The order of a polygamma stays small, since its time grows with it. */
function tuples(operation: ScalarOperation, type: ElementType): number[][] {
  let all: number[][] = [[]];
  for (let i = 0; i < operationInfo(operation).arity; i++) {
    const own = values[type].filter((value) => operation !== 'polygamma' || i > 0 || !(Math.abs(value) > 10));
    all = all.flatMap((tuple) => own.map((value) => [...tuple, value]));
  }
  return all;
}

function onCpu(operation: ScalarOperation, type: ElementType, points: number[][], precision: 'f64' | 'f32'): number[] {
  const b = new ProgramBuilder();
  const { arity } = operationInfo(operation);
  const operands = Array.from({ length: arity }, (_, i) => b.parameter(`x${i}`, arrayType(type, ['n'])));
  const program = b.finish({ y: b.apply(operation, ...(operands as [Value])) });
  const inputs = new Map(operands.map((_, i) => [`x${i}`, points.map((point) => point[i]!)]));
  return runOnCpu(lower(program), inputs, { n: points.length }, { precision })['y']!;
}

const typed = scalarOperationNames.flatMap((operation) =>
  (['real', 'int', 'bool'] as const)
    .filter((type) => operationType(operation, Array<ElementType>(operationInfo(operation).arity).fill(type)))
    .map((type) => [operation, type] as const),
);

describe.each(typed)('%s of %s', (operation, type) => {
  const points = tuples(operation, type);

  // Elementary functions are computed independently of the reference, whose own error is some units in the last place.
  const allowed = isElementary(operation) ? 8 : 0;

  test('is in f64 what it means', () => {
    const meaning = meaningOf(operation, type);
    const wanted = points.map((point) => meaning(...point));
    expectUlps(onCpu(operation, type, points, 'f64'), wanted, allowed, 'f64', operation);
  });

  test('is in f32 the rounded meaning of rounded operands', () => {
    // Three roundings instead of one: the formula of mod, each step in f32.
    const f = Math.fround;
    const mod32 = (x: number, y: number) => f(x - f(y * Math.floor(f(x / y))));
    const meaning = operation === 'mod' && type === 'real' ? mod32 : meaningOf(operation, type);
    const round = type === 'int' || type === 'bool' ? (x: number) => x : f;
    const exact = points.map((point) => meaning(...(point.map(round) as [number, number])));
    const result = operationType(operation, Array<ElementType>(operationInfo(operation).arity).fill(type));
    const wanted = result === 'real' ? exact.map(f) : exact;
    expectUlps(onCpu(operation, type, points, 'f32'), wanted, allowed, 'f32', operation);
  });
});

test('only the branch taken is evaluated, and branches nest', () => {
  // x < 0 ? (x < -1 ? -1 : x) : √x, and whether the outer branch was taken
  const fn = scalarFunction(['real'], (s, x) =>
    s.branch(
      s.apply('lt', x, realLiteral(0)),
      () => {
        const inner = s.branch(
          s.apply('lt', x, realLiteral(-1)),
          () => [realLiteral(-1)],
          () => [x],
        );
        return [inner[0]!, s.apply('lt', x, realLiteral(0))];
      },
      () => [s.apply('sqrt', x), s.apply('isnan', x)],
    ),
  );
  const b = new ProgramBuilder();
  const [y, negative] = b.map(fn, [b.parameter('x', arrayType('real', ['n']))]) as [Value, Value];
  const inputs = new Map([['x', [-4, -0.5, 0, 4]]]);
  expect(runOnCpu(lower(b.finish({ y, negative })), inputs, { n: 4 })).toEqual({
    y: [-1, -0.5, 0, 2],
    negative: [1, 1, 0, 0],
  });
});

test('literals keep NaN, ∞ and the sign of zero', () => {
  const numbers = [NaN, Infinity, -Infinity, -0, 1e-300];
  const b = new ProgramBuilder();
  const fn = scalarFunction([], () => numbers.map(realLiteral));
  const results = b.map(fn, [], [1]);
  const program = b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
  expect(Object.values(runOnCpu(lower(program), new Map(), {}))).toEqual(numbers.map((number) => [number]));
});
