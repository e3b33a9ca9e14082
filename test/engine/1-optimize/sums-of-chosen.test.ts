/** Sums of which each element adds to one place alone, as histograms; against the interpreter on what was written. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import type { ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import type { Size } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { vmap } from '../../../engine/2-ad/vmap.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';

const sizes = { n: 40, k: 9, d: 3, b: 2 };
const plus = builtinOperator('add');

const kinds = (program: Program) => program.statements.map(({ construct }) => construct.kind);

/** Every real input from a formula; keys among the bins and beyond both ends. */
function inputsOf(program: Program): Map<string, number[]> {
  return new Map(
    program.parameters.map(({ name, value: { type } }, input) => {
      const length = type.shape.reduce<number>((all, s) => all * (typeof s === 'number' ? s : sizes[s as 'n']), 1);
      const value = (i: number) => (type.element === 'int' ? ((7 * i) % 12) - 1 : Math.sin(1.3 * i + 5 * input));
      return [name, Array.from({ length }, (_, i) => value(i))];
    }),
  );
}

function expectSame(program: Program): void {
  const inputs = inputsOf(program);
  const got = interpret(optimize(program), inputs, sizes);
  for (const [name, { values }] of interpret(program, inputs, sizes)) {
    const worst = Math.max(...[...values].map((v, i) => Math.abs(v - got.get(name)!.values[i]!)));
    expect(worst).toBeLessThan(1e-12);
  }
}

type Summand = (s: ScalarBuilder, a: ScalarOperand, c: ScalarOperand, one: ScalarOperand) => ScalarOperand;

/** Σᵢ of a summand of a[i, d], c[k, d] and [k = keyᵢ]·wᵢ, over [n, k, d] or, turned, [k, n, d]. */
function sumOf(
  summand: Summand,
  { turned = false, bins = 'k', test: is = 'eq' }: { turned?: boolean; bins?: Size; test?: 'eq' | 'lt' } = {},
): Program {
  const b = new ProgramBuilder();
  const a = b.parameter('a', arrayType('real', ['n', 'd']));
  const c = b.parameter('c', arrayType('real', [bins, 'd']));
  const key = b.parameter('key', arrayType('int', ['n']));
  const w = b.parameter('w', arrayType('real', ['n']));
  const across = (value: Value) => b.reshape(value, turned ? [1, 'n'] : ['n', 1]);
  const index = turned ? b.reshape(b.iota(bins), [bins, 1]) : b.iota(bins);
  const chosen = b.elementwise([index, across(key), across(w)], (s, i, k, v) =>
    s.either(
      s.apply(is, i, k),
      () => v,
      () => realLiteral(0),
    ),
  );
  const whole = chosen.type.shape;
  const terms = b.elementwise(
    [
      b.reshape(a, turned ? [1, 'n', 'd'] : ['n', 1, 'd']),
      turned ? b.reshape(c, [bins, 1, 'd']) : c,
      b.reshape(chosen, [...whole, 1]),
    ],
    summand,
  );
  return b.finish([{ name: 'y', value: b.reduce(plus, [terms], turned ? 1 : 0)[0]! }]);
}

const squares: Summand = (s, a, c, one) => s.apply('mul', s.apply('sub', a, c), one);

describe('what each element adds to one place alone is a histogram', () => {
  test.each([
    ['by rows', sumOf(squares)],
    ['by columns', sumOf(squares, { turned: true })],
    ['of sums and quotients', sumOf((s, a, c, one) => s.apply('sub', s.apply('div', one, c), s.apply('mul', a, one)))],
    ['many in each row of a batch', vmap(sumOf(squares), 'b', ['a', 'key', 'w', 'c'])],
  ])('%s', (_, program) => {
    const optimized = optimize(program);
    expect(kinds(optimized)).toContain('histogram');
    expect(kinds(optimized)).not.toContain('reduce');
    expectSame(program);
  });
});

test.each([
  ['something is left where nothing is chosen', sumOf((s, a, c, one) => s.apply('add', s.apply('mul', a, c), one))],
  ['more than one place is chosen', sumOf(squares, { test: 'lt' })],
  ['places are few', sumOf(squares, { bins: 4 })],
])('a sum stays where %s', (_, program) => {
  expect(kinds(optimize(program))).not.toContain('histogram');
  expectSame(program);
});

test('so the gradient of a sum of minima writes nothing of points × centres × dimensions', () => {
  const b = new ProgramBuilder();
  const points = b.parameter('points', arrayType('real', ['n', 'd']));
  const centres = b.parameter('centres', arrayType('real', ['k', 'd']));
  const apart = b.elementwise([b.reshape(points, ['n', 1, 'd']), centres], (s, p, c) => {
    const difference = s.apply('sub', c, p);
    return s.apply('mul', difference, difference);
  });
  const [distance] = b.reduce(plus, [apart], 2) as [Value];
  const [nearest] = b.reduce(builtinOperator('min'), [distance], 1) as [Value];
  const program = vjp(b.finish([{ name: 'y', value: b.reduce(plus, [nearest], 0)[0]! }]));
  const results = optimize(program).statements.flatMap((statement) => statement.results);
  expect(results.filter(({ type }) => type.shape.length > 2 && !type.shape.includes(1))).toEqual([]);
  expectSame(program);
});
