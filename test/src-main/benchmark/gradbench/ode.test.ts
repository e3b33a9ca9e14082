import { it } from 'vitest';
import { close, drawn, evaluated, slopes } from '../../../support/gradbench.ts';

/** Runge–Kutta's steps as a textbook has them. */
function solution(x: readonly number[], steps: number): number[] {
  const h = 2 / steps;
  const rate = (y: readonly number[]): number[] => x.map((each, i) => each * (i === 0 ? 1 : y[i - 1]!));
  const moved = (y: readonly number[], by: number, along: readonly number[]): number[] =>
    y.map((each, i) => each + by * along[i]!);
  let y = x.map(() => 0);
  for (let step = 0; step < steps; step++) {
    const k1 = rate(y);
    const k2 = rate(moved(y, h / 2, k1));
    const k3 = rate(moved(y, h / 2, k2));
    const k4 = rate(moved(y, h, k3));
    y = y.map((each, i) => each + (h * (k1[i]! + 2 * k2[i]! + 2 * k3[i]! + k4[i]!)) / 6);
  }
  return y;
}

it.each([
  { n: 1, s: 3 },
  { n: 6, s: 1 },
  { n: 6, s: 10 },
])('ode of $n equations in $s steps', async ({ n, s }) => {
  const x = drawn(1, n);
  close(await evaluated('ode', 'primal', { x, s }), solution(x, s), 12);
  close(
    await evaluated('ode', 'gradient', { x, s }),
    slopes((by) => solution(by, s).at(-1)!, x),
    8,
  );
});
