/** Supports: what is varied gives what lies in them, there and back, and the log of the volume that it takes up. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrayType, ProgramBuilder } from '../../../engine/index.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { supports, type FreedName } from '../../../models/supports/index.ts';
import { writeBetween } from '../../../models/supports/between.ts';
import type { Written } from '../../../models/supports/support.ts';
import { load } from '../../support/documents.ts';

/** What is written of v: the values, and the log Jacobian. */
function written(
  shape: readonly number[],
  write: (b: ProgramBuilder, v: ReturnType<ProgramBuilder['parameter']>) => Written,
): (v: readonly number[]) => { values: number[]; logJacobian: number } {
  const b = new ProgramBuilder();
  const { value, logJacobian } = write(b, b.parameter('v', arrayType('real', [...shape])));
  const program = b.finish({ value, logJacobian });
  return (v) => {
    const found = interpret(program, new Map([['v', [...v]]]), {});
    return {
      values: Array.from(found.get('value')?.values ?? []),
      logJacobian: found.get('logJacobian')!.values[0]!,
    };
  };
}

function of(name: FreedName, shape: readonly number[]) {
  const free = supports[name].free(shape) as readonly number[];
  return {
    count: free.reduce((product, size) => product * size, 1),
    at: written(free, (b, v) => supports[name].write(b, v, shape)),
  };
}

/** log |det| by elimination with pivots. */
function logDeterminant(matrix: readonly (readonly number[])[]): number {
  const rows = matrix.map((row) => [...row]);
  let total = 0;
  for (let k = 0; k < rows.length; k++) {
    const pivot = rows
      .slice(k)
      .reduce((best, row, i) => (Math.abs(row[k]!) > Math.abs(rows[best]![k]!) ? i + k : best), k);
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    total += Math.log(Math.abs(rows[k]![k]!));
    for (let i = k + 1; i < rows.length; i++) {
      const share = rows[i]![k]! / rows[k]![k]!;
      for (let j = k; j < rows.length; j++) rows[i]![j]! -= share * rows[k]![j]!;
    }
  }
  return total;
}

/** By central differences, of the elements that the others do not follow from. */
function volume(at: ReturnType<typeof written>, v: readonly number[], own: readonly number[]): number {
  const step = 1e-5;
  const columns = v.map((_, j) => {
    const moved = (sign: number): number[] => at(v.map((x, i) => (i === j ? x + sign * step : x))).values;
    const [up, down] = [moved(1), moved(-1)];
    return own.map((i) => (up[i]! - down[i]!) / (2 * step));
  });
  return logDeterminant(columns);
}

const below = (count: number): number[] =>
  Array.from({ length: count * count }, (_, k) => k).filter((k) => k % count < Math.floor(k / count));
const cases: [FreedName, readonly number[], readonly number[]][] = [
  ['simplex', [4], [0, 1, 2]],
  ['simplex', [2, 3], [0, 1, 3, 4]],
  ['ordered', [3], [0, 1, 2]],
  ['ordered', [2, 2], [0, 1, 2, 3]],
  ['ordered', [1], [0]],
  ['correlation', [2, 2], below(2)],
  ['correlation', [4, 4], below(4)],
];

const lies: Record<FreedName, (row: readonly number[]) => boolean> = {
  simplex: (row) => row.every((x) => x > 0) && Math.abs(row.reduce((a, b) => a + b) - 1) < 1e-12,
  ordered: (row) => row.every((x, k) => k === 0 || x >= row[k - 1]!),
  correlation: (row) => row.every((x) => Math.abs(x) <= 1 + 1e-12) && row.some((x) => Math.abs(x - 1) < 1e-12),
};

describe('supports', () => {
  it.each(cases)('%s %j', (name, shape, own) => {
    const { count, at } = of(name, shape);
    const numbers = fc.array(fc.double({ min: -2, max: 2, noNaN: true }), { minLength: count, maxLength: count });
    const isDistance = (i: number): boolean => name === 'ordered' && i % shape.at(-1)! > 0;
    fc.assert(
      fc.property(numbers, (drawn) => {
        const v = drawn.map((x, i) => (isDistance(i) ? Math.abs(x) : x));
        const { values, logJacobian } = at(v);
        const length = shape.at(-1)!;
        for (let i = 0; i < values.length; i += length) expect(lies[name](values.slice(i, i + length))).toBe(true);
        const back = supports[name].toFree(values, shape) as number[];
        v.forEach((x, i) => expect(back[i]).toBeCloseTo(x, 8));
        // Of the elements alone that determine the others: those of a simplex but its last, by which √K is lost.
        expect(logJacobian).toBeCloseTo(volume(at, v, own), 5);
      }),
      { seed: 7, numRuns: 20 },
    );
  });

  it('lies between bounds, of which either may be missing', () => {
    const numbers = (b: ProgramBuilder, x: number) => b.replicate(b.literal(x), [2]);
    const ends: [number | undefined, number | undefined][] = [
      [1, undefined],
      [undefined, 4],
      [1, 4],
    ];
    for (const [low, high] of ends) {
      const at = written([2], (b, v) =>
        writeBetween(
          b,
          v,
          low === undefined ? undefined : numbers(b, low),
          high === undefined ? undefined : numbers(b, high),
        ),
      );
      // Beyond one bound v is the distance from it, and positive.
      for (const v of [
        [0.1, 1],
        [low === undefined || high === undefined ? 3 : -3, 2],
      ]) {
        const { values, logJacobian } = at(v);
        for (const x of values) expect(x > (low ?? -Infinity) && x < (high ?? Infinity)).toBe(true);
        expect(logJacobian).toBeCloseTo(volume(at, v, [0, 1]), 6);
      }
    }
  });

  it('refuses what is none, in a sentence', async () => {
    const message = async (more: Record<string, unknown>): Promise<string | undefined> =>
      (await load([{ id: 'w', kind: 'parameter', ...more }])).problems[0]?.message;
    expect(await message({ initial: [0.2, 0.2], support: 'simplex' })).toBe(
      'block "w": "initial" of "support": "simplex" wants shares above 0 that sum to 1, got 0.2, 0.2, of which the sum is 0.4',
    );
    expect(await message({ initial: 1, support: 'simplex' })).toMatch(/wants a list of at least two shares/);
    expect(await message({ initial: [2, 1], support: 'ordered' })).toMatch(/wants numbers that ascend, got 2, 1/);
    expect(
      await message({
        initial: [
          [1, 2],
          [2, 1],
        ],
        support: 'correlation',
      }),
    ).toMatch(/positive definite/);
    expect(
      await message({
        initial: [
          [1, 0.5],
          [0.4, 1],
        ],
        support: 'correlation',
      }),
    ).toMatch(/symmetric/);
    expect(await message({ initial: [0.5, 0.5], support: 'simplex', lower: 0 })).toMatch(/takes no "lower"/);
    expect(await message({ initial: -1, support: 'positive' })).toMatch(/"initial" above 0/);
  });
});
