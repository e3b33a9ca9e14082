import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { optimize } from '../../../../engine/1-optimize/index.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { coordinates } from '../../../../engine/6-fit/coordinates.ts';
import {
  jacobianName,
  productOfColumnsName,
  slopeName,
  squaresName,
  withJacobian,
  withNormalEquations,
} from '../../../../engine/6-fit/derivative-programs.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import { isLarge } from '../../../../engine/6-fit/optimisers/large-least-squares.ts';
import { compress } from '../../../../engine/6-fit/normal-equations.ts';
import { leastSquaresUncertainty } from '../../../../engine/6-fit/report/statistics.ts';
import type { FitParameter, FitProblem } from '../../../../engine/6-fit/problem.ts';
import { dot, norm } from '../../../../engine/6-fit/algebra/vectors.ts';

/** r = y - (a·exp(-k₀·x) + k₁), and what is minimised. */
function decay(): Program {
  const b = new ProgramBuilder();
  const [a, k] = [b.parameter('a', arrayType('real')), b.parameter('k', arrayType('real', [2]))];
  const [x, y] = [b.parameter('x', arrayType('real', ['n'])), b.parameter('y', arrayType('real', ['n']))];
  const [rate, offset] = [0, 1].map((i) => b.reshape(b.slice(k, 0, i, 1), []));
  const model = b.elementwise([a, rate ?? a, offset ?? a, x], (s, size, fast, base, t) =>
    s.apply('add', s.apply('mul', size, s.apply('exp', s.apply('neg', s.apply('mul', fast, t)))), base),
  );
  const residuals = b.apply('sub', y, model);
  const squares = b.apply('mul', residuals, residuals);
  const [objective] = b.reduce(builtinOperator('add'), [squares], 0) as [Value];
  return b.finish({ residuals, objective });
}

const named = (name: string, initial: number[]): FitParameter => ({
  ...{ name, initial, shape: name === 'a' ? [] : [initial.length], fixed: false, scale: 'linear' },
  ...{ lower: initial.map(() => -Infinity), upper: initial.map(() => Infinity) },
});

function problem(n: number, noise: number): FitProblem {
  const x = Float64Array.from({ length: n }, (_, i) => (4 * i) / n);
  const y = x.map((t, i) => 2.5 * Math.exp(-1.3 * t) + 0.5 + noise * Math.sin(12.9898 * i));
  return {
    ...{ program: decay(), energy: 'objective', objective: 'objective', residuals: ['residuals'] },
    ...{ observations: n, sigmaKnown: false, parameters: [named('a', [1]), named('k', [1, 0])], sizes: { n } },
    data: new Map([
      ['x', x],
      ['y', y],
    ]),
  };
}

test('the normal equations are those of the Jacobian', () => {
  const program = decay();
  const inputs = new Map(Object.entries({ a: [1.5], k: [0.7, 0.2], x: [0, 1, 2.5, 4], y: [2, 1.5, 1, 0.25] }));
  const exact = interpret(withJacobian(program, ['residuals'], ['a', 'k']), inputs, { n: 4 });
  const values = (name: string) => Float64Array.from(exact.get(name)?.values ?? []);
  const byK = values(jacobianName('residuals', 'k'));
  const columns = [values(jacobianName('residuals', 'a')), byK.slice(0, 4), byK.slice(4)];
  const found = interpret(optimize(withNormalEquations(program, ['residuals'], ['a', 'k'])), inputs, { n: 4 });
  const scalar = (name: string) => found.get(name)?.values[0];
  const r = values('residuals');
  expect(scalar(squaresName)).toBeCloseTo(dot(r, r), 14);
  columns.forEach((column, i) => {
    expect(scalar(slopeName(i))).toBeCloseTo(dot(column, r), 14);
    columns.slice(i).forEach((other, k) => {
      expect(scalar(productOfColumnsName(i, i + k))).toBeCloseTo(dot(column, other), 14);
    });
  });
});

test('they are one pass over the data, which writes nothing of its length', () => {
  const varying = new Set(['a', 'k']);
  const plan = lower(optimize(withNormalEquations(decay(), ['residuals'], ['a', 'k']), { varying }), varying);
  expect([...plan.prepare, ...plan.run]).toMatchObject([{ kind: 'reduce', domain: ['n'] }]);
  expect(plan.buffers.filter(({ role, length }) => role !== 'input' && length !== 1)).toEqual([]);
});

describe('the problem of p + 1 rows', () => {
  // Products of smaller numbers have lost their digits.
  const entry = fc.double({ min: -3, max: 3, noNaN: true }).map((value) => (Math.abs(value) < 1e-100 ? 0 : value));
  const tall = fc.integer({ min: 1, max: 4 }).chain((p) =>
    fc.record({
      jacobian: fc.array(fc.array(entry, { minLength: 6, maxLength: 6 }), { minLength: p, maxLength: p }),
      residuals: fc.array(entry, { minLength: 6, maxLength: 6 }),
    }),
  );

  test('has the same sum of squares and products', () => {
    fc.assert(
      fc.property(tall, ({ jacobian, residuals }) => {
        const [columns, r] = [jacobian.map((column) => Float64Array.from(column)), Float64Array.from(residuals)];
        const products = columns.map((a) => Float64Array.from(columns, (b) => dot(a, b)));
        const gradient = Float64Array.from(columns, (a) => dot(a, r));
        const small = compress(dot(r, r), gradient, products);
        expect(norm(small.residuals)).toBeCloseTo(norm(r), 12);
        small.jacobian.forEach((a, i) => {
          const size = norm(columns[i] as Float64Array);
          // Where columns are one but for 1e-7 radians, so is the gradient by either.
          expect(Math.abs(dot(a, small.residuals) - gradient[i]!)).toBeLessThanOrEqual(1e-6 * size * norm(r));
          small.jacobian.forEach((b, j) => {
            const most = 1e-12 * size * norm(columns[j] as Float64Array);
            expect(Math.abs(dot(a, b) - products[i]![j]!)).toBeLessThanOrEqual(most);
          });
        });
      }),
    );
  });

  test('has that sum where two columns are 1.1e-7 radians apart, and the residuals along what parts them', () => {
    const columns = [Float64Array.of(1, 0), Float64Array.of(1, 1.1e-7)];
    const r = Float64Array.of(0, 3);
    const { residuals } = compress(
      9,
      Float64Array.from(columns, (a) => dot(a, r)),
      columns.map((a) => Float64Array.from(columns, (b) => dot(a, b))),
    );
    expect(dot(residuals, residuals)).toBeCloseTo(9, 12);
  });

  test('keeps the gradient of independent columns', () => {
    const products = [Float64Array.of(4, 1), Float64Array.of(1, 9)];
    const { residuals, jacobian } = compress(10, Float64Array.of(3, -2), products);
    expect(jacobian.map((column) => dot(column, residuals))).toEqual([expect.closeTo(3), expect.closeTo(-2)]);
  });

  test('is nowhere finite where a sum is not', () => {
    const { residuals, jacobian } = compress(1, Float64Array.of(NaN), [Float64Array.of(1)]);
    expect([...residuals, ...(jacobian[0] ?? [])].every(Number.isNaN)).toBe(true);
  });
});

describe('a fit of many rows', () => {
  test('is one of the normal equations from some size on', () => {
    const large = (n: number) => isLarge(problem(n, 0), coordinates(problem(1, 0).parameters));
    expect([large(1000), large(200_000)]).toEqual([false, true]);
  });

  test('ends where the rows would, to eleven digits', async () => {
    const many = problem(200_000, 0.3);
    const device = cpuDevice();
    const found = await fit(many, device);
    const exact = await fit(many, device, { method: 'newton-cg' });
    expect(found.status).toBe('converged');
    found.estimates.forEach(({ value, standardError }, i) => {
      expect(Math.abs(value / (exact.estimates[i]?.value ?? NaN) - 1)).toBeLessThan(1e-10);
      expect(standardError / (exact.estimates[i]?.standardError ?? NaN)).toBeCloseTo(1, 8);
    });
  });

  // The data take 3.2 MB, the residuals and their Jacobian twice as much.
  const withoutRows = () => cpuDevice({ threads: 1, machineBytes: () => 6 * 2 ** 20 });

  test('has its errors from the products, which are those by QR, and asks for no rows', async () => {
    const many = problem(200_000, 0.3);
    const { estimates, reason, status } = await fit(many, withoutRows());
    const [a, rate, base] = estimates.map(({ value }) => value) as [number, number, number];
    const [x, y] = ['x', 'y'].map((name) => many.data.get(name) as Float64Array) as [Float64Array, Float64Array];
    const decays = x.map((t) => Math.exp(-rate * t));
    const columns = [decays, decays.map((e, i) => -a * x[i]! * e), x.map(() => 1)];
    const squares = y.reduce((sum, value, i) => sum + (value - a * decays[i]! - base) ** 2, 0);
    const exact = leastSquaresUncertainty(columns, squares, x.length, false);
    expect(status).toBe('converged');
    expect(reason).not.toContain('normal equations');
    estimates.forEach(({ standardError }, i) => {
      expect(standardError / Math.sqrt(exact.covariance[i]?.[i] ?? NaN)).toBeCloseTo(1, 10);
    });
  });

  /** x differs by 10⁻⁵ of itself: all three columns of the Jacobian are nearly one. */
  function almostAlike(): FitProblem {
    const many = problem(200_000, 0.3);
    const x = Float64Array.from({ length: many.observations }, (_, i) => 1 + (1e-5 * i) / many.observations);
    return { ...many, data: new Map([...many.data, ['x', x]]) };
  }

  test('goes on with the rows where parameters move almost alike', async () => {
    const { status, estimates } = await fit(almostAlike(), cpuDevice(), { maxIterations: 60 });
    expect(['converged', 'not-converged']).toContain(status);
    expect(estimates.every(({ value }) => Number.isFinite(value))).toBe(true);
  });

  test('says so where those do not fit, and products are all that there is', async () => {
    const { reason } = await fit(almostAlike(), withoutRows(), { maxIterations: 60 });
    expect(reason).toContain('errors by the normal equations, to about half of the digits');
  });
});
