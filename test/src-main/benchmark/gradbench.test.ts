import { describe, expect, it } from 'vitest';
import { respond } from '../../../src-main/benchmark/gradbench/respond.ts';
import { close, device, drawn, evaluated, matrix, slopes, square } from '../../support/gradbench.ts';

const logSumExp = (x: readonly number[]): number => Math.log(x.reduce((sum, each) => sum + Math.exp(each), 0));

describe("GradBench's protocol", () => {
  it('answers each message with its id', async () => {
    expect(await respond(device, { id: 0, kind: 'start', eval: 'lse' })).toEqual({ id: 0, tool: 'cotangent' });
    expect(await respond(device, { id: 1, kind: 'define', module: 'lse' })).toEqual({ id: 1, success: true });
    expect(await respond(device, { id: 2, kind: 'define', module: 'no' })).toEqual({ id: 2, success: false });
    expect(await respond(device, { id: 3, kind: 'analysis', of: 2, valid: true })).toEqual({ id: 3 });
  });

  it('tells the time of each run that is asked for, and what stands in its way', async () => {
    const ask = (name: string, input: unknown) =>
      respond(device, { id: 4, kind: 'evaluate', module: 'lse', function: name, input });
    const { timings } = await ask('primal', { x: [1, 2], min_runs: 3, min_seconds: 0 });
    expect(timings).toHaveLength(3);
    expect(timings?.every(({ name, nanoseconds }) => name === 'evaluate' && nanoseconds > 0)).toBe(true);
    expect(await ask('toString', { x: [1] })).toMatchObject({ id: 4, success: false });
    expect(await ask('primal', { x: 'text' })).toMatchObject({ id: 4, success: false });
  });
});

describe("GradBench's evaluations", () => {
  it('hello', async () => {
    expect(await evaluated('hello', 'square', 3)).toBe(9);
    expect(await evaluated('hello', 'double', 3)).toBe(6);
  });

  it('lse', async () => {
    const x = drawn(1, 9);
    close(await evaluated('lse', 'primal', { x }), [logSumExp(x)], 12);
    close(
      await evaluated('lse', 'gradient', { x }),
      x.map((each) => Math.exp(each - logSumExp(x))),
      12,
    );
    close(await evaluated('lse', 'primal', { x: [1000, 1000] }), [1000 + Math.LN2], 10);
  });

  it('llsq', async () => {
    const [x, n] = [drawn(2, 5), 12];
    const cost = (by: readonly number[]): number =>
      Array.from({ length: n }, (_, i) => -1 + (2 * i) / (n - 1)).reduce((sum, t) => {
        return sum + square(Math.sign(t) - by.reduceRight((value, each) => value * t + each, 0)) / 2;
      }, 0);
    close(await evaluated('llsq', 'primal', { x, n }), [cost(x)], 10);
    close(await evaluated('llsq', 'gradient', { x, n }), slopes(cost, x));
  });

  it('kmeans', async () => {
    const points = matrix(3, 20, 2);
    const centroids = points.slice(0, 3).map((point) => point.map((each) => each + 0.01));
    const nearest = points.map((point) => {
      const apart = centroids.map((c) => c.reduce((sum, each, j) => sum + square(each - point[j]!), 0));
      return { cost: Math.min(...apart), of: apart.indexOf(Math.min(...apart)) };
    });
    close(
      await evaluated('kmeans', 'cost', { points, centroids }),
      [nearest.reduce((sum, { cost }) => sum + cost, 0)],
      12,
    );
    // Newton's step leads to the middle of the points that are nearest.
    const steps = centroids.flatMap((centroid, k) => {
      const own = points.filter((_, i) => nearest[i]?.of === k);
      return centroid.map((each, j) => each - own.reduce((sum, point) => sum + point[j]!, 0) / own.length);
    });
    close(await evaluated('kmeans', 'dir', { points, centroids }), steps, 12);
  });

  it.each([1, 2, 3])('gmm in %i dimensions', async (d) => {
    const [k, n, m, gamma] = [2, 6, 1, 1.5];
    const below = (d * (d - 1)) / 2;
    const point = { alpha: drawn(4, k), mu: matrix(5, k, d), q: matrix(6, k, d), l: matrix(7, k, below) };
    const x = matrix(8, n, d);
    /** By the definition, without the constant of Wishart's distribution: with determinants and products of densities. */
    const posterior = ({ alpha, mu, q, l }: typeof point): number => {
      const terms = q.map((scales, c) => {
        const Q = scales.map((_, i) => scales.map((scale, j) => (i === j ? Math.exp(scale) : 0)));
        let at = 0;
        for (let j = 0; j < d; j++) for (let i = j + 1; i < d; i++) Q[i]![j] = l[c]![at++]!;
        const trace = scales.reduce((sum, each) => sum + each, 0);
        const density = (row: readonly number[]): number => {
          const z = Q.map((entries) => entries.reduce((sum, each, j) => sum + each * (row[j]! - mu[c]![j]!), 0));
          const size = z.reduce((sum, each) => sum + square(each), 0);
          return Math.exp(alpha[c]! - logSumExp(alpha) + trace - size / 2) / (2 * Math.PI) ** (d / 2);
        };
        return {
          density,
          prior: m * trace - (square(gamma) / 2) * Q.flat().reduce((sum, each) => sum + square(each), 0),
        };
      });
      const likelihood = x.reduce(
        (sum, row) => sum + Math.log(terms.reduce((total, { density }) => total + density(row), 0)),
        0,
      );
      return likelihood + terms.reduce((sum, { prior }) => sum + prior, 0);
    };
    // log Γ_d(ν/2) with ν = d + 2, by Γ(½) = √π.
    const logGamma = [Math.PI ** 0.5 / 2, Math.PI / 2, (3 * Math.PI ** 2.5) / 8].map(Math.log);
    const nu = d + m + 1;
    const constant = k * (nu * d * Math.log(gamma / Math.SQRT2) - logGamma[d - 1]!);
    const input = { d, k, n, m, gamma, x, ...point };
    close(await evaluated('gmm', 'objective', input), [posterior(point) + constant], 9);
    const found = (await evaluated('gmm', 'jacobian', input)) as typeof point;
    expect(Object.keys(found)).toEqual(['alpha', 'mu', 'q', 'l']);
    close(
      found.alpha,
      slopes((alpha) => posterior({ ...point, alpha }), point.alpha),
    );
    for (const name of ['mu', 'q', 'l'] as const) {
      const width = name === 'l' ? below : d;
      const rows = (flat: readonly number[]): number[][] =>
        Array.from({ length: k }, (_, c) => flat.slice(c * width, (c + 1) * width));
      expect(found[name].map((row) => row.length)).toEqual([width, width]);
      close(
        found[name],
        slopes((flat) => posterior({ ...point, [name]: rows(flat) }), point[name].flat()),
      );
    }
  });
});
