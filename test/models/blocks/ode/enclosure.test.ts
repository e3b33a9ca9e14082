/** Between what the results of a scalar function lie, on random functions. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { evaluateScalar } from '../../../../engine/4-backends/reference/scalar/evaluate.ts';
import { realLiteral, scalarFunction, type ScalarFunction, type ScalarOperation } from '../../../../engine/index.ts';
import { enclosing } from '../../../../models/blocks/ode/slots/enclosure.ts';
import { Choices, choices } from '../../../support/choices.ts';
import { randomFunction } from '../../../support/random/functions.ts';
import { tame, type Style } from '../../../support/random/styles.ts';

const style: Style = {
  ...tame,
  unary: [
    ...tame.unary,
    ...(['sign', 'exp', 'expm1', 'log', 'log1p', 'sqrt', 'cbrt', 'tan', 'asin', 'acos', 'sinh', 'cosh'] as const),
    ...(['floor', 'ceil', 'round', 'trunc', 'erf', 'erfc'] as const),
  ],
  binary: [...tame.binary, 'div', 'mod', 'pow', 'hypot', 'logaddexp'],
  bounded: false,
};

test('the range of a function holds its values', () => {
  let held = 0;
  const place = fc.double({ min: -4, max: 4, noNaN: true });
  fc.assert(
    fc.property(choices(60), place, fc.double({ min: 0, max: 3, noNaN: true }), place, (list, x, width, y) => {
      const fn = randomFunction(new Choices(list), style, ['real', 'real'], ['real', 'real', 'bool']);
      const ranged = enclosing(fn, [true, false]);
      if (!ranged) return;
      const ranges = evaluateScalar(ranged, [x, y, x + width]);
      for (let k = 0; k <= 16; k++)
        evaluateScalar(fn, [x + (width * k) / 16, y]).forEach((value, i) => {
          const [low, high] = ranges.slice(2 * i) as [number, number];
          if (!Number.isFinite(value) || Number.isNaN(low) || Number.isNaN(high)) return;
          const rounding = 1e-9 * Math.max(1e-3, Math.abs(value));
          expect(value).toBeGreaterThanOrEqual(low - rounding);
          expect(value).toBeLessThanOrEqual(high + rounding);
          if (Number.isFinite(low) && Number.isFinite(high)) held++;
        });
    }),
    { numRuns: 3000 },
  );
  expect(held).toBeGreaterThan(30_000);
});

const functionOf = (operation: ScalarOperation): ScalarFunction =>
  scalarFunction(['real'], (s, x) => [s.apply(operation, x)]);

test('a range is no wider than it has to be where an argument is used once', () => {
  const cases: readonly (readonly [ScalarOperation, number, number, number, number])[] = [
    ['sin', 1, 2, Math.sin(1), 1],
    ['cos', 3, 4, -1, Math.cos(4)],
    ['cosh', -1, 2, 1, Math.cosh(2)],
    ['abs', -3, 2, 0, 3],
  ];
  for (const [operation, low, high, least, most] of cases)
    expect(evaluateScalar(enclosing(functionOf(operation), [true])!, [low, high])).toEqual([least, most]);
});

test('conditions that are compared with one another', () => {
  for (const operation of ['eq', 'ne'] as const) {
    const fn = scalarFunction(['real'], (s, x) => [
      s.apply(operation, s.apply('lt', x, realLiteral(1)), s.apply('lt', x, realLiteral(2))),
    ]);
    const ranged = enclosing(fn, [true])!;
    const alike = operation === 'eq' ? 1 : 0;
    expect(evaluateScalar(ranged, [0, 0.5])).toEqual([alike, alike]);
    expect(evaluateScalar(ranged, [1.2, 1.8])).toEqual([1 - alike, 1 - alike]);
    expect(evaluateScalar(ranged, [0.5, 2.5])).toEqual([0, 1]);
  }
});
