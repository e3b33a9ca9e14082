import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseScalarFunction } from '../../../../../engine/0-ir/parse.ts';
import { compileScalar } from '../../../../../engine/4-backends/reference/scalar/compile.ts';
import { evaluateScalar } from '../../../../../engine/4-backends/reference/scalar/evaluate.ts';
import type { ElementType } from '../../../../../engine/0-ir/types.ts';
import { Choices, choices } from '../../../../support/choices.ts';
import { randomFunction } from '../../../../support/random/functions.ts';
import { tame } from '../../../../support/random/styles.ts';

const ways = [
  ['evaluated', evaluateScalar],
  ['compiled', (fn, args) => compileScalar(fn)(args)],
] satisfies [string, typeof evaluateScalar][];

describe.each(ways)('a scalar function %s', (_, run) => {
  test('several results, literals and shared variables', () => {
    const fn = parseScalarFunction(`(x0: real, x1: int) {
      x2 = x0 * x0; x3 = x2 + x2; x4 = x1 * 2000000000; yield x3, x4, x2 , -0.0
    }`);
    expect(run(fn, [3, 2])).toEqual([18, -294967296, 9, -0]);
  });

  test('branches, nested, give their results to what follows', () => {
    const fn = parseScalarFunction(`(x0: real) {
      x1 = x0 < 0.0;
      x5, x6 = if x1 { x2 = neg(x0); yield x2, 1 } else {
        x3 = x0 < 10.0;
        x4 = if x3 { yield x0 } else { yield 10.0 };
        yield x4, 2
      };
      x7 = x5 + 0.5; yield x7, x6
    }`);
    expect([-3, 4, 40].map((x) => run(fn, [x]))).toEqual([
      [3.5, 1],
      [4.5, 2],
      [10.5, 2],
    ]);
  });

  test('a NaN condition of a comparison takes the else branch', () => {
    const fn = parseScalarFunction('(x0: real) { x1 = x0 <= 0.0; x2 = if x1 { yield 1 } else { yield 2 }; yield x2 }');
    expect(run(fn, [NaN])).toEqual([2]);
  });

  test('refuses another number of arguments', () => {
    const fn = parseScalarFunction('(x0: real) { yield x0 }');
    expect(() => run(fn, [])).toThrow('1 parameters got 0 arguments');
  });
});

test('both ways agree on random functions, called again and again', () => {
  const types: readonly ElementType[] = ['real', 'real', 'int', 'bool'];
  const args = fc.tuple(fc.double(), fc.double(), fc.integer(), fc.integer({ min: 0, max: 1 }));
  fc.assert(
    fc.property(choices(60), fc.array(args, { minLength: 1, maxLength: 5 }), (numbers, calls) => {
      const fn = randomFunction(new Choices(numbers), tame, types, ['real', 'int', 'bool']);
      const compiled = compileScalar(fn);
      for (const call of calls) expect(compiled(call)).toEqual(evaluateScalar(fn, call));
    }),
    { numRuns: 200 },
  );
});
