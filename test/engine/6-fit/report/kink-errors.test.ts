/** Errors where the slope jumps, against the closed form of Σ|y − x·β|/b: Σ x·xᵀ·2φ(r/s)/(s·b), s² = xᵀCx. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../../engine/5-runtime/device.ts';
import { cholesky, choleskyInverse } from '../../../../engine/6-fit/algebra/cholesky.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import { averagedCurvature } from '../../../../engine/6-fit/report/kink-errors.ts';
import { fitModel } from '../../../../src-main/compute/fit/fit.ts';
import { uncertainty } from '../../../../src-main/compute/study/uncertainty.ts';
import { model } from '../../../support/documents.ts';
import { curveProblem, scalarParameter } from '../../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

const free = { lower: -Infinity, upper: Infinity };
const slopeOf = (f: (u: Float64Array) => { value: number; gradient: number[] }) => (u: Float64Array) => {
  const { value, gradient } = f(u);
  return Promise.resolve({ value, gradient: Float64Array.from(gradient) });
};

function matrix(rows: readonly (readonly number[])[]): Float64Array[] {
  return rows.map((row) => Float64Array.from(row));
}

describe('the curvature averaged over the errors', () => {
  it('of what bends evenly is the Hessian', async () => {
    const h = [
      [4e6, 1900],
      [1900, 1],
    ];
    const quadratic = slopeOf((u) => {
      const [x = 0, y = 0] = [u[0]! - 3, u[1]! + 2];
      const gradient = h.map(([a = 0, b = 0]) => a * x + b * y);
      return { value: (gradient[0]! * x + gradient[1]! * y) / 2, gradient };
    });
    const found = await averagedCurvature(quadratic, Float64Array.of(3, -2), [free, free], [0, 1]);
    found?.forEach((row, i) => row.forEach((value, j) => expect(value / h[i]![j]!).toBeCloseTo(1, 7)));
    expect(found).toHaveLength(2);
  });

  it.each([12, 40, 400])('of absolute residuals is their density at 0: %d rows', async (rows) => {
    const b = 0.5;
    /** Quantiles of Laplace's distribution, in another order than x. */
    const noise = (i: number): number => {
      const share = ((i + 1) * 0.6180339887498949) % 1;
      return share < 0.5 ? Math.log(2 * share) : -Math.log(2 - 2 * share);
    };
    const x = Array.from({ length: rows }, (_, i) => (3 * i) / rows);
    const y = x.map((t, i) => 1 + 2 * t + b * noise(i));
    const residuals = (u: ArrayLike<number>) => x.map((t, i) => u[0]! + u[1]! * t - y[i]!);
    const sum = (terms: readonly number[]) => terms.reduce((total, term) => total + term, 0);
    // The best of the lines through two of the points.
    let best = { point: [0, 0], value: Infinity };
    const step = Math.ceil(rows / 60);
    for (let i = 0; i < rows; i += step)
      for (let j = i + 1; j < rows; j++) {
        const slope = (y[j]! - y[i]!) / (x[j]! - x[i]!);
        const point = [y[i]! - slope * x[i]!, slope];
        const value = sum(residuals(point).map(Math.abs)) / b;
        if (value < best.value) best = { point, value };
      }
    const absolute = slopeOf((u) => {
      const r = residuals(u);
      const signs = r.map(Math.sign);
      return {
        value: sum(r.map(Math.abs)) / b,
        gradient: [sum(signs) / b, sum(signs.map((s, i) => s * x[i]!)) / b],
      };
    });
    const found = await averagedCurvature(absolute, Float64Array.from(best.point), [free, free], [0, 1]);
    const c = choleskyInverse(cholesky(found!)!);
    const weights = residuals(best.point).map((r, i) => {
      const t = x[i]!;
      const s = Math.sqrt(c[0]![0]! + 2 * t * c[0]![1]! + t * t * c[1]![1]!);
      return (2 * Math.exp(-0.5 * (r / s) ** 2)) / (Math.sqrt(2 * Math.PI) * s * b);
    });
    const moment = (power: number) => sum(weights.map((w, i) => w * x[i]! ** power));
    const closed = choleskyInverse(
      cholesky(
        matrix([
          [moment(0), moment(1)],
          [moment(1), moment(2)],
        ]),
      )!,
    );
    for (const j of [0, 1]) expect(Math.sqrt(c[j]![j]! / closed[j]![j]!), `error ${j}`).toBeCloseTo(1, 1.6);
    // Of many rows it is the information of Laplace's distribution.
    if (rows < 400) return;
    const plain = choleskyInverse(
      cholesky(
        matrix([
          [rows, sum(x)],
          [sum(x), sum(x.map((t) => t * t))],
        ]),
      )!,
    );
    for (const j of [0, 1]) expect(Math.abs(Math.sqrt(c[j]![j]! / (b * b * plain[j]![j]!)) - 1)).toBeLessThan(0.15);
  });

  it('is not told beside a bound, or of what does not curve', async () => {
    const absolute = slopeOf(([u = 0]) => ({ value: Math.abs(u), gradient: [Math.sign(u)] }));
    const bounded = { lower: -0.1, upper: Infinity };
    expect(await averagedCurvature(absolute, Float64Array.of(0), [bounded], [0])).toBeUndefined();
    const level = slopeOf(() => ({ value: 1, gradient: [0] }));
    expect(await averagedCurvature(level, Float64Array.of(0), [free], [0])).toBeUndefined();
  });
});

describe('a fit that ends at a kink', () => {
  const x = Array.from({ length: 24 }, (_, i) => i);
  const random = randomFrom(7);
  const y = x.map((t) => 1 + 2 * t + 0.4 * random.normal() + (t === 9 ? 12 : 0));
  const laplace = () =>
    model(
      [
        ...['x', 'y'].map((id) => ({ id, kind: 'column', table: 'T', column: id })),
        ...['a', 'b'].map((id) => ({ id, kind: 'parameter', initial: 0 })),
        { id: 's', kind: 'parameter', initial: 1, support: 'positive' },
        { id: 'mu', kind: 'map', formula: 'a + b*x' },
        { id: 'loss', kind: 'likelihood', family: 'laplace', observed: 'y', location: 'mu', scale: 's' },
      ],
      { tables: { T: { columns: { x, y } } }, objective: 'loss' },
    );
  const studied = async (method: 'covariance' | 'profile' | 'bootstrap', more = {}) =>
    uncertainty(await laplace(), device, { kind: 'uncertainty', method, seed: 1, ...more }, { parameters: {} });

  it.each([
    ['covariance', {}],
    ['profile', {}],
    ['bootstrap', { samples: 200 }],
    ['bootstrap', { samples: 200, resample: 'cases' }],
  ] as const)('has intervals by %s', async (method, more) => {
    const found = await studied(method, more);
    expect(found.fit.reason).toContain('at a kink');
    expect(found.sloppy).toEqual([]);
    expect(found.conditionNumber).toBeGreaterThan(1);
    expect(found.conditionNumber).toBeLessThan(100);
    if (method === 'bootstrap') expect(found.diagnostics['failed']).toBeLessThan(6);
    const [{ lower, upper, verdict } = { lower: NaN, upper: NaN, verdict: undefined }] = found.parameters.filter(
      ({ name }) => name === 'b',
    );
    expect(verdict?.status).toBe('determined');
    expect(lower).toBeLessThan(2);
    expect(upper).toBeGreaterThan(2);
    // b·Σ(x − x̄)²^−½ is 0.02 at the scale that is found.
    expect(upper - lower).toBeGreaterThan(0.03);
    expect(upper - lower).toBeLessThan(0.2);
  });

  it('of squares has those of other data, whose break is between two rows', async () => {
    const rows = x.slice(0, 16);
    const data = (seed: number) =>
      rows.map((t, i) => 2 + 0.5 * t + 1.5 * Math.max(0, t - 7.3) + Math.sin(12.9898 * (i + 1) * seed));
    const broken = (seed: number) =>
      curveProblem({
        ...{ formula: 'a + b*x + c*max(0, x - k)', x: rows, y: data(seed) },
        parameters: ['a', 'b', 'c', 'k'].map((name) => scalarParameter(name, name === 'k' ? 6 : 1)),
      });
    const ends = await Promise.all(Array.from({ length: 24 }, (_, i) => fit(broken(i + 1), device)));
    /** Of k in units of the noise that was found. */
    const errors = (kink: boolean) =>
      ends
        .filter((end) => (end.kink === true) === kink)
        .map(({ estimates, objective }) => estimates[3]!.standardError / Math.sqrt(objective / 12));
    expect(errors(true).length).toBeGreaterThan(0);
    const smooth = errors(false);
    for (const error of errors(true)) {
      expect(error).toBeGreaterThan(0.8 * Math.min(...smooth));
      expect(error).toBeLessThan(1.25 * Math.max(...smooth));
    }
  });

  it.each([
    // exp(−|x − 1|^p) has the variance Γ(3/p)/Γ(1/p).
    [1, 'at a kink, where the slope jumps', Math.SQRT2],
    [1.2, 'where its curvature is infinite', 1.0852],
    [1.5, 'where its curvature is infinite', 0.8594],
    [1.9, 'where its curvature is infinite', 0.7287],
    [2.5, 'where its curvature vanishes', 0.6432],
  ])(
    'of |x − 1| to the power %d says what bends there, and has nearly the deviation of its density',
    async (power, says, deviation) => {
      const problem = await model(
        [
          { id: 'p', kind: 'parameter', initial: 3 },
          { id: 'loss', kind: 'map', formula: `abs(p - 1)^${power}` },
        ],
        { objective: 'loss' },
      );
      const { status, reason, estimates } = await fitModel(problem, device, { parameters: {} });
      expect(status).toBe('converged');
      expect(reason).toContain(`its minimum is ${says}`);
      expect(estimates[0]!.value).toBeCloseTo(1, 6);
      expect(estimates[0]!.standardError / deviation).toBeGreaterThan(0.88);
      expect(estimates[0]!.standardError / deviation).toBeLessThan(1.02);
    },
  );
});
