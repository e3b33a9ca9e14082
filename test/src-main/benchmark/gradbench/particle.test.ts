import { it } from 'vitest';
import { least } from '../../../support/descent.ts';
import { close, evaluated, slopes, square } from '../../../support/gradbench.ts';

/** x₁(t_f)², with the force written out. */
function miss(w: number): number {
  const charges = [
    [10, 10 - w],
    [10, 0],
  ] as const;
  let [x, y, speedX, speedY] = [0, 8, 0.75, 0];
  for (;;) {
    const [nextX, nextY] = [x + 0.1 * speedX, y + 0.1 * speedY];
    if (nextY <= 0) return square(x - (y / speedY) * speedX);
    for (const [chargeX, chargeY] of charges) {
      const cube = Math.hypot(x - chargeX, y - chargeY) ** 3;
      speedX += (0.1 * (x - chargeX)) / cube;
      speedY += (0.1 * (y - chargeY)) / cube;
    }
    [x, y] = [nextX, nextY];
  }
}

it.each(['ff', 'fr', 'rf', 'rr'])('particle, %s', async (modes) => {
  const [w] = least(
    ([at]) => miss(at!),
    (at) => slopes(([each]) => miss(each!), at),
    [0],
  );
  close(await evaluated('particle', modes, { w: 0 }), [w!], 7);
});
