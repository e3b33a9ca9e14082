/** What leaving out one by one asks of a device, and that it leaves nothing open; its figures are held in test/contract/leave-one-out.test.ts. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { leaveOneOut, squaresByCase } from '../../../engine/7-study/leave-one-out.ts';
import type { Cases } from '../../../engine/7-study/row-shares.ts';
import { curveProblem, scalarParameter } from '../../support/study-problems.ts';

const device = cpuDevice();
afterAll(() => device.close());

const decay = (x: readonly number[], y: readonly number[]): FitProblem =>
  curveProblem({
    formula: 'A*exp(-k*x) + c',
    x,
    y,
    parameters: [scalarParameter('A', 4), scalarParameter('k', 0.5), scalarParameter('c', 0.5)],
  });

const casesOf = (problem: FitProblem): Cases => ({
  ...squaresByCase(problem),
  rows: Array.from({ length: problem.observations }, (_, i) => i),
});

/** A repeatable disturbance without a random generator. */
const wobble = (i: number): number => 0.3 * Math.sin(12.9898 * (i + 1)) * Math.cos(4.1414 * i);
const times = (n: number): number[] => Array.from({ length: n }, (_, i) => (8 * i) / (n - 1));
const seen = (x: readonly number[]): number[] => x.map((t, i) => 5 * Math.exp(-0.6 * t) + 1 + wobble(i));

/** The device, counting what is open; the load after `loads` others fails. */
function watched(loads = Infinity): {
  readonly device: Device;
  readonly open: () => number;
  readonly loads: () => number;
} {
  let [open, loaded] = [0, 0];
  const counting = <T extends { release(): void }>(held: T): T => {
    open++;
    return new Proxy(held, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (name === 'release') open--;
          const result: unknown = Reflect.apply(value, target, args);
          if (name !== 'bind') return result;
          return result instanceof Promise ? result.then(counting as never) : counting(result as never);
        };
      },
    });
  };
  return {
    device: {
      ...device,
      kind: device.kind,
      close: () => undefined,
      load(program, options) {
        if (loaded++ >= loads) throw new Error('the device refuses');
        return counting(device.load(program, options));
      },
    },
    open: () => open,
    loads: () => loaded,
  };
}

describe('leaving out one by one', () => {
  it('releases what it has opened, whichever of its programs fails', async () => {
    const x = times(12);
    const problem = decay(x, seen(x));
    const result = await fit(problem, device);
    const whole = watched();
    await leaveOneOut(problem, result, casesOf(problem), whole.device);
    expect(whole.open()).toBe(0);
    expect(whole.loads()).toBeGreaterThan(2);
    for (let loads = 0; loads < whole.loads(); loads++) {
      const failing = watched(loads);
      await expect(leaveOneOut(problem, result, casesOf(problem), failing.device)).rejects.toThrow('refuses');
      expect(failing.open()).toBe(0);
    }
  });

  it('of hundreds of rows gives what fits without each of them give', async () => {
    const x = times(240);
    const y = seen(x).map((value, i) => (i === 3 || i === 200 ? value + 2 : value));
    const problem = decay(x, y);
    const result = await fit(problem, device);
    const found = await leaveOneOut(problem, result, casesOf(problem), device);
    const [A, k, c] = ['A', 'k', 'c'].map((name) => result.estimates.find((each) => each.name === name)!.value);
    let wanted = 0;
    for (const [i, t] of x.entries()) {
      const others = (values: readonly number[]): number[] => values.filter((_, row) => row !== i);
      const [a, b, d, squares] = gaussNewton(others(x), others(y), [A!, k!, c!]);
      const variance = squares / (x.length - 1);
      wanted += -0.5 * Math.log(2 * Math.PI * variance) - (y[i]! - a * Math.exp(-b * t) - d) ** 2 / (2 * variance);
    }
    expect(found).toMatchObject({ observations: 240 });
    expect((found as { elpdLoo: number }).elpdLoo).toBeCloseTo(wanted, 7);
  });
});

/** A·exp(−k·x) + c by Gauss's and Newton's steps, in plain arithmetic; with the sum of squares. */
function gaussNewton(
  x: readonly number[],
  y: readonly number[],
  start: readonly [number, number, number],
): readonly [number, number, number, number] {
  let [a, b, d] = start;
  for (let step = 0; step < 30; step++) {
    const m = [0, 1, 2].map(() => [0, 0, 0, 0]);
    x.forEach((t, i) => {
      const e = Math.exp(-b * t);
      const row = [e, -a * t * e, 1, y[i]! - a * e - d];
      for (let p = 0; p < 3; p++) for (let q = 0; q < 4; q++) m[p]![q]! += row[p]! * row[q]!;
    });
    for (let p = 0; p < 3; p++)
      for (let r = 0; r < 3; r++) {
        if (r === p) continue;
        const share = m[r]![p]! / m[p]![p]!;
        for (let q = 0; q < 4; q++) m[r]![q]! -= share * m[p]![q]!;
      }
    [a, b, d] = [a + m[0]![3]! / m[0]![0]!, b + m[1]![3]! / m[1]![1]!, d + m[2]![3]! / m[2]![2]!];
  }
  return [a, b, d, x.reduce((sum, t, i) => sum + (y[i]! - a * Math.exp(-b * t) - d) ** 2, 0)];
}
