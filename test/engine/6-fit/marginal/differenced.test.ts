/** Hessians by differences of exact gradients: how exact, and at how many gradients. */
import { describe, expect, it } from 'vitest';
import { differences } from '../../../../engine/6-fit/marginal/differenced.ts';
import type { Slope } from '../../../../engine/6-fit/stationary/stationary.ts';

/** f(x, y) = eˣ − x + ½(y − x²)², least at (0, 0), where its Hessian is the unit matrix. */
function counted() {
  let asked = 0;
  const slope = ([x = NaN, y = NaN]: Float64Array): Promise<Slope> => {
    asked++;
    const off = y - x * x;
    return Promise.resolve({
      value: Math.exp(x) - x + off ** 2 / 2,
      gradient: Float64Array.of(Math.exp(x) - 1 - 2 * x * off, off),
    });
  };
  const since = (): number => {
    const count = asked;
    asked = 0;
    return count;
  };
  return { slope, since };
}

const hessianAt = (x: number, y: number): number[][] => [
  [Math.exp(x) - 2 * (y - x * x) + 4 * x * x, -2 * x],
  [-2 * x, 1],
];
const free = [1, 2].map(() => ({ lower: -Infinity, upper: Infinity }));

function expectNear(hessian: readonly Float64Array[], wanted: readonly number[][], within: number): void {
  hessian.forEach((row, i) => row.forEach((value, j) => expect(Math.abs(value - wanted[i]![j]!)).toBeLessThan(within)));
}

describe('differences', () => {
  it('on the way down are of a gradient for each coordinate, and of two digits', async () => {
    const { slope, since } = counted();
    const { descent } = differences(free);
    const at = Float64Array.of(0.5, 0.2);
    await descent(slope, at);
    since();
    const { hessian } = await descent(slope, at);
    expect(since()).toBe(3);
    expectNear(hessian, hessianAt(0.5, 0.2), 0.05);
  });

  it('at a minimum, where it curves down, and where the Hessian itself is asked for are of all digits', async () => {
    const { slope } = counted();
    const { descent, whole } = differences(free);
    for (const [x, y] of [
      [0, 0],
      [0, 2],
    ] as const)
      expectNear((await descent(slope, Float64Array.of(x, y))).hessian, hessianAt(x, y), 1e-6);
    expectNear((await whole(slope, Float64Array.of(0.5, 0.2))).hessian, hessianAt(0.5, 0.2), 1e-6);
  });

  it('are not formed again where they were formed', async () => {
    const { slope, since } = counted();
    const { descent, whole } = differences(free);
    const { hessian } = await descent(slope, Float64Array.of(0, 0));
    since();
    const again = await whole(slope, Float64Array.of(1e-10, 0));
    expect(since()).toBe(1);
    expect(again.hessian).toBe(hessian);
    expect(again.gradient[0]).toBeCloseTo(1e-10, 16);
    await whole(slope, Float64Array.of(1e-3, 0));
    expect(since()).toBeGreaterThan(8);
  });

  it('stay inside the bounds', async () => {
    const { slope } = counted();
    const at = Float64Array.of(0, 0);
    const inside = (u: Float64Array): Promise<Slope> => {
      expect(u[0]).toBeLessThanOrEqual(0);
      return slope(u);
    };
    const { descent } = differences([{ lower: -1, upper: 0 }, free[1]!]);
    expectNear((await descent(inside, at)).hessian, hessianAt(0, 0), 1e-5);
  });
});
