import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printScalarFunction } from '../../../engine/0-ir/print-scalar.ts';
import { boolLiteral, realLiteral, type ScalarOperand, type ScalarVariable } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import type { ScalarOperation } from '../../../engine/0-ir/scalar-operations.ts';
import { simplifyFunction } from '../../../engine/1-optimize/scalar/simplify-function.ts';
import { evaluateScalar } from '../../../engine/4-backends/reference/scalar/evaluate.ts';

const awkward = [0, -0, 1, -1, 2, -3, 0.1, 7e-310, 1e300, -1e300, Infinity, -Infinity, NaN];
const operations = ['add', 'sub', 'mul', 'div', 'min', 'max', 'neg', 'abs', 'exp', 'sqrt', 'hypot'] as const;

type Write = (s: ScalarBuilder, x: ScalarVariable, y: ScalarVariable) => ScalarOperand;

function simplified(write: Write): string {
  const fn = simplifyFunction(scalarFunction(['real', 'real'], (s, x, y) => [write(s, x, y)]));
  return printScalarFunction(fn).replace('(x0: real, x1: real) ', '');
}

test('functions of real numbers keep every bit', () => {
  const step = fc.record({
    operation: fc.constantFrom(...operations),
    operands: fc.array(fc.nat(9), { minLength: 2, maxLength: 2 }),
    literal: fc.option(fc.constantFrom(...awkward), { nil: undefined }),
    branch: fc.integer({ min: 0, max: 4 }),
  });
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.constantFrom(...awkward),
      fc.constantFrom(...awkward),
      (steps, x, y) => {
        const fn = scalarFunction(['real', 'real'], (s, ...parameters) => {
          const known: ScalarOperand[] = [...parameters];
          for (const { operation, operands, literal, branch } of steps) {
            const [left, right] = operands.map((i) => known[i % known.length]!) as [ScalarOperand, ScalarOperand];
            const second = literal === undefined ? right : realLiteral(literal);
            const unary = ['neg', 'abs', 'exp', 'sqrt'].includes(operation);
            const write = (first: ScalarOperand) =>
              unary ? s.apply(operation, first) : s.apply(operation, first, second);
            if (branch > 0) known.push(write(left));
            else
              known.push(
                ...s.branch(
                  s.apply('lt', left, second),
                  () => [write(left)],
                  () => [left],
                ),
              );
          }
          return known.slice(-3);
        });
        expect(evaluateScalar(simplifyFunction(fn), [x, y])).toEqual(evaluateScalar(fn, [x, y]));
      },
    ),
    { numRuns: 2000 },
  );
});

test('whole powers become products, equal to two units in the last place', () => {
  fc.assert(
    fc.property(fc.constantFrom(-1, 0, 1, 2, 3, 4), fc.double({ noNaN: true, min: -1e60, max: 1e60 }), (power, x) => {
      const fn = scalarFunction(['real'], (s, base) => [s.apply('pow', base, realLiteral(power))]);
      expect(printScalarFunction(simplifyFunction(fn))).not.toContain('pow');
      const [fast, slow] = [simplifyFunction(fn), fn].map((f) => evaluateScalar(f, [x])[0]!) as [number, number];
      if (Number.isFinite(slow)) expect(Math.abs(fast - slow)).toBeLessThanOrEqual(Math.abs(slow) * 2 ** -51 + 5e-324);
      else expect(fast).toBe(slow);
    }),
  );
});

test.each<[string, Write, string]>([
  ['x·1', (s, x) => s.apply('mul', x, realLiteral(1)), '{ yield x0 }'],
  ['x·0 stays, for x may be ∞', (s, x) => s.apply('mul', x, realLiteral(0)), '{ x2 = x0 * 0.0; yield x2 }'],
  ['x + 0 stays, for x may be −0', (s, x) => s.apply('add', x, realLiteral(0)), '{ x2 = x0 + 0.0; yield x2 }'],
  ['x + (−0)', (s, x) => s.apply('add', x, realLiteral(-0)), '{ yield x0 }'],
  ['x − 0', (s, x) => s.apply('sub', x, realLiteral(0)), '{ yield x0 }'],
  ['0 − x stays, for x may be 0', (s, x) => s.apply('sub', realLiteral(0), x), '{ x2 = 0.0 - x0; yield x2 }'],
  ['x² + 0', (s, x) => s.apply('add', s.apply('mul', x, x), realLiteral(0)), '{ x2 = x0 * x0; yield x2 }'],
  ['x − x stays', (s, x) => s.apply('sub', x, x), '{ x2 = x0 - x0; yield x2 }'],
  ['x + (−y)', (s, x, y) => s.apply('add', x, s.apply('neg', y)), '{ x2 = x0 - x1; yield x2 }'],
  ['x / 8', (s, x) => s.apply('div', x, realLiteral(8)), '{ x2 = x0 * 0.125; yield x2 }'],
  ['x / 3 stays', (s, x) => s.apply('div', x, realLiteral(3)), '{ x2 = x0 / 3.0; yield x2 }'],
  ['−(−x)', (s, x) => s.apply('neg', s.apply('neg', x)), '{ yield x0 }'],
  [
    'x·y + y·x',
    (s, x, y) => s.apply('add', s.apply('mul', x, y), s.apply('mul', y, x)),
    '{ x2 = x0 * x1; x3 = x2 + x2; yield x3 }',
  ],
  [
    'a decided if',
    (s, x, y) =>
      s.branch(
        s.apply('and', boolLiteral(true), boolLiteral(false)),
        () => [x],
        () => [y],
      )[0] as ScalarOperand,
    '{ yield x1 }',
  ],
  [
    'an if whose branches agree',
    (s, x, y) =>
      s.branch(
        s.apply('lt', x, y),
        () => [s.apply('neg', s.apply('neg', x))],
        () => [x],
      )[0] as ScalarOperand,
    '{ yield x0 }',
  ],
  [
    'what is computed before a branch is not computed in it',
    (s, x, y) => {
      const e = s.apply('exp', x);
      return s.branch(
        s.apply('lt', e, y),
        () => [s.apply('exp', x)],
        () => [y],
      )[0] as ScalarOperand;
    },
    '{ x2 = exp(x0); x3 = x2 < x1; x4 = if x3 { yield x2 } else { yield x1 }; yield x4 }',
  ],
  [
    'what is computed in one branch is not known in the other',
    (s, x, y) =>
      s.branch(
        s.apply('lt', x, y),
        () => [s.apply('exp', x)],
        () => [s.apply('neg', s.apply('exp', x))],
      )[0] as ScalarOperand,
    '{ x2 = x0 < x1; x3 = if x2 { x4 = exp(x0); yield x4 } else { x5 = exp(x0); x6 = neg(x5); yield x6 }; yield x3 }',
  ],
])('%s', (_, write, text) => {
  const shape = (printed: string) => {
    const names = new Map<string, string>();
    return printed
      .replace(/[;\s]+/g, ' ')
      .replace(/\bx\d+\b/g, (name) => names.get(name) ?? (names.set(name, `v${names.size}`), `v${names.size - 1}`));
  };
  expect(shape(simplified(write))).toBe(shape(text));
});

test.each<[ScalarOperation, number, number, number]>([
  ['add', 2147483647, 1, -2147483648],
  ['mul', 65536, 65537, 65536],
  ['sub', -2147483648, 1, 2147483647],
])('ints wrap when %s is folded', (operation, x, y, result) => {
  const int = (value: number) => ({ kind: 'literal', type: 'int', value }) as const;
  const fn = simplifyFunction(scalarFunction([], (s) => [s.apply(operation, int(x), int(y))]));
  expect(fn.body).toEqual({ statements: [], results: [int(result)] });
});

test('branches of one condition become one, and what both compute is computed once', () => {
  const fn = scalarFunction(['real', 'real'], (s, x, y) => {
    const isLess = s.apply('lt', x, y);
    const branch = (factor: number, before: ScalarOperand) =>
      s.branch(
        isLess,
        () => [s.apply('mul', s.apply('exp', x), s.apply('add', before, realLiteral(factor)))],
        () => [before],
      )[0] as ScalarOperand;
    const first = branch(2, y);
    return [first, branch(3, first), s.apply('neg', first)];
  });
  const text = printScalarFunction(simplifyFunction(fn));
  expect(text.match(/\bif\b/g)).toHaveLength(1);
  expect(text.match(/\bexp\b/g)).toHaveLength(1);
  for (const [x, y] of [
    [1, 2],
    [2, 1],
    [NaN, 0],
  ] as const)
    expect(evaluateScalar(simplifyFunction(fn), [x, y])).toEqual(evaluateScalar(fn, [x, y]));
});
