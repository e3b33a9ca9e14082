/** Newton's steps within bounds: the minimum of a convex quadratic over a box is where the projected gradient is zero. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Coordinate } from '../../../../engine/6-fit/coordinates.ts';
import { pointOf, sloped, wholly, type Look, type Quadratic } from '../../../../engine/6-fit/expansion.ts';
import { newton } from '../../../../engine/6-fit/optimisers/newton.ts';
import { scalarParameter } from '../../../support/study-problems.ts';

const parameter = scalarParameter('x', 0);
const numbers = (length: number) =>
  fc.array(
    fc.integer({ min: -200, max: 200 }).map((value) => value / 100),
    { minLength: length, maxLength: length },
  );

/** ½·uᵀ(AᵀA + 10⁻⁴·I)u + bᵀu: long valleys, which a step that is cut at the bounds may leave uphill. */
function quadratic(a: readonly (readonly number[])[], b: readonly number[]): (u: Float64Array) => Promise<Quadratic> {
  const n = b.length;
  const hessian = Array.from({ length: n }, (_, i) =>
    Float64Array.from({ length: n }, (_, j) => a.reduce((sum, row) => sum + row[i]! * row[j]!, i === j ? 1e-4 : 0)),
  );
  return (u) => {
    const product = hessian.map((row) => row.reduce((sum, h, j) => sum + h * u[j]!, 0));
    const gradient = Float64Array.from(product, (p, i) => p + b[i]!);
    const value = product.reduce((sum, p, i) => sum + u[i]! * (0.5 * p + b[i]!), 0);
    return Promise.resolve({ value, gradient, hessian });
  };
}

/** As a long program answers: of what is tried no Hessian, and of what is no lower no gradient. */
function sifted(expand: (u: Float64Array) => Promise<Quadratic>) {
  const counted = { hessians: 0, gradients: 0 };
  const ask = async (asked: Look): Promise<Quadratic> => {
    if (!('below' in asked)) {
      counted.hessians++;
      return expand(pointOf(asked));
    }
    const { value, gradient } = await expand(asked.point);
    if (!(value < asked.below)) return sloped(value, new Float64Array(0));
    counted.gradients++;
    return sloped(value, gradient);
  };
  return { ask, counted };
}

it('ends where no coordinate can go down, from any start in the box', async () => {
  const n = 4;
  await fc.assert(
    fc.asyncProperty(
      fc.array(numbers(n), { minLength: 2, maxLength: 2 }),
      numbers(n),
      numbers(n),
      fc.boolean(),
      async (a, b, from, sifts) => {
        const all: Coordinate[] = b.map((_, element) => ({ parameter, element, lower: -1, upper: 1 }));
        const start = Float64Array.from(from, (value) => value / 2);
        const expand = quadratic(
          a,
          b.map((value) => 5 * value),
        );
        const limits = { maxIterations: 100 };
        const { status, point } = await (sifts
          ? newton(sifted(expand).ask, all, start, limits, { scores: false })
          : newton(wholly(expand), all, start, limits));
        expect(status).toBe('converged');
        const { gradient } = await expand(point);
        point.forEach((value, j) => {
          const slope = gradient[j]!;
          if (slope > 1e-6) expect(value).toBeCloseTo(-1, 9);
          if (slope < -1e-6) expect(value).toBeCloseTo(1, 9);
        });
      },
    ),
    { numRuns: 300 },
  );
});

/** Σ 100·(uᵢ₊₁ − uᵢ²)² + (1 − uᵢ)²: a bent valley; and with a saddle at 0, Σ ¼uᵢ⁴ − ½uᵢ². */
const bent: Readonly<Record<string, (u: Float64Array) => Promise<Quadratic>>> = {
  valley(u) {
    const [n, gradient] = [u.length, new Float64Array(u.length)];
    const hessian = Array.from({ length: n }, () => new Float64Array(n));
    let value = 0;
    for (let i = 0; i + 1 < n; i++) {
      const [x, off] = [u[i]!, u[i + 1]! - u[i]! ** 2];
      value += 100 * off ** 2 + (1 - x) ** 2;
      gradient[i]! += -400 * x * off - 2 * (1 - x);
      gradient[i + 1]! += 200 * off;
      hessian[i]![i]! += 1200 * x ** 2 - 400 * u[i + 1]! + 2;
      hessian[i + 1]![i + 1]! += 200;
      hessian[i]![i + 1] = hessian[i + 1]![i] = -400 * x;
    }
    return Promise.resolve({ value, gradient, hessian });
  },
  saddle: (u) =>
    Promise.resolve({
      value: u.reduce((sum, x) => sum + x ** 4 / 4 - x ** 2 / 2, 0),
      gradient: u.map((x) => x ** 3 - x),
      hessian: Array.from(u, (x, i) => Float64Array.from(u, (_, j) => (i === j ? 3 * x ** 2 - 1 : 0))),
    }),
};

it.each([
  ['valley', [-1.2, 1, -1.2, 1]],
  ['valley', [3, -2, 5, 1]],
  ['saddle', [0, 0, 0.3]],
] as const)('a %s from %j: a Hessian is kept for some steps, and asked for where it ends', async (name, from) => {
  const all: Coordinate[] = from.map((_, element) => ({ parameter, element, lower: -Infinity, upper: Infinity }));
  const expand = bent[name]!;
  const { ask, counted } = sifted(expand);
  const { status, point, iterations } = await newton(
    ask,
    all,
    Float64Array.from(from),
    { maxIterations: 200 },
    { scores: false },
  );
  expect(status).toBe('converged');
  const { gradient, hessian } = await expand(point);
  gradient.forEach((slope, j) => expect(Math.abs(slope) / Math.sqrt(hessian[j]![j]!)).toBeLessThan(1e-6));
  expect(hessian.every((row, j) => row[j]! > 0)).toBe(true);
  if (name === 'valley') expect(counted.hessians).toBeLessThan(iterations);
  expect(counted.gradients).toBeGreaterThan(0);
});

/** A mean at x by the logarithms of two parameters, its slopes and its second ones. */
interface Mean {
  readonly value: number;
  readonly slopes: readonly [number, number];
  readonly bends: readonly [readonly [number, number], readonly [number, number]];
}

/** p·q·x: only the product is known. */
function product(x: number, u: number, v: number): Mean {
  const m = Math.exp(u + v) * x;
  return {
    value: m,
    slopes: [m, m],
    bends: [
      [m, m],
      [m, m],
    ],
  };
}

/** p·x/(q + x) */
function hyperbola(x: number, u: number, v: number): Mean {
  const q = Math.exp(v);
  const m = (Math.exp(u) * x) / (q + x);
  const slope = (-m * q) / (q + x);
  return {
    value: m,
    slopes: [m, slope],
    bends: [
      [m, slope],
      [slope, (slope * (x - q)) / (x + q)],
    ],
  };
}

/** ½·Σ ((mean − y)/0.1)² by the logarithms, with its Hessian, or the expected information in its place. */
function ofLogs(mean: (x: number, u: number, v: number) => Mean, ys: readonly number[]): (look: Look) => Quadratic {
  return (look) => {
    const [u = NaN, v = NaN] = pointOf(look);
    const isExpected = 'expected' in look;
    const gradient = new Float64Array(2);
    const hessian = [new Float64Array(2), new Float64Array(2)];
    let value = 0;
    ys.forEach((y, i) => {
      const { value: m, slopes, bends } = mean(i + 1, u, v);
      const r = 100 * (m - y);
      value += (r * (m - y)) / 2;
      for (const j of [0, 1] as const) {
        gradient[j]! += r * slopes[j];
        for (const k of [0, 1] as const)
          hessian[j]![k]! += 100 * slopes[j] * slopes[k] + (isExpected ? 0 : r * bends[j][k]);
      }
    });
    return { value, gradient, hessian };
  };
}

it.each([
  ['of which only the product is known', product, 2, 0.03, 'converged'],
  ['of a hyperbola, on rows that bend the other way', hyperbola, 2, 0.03, 'not-converged'],
  ['of a hyperbola', hyperbola, 2, -0.1, 'converged'],
] as const)('logarithms %s: the information ends where the Hessian does', async (_, mean, slope, bend, wanted) => {
  const ys = [1, 2, 3, 4, 5].map((x) => slope * x + bend * x * x);
  const logs = scalarParameter('p', 1, { scale: 'log' });
  const all = [0, 1].map((element): Coordinate => ({ parameter: logs, element, lower: -Infinity, upper: Infinity }));
  const start = Float64Array.of(Math.log(10), Math.log(5));
  const answer = ofLogs(mean, ys);
  const exact = (u: Float64Array): Promise<Quadratic> => Promise.resolve(answer(u));
  const { ask, counted } = sifted(exact);
  const plain = await newton(wholly(exact), all, start, { maxIterations: 200 }, { scores: false });
  const spared = await newton(
    (look) => ('expected' in look ? Promise.resolve(answer(look)) : ask(look)),
    all,
    start,
    { maxIterations: 200 },
    { scores: true },
  );
  expect([plain.status, spared.status], `${plain.reason}; ${spared.reason}`).toEqual([wanted, wanted]);
  if (wanted === 'converged') expect(spared.history.at(-1)).toBeCloseTo(plain.history.at(-1)!, 6);
  expect(counted.gradients).toBeGreaterThan(0);
});

/** 10⁶·(p·q − 1)² or 10⁶·(p + q − 2)², and a slight wish that p were 1.9, of u = log p and log q. */
const level =
  (kept: 'product' | 'sum') =>
  (u: Float64Array): Promise<Quadratic> => {
    const [p, q] = [Math.exp(u[0]!), Math.exp(u[1]!)];
    const [off, dp, dq, dpp, dpq, dqq] =
      kept === 'sum' ? [p + q - 2, p, q, p, 0, q] : [p * q - 1, p * q, p * q, p * q, p * q, p * q];
    const [stiff, slight, wish] = [1e6, 1, p - 1.9];
    return Promise.resolve({
      value: stiff * off ** 2 + slight * wish ** 2,
      gradient: Float64Array.of(2 * stiff * off * dp + 2 * slight * wish * p, 2 * stiff * off * dq),
      hessian: [
        Float64Array.of(
          2 * stiff * (dp * dp + off * dpp) + 2 * slight * (p * p + wish * p),
          2 * stiff * (dp * dq + off * dpq),
        ),
        Float64Array.of(2 * stiff * (dp * dq + off * dpq), 2 * stiff * (dq * dq + off * dqq)),
      ],
    });
  };

it.each(['product', 'sum'] as const)('of two logarithms a valley of one %s is followed to its end', async (kept) => {
  const logarithm = { ...scalarParameter('p', 1), scale: 'log' as const };
  const all: Coordinate[] = [0, 1].map((element) => ({
    parameter: logarithm,
    element,
    lower: -Infinity,
    upper: Infinity,
  }));
  const start = Float64Array.of(Math.log(0.05), Math.log(kept === 'sum' ? 1.95 : 20));
  const { status, point, iterations } = await newton(wholly(level(kept)), all, start, { maxIterations: 500 });
  expect(status).toBe('converged');
  expect(Math.exp(point[0]!)).toBeCloseTo(1.9, 6);
  expect(iterations).toBeLessThan(30);
});

it('what moves next to nothing has no curvature that counts, between bounds', async () => {
  // Of the second the value and slope are a rounding, and its curvature has their sign.
  const expand = ([a, b]: Float64Array): Promise<Quadratic> =>
    Promise.resolve({
      value: 3 + (a! - 0.5) ** 2 + 1e-13 * Math.cos(3 * b!),
      gradient: Float64Array.of(2 * (a! - 0.5), -3e-13 * Math.sin(3 * b!)),
      hessian: [Float64Array.of(2, 0), Float64Array.of(0, -9e-13 * Math.cos(3 * b!))],
    });
  const all: Coordinate[] = [0, 1].map((element) => ({
    parameter: { ...scalarParameter('p', 1), scale: 'log' as const },
    element,
    lower: -11.5,
    upper: 6.9,
  }));
  const { status, reason } = await newton(wholly(expand), all, Float64Array.of(0, 0.2), { maxIterations: 100 });
  expect([status, reason]).toEqual(['converged', 'no step reduces the objective any further']);
});
