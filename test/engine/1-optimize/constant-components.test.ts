/** Components that are one constant throughout, found by what scalar functions can give. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseProgram } from '../../../engine/0-ir/parse.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import type { ElementType } from '../../../engine/0-ir/types.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { anything, certainValue, includes, possibleResults } from '../../../engine/1-optimize/scalar/possible.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { evaluateScalar } from '../../../engine/4-backends/reference/scalar/evaluate.ts';
import { Choices, choices } from '../../support/choices.ts';
import { randomFunction } from '../../support/random/functions.ts';
import { awkward } from '../../support/random/styles.ts';

const edges = [0, -0, 1, -1, 2.5, 7e-310, 1e300, -1e300, Infinity, -Infinity, NaN];

test('what a function gives is among what it is said to give', () => {
  let certain = 0;
  const types: readonly ElementType[] = ['real', 'real', 'bool'];
  fc.assert(
    fc.property(choices(60), fc.constantFrom(...edges), fc.constantFrom(...edges), fc.boolean(), (list, x, y, b) => {
      const c = new Choices(list);
      const fn = randomFunction(c, awkward, types, ['real', 'bool', 'int', 'real']);
      const given = [x, y, Number(b)];
      const said = possibleResults(
        fn,
        given.map((value, i) => (c.flip() ? { value } : anything(types[i]!))),
      );
      evaluateScalar(fn, given).forEach((value, i) => {
        const { type } = fn.body.results[i] as { type: ElementType };
        const possible = said[i]!;
        expect(includes(possible, value, type)).toBe(true);
        const only = certainValue(possible, type);
        if (only === undefined) return;
        certain++;
        expect(only).toBe(value);
      });
    }),
    { numRuns: 2000 },
  );
  expect(certain).toBeGreaterThan(500);
});

/** b₂ + c₂·b₁ for two b's, where c₂·b₁ = 0 where either is 0, and c₂·c₁: what the derivative of a scan is made of. */
const guarded = `operator neutral (0.0, 0.0, 1.0) (x0: real, x1: real, x2: real, x3: real, x4: real, x5: real) {
  x6 = x5 * x0
  x7 = x3 + x6
  x8 = x5 * x1
  x9 = x4 + x8
  x10 = isnan(x9)
  x14 = if x10 {
    x11 = x1 == 0.0
    x12 = if x11 { yield 0.0 } else { yield x8 }
    x13 = x4 + x12
    yield x13
  } else { yield x9 }
  x15 = x5 * x2
  yield x7, x14, x15
}`;

const parameters = '%0 x: real[n], %1 c: real[n], %2 keys: int[n], %3 flags: bool[n]';
const results = 'yield a = %5, b = %6, c = %7';

test.each([
  ['a reduction', `%5: real, %6: real, %7: real = reduce[n] along 0 ${guarded} (%0, %4, %1)`],
  ['a scan', `%5: real[n], %6: real[n], %7: real[n] = scan[n] along 0 ${guarded} (%0, %4, %1)`],
  [
    'an exclusive scan from the end',
    `%5: real[n], %6: real[n], %7: real[n] = scan[n] along 0 exclusive reverse ${guarded} (%0, %4, %1)`,
  ],
  [
    'a segmented scan',
    `%5: real[n], %6: real[n], %7: real[n] = segmented-scan[n] along 0 exclusive flags %3 ${guarded} (%0, %4, %1)`,
  ],
  [
    'a histogram',
    `%5: real[3], %6: real[3], %7: real[3] = histogram[n] batch 0 bins [3] keys %2 ${guarded} (%0, %4, %1)`,
  ],
  [
    'a keyed scan',
    `%5: real[n], %6: real[n], %7: real[n], %8: real[3], %9: real[3], %10: real[3] =
     keyed-scan[n] batch 0 bins [3] keys %2 ${guarded} (%0, %4, %1)`,
  ],
])('a zero that stays zero is left out of %s', (_, statement) => {
  const program = parseProgram(`program (${parameters}) { %4: real = literal 0.0 ${statement} ${results} }`);
  const optimized = optimize(program, { fuse: false });
  expect(printProgram(optimized)).toContain('neutral (0.0, 1.0)');
  fc.assert(
    fc.property(
      fc.array(fc.record({ x: edge, c: edge, key: fc.integer({ min: -1, max: 3 }), flag: fc.boolean() })),
      (rows) => {
        const inputs = new Map([
          ['x', rows.map(({ x }) => x)],
          ['c', rows.map(({ c }) => c)],
          ['keys', rows.map(({ key }) => key)],
          ['flags', rows.map(({ flag }) => Number(flag))],
        ]);
        expect(interpret(optimized, inputs, { n: rows.length })).toEqual(
          interpret(program, inputs, { n: rows.length }),
        );
      },
    ),
  );
});

const edge = fc.constantFrom(...edges);

test.each([
  ['without a guard 0·∞ is no zero', guarded.replace('x10 = isnan(x9)', 'x10 = x9 == 7.0'), 'literal 0.0'],
  ['−0 becomes 0', guarded, 'literal -0.0'],
  ['another constant than the neutral element', guarded, 'literal 1.0'],
])('%s: the component stays', (_, operator, literal) => {
  const program = parseProgram(
    `program (${parameters}) { %4: real = ${literal}
      %5: real[n], %6: real[n], %7: real[n] = scan[n] along 0 ${operator} (%0, %4, %1) ${results} }`,
  );
  expect(printProgram(optimize(program, { fuse: false }))).toContain('neutral (0.0, 0.0, 1.0)');
});
