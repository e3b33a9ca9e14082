/** The contract on `fit --method`, `--starts`, and on objectives of several kinds, against closed forms. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  fitJson,
  map,
  parameter,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

interface Fit {
  readonly status: string;
  readonly reason: string;
  readonly objective: number;
  readonly posterior?: number;
  readonly parameters: Record<string, Record<'value' | 'standardError' | 'lower95' | 'upper95', number | null>>;
  readonly starts?: { readonly atBest: number; readonly ends: { start: number; objective: number; status: string }[] };
}

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });

const xs = [0, 1, 2, 3, 4];
const ys = [1.1, 2.9, 5.2, 6.8, 9.1];
const [meanX, meanY] = [2, 5.02];
const sxx = 10;
const slope = xs.reduce((sum, x, i) => sum + (x - meanX) * (ys[i]! - meanY), 0) / sxx;
const intercept = meanY - slope * meanX;
const ssr = xs.reduce((sum, x, i) => sum + (ys[i]! - intercept - slope * x) ** 2, 0);

const line = (fit: PlainBlock = {}): unknown =>
  documentOf(
    [
      constant('x', xs),
      constant('y', ys),
      parameter('a', 0.5),
      parameter('k', 1),
      map('m', 'a + k*x'),
      b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
    ],
    { objective: 'l', fit },
  );

describe('a straight line by every method', () => {
  it.each([
    ['levenberg-marquardt', 1e-8],
    ['l-bfgs-b', 1e-7],
    ['newton-cg', 1e-8],
    ['adam', 1e-4],
    ['nelder-mead', 1e-6],
  ] as const)('%s', async (method, tolerance) => {
    const found = await fitJson<Fit>([written(line()), '--method', method]);
    expect(found.status, found.reason).toBe('converged');
    expectClose(found.parameters['k']?.value, slope, tolerance);
    expectClose(found.parameters['a']?.value, intercept, tolerance);
    expectClose(found.objective, ssr, tolerance);
    // One covariance, whichever method was there first.
    expectClose(found.parameters['k']?.standardError, Math.sqrt(ssr / 3 / sxx), 1e-3);
  });

  it('takes the method and the starts of the document', async () => {
    const found = await fitJson<Fit>([written(line({ method: 'l-bfgs-b', starts: 4, seed: 2 }))]);
    expectClose(found.parameters['k']?.value, slope, 1e-7);
    expect(found.starts?.ends).toHaveLength(4);
    expect(found.starts?.atBest).toBe(4);
  });
});

describe('an objective of several blocks', () => {
  // y ~ N(mu, sigma) with sigma known, and counts ~ Poisson(mu): −log p = ½ Σ ((y − mu)/sigma)² + Σ (mu − c·log mu) + …
  const y = [4.2, 3.1, 5.5];
  const counts = [3, 6, 2, 5];
  const sigma = 1.5;
  const document = (squares: PlainBlock): unknown =>
    documentOf(
      [
        constant('y', y),
        constant('c', counts),
        parameter('mu', 2, { lower: 0.1 }),
        b('squares', 'least-squares', { prediction: 'mu', observed: 'y', ...squares }),
        b('counts', 'likelihood', { family: 'poisson', observed: 'c', mean: 'mu' }),
      ],
      { objective: ['squares', 'counts'] },
    );
  const logFactorials = Math.log(6) + Math.log(720) + Math.log(2) + Math.log(120);
  const poisson = (mu: number): number => 4 * mu - 16 * Math.log(mu) + logFactorials;
  const residual = (mu: number): number => y.reduce((sum, value) => sum + (mu - value) ** 2, 0);

  it('of squares in units of sigma and a likelihood is minimised as their joint density, and reported as the sum', async () => {
    // (3·mu − Σy)/σ² + 4 − 16/mu = 0: a·mu² + c·mu − 16 = 0.
    const a = 3 / sigma ** 2;
    const c = 4 - 12.8 / sigma ** 2;
    const mu = (-c + Math.sqrt(c * c + 64 * a)) / (2 * a);
    for (const method of ['newton-cg', 'l-bfgs-b']) {
      const found = await fitJson<Fit>([written(document({ sigma })), '--method', method]);
      expect(found.status).toBe('converged');
      expectClose(found.parameters['mu']?.value, mu, 1e-6);
      expectClose(found.parameters['mu']?.standardError, 1 / Math.sqrt(a + 16 / mu ** 2), 1e-5);
      expectClose(found.objective, residual(mu) / sigma ** 2 + poisson(mu), 1e-8);
      expect(found.posterior).toBeUndefined();
    }
  });

  it('of squares without sigma and a likelihood has sigma marginalised', async () => {
    const found = await fitJson<Fit>([written(document({}))]);
    const mu = found.parameters['mu']!.value!;
    // d/dmu (3/2)·log Σ(mu − y)² + 4·mu − 16·log mu = 0.
    expect(Math.abs((3 * (3 * mu - 12.8)) / residual(mu) + 4 - 16 / mu)).toBeLessThan(1e-5);
    expectClose(found.objective, residual(mu) + poisson(mu), 1e-8);
  });

  it('of squares and a penalty by formula is the sum as written', async () => {
    const penalised = documentOf(
      [
        constant('y', y),
        parameter('mu', 2),
        map('ridge', '2*mu^2'),
        b('squares', 'least-squares', { prediction: 'mu', observed: 'y' }),
      ],
      { objective: ['squares', 'ridge'] },
    );
    const found = await fitJson<Fit>([written(penalised)]);
    expectClose(found.parameters['mu']?.value, 12.8 / 5, 1e-7);
  });
});

describe('many starts', () => {
  it('list where each ended, lowest first, and how many reached the lowest', async () => {
    const document = documentOf([parameter('p', 3, { lower: -10, upper: 10 }), map('m', '(p^2 - 4)^2 + p')], {
      objective: 'm',
    });
    const found = await fitJson<Fit>([written(document), '--starts', '9', '--seed', '3', '--method', 'l-bfgs-b']);
    expectClose(found.parameters['p']?.value, -2.0304, 1e-3);
    const ends = found.starts?.ends ?? [];
    expect(ends.map(({ start }) => start).sort((i, j) => i - j)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(ends.map(({ objective }) => objective)).toEqual(
      ends.map(({ objective }) => objective).sort((i, j) => i - j),
    );
    expect(found.starts?.atBest).toBe(
      ends.filter(({ objective }) => Math.abs(objective - found.objective) < 1e-6 * Math.abs(found.objective)).length,
    );
    expectClose(ends[0]?.objective, found.objective, 1e-12);
  });

  it('are absent from a fit from one', async () => {
    expect((await fitJson<Fit>([written(line())])).starts).toBeUndefined();
  });
});
