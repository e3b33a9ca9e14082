/** Bounds of rounding: closed forms, and functions computed with every operation rounded to f32. */
import { expect, it } from 'vitest';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { realLiteral, type ScalarOperand } from '../../../../engine/0-ir/scalar.ts';
import type { ScalarOperation } from '../../../../engine/0-ir/scalar-operations.ts';
import { roundingFunction } from '../../../../engine/2-ad/scalar/rounding-function.ts';
import { compileScalar } from '../../../../engine/4-backends/reference/scalar/compile.ts';

type Apply = (operation: ScalarOperation, ...operands: ScalarOperand[]) => ScalarOperand;

const unary = (write: (apply: Apply, x: ScalarOperand) => ScalarOperand) =>
  scalarFunction(['real'], (s, x) => [write((operation, ...operands) => s.apply(operation, ...operands), x)]);
const one = realLiteral(1);

it.each([
  // |x| + |x + 1| + |(x + 1) − 1|
  ['(x + 1) − 1', unary((f, x) => f('sub', f('add', x, one), one)), 2, 7],
  // 2·|x|·|x| + x²
  ['x·x', unary((f, x) => f('mul', x, x)), 3, 27],
  ['−|x|', unary((f, x) => f('neg', f('abs', x))), 3, 3],
  ['exp(x)', unary((f, x) => f('exp', x)), 2, 3 * Math.exp(2)],
  ['log(x)', unary((f, x) => f('log', x)), 4, 1 + Math.log(4)],
  ['lgamma(x) at its zero', unary((f, x) => f('lgamma', x)), 1, 1 + 0.5772156649015329],
  ['1/x', unary((f, x) => f('div', one, x)), 4, 0.5],
] as const)('%s', (_, fn, at, bound) => {
  expect(Number(compileScalar(roundingFunction(fn, [true]))([at])[0])).toBeCloseTo(bound, 12);
});

it('is one of the branch that is taken', () => {
  const fn = scalarFunction(['real'], (s, x) => [
    s.either(
      s.apply('lt', x, realLiteral(0)),
      () => s.apply('neg', x),
      () => s.apply('mul', x, x),
    ),
  ]);
  const bound = compileScalar(roundingFunction(fn, [true]));
  expect([bound([-2])[0], bound([2])[0]]).toEqual([2, 12]);
});

it('holds where each operation is rounded to f32', () => {
  const f = Math.fround;
  const unit = 2 ** -24;
  const bound = compileScalar(
    roundingFunction(
      unary((apply, x) =>
        apply('sub', apply('mul', apply('sub', x, one), apply('sub', x, one)), apply('div', one, apply('add', x, one))),
      ),
      [true],
    ),
  );
  for (let i = 0; i < 500; i++) {
    const x = -0.9 + 0.01 * i;
    const rounded = f(f(f(f(x) - 1) * f(f(x) - 1)) - f(1 / f(f(x) + 1)));
    const exact = (x - 1) * (x - 1) - 1 / (x + 1);
    expect(Math.abs(rounded - exact)).toBeLessThan(1.001 * unit * Number(bound([x])[0]));
  }
});
