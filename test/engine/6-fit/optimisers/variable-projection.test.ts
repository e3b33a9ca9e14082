/** Parameters that enter linearly are seen in the program, and solved for. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../../engine/5-runtime/device.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import { fitFromStarts } from '../../../../engine/6-fit/multistart.ts';
import type { FitParameter } from '../../../../engine/6-fit/problem.ts';
import { leastChange, linearParameters, reduced } from '../../../../engine/6-fit/optimisers/variable-projection.ts';
import { curveProblem, scalarParameter } from '../../../support/study-problems.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

const x = Array.from({ length: 20 }, (_, i) => i / 4);
const y = x.map((t, i) => 3 * Math.exp(-0.4 * t) + 1 + 0.01 * Math.sin(11 * i));

const linearIn = (formula: string, names: readonly string[], more: Partial<FitParameter> = {}): string[] => {
  const parameters = names.map((name) => scalarParameter(name, 1, name === 'a' ? more : {}));
  return linearParameters(curveProblem({ formula, x, y, parameters }));
};

describe('what is linear', () => {
  it.each([
    ['a*exp(-k*x) + b', ['a', 'k', 'b'], ['a', 'b']],
    ['a*b*x + k^2', ['a', 'b', 'k'], ['a']],
    ['a*exp(-k*x) + a^2', ['a', 'k'], []],
    ['if(x > 2, a*k, b)', ['a', 'k', 'b'], ['a', 'b']],
    ['if(a > 2, a*k, 1)', ['a', 'k'], ['k']],
    ['abs(a)*k', ['a', 'k'], ['k']],
    ['a + b*x', ['a', 'b'], []],
    ['log(k)*(a - x)/k', ['a', 'k'], ['a']],
  ] as [string, string[], string[]][])('in %s', (formula, names, wanted) => {
    expect(linearIn(formula, names)).toEqual(wanted);
  });

  it('is left to the search where it has a bound or a scale of its own, or is fixed', () => {
    const formula = 'a*exp(-k*x) + b';
    expect(linearIn(formula, ['a', 'k', 'b'], { lower: [0] })).toEqual(['b']);
    expect(linearIn(formula, ['a', 'k', 'b'], { scale: 'log' })).toEqual(['b']);
    expect(linearIn(formula, ['a', 'k', 'b'], { fixed: true })).toEqual(['b']);
  });
});

it('what is left is orthogonal to the columns that are solved for', () => {
  const jacobian = [Float64Array.of(1, 1, 1, 1), Float64Array.of(0, 1, 2, 3), Float64Array.of(1, 4, 2, 0)];
  const residuals = Float64Array.of(3, -1, 2, 5);
  const change = leastChange({ residuals, jacobian }, [0, 1]);
  const left = residuals.map((r, i) => r + change[0]! + change[1]! * i);
  const { jacobian: others } = reduced({ residuals: left, jacobian }, [0, 1], [2]);
  for (const column of [left, others[0]!])
    for (const by of jacobian.slice(0, 2))
      expect(Math.abs(column.reduce((sum, value, i) => sum + value * by[i]!, 0))).toBeLessThan(1e-13);
});

it('several columns are reduced along with one factorisation as each is alone, to the bit', () => {
  const column = (seed: number): Float64Array => Float64Array.from({ length: 9 }, (_, i) => Math.sin(seed + i * i));
  const full = { residuals: column(0), jacobian: [1, 2, 3, 4, 5, 6].map(column) };
  const { jacobian: together } = reduced(full, [4, 1], [0, 2, 3, 5]);
  expect(together).toEqual([0, 2, 3, 5].map((j) => reduced(full, [4, 1], [j]).jacobian[0]));
});

describe('a fit', () => {
  const problem = (a: number, k: number, b: number) =>
    curveProblem({
      formula: 'a*exp(-k*x) + b',
      ...{ x, y },
      parameters: [scalarParameter('a', a), scalarParameter('k', k), scalarParameter('b', b)],
    });

  it('ends where it does without, from wherever what is linear begins', async () => {
    const plain = await fit(problem(3, 0.4, 1), device, { method: 'newton-cg' });
    for (const [a, b] of [
      [1e6, -1e6],
      [0, 0],
      [-3, 5],
    ] as const) {
      const found = await fit(problem(a, 2, b), device);
      expect(found.status, found.reason).toBe('converged');
      expect(found.solved).toEqual(['a', 'b']);
      found.estimates.forEach(({ value, standardError }, i) => {
        expect(Math.abs(value / plain.estimates[i]!.value - 1)).toBeLessThan(1e-7);
        expect(Math.abs(standardError / plain.estimates[i]!.standardError - 1)).toBeLessThan(1e-5);
      });
    }
  });

  it('from many starts solves for it in each', async () => {
    const found = await fitFromStarts(problem(1, 1, 1), device, { starts: 8, seed: 1 });
    expect(found.solved).toEqual(['a', 'b']);
    expect(found.starts?.atBest).toBeGreaterThan(4);
  });

  it('that searches all says that none is solved for', async () => {
    const found = await fit(problem(3, 0.4, 1), device, { method: 'l-bfgs-b' });
    expect(found.solved).toEqual([]);
  });
});
