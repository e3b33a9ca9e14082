/** What tiles, strips and lanes must not show: what has overflowed or vanished on one side of a join. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../../engine/0-ir/builder.ts';
import { builtinOperator, type Operator } from '../../../../../engine/0-ir/operators.ts';
import { arrayType } from '../../../../../engine/0-ir/types.ts';
import { lower } from '../../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../../engine/4-backends/reference/interpret.ts';
import { linFnComp } from '../../../../support/operators.ts';
import { runOnCpu } from '../../../../support/run-on-cpu.ts';

/** The reduction and the scan of these components, in tiles of `tile`, and from end to end. */
function both(operator: Operator, columns: number[][], tile: number) {
  const b = new ProgramBuilder();
  const values = columns.map((_, i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
  const results = [...b.reduce(operator, values, 0), ...b.scan(operator, values, 0)];
  const program = b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
  const inputs = new Map(columns.map((column, i) => [`x${i}`, column]));
  const sizes = { n: columns[0]!.length };
  const wanted = [...interpret(program, inputs, sizes).values()].flatMap(({ values: all }) => [...all]);
  const got = Object.values(runOnCpu(lower(program), inputs, sizes, { tile })).flat();
  return { got, wanted };
}

/** To 10⁻¹¹, or to what arithmetic without subnormal numbers loses. */
function expectSame({ got, wanted }: { got: number[]; wanted: number[] }): void {
  const misses = wanted.flatMap((value, i) => {
    const found = got[i]!;
    const close = Object.is(found, value) || Math.abs(found - value) <= Math.max(1e-11 * Math.abs(value), 2 ** -1022);
    return close ? [] : [`[${i}] is ${found}, not ${value}`];
  });
  expect(misses.slice(0, 5)).toEqual([]);
}

const times = (n: number, value: (i: number) => number) => Array.from({ length: n }, (_, i) => value(i));
const tiles = [64, 1000, 4096];

describe.each([1e-300, 1e-3, 1, 1e3, 1e12])("decaying: x' = a·x + u from u of size %d", (size) => {
  test.each([0.5, 0.9, 0.01])('a = %d', (a) => {
    const u = times(10_000, (i) => size * Math.sin(i + 1));
    for (const tile of tiles) expectSame(both(linFnComp, [u, times(10_000, () => a)], tile));
  });

  test('a = 0.5, and nothing but the beginning drives it: a result among subnormal numbers, then zero', () => {
    for (const n of [1070, 1300]) {
      const u = times(n, (i) => (i === 0 ? size : 0));
      for (const tile of tiles) expectSame(both(linFnComp, [u, times(n, () => 0.5)], tile));
    }
  });
});

describe('what a tile loses and wins back counts from end to end', () => {
  /** Falls by 2¹⁰⁵⁰ and rises again, all in the second tile, behind a first one of 2⁵⁰⁰. */
  const factors = (first: number): number[] => [
    ...times(2048, (i) => (i === 0 ? first : 1)),
    ...times(1000, () => 2 ** -1.05),
    ...times(1000, () => 2 ** 1.05),
    ...times(48, () => 1),
  ];

  // Not from 1: from end to end it would fall below the normal numbers too.
  test.each([2 ** 50, 2 ** 60, 2 ** 500])('as a product that begins with %d', (first) => {
    expectSame(both(builtinOperator('multiply'), [factors(first)], 2048));
  });

  test.each([2 ** 60, 2 ** 500])('as the slope of a line that begins with %d', (first) => {
    const slopes = factors(first);
    expectSame(both(linFnComp, [slopes.map(() => 0), slopes], 2048));
  });

  test('as a product of which every other lane falls while the others rise, and back', () => {
    const [fall, rise] = [2 ** -1.03, 2 ** 0.9];
    const there = times(2048, (i) => (i % 2 === 0 ? fall : rise));
    const back = there.map((value) => 1 / value);
    expectSame(both(builtinOperator('multiply'), [[...there, ...back]], 4096));
  });
});

test('a product of zeros, infinities and NaN among large numbers', () => {
  for (const odd of [[0], [Infinity], [NaN], [0, Infinity], [-0], [5e-324]]) {
    const factors = times(5000, (i) => (i % 1000 === 500 ? (odd[(i - 500) / 1000] ?? 3) : i % 2 === 0 ? 1e3 : 1e-3));
    expectSame(both(builtinOperator('multiply'), [factors], 700));
  }
});
