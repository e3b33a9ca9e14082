/**
 * a·(x − c)^p with c at the least x: for p < ½ the sum of squares falls towards that edge with a slope that grows without end, and
 * no point short of it is a minimum. What is least there has p and a alone, which golden sections find.
 */
import { describe, expect, it } from 'vitest';
import { randomFrom } from '../../engine/6-fit/ensembles/random.ts';
import { documentOf, fitJson, map, parameter, written } from '../support/command-line.ts';

interface Fit {
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
  readonly iterations: number;
  readonly parameters: Readonly<Record<string, { readonly value: number; readonly standardError: number | null }>>;
}

const drawn = (least: number, power: number) => {
  const random = randomFrom(5);
  const x = Array.from({ length: 12 }, (_, i) => least + i);
  return { x, y: x.map((t) => (t === least ? 0 : 2 * (t - least) ** power + 0.05 * random.normal())) };
};

/** The least over a and p with c at the least x. */
function leastAtEdge({ x, y }: ReturnType<typeof drawn>): number {
  const squares = (p: number): number => {
    const f = x.map((t) => (t - x[0]!) ** p);
    const a = f.reduce((sum, v, i) => sum + v * y[i]!, 0) / f.reduce((sum, v) => sum + v * v, 0);
    return f.reduce((sum, v, i) => sum + (a * v - y[i]!) ** 2, 0);
  };
  let [low, high] = [0.01, 1.5];
  const share = (Math.sqrt(5) - 1) / 2;
  for (let k = 0; k < 100; k++) {
    const [one, other] = [high - share * (high - low), low + share * (high - low)];
    if (squares(one) <= squares(other)) high = other;
    else low = one;
  }
  return squares(low);
}

const model = (
  table: ReturnType<typeof drawn>,
  noise: 'squares' | 'normal',
  c: Readonly<Record<string, unknown>> = {},
  start = table.x[0]! - 1,
): string =>
  written(
    documentOf(
      [
        ...['x', 'y'].map((column) => ({ id: column, kind: 'column', table: 't', column })),
        ...[parameter('a', 1), parameter('c', start, c), parameter('p', 0.5)],
        ...(noise === 'normal' ? [parameter('s', 1, { scale: 'log' })] : []),
        map('f', 'a*(x - c)^p'),
        noise === 'squares'
          ? { id: 'l', kind: 'least-squares', prediction: 'f', observed: 'y' }
          : { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'f', sigma: 's' },
      ],
      { tables: { t: { columns: table } }, objective: 'l' },
    ),
  );

const cases = [0, 1, 5].flatMap((least) =>
  [0.2, 0.4].flatMap((power) => (['squares', 'normal'] as const).map((noise) => ({ least, power, noise }))),
);

describe('a power of the distance from a parameter', () => {
  it.each(cases)('says that $power of $least stands at its edge: $noise', async ({ least, power, noise }) => {
    const table = drawn(least, power);
    const fit = await fitJson<Fit>([model(table, noise)], 3);
    expect(fit.status).toBe('not-converged');
    expect(fit.reason).toContain(`"c" stands at the edge of where the model has a value, at ${least}`);
    expect(fit.reason).toContain('fix "c" there');
    expect(fit.iterations).toBeLessThan(400);
    for (const { standardError } of Object.values(fit.parameters)) expect(standardError).toBeNull();
    // The last number short of 5 leaves 9·10⁻¹⁶ of a distance, and of that to the power 0.2 a thousandth.
    if (noise === 'squares') expect(fit.objective / leastAtEdge(table)).toBeCloseTo(1, power === 0.4 ? 5 : 2);
  });

  it('says so beside a bound there as well', async () => {
    const fit = await fitJson<Fit>([model(drawn(1, 0.4), 'squares', { upper: 1 })], 3);
    expect(fit.reason).toContain('"c" stands at the edge');
  });

  it('is found where that parameter is fixed there', async () => {
    const table = drawn(1, 0.4);
    const fit = await fitJson<Fit>([model(table, 'squares', { fixed: true }, 1)]);
    expect(fit.status).toBe('converged');
    expect(fit.objective / leastAtEdge(table)).toBeCloseTo(1, 9);
  });

  it('has a minimum short of the edge where p is above ½, and an error there', async () => {
    for (const noise of ['squares', 'normal'] as const) {
      const fit = await fitJson<Fit>([model(drawn(0, 0.7), noise)]);
      expect(fit.status).toBe('converged');
      expect(fit.parameters['c']!.standardError).toBeGreaterThan(1e-5);
    }
  });
});
