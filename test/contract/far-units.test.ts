/** Fits in units so large, or so small, that squares of errors and residuals are no numbers: a line's closed form. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  fitJson,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

interface Fit {
  readonly status: string;
  readonly parameters: Readonly<Record<string, Readonly<Record<string, number | null>>>>;
}

describe('numbers whose squares are none', () => {
  const times = Array.from({ length: 12 }, (_, i) => 0.1 * i);
  const readings = times.map((t) => 1 + 2 * t + 0.1 * Math.sin(9 * t));
  const line = (size: number, more: object, extra: readonly PlainBlock[] = []): string =>
    written(
      documentOf(
        [
          ...[
            constant('x', times),
            constant(
              'y',
              readings.map((y) => size * y),
            ),
          ],
          ...[parameter('a', size), parameter('b', size), map('m', 'a + b*x')],
          { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y', ...more },
          ...extra,
        ],
        { objective: 'l' },
      ),
    );
  // (XᵀX)⁻¹ of a line.
  const n = times.length;
  const mean = times.reduce((sum, t) => sum + t, 0) / n;
  const spread = times.reduce((sum, t) => sum + (t - mean) ** 2, 0);
  const errors = { a: 0.1 * Math.sqrt(1 / n + mean ** 2 / spread), b: 0.1 / Math.sqrt(spread) };
  const correlation = -mean / Math.sqrt(spread / n + mean ** 2);

  it('have standard errors where sigma is as large', async () => {
    const path = line(1e200, { sigma: 1e199 });
    const found = await fitJson<Fit & { correlation: { matrix: number[][] } }>([path]);
    expect(found.correlation.matrix[0]?.[1]).toBeCloseTo(correlation, 10);
    for (const name of ['a', 'b'] as const) {
      const { value, standardError, lower95, upper95 } = found.parameters[name]!;
      expect(Number(standardError) / 1e200 / errors[name]).toBeCloseTo(1, 10);
      expect((Number(upper95) - Number(value)) / Number(standardError)).toBeCloseTo(1.959963984540054, 10);
      expect((Number(value) - Number(lower95)) / Number(standardError)).toBeCloseTo(1.959963984540054, 10);
    }
    const { stdout } = await cotangent('uncertainty', path, '--method', 'covariance', '--json');
    const { parameters } = JSON.parse(stdout) as { parameters: Record<string, { value: number; upper: number }> };
    for (const name of ['a', 'b'] as const) {
      const { value, upper } = parameters[name]!;
      expect((upper - value) / 1e200 / errors[name]).toBeCloseTo(1.959963984540054, 10);
    }
  });

  it.each([1, -1])('have studies that are rescaled with them, at 2^(%i·664)', async (sign) => {
    interface Study {
      readonly parameters: Record<string, Record<string, number>>;
      readonly quantities: Record<string, Record<string, number>>;
      readonly bands: Record<string, Record<string, number[]>>;
      readonly statistics: Record<string, number>;
    }
    const study = async (size: number, ...how: string[]): Promise<Study> => {
      const quantities = { sum: 'a + b', share: 'a/b' };
      const extra = Object.entries(quantities).map(([id, formula]) => ({ id, kind: 'quantity', formula }));
      const path = line(size, { sigma: size / 8 }, extra);
      const { status, stdout } = await cotangent('uncertainty', path, '--band', 'm', ...how, '--json');
      expect(status).toBe(0);
      return JSON.parse(stdout) as Study;
    };
    const size = 2 ** (sign * 664);
    const close = (found: number | undefined, wanted: number | undefined, of: string): void =>
      expect(Math.abs(Number(found) / Number(wanted) - 1), of).toBeLessThan(1e-9);
    for (const how of [['covariance'], ['covariance', '--sandwich'], ['bootstrap', '--samples', '100']]) {
      const plain = await study(1, '--method', ...how);
      const far = await study(size, '--method', ...how);
      for (const key of ['lower', 'upper', 'standardError']) {
        for (const name of ['a', 'b'])
          close(far.parameters[name]![key]! / size, plain.parameters[name]![key], `${how.join(' ')}: ${name} ${key}`);
        close(far.quantities['sum']![key]! / size, plain.quantities['sum']![key], `${how.join(' ')}: sum ${key}`);
        close(far.quantities['share']![key], plain.quantities['share']![key], `${how.join(' ')}: share ${key}`);
        if (key !== 'standardError')
          plain.bands['m']![key]!.forEach((end, i) => close(far.bands['m']![key]![i]! / size, end, `band ${key} ${i}`));
      }
      close(far.statistics['rSquared'], plain.statistics['rSquared'], 'R²');
    }
  });

  it('are no fit without errors where they vanish', async () => {
    const found = await fitJson<Fit & { reason: string }>([line(1e-200, {})], 3);
    expect(found.status).toBe('not-converged');
    expect(found.reason).toMatch(/underflow/);
    for (const known of Object.values(found.parameters)) expect(known.standardError).toBeNull();
    // Digits are left at 10⁻¹⁵⁰: the errors are those of R's lm, of the same line in other units.
    const small = await fitJson<Fit>([line(1e-150, {})]);
    const s = Math.sqrt(0.05151306764552956 / 10) / 0.1;
    expect(small.status).toBe('converged');
    expect(Number(small.parameters['b']!.standardError) / 1e-150 / (s * errors.b)).toBeCloseTo(1, 10);
  });
});
