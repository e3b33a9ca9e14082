/** Reductions in lanes and in strips: what an order of combining must not show. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { builtinOperator, productOperator, type Operator } from '../../../../../engine/0-ir/operators.ts';
import { arrayType } from '../../../../../engine/0-ir/types.ts';
import { lower } from '../../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import { linFnComp } from '../../../../support/operators.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

function both(operator: Operator, columns: number[][], precision: 'f64' | 'f32' = 'f64') {
  const b = new ProgramBuilder();
  const values = columns.map((_, i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
  const program = b.finish(b.reduce(operator, values, 0).map((value, i) => ({ name: `r${i}`, value })));
  const inputs = new Map(columns.map((column, i) => [`x${i}`, column]));
  const sizes = { n: columns[0]!.length };
  const wanted = [...interpret(program, inputs, sizes).values()].map(({ values: [value] }) => value!);
  const got = Object.values(runOnCpu(lower(program), inputs, sizes, { precision })).map(([value]) => value!);
  return { got, wanted };
}

test('minima and maxima keep the first of two zeros, and NaN', () => {
  const operator = productOperator([builtinOperator('min'), builtinOperator('max')]);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(0, -0, 0, -0, 1, 1, 1, -1), { maxLength: 90 }),
      fc.array(fc.constantFrom(0, -0, -1, -1, -1, NaN), { minLength: 90, maxLength: 90 }),
      (low, high) => {
        const { got, wanted } = both(operator, [low.map(Math.abs), high.slice(0, low.length)]);
        expect(got).toEqual(wanted);
        const signed = both(operator, [low, low]);
        expect(signed.got).toEqual(signed.wanted);
      },
    ),
  );
});

test('a product whose parts overflow or vanish in a lane is what it is from end to end', () => {
  const factors = Array.from({ length: 64 }, (_, i) => (i % 2 === 0 ? 1e200 : 1e-200));
  const { got, wanted } = both(builtinOperator('multiply'), [factors]);
  expect(got[0]).toBeCloseTo(wanted[0]!, 10);
  const vanished = both(builtinOperator('multiply'), [[0, ...factors.map(() => 1e200)]]);
  expect(vanished.got).toEqual([0]);
});

describe('an operator that does not commute, in strips', () => {
  test.each([1, 7, 31, 32, 33, 64, 129, 1000, 5003])('of %i elements', (n) => {
    const b = Array.from({ length: n }, (_, i) => Math.sin(i + 1));
    const c = Array.from({ length: n }, (_, i) => 1 + Math.cos(3 * i) / n);
    const { got, wanted } = both(linFnComp, [b, c]);
    got.forEach((value, i) => expect(Math.abs(value / wanted[i]! - 1)).toBeLessThan(1e-11));
  });

  test('falls back from end to end where strips overflow', () => {
    const c = Array.from({ length: 4000 }, () => 3);
    const { got, wanted } = both(linFnComp, [c.map(() => 0), c]);
    expect(got).toEqual(wanted);
  });
});

test('a long sum of f32 keeps six digits', () => {
  const x = Array.from({ length: 200_000 }, (_, i) => Math.fround(0.1 + (i % 7) * 1e-3));
  const exact = x.reduce((sum, value) => sum + value, 0);
  const { got } = both(builtinOperator('add'), [x], 'f32');
  expect(Math.abs(got[0]! / exact - 1)).toBeLessThan(1e-6);
});
