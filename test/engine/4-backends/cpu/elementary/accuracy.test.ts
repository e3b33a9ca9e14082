/**
 * The elementary functions against mpmath's values (values.json, by test/support/numbers/elementary-values.py), in all four shapes.
 * SWEEP=2000 has Python with mpmath make so many points of every range anew, and prints the largest errors.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { operationInfo } from '../../../../../engine/0-ir/scalar-operations.ts';
import type { ElementaryOperation } from '../../../../../engine/4-backends/cpu/elementary/operation.ts';
import { elementaryFunctionNames } from '../../../../../engine/4-backends/cpu/elementary/table.ts';
import { elementaryOnArrays } from '../../../../support/numbers/elementary.ts';
import { ulpOf } from '../../../../support/numbers/ulps.ts';

type Precision = 'f64' | 'f32';

interface Point {
  readonly operands: readonly number[];
  /** The value is high + low. */
  readonly high: number;
  readonly low: number;
}

/** Units of the last place, and what may be wrong whatever the value: the zeros of these are those of sums. */
const bounds: Partial<
  Record<
    ElementaryOperation,
    { ulps: number | ((order: number) => number); absolute?: (...operands: number[]) => number }
  >
> = {
  lgamma: { ulps: 4, absolute: (x) => (x > 0 ? 1e-15 : 4e-15) },
  digamma: { ulps: 4, absolute: (x) => (x > 0 ? 1e-15 : 1e-14) },
  // Of an order above 18 each factor of m!/xᵐ⁺¹ is rounded.
  polygamma: { ulps: (order) => (order > 18 ? order / 2 : 4) },
  logaddexp: { ulps: 2, absolute: (a, b) => 2 ** -52 * Math.max(1, Math.abs(a), Math.abs(b)) },
};

const sweep = Number(process.env['SWEEP'] ?? 0);

function load(): Record<ElementaryOperation, Record<Precision, string>> {
  const script = new URL('../../../../support/numbers/elementary-values.py', import.meta.url).pathname;
  const made = () => execFileSync('python3', [script, String(sweep), '2'], { maxBuffer: 2 ** 30, encoding: 'utf8' });
  return JSON.parse(sweep > 0 ? made() : readFileSync(new URL('values.json', import.meta.url), 'utf8'));
}

const values = load();

function pointsOf(operation: ElementaryOperation, precision: Precision): Point[] {
  const bytes = Buffer.from(values[operation][precision], 'base64');
  const { arity } = operationInfo(operation);
  return Array.from({ length: bytes.length / 32 }, (_, i) => {
    const [x, y, high, low] = [0, 8, 16, 24].map((at) => bytes.readDoubleLE(32 * i + at)) as [
      number,
      number,
      number,
      number,
    ];
    return { operands: [x, y].slice(0, arity), high, low };
  });
}

function errorOf(got: number, { high, low }: Point, precision: Precision): number {
  const largest = precision === 'f64' ? Number.MAX_VALUE : (2 - 2 ** -23) * 2 ** 127;
  // Beyond the largest number by half a unit of the last place the value is rounded to ∞.
  if (!Number.isFinite(got)) return got === high || Math.abs(high) > largest ? 0 : Infinity;
  if (!Number.isFinite(high)) return Math.abs(got) === largest ? 1 : Infinity;
  return Math.abs(got - high - low) / ulpOf(high, precision);
}

describe.each(elementaryFunctionNames)('%s', (operation) => {
  test.each(['f64', 'f32'] as const)('%s', (precision) => {
    const points = pointsOf(operation, precision);
    expect(points.length).toBeGreaterThan(0);
    const { ulps: allowed, absolute = () => 0 } = bounds[operation] ?? { ulps: 2 };
    let largest = 0;
    // A block at a time, and to a multiple of four points, as vectors take them.
    for (let from = 0; from < points.length; from += 4096) {
      const block = points.slice(from, from + 4096);
      while (block.length % 4 !== 0) block.push(block[0]!);
      const columns = Array.from({ length: operationInfo(operation).arity }, (_, i) =>
        block.map(({ operands }) => operands[i]!),
      );
      const got = elementaryOnArrays(operation, precision)(...columns);
      const inVectors = elementaryOnArrays(operation, precision === 'f64' ? 'f64x2' : 'f32x4')(...columns);
      expect(inVectors, 'the same bits in vectors').toEqual(got);
      const misses = block.flatMap((point, i) => {
        const ulps = typeof allowed === 'number' ? allowed : allowed(point.operands[0]!);
        const error = errorOf(got[i]!, point, precision);
        const far = Math.abs(got[i]! - point.high - point.low) > absolute(...point.operands);
        if (error > largest && (error > ulps ? far : true)) largest = error;
        return error > ulps && (far || Number.isNaN(got[i]))
          ? [`(${point.operands.join(', ')}): ${got[i]}, ${error} ulp`]
          : [];
      });
      expect(misses.slice(0, 10)).toEqual([]);
    }
    if (sweep > 0) console.log(`${operation} ${precision}: ${largest.toFixed(2)} ulp`);
  });
});
