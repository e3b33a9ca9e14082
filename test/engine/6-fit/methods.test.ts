/** Every optimiser on problems whose minima are known. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import { realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import { fitMethods, type FitMethod } from '../../../engine/6-fit/methods.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { nistFormulas, readNist } from '../../nist/problems.ts';
import { curveProblem, densityProblem, scalarParameter } from '../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

const scalarMethods = (Object.keys(fitMethods) as FitMethod[]).filter((method) => method !== 'levenberg-marquardt');
const byGradient: readonly FitMethod[] = ['l-bfgs-b', 'newton-cg'];

async function expectMinimum(
  problem: FitProblem,
  method: FitMethod,
  wanted: readonly number[],
  digits: number,
): Promise<void> {
  const found = await fit(problem, device, { method });
  expect(found.status, `${method}: ${found.reason}`).toBe('converged');
  found.estimates.forEach(({ value }, i) => {
    const size = Math.max(1, Math.abs(wanted[i]!));
    expect(Math.abs(value - wanted[i]!) / size, method).toBeLessThan(10 ** -digits);
  });
}

const digitsOf: Readonly<Record<FitMethod, number>> = {
  'levenberg-marquardt': 8,
  'l-bfgs-b': 7,
  'newton-cg': 8,
  adam: 4,
  'nelder-mead': 6,
};

describe.each(scalarMethods)('%s', (method) => {
  const digits = digitsOf[method];
  it("finds the minimum in Rosenbrock's valley", async () => {
    const parameters = [scalarParameter('x', -1.2), scalarParameter('y', 1)];
    await expectMinimum(densityProblem('(1 - x)^2 + 100*(y - x^2)^2', parameters), method, [1, 1], digits);
  });

  it("finds Beale's minimum, at a value that is not zero", async () => {
    const formula = '2 + (1.5 - x + x*y)^2 + (2.25 - x + x*y^2)^2 + (2.625 - x + x*y^3)^2';
    const parameters = [scalarParameter('x', 1), scalarParameter('y', 1)];
    await expectMinimum(densityProblem(formula, parameters), method, [3, 0.5], Math.min(digits, 6));
  });

  it('stops at the bounds that are active', async () => {
    // Without bounds (x, y, z) = (3, -2, 1); x ≤ 2 and y ≥ -1 pull z along.
    const formula = '(x - 3)^2 + 2*(y + 2)^2 + (z - 1)^2 + 0.5*(x - 3)*(z - 1)';
    const parameters = [
      scalarParameter('x', 0, { upper: [2] }),
      scalarParameter('y', 0, { lower: [-1] }),
      scalarParameter('z', 5),
    ];
    await expectMinimum(densityProblem(formula, parameters), method, [2, -1, 1.25], Math.min(digits, 6));
  });

  it('fits a Poisson mean on a log scale', async () => {
    const parameters = [scalarParameter('mu', 1, { scale: 'log', lower: [0] })];
    await expectMinimum(densityProblem('4*mu - 16*log(mu)', parameters), method, [4], Math.min(digits, 6));
  });

  it('goes round a region without a value', async () => {
    const parameters = [scalarParameter('x', 3)];
    await expectMinimum(densityProblem('x - log(x - 1)', parameters), method, [2], Math.min(digits, 6));
  });

  it('says so where there is no value to begin with', async () => {
    const { status, reason } = await fit(densityProblem('log(x)', [scalarParameter('x', -1)]), device, { method });
    expect(status).toBe('failed');
    expect(reason).toMatch(/^at the starting values .* no value|^at the starting values .* NaN/);
    expect(reason).toMatch(/: begin elsewhere, or from many starts$/);
  });
});

describe('least squares by gradients', () => {
  it.each(
    ['Misra1a', 'Misra1b', 'DanWood', 'Chwirut2', 'BoxBOD', 'Rat42', 'MGH10'].flatMap((name) =>
      byGradient.map((method) => ({ name, method })),
    ),
  )('$name by $method', async ({ name, method }) => {
    const { starts, columns, certified, sumOfSquares } = readNist(name);
    const formula = nistFormulas[name]!;
    const parameters = certified.map((_, i) => scalarParameter(`b${i + 1}`, starts[1][i]!));
    const x = columns.get('x') ?? [];
    const problem = curveProblem({ formula, x, y: columns.get('y') ?? [], parameters });
    const found = await fit(problem, device, { method });
    expect(found.status, found.reason).toBe('converged');
    expect(Math.abs(found.objective / sumOfSquares - 1)).toBeLessThan(1e-8);
    found.estimates.forEach(({ value }, i) => expect(Math.abs(value / certified[i]! - 1)).toBeLessThan(1e-5));
  });
});

it.each([
  [[0, 1], 'the residual of row 0 is NaN'],
  [[2, 0.5], 'the derivative of row 1 by c is not finite'],
])('names the row, and the parameter, by which least squares have no start at %j', async ([a, c], why) => {
  const parameters = [scalarParameter('a', a!), scalarParameter('c', c!)];
  const problem = curveProblem({ formula: 'a*sqrt(x - c)/a', x: [1, 0.5, 2], y: [1, 1, 1], parameters });
  const { status, reason, estimates } = await fit(problem, device);
  expect(status).toBe('failed');
  expect(reason).toBe(`at the starting values ${why}: begin elsewhere, or from many starts`);
  for (const { verdict } of estimates) expect(verdict.reason).toBe('not known: the fit has failed');
});

it.each([3, 0.7, 1 / 3])(
  'promises nothing more where residuals are but rounding: %d by a logistic curve',
  async (level) => {
    const x = Array.from({ length: 12 }, (_, i) => i);
    const parameters = [scalarParameter('L', 10), scalarParameter('k', 1)];
    const constant = curveProblem({ formula: 'L/(1 + exp(-k*(x - 3)))', x, y: x.map(() => level), parameters });
    const found = await fit(constant, device, { method: 'l-bfgs-b' });
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeLessThan(1e-20);
    expect(found.decrement).toBeLessThan(0.01);
  },
);

it('fits a logistic curve to yes and no alike by every method', async () => {
  const answers: readonly (readonly [x: number, yes: boolean])[] = [
    ...([
      [-2, false],
      [-1, false],
      [0, true],
    ] as const),
    ...([
      [1, false],
      [2, true],
      [3, true],
    ] as const),
  ];
  const formula = answers.map(([x, yes]) => `log(1 + exp(${yes ? '-' : ''}(a + b*(${x}))))`).join(' + ');
  const parameters = [scalarParameter('a', 0.1), scalarParameter('b', 0.5)];
  const problem = densityProblem(formula, parameters);
  const exact = await fit(problem, device, { method: 'newton-cg' });
  // At the maximum of the likelihood Σ p = Σ yes, and Σ p·x = Σ yes·x.
  const [a, b] = exact.estimates.map(({ value }) => value) as [number, number];
  const left = (weight: (x: number) => number) =>
    answers.reduce((sum, [x, yes]) => sum + weight(x) * (1 / (1 + Math.exp(-a - b * x)) - (yes ? 1 : 0)), 0);
  expect(Math.abs(left(() => 1))).toBeLessThan(1e-9);
  expect(Math.abs(left((x) => x))).toBeLessThan(1e-9);
  for (const method of scalarMethods) await expectMinimum(problem, method, [a, b], Math.min(digitsOf[method], 6));
});

describe('many parameters', () => {
  /** Σ (1 - x_i)²/2 + 10·(x_{i+1} - x_i²)², a chain of 300 that a dense Hessian is not formed of. */
  function chain(n: number): FitProblem {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', [n]));
    const [left, right] = [b.slice(x, 0, 0, n - 1), b.slice(x, 0, 1, n - 1)];
    const terms = b.elementwise([left, right], (s, u, v) => {
      const [away, off] = [s.apply('sub', u, realLiteral(1)), s.apply('sub', v, s.apply('mul', u, u))];
      const weighed = (factor: number, y: ScalarOperand) => s.apply('mul', realLiteral(factor), s.apply('mul', y, y));
      return s.apply('add', weighed(0.5, away), weighed(10, off));
    });
    const [f] = b.reduce(builtinOperator('add'), [terms], 0);
    const every = (value: number) => new Array<number>(n).fill(value);
    return {
      program: b.finish({ f: f! }),
      energy: 'f',
      objective: 'f',
      residuals: [],
      observations: 0,
      sigmaKnown: true,
      parameters: [
        {
          ...{ name: 'x', shape: [n], initial: every(0.5), fixed: false, scale: 'linear' },
          ...{ lower: every(-Infinity), upper: every(Infinity).fill(0.25, 0, 1) },
        },
      ],
      data: new Map(),
      sizes: {},
    };
  }

  it('are fitted by products with the Hessian as by gradients, with a bound that is active', async () => {
    const problem = chain(300);
    const [newton, quasi] = [
      await fit(problem, device, { method: 'newton-cg' }),
      await fit(problem, device, { method: 'l-bfgs-b' }),
    ];
    expect([newton.status, quasi.status], `${newton.reason}; ${quasi.reason}`).toEqual(['converged', 'converged']);
    expect(newton.estimates[0]?.value).toBe(0.25);
    expect(newton.estimates[0]?.atBound).toBe('upper');
    expect(newton.estimates.at(-1)?.value).toBeCloseTo(1, 4);
    newton.estimates.forEach(({ value }, i) => expect(value).toBeCloseTo(quasi.estimates[i]!.value, 6));
    expect(newton.iterations).toBeLessThan(quasi.iterations);
  });
});
