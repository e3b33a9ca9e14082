/**
 * Models that have no value everywhere: counts whose mean is a line, which must not be negative. What is least may lie on that
 * edge. Others are found by golden sections of what is convex.
 */
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../engine/6-fit/ensembles/random.ts';
import { documentOf, fitJson, map, parameter, quietJson, written } from '../support/command-line.ts';

interface Study {
  readonly parameters: Readonly<Record<string, { readonly lower: number | null; readonly upper: number | null }>>;
}
interface Fit {
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
}
type Table = Readonly<Record<'x' | 'y', readonly number[]>>;

const counts = ({ x, y }: Table, a: Readonly<Record<string, unknown>> = {}): string =>
  written(
    documentOf(
      [
        { id: 'x', kind: 'column', table: 't', column: 'x', type: 'real' },
        { id: 'y', kind: 'column', table: 't', column: 'y', type: 'real' },
        ...[parameter('a', 3, a), parameter('b', 0)],
        map('m', 'a + b*x'),
        { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
      ],
      { tables: { t: { columns: { x, y } } }, objective: 'l' },
    ),
  );

const logFactorial = (n: number): number => (n < 2 ? 0 : Math.log(n) + logFactorial(n - 1));

const energy = ({ x, y }: Table, a: number, b: number): number =>
  x.reduce((total, t, i) => {
    const mean = a + b * t;
    const observed = y[i]!;
    if (mean < 0 || (mean === 0 && observed > 0)) return Infinity;
    return total + mean - (observed > 0 ? observed * Math.log(mean) : 0) + logFactorial(observed);
  }, 0);

/** The least over a, which begins where all means are 0 or more. */
function leastOver(table: Table, b: number): number {
  const edge = Math.max(...table.x.map((t) => -b * t));
  let [low, high] = [edge * (1 + Math.sign(edge) * 1e-15), edge + 20];
  const share = (Math.sqrt(5) - 1) / 2;
  for (let k = 0; k < 120; k++) {
    const [one, other] = [high - share * (high - low), low + share * (high - low)];
    if (energy(table, one, b) <= energy(table, other, b)) high = other;
    else low = one;
  }
  return Math.min(energy(table, low, b), energy(table, high, b));
}

const drawn = (seed: number): Table => {
  const random = randomFrom(seed);
  const x = Array.from({ length: 40 }, () => 4 * random.uniform() - 2);
  const y = x.map((t) => {
    let [count, left] = [-1, Math.exp(-Math.max(0.05, 1.9 + 0.9 * t))];
    for (left = 1 / left; left >= 1; left *= random.uniform()) count++;
    return count;
  });
  return { x, y };
};

describe('the profile of a slope whose intercept follows the edge', () => {
  it.each([1, 2, 3, 4, 5, 8, 9, 11, 12])('has both ends, where the fit is off it: data set %d', async (seed) => {
    const table = drawn(seed);
    const path = counts(table);
    const fit = await fitJson<Fit>([path]);
    const { parameters } = await quietJson<Study>(['uncertainty', path, '--method', 'profile']);
    const { lower, upper } = parameters['b']!;
    for (const end of [lower, upper])
      expect(leastOver(table, end ?? NaN) - fit.objective, `at ${end}`).toBeCloseTo(1.959963984540054 ** 2 / 2, 5);
  });
});

describe('a fit whose minimum lies on the edge', () => {
  const table = { x: [0, 1, 2, 3, 4, 5, 6, 7], y: [0, 2, 2, 3, 7, 10, 6, 10] };

  it('says with which parameter the model ends, and which bound finds it', async () => {
    const fit = await fitJson<Fit>([counts(table)], 3);
    expect(fit.status).toBe('not-converged');
    expect(fit.reason).toContain('with a smaller "a" the model has no value');
    expect(fit.reason).toContain('give "a" a bound ("lower")');
  });

  it.each([6, 7, 10])('is not said to be converged: data set %d', async (seed) => {
    const fit = await fitJson<Fit>([counts(drawn(seed))], 3);
    expect(fit.reason).toContain('give "a" a bound ("lower")');
  });

  it('is found with that bound', async () => {
    const fit = await fitJson<Fit>([counts(table, { lower: 0 })]);
    expect(fit.status).toBe('converged');
    expect(fit.objective).toBeCloseTo(energy(table, 0, 10 / 7), 9);
  });
});
