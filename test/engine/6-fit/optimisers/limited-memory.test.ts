import { expect, it } from 'vitest';
import { dot } from '../../../../engine/6-fit/algebra/vectors.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { limitedMemory, solverOf } from '../../../../engine/6-fit/optimisers/limited-memory.ts';

it('solves what wants its rows exchanged, for one right side after another', () => {
  const random = randomFrom(1);
  for (const n of [1, 2, 3, 8, 20]) {
    // Indefinite, and zero on the diagonal, as M⁻¹ may be.
    const a = Array.from({ length: n }, (_, i) =>
      Float64Array.from({ length: n }, (__, j) => (i === j && n > 1 ? 0 : random.normal())),
    );
    const solve = solverOf(a);
    for (let k = 0; k < 3; k++) {
      const x = Float64Array.from({ length: n }, () => random.normal());
      const found = solve(Float64Array.from(a, (row) => dot(row, x)));
      found.forEach((value, i) => expect(value).toBeCloseTo(x[i]!, 9));
    }
  }
});

it('meets the secant equation B·s = y of the last pair', () => {
  const random = randomFrom(2);
  const memory = limitedMemory();
  const [s, y] = [new Float64Array(4), new Float64Array(4)];
  for (let k = 0; k < 14; k++) {
    s.forEach((_, i) => (s[i] = random.normal()));
    s.forEach((value, i) => (y[i] = (i + 1) * value + 0.1 * value ** 3));
    memory.add(s.slice(), y.slice());
  }
  const { theta, columns, timesM } = memory.matrix;
  const ms = timesM(Float64Array.from(columns, (column) => dot(column, s)));
  const bs = s.map((value, i) => theta * value - columns.reduce((sum, column, k) => sum + column[i]! * ms[k]!, 0));
  bs.forEach((value, i) => expect(value).toBeCloseTo(y[i]!, 8));
});
