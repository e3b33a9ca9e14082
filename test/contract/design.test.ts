/** The contract on `design`: against information matrices formed with one observation more, and textbook designs. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/index.ts';
import { design } from '../../src-main/compute/study/design.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import type { DesignReport, DesignRequest } from '../../src-main/contract/studies.ts';
import {
  column,
  cotangent,
  documentOf,
  map,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

async function designed(document: PlainBlock, request: Omit<DesignRequest, 'kind'>): Promise<DesignReport> {
  const model = demandModel(await load(document, undefined));
  return design(model, device, { kind: 'design', ...request }, { parameters: {} });
}

const squares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
const over = (columns: Readonly<Record<string, unknown>>, ...blocks: readonly PlainBlock[]): PlainBlock =>
  documentOf([...Object.keys(columns).map((id) => column(id)), ...blocks], {
    objective: 'l',
    tables: { T: { columns } },
  });

/** Puromycin, of R's datasets (treated). */
const conc = [0.02, 0.02, 0.06, 0.06, 0.11, 0.11, 0.22, 0.22, 0.56, 0.56, 1.1, 1.1];
const rate = [76, 47, 97, 107, 123, 139, 159, 152, 191, 201, 207, 200];
const michaelis = (...more: readonly PlainBlock[]): PlainBlock =>
  over({ x: conc, y: rate }, ...[parameter('V', 200), parameter('K', 0.05), map('m', 'V*x/(K + x)'), squares, ...more]);

/** Of a 2 × 2 information: what the criteria make of it, c along (a, b). */
type Matrix = readonly [number, number, number];
const criteria = {
  D: ([p, q, r]: Matrix) => Math.log(p * r - q * q),
  A: ([p, q, r]: Matrix) => (p + r) / (p * r - q * q),
  c: ([p, q, r]: Matrix, a: number, b: number) => Math.sqrt((a * a * r - 2 * a * b * q + b * b * p) / (p * r - q * q)),
};

it('counts a reading below its limit for what it tells, and one more as one that is read', async () => {
  const document = over(
    { x: [1, 2, 3, 4], y: [2.1, 3.9, 6.2, 7.8], limit: [3, null, null, null] },
    ...[parameter('a', 2), map('m', 'a*x')],
    { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 1, censored: { left: 'limit' } },
  );
  const { now, curves } = await designed(document, { method: 'c', of: 'a' });
  // Σx² of those read, and of P(y < 3 | a) at most as much as if it had been.
  expect(now ** -2).toBeGreaterThan(4 + 9 + 16);
  expect(now ** -2).toBeLessThan(30);
  curves[0]?.x.forEach((x, i) => expect(curves[0]!.after[i]! ** -2 - now ** -2).toBeCloseTo(x * x, 6));
});

describe('squares of unknown noise that are a density', () => {
  const x = [0, 1, 2, 3, 4];
  const y = [1.3, 2.8, 5.6, 6.9, 9.4];
  const line = [parameter('a', 1), map('m', 'a + b*x'), squares];
  /** Where the fit has ended, the Hessian of (n/2)·log SSR + ½·(b/sd)², and what one more row there adds: σ̂² = SSR/n. */
  const wanted = (a: number, b: number, sd: number) => {
    const n = x.length;
    const r = y.map((value, i) => value - a - b * x[i]!);
    const sum = (of: (i: number) => number): number => x.reduce((total, _, i) => total + of(i), 0);
    const ssr = sum((i) => r[i]! ** 2);
    const [ga, gb] = [sum((i) => r[i]!), sum((i) => r[i]! * x[i]!)];
    const entry = (jj: number, gg: number): number => (n * jj) / ssr - (2 * n * gg) / ssr ** 2;
    const now = [
      entry(n, ga * ga),
      entry(
        sum((i) => x[i]!),
        ga * gb,
      ),
      entry(
        sum((i) => x[i]! ** 2),
        gb * gb,
      ) +
        sd ** -2,
    ];
    return (more?: number) => {
      const [p, q, s] = more === undefined ? [0, 0, 0] : [1, more, more * more].map((each) => (each * n) / ssr);
      return criteria.c([now[0]! + p!, now[1]! + q!, now[2]! + s!], 0, 1);
    };
  };

  it.each([0.3, 1e4])('count one more row as those that are there, beside a prior: %d', async (sd) => {
    const prior = parameter('b', 1, { prior: { family: 'normal', mean: 0, sd } });
    const { now, curves, fit } = await designed(over({ x, y }, ...line, prior), { method: 'c', of: 'b' });
    expect(fit.status).toBe('converged');
    // The mode is that of a ridge whose weight is the noise that it leaves.
    let [a, b] = [1, 1];
    for (let k = 0; k < 400; k++) {
      const ssr = y.reduce((total, value, i) => total + (value - a - b * x[i]!) ** 2, 0);
      const ridge = ssr / (x.length * sd * sd);
      const [my, mx] = [y.reduce((p, q) => p + q) / 5, 2];
      b = x.reduce((total, at, i) => total + (at - mx) * (y[i]! - my), 0) / (10 + ridge);
      a = my - b * mx;
    }
    const at = wanted(a, b, sd);
    expect(now / at()).toBeCloseTo(1, 5);
    curves[0]!.x.forEach((more, i) => expect(curves[0]!.after[i]! / at(more)).toBeCloseTo(1, 5));
  });

  it('count their own noise alone, beside counts', async () => {
    const counted = [
      ...[parameter('u', 1), map('mean', 'exp(u) + 0*x'), parameter('b', 1)],
      { id: 'counts', kind: 'likelihood', family: 'poisson', mean: 'mean', observed: 'k' },
    ];
    const document = { ...over({ x, y, k: [40, 55, 47, 61, 38] }, ...line, ...counted), objective: ['l', 'counts'] };
    const { now, curves } = await designed(document, { method: 'c', of: 'b' });
    // The line of least squares: b = 2.03, a = 1.14.
    const at = wanted(1.14, 2.03, Infinity);
    expect(now / at()).toBeCloseTo(1, 6);
    const own = curves.find(({ of }) => of === 'l')!;
    own.x.forEach((more, i) => expect(own.after[i]! / at(more)).toBeCloseTo(1, 6));
  });
});

describe('of Michaelis and Menten’s curve', () => {
  // The least squares, as every program finds them; s² = SSR/10.
  const [V, K] = [212.683743, 0.06412123];
  const s2 = 1195.448814 / 10;
  const gradient = (x: number): readonly [number, number] => [x / (K + x), (-V * x) / (K + x) ** 2];
  const more = (matrix: Matrix, x: number): Matrix => {
    const [a, b] = gradient(x);
    return [matrix[0] + (a * a) / s2, matrix[1] + (a * b) / s2, matrix[2] + (b * b) / s2];
  };
  const now = conc.reduce<Matrix>(more, [0, 0, 0]);

  it.each<['D' | 'A' | 'c', string | undefined, readonly [number, number]]>([
    ['D', undefined, [0, 0]],
    ['A', undefined, [0, 0]],
    ['c', 'K', [0, 1]],
    ['c', 'slope', [1 / K, -V / K ** 2]],
  ])('by %s of %s: the information with each observation added', async (method, of, [a, b]) => {
    const document = michaelis({ id: 'slope', kind: 'quantity', formula: 'V/K' });
    const { now: before, points, curves } = await designed(document, { method, of });
    const criterion = (matrix: Matrix): number => criteria[method](matrix, a, b);
    const close = (found: number, wanted: number): void => expect(Math.abs(found / wanted - 1)).toBeLessThan(1e-6);
    close(before, criterion(now));
    const [curve] = curves;
    curve?.x.forEach((x, i) => close(curve.after[i]!, criterion(more(now, x))));
    // No point of a grid of 10⁵ is better.
    const better = method === 'D' ? Math.max : Math.min;
    const best = Array.from({ length: 100001 }, (_, i) => criterion(more(now, 0.02 + (1.08 * i) / 100000)));
    close(
      points[0]?.after ?? NaN,
      best.reduce((x, y) => better(x, y)),
    );
  });

  it('two further points are the best pair', async () => {
    const { points } = await designed(michaelis(), { method: 'c', of: 'K', add: 2 });
    const grid = Array.from({ length: 541 }, (_, i) => 0.02 + 0.002 * i);
    let best = Infinity;
    for (const x of grid) for (const z of grid) best = Math.min(best, criteria.c(more(more(now, x), z), 0, 1));
    expect(points[1]?.after).toBeLessThanOrEqual(best * (1 + 1e-9));
    expect(points[1]?.after).toBeGreaterThan(best * (1 - 1e-4));
    expect(points[0]?.after).toBeGreaterThan(points[1]!.after);
  });

  it('on the command line', async () => {
    const path = written(michaelis());
    const found = await quietJson<Record<string, unknown>>(['design', path, '--for', 'K', '--range', '{"x":[0,2]}']);
    expect(found).toMatchObject({ criterion: 'c', for: 'K', points: [{ x: { x: expect.any(Number) as number } }] });
    expect(Object.keys(found['curve'] as object)).toEqual(['x', 'after']);
    const refused = await cotangent('design', path, '--range', '{"z":[0,2]}');
    expect(refused).toMatchObject({ status: 2, stderr: 'cotangent: --range names "z", and samples differ in "x"\n' });
  });
});

describe('textbook designs', () => {
  it('exponential decay is best seen at 1/k', async () => {
    const t = [0, 1, 2, 3, 4, 6];
    const y = t.map((x) => Math.exp(-0.4 * x) + 0.01 * Math.cos(7 * x));
    const document = over({ t, y }, parameter('k', 0.3), map('m', 'exp(-k*t)'), squares);
    const { points, fit } = await designed(document, { method: 'D', range: { t: [0, 10] } });
    const estimate = await designed(document, { method: 'c', of: 'k' });
    expect(fit.status).toBe('converged');
    // k of the fit by Newton's method on Σ(y − e^{−kt})·t·e^{−kt} = 0.
    let k = 0.4;
    for (let i = 0; i < 50; i++) {
      const slope = (at: number): number =>
        t.reduce((sum, x, j) => sum + (y[j]! - Math.exp(-at * x)) * x * Math.exp(-at * x), 0);
      k -= slope(k) / ((slope(k + 1e-6) - slope(k - 1e-6)) / 2e-6);
    }
    expect(Math.abs((points[0]?.x['t'] as number) * k - 1)).toBeLessThan(2e-3);
    expect(estimate.points[0]?.x['t']).toBeCloseTo(points[0]?.x['t'] as number, 2);
  });

  it('Michaelis and Menten’s points are the greatest x and K·x/(2K + x)', async () => {
    // Where the data lie there already in equal parts, two more go there too.
    const [V, K, most] = [10, 0.5, 4];
    const least = (K * most) / (2 * K + most);
    const x = [most, most, most, least, least, least];
    const y = x.map((at, i) => (V * at) / (K + at) + [0.01, -0.01, 0, 0.01, -0.01, 0][i]!);
    const document = over({ x, y }, parameter('V', 9), parameter('K', 0.6), map('m', 'V*x/(K + x)'), squares);
    const { points } = await designed(document, { method: 'D', add: 2, range: { x: [0, most] } });
    const found = points.map(({ x: at }) => at['x'] as number).sort((a, b) => a - b);
    expect(Math.abs(found[0]! - least)).toBeLessThan(2e-3);
    expect(found[1]).toBe(most);
  });
});

describe('what one observation tells', () => {
  const t = [1, 2, 3, 4];
  it('of a Poisson mean a·t: t/a', async () => {
    const y = [3, 5, 9, 11];
    const poisson = { id: 'l', kind: 'likelihood', family: 'poisson', mean: 'm', observed: 'y' };
    const { now, curves } = await designed(over({ t, y }, parameter('a', 2), map('m', 'a*t'), poisson), {
      ...{ method: 'c', of: 'a' },
    });
    // â = Σy/Σt, and the information Σy/a² = Σt/a.
    const [a, told] = [2.8, 10 / 2.8];
    expect(now).toBeCloseTo(1 / Math.sqrt(told), 8);
    curves[0]?.x.forEach((x, i) => expect(curves[0]?.after[i]).toBeCloseTo(1 / Math.sqrt(told + x / a), 8));
  });

  it('of a gamma observation: of its mean and of its shape', async () => {
    const y = [3, 5, 9, 11, 12, 20];
    const x = [1, 2, 3, 4, 5, 6];
    const gamma = { id: 'l', kind: 'likelihood', family: 'gamma', mean: 'm', shape: 'k', observed: 'y' };
    const document = over(
      { x, y },
      ...[parameter('a', 2), parameter('k', 2, { support: 'positive' }), map('m', 'a*x'), gamma],
    );
    // −log p is of the ratios y/x alone: all six tell the same, n·k/a² of a, n·(ψ′(k) − 1/k) of k, and a seventh does too.
    const [more, shape] = await Promise.all([
      designed(document, { method: 'D' }),
      designed(document, { method: 'c', of: 'k' }),
    ]);
    expect(more.points[0]!.after - more.now).toBeCloseTo(2 * Math.log(7 / 6), 7);
    expect(shape.points[0]!.after / shape.now).toBeCloseTo(Math.sqrt(6 / 7), 7);
  });

  it('with the sigma of the nearest row', async () => {
    const columns = { t, y: [2, 4.2, 6.1, 7.9], s: [0.1, 0.1, 0.5, 0.5] };
    const document = over(columns, parameter('a', 2), map('m', 'a*t'), { ...squares, sigma: 's' });
    const { curves } = await designed(document, { method: 'c', of: 'a' });
    const told = t.reduce((sum, x, i) => sum + x ** 2 / columns.s[i]! ** 2, 0);
    curves[0]?.x.forEach((x, i) => {
      const sigma = x <= 2.5 ? 0.1 : 0.5;
      expect(curves[0]?.after[i]).toBeCloseTo(1 / Math.sqrt(told + (x / sigma) ** 2), 8);
    });
  });

  it.each<[string, readonly (number | null)[], PlainBlock]>([
    ['without a sigma', [0.1, null, 0.5, 0.5], { ...squares, sigma: 's' }],
    ['of weight 0', [1, 0, 4, 4], { ...squares, weights: 's' }],
  ])('with that of the nearest row that has one: not of a row %s', async (_, s, block) => {
    const document = over(
      { t, y: [2, block['sigma'] === undefined ? 4.2 : null, 6.1, 7.9], s },
      ...[parameter('a', 2), map('m', 'a*t'), block],
    );
    const { curves, now } = await designed(document, { method: 'c', of: 'a' });
    const told = (x: number): number => {
      const near = s[x <= 2 ? 0 : 2]!;
      return block['sigma'] === undefined ? near * x ** 2 : (x / near) ** 2;
    };
    const data = told(1) + told(3) + told(4);
    curves[0]?.x.forEach((x, i) => {
      if (x !== 2) expect((now / curves[0]!.after[i]!) ** 2).toBeCloseTo(1 + told(x) / data, 8);
    });
  });

  it.each(['D', 'A', 'c'] as const)('by %s never where the model has no value', async (method) => {
    const y = [1.1, 2.9, 4.4, 5.1];
    const document = over(
      { t, y },
      ...[parameter('a', 3), parameter('b', 1), map('m', 'a*log(t) + b'), { ...squares, sigma: 0.1 }],
    );
    const { points, curves, now } = await designed(document, {
      ...{ method, of: method === 'c' ? 'a' : undefined },
      range: { t: [-1, 6] },
    });
    expect(points[0]?.x['t']).toBeGreaterThan(0);
    expect(Number.isFinite(points[0]?.after)).toBe(true);
    curves[0]?.x.forEach((x, i) => {
      if (x < 0) expect(curves[0]?.after[i]).toBeNaN();
      if (x > 0) expect(curves[0]!.after[i]! > now).toBe(method === 'D');
    });
    const nowhere = designed(document, { method: 'D', range: { t: [-2, -1] } });
    await expect(nowhere).rejects.toThrow(/nowhere in the range of "t"/);
  });

  it('of a count whose mean has run out to 0: nothing', async () => {
    const document = over(
      { t, y: [1, 3, 4, 9] },
      ...[parameter('a', 0), parameter('b', 0.5), map('m', 'exp(a + b*t)')],
      { id: 'l', kind: 'likelihood', family: 'poisson', observed: 'y', mean: 'm' },
    );
    for (const request of [{ method: 'A' }, { method: 'c', of: 'b' }] as const) {
      const { curves, points, now } = await designed(document, { ...request, range: { t: [-5000, 4] } });
      expect(curves[0]?.x[0]).toBe(-5000);
      expect(curves[0]?.after[0]).toBe(now);
      expect(points[0]?.after).toBeLessThan(now);
    }
  });

  it('where nothing was known before', async () => {
    const columns = { t: [1, 2, 2], y: [1, 1.9, 2.1] };
    const document = over(
      columns,
      ...[parameter('a', 1), parameter('b', 0.5), map('m', 'a*t + b*max(t - 2.5, 0)'), { ...squares, sigma: 0.1 }],
    );
    const { now, points } = await designed(document, { method: 'c', of: 'b', range: { t: [0, 3.5] } });
    expect(now).toBe(Infinity);
    expect(points[0]?.x['t']).toBe(3.5);
    // a is known by Σt² = 9 observations of it, and b is what is left of the one at 3.5.
    expect(points[0]?.after).toBeCloseTo(0.1 * Math.sqrt(1 + 3.5 ** 2 / 9), 8);
  });

  it('in the group in which it tells most, along the solution of a differential equation', async () => {
    const columns = { g: ['u', 'u', 'u', 'v', 'v', 'v'], t: [1, 2, 4, 1, 2, 4], y: [0.6, 0.37, 0.13, 0.8, 0.65, 0.4] };
    const document = over(
      columns,
      ...[parameter('k', 0.4, { like: 'g' }), { id: 'kg', kind: 'gather', from: 'k', indices: 'g' }],
      ...[map('m', 'exp(-kg*t)'), squares],
    );
    const { points, curves } = await designed(document, { method: 'c', of: 'k[1]' });
    expect(points[0]?.x).toMatchObject({ g: 'v' });
    expect(curves.map(({ group }) => group)).toEqual(['u', 'v']);
    const held = await designed(document, { method: 'c', of: 'k[1]', range: { g: 'u' } });
    expect(held.points[0]?.after).toBeCloseTo(held.now, 12);
    const solved = over(
      { t: [1, 2, 3, 4], y: [0.61, 0.36, 0.23, 0.13] },
      parameter('k', 0.4),
      { id: 'm', kind: 'ode', state: { A: { initial: 1, rate: '-k*A' } }, times: 't', from: 0 },
      squares,
    );
    const { points: at } = await designed(solved, { method: 'D' });
    expect(at[0]?.x['t']).toBeCloseTo(2, 1);
  });
});

describe('rows that look up a solution', () => {
  const columns = { t: [0, 1, 4, 0, 2], y: [2, 1.4, 0.5, 9, 6], g: ['u', 'u', 'u', 'v', 'v'], x0: [1, 1, 1, 5, 5] };
  const shared = [parameter('A', 1.8), parameter('k', 0.3), squares];
  const closed = over(columns, map('m', 'A*x0*exp(-k*t)'), ...shared);
  /** [slot, lane] of the solution is at 2·slot + lane; the second lane begins at `from`, and is there what it was at 0 before. */
  const solved = (from = 0): PlainBlock => {
    const moved = columns.t.map((t, row) => (columns.g[row] === 'v' ? t + from : t));
    const table = { ...columns, t: moved, at: [0, 2, 4, 1, 3] };
    const { tables, blocks, ...rest } = over(table, map('m', 'A*x'), ...shared) as {
      tables: object;
      blocks: PlainBlock[];
    };
    return {
      ...rest,
      tables,
      blocks: [
        ...blocks.map((block) => (block['id'] === 'at' ? { ...block, type: 'int' } : block)),
        { id: 'start', kind: 'constant', value: [1, 5] },
        { id: 'begin', kind: 'constant', value: [0, from] },
        {
          id: 'times',
          kind: 'constant',
          value: [
            [0, from],
            [1, 2 + from],
            [4, 'NaN'],
          ],
        },
        { id: 's', kind: 'ode', times: 'times', from: 'begin', state: { x: { initial: 'start', rate: '-k*x' } } },
        { id: 'all', kind: 'reshape', values: 's', shape: [-1] },
        { id: 'x', kind: 'gather', from: 'all', indices: 'at' },
      ],
    };
  };

  it.each([{ method: 'D', add: 2 } as const, { method: 'c', of: 'k', add: 2 } as const])(
    'are told of as in closed form: %o',
    async (request) => {
      const [here, there] = [await designed(solved(), request), await designed(closed, request)];
      expect(here.now).toBeCloseTo(there.now, 4);
      expect(here.points.map(({ x }) => x['g'])).toEqual(['v', 'v']);
      for (const [i, { x, after }] of there.points.entries()) {
        expect(here.points[i]!.after).toBeCloseTo(after, 4);
        expect(here.points[i]!.x['t']).toBeCloseTo(Number(x['t']), 1);
      }
      expect(here.curves.map(({ group }) => group)).toEqual(['u', 'v']);
      for (const [i, { x, after }] of there.curves.entries())
        x.forEach((t, j) => {
          const at = here.curves[i]!.x.findIndex((other) => Math.abs(other - t) < 1e-9);
          expect(here.curves[i]!.after[at]).toBeCloseTo(after[j]!, 4);
        });
    },
  );

  it('are not looked up before their lane begins', async () => {
    const later = 1.5;
    const { curves } = await designed(solved(later), { method: 'D' });
    expect(curves.map(({ x }) => x[0])).toEqual([0, later]);
  });
});

it.each<[string, PlainBlock, Omit<DesignRequest, 'kind'>, RegExp]>([
  [
    'rows that depend on one another',
    over(
      { t: [1, 2, 3], y: [1, 2, 4] },
      ...[parameter('k', 1), { id: 's', kind: 'scan', operator: 'add', values: 't' }, map('m', 'k*s'), squares],
    ),
    { method: 'D' },
    /^there is no abscissa along which one more sample could be taken/,
  ],
  [
    'two columns of numbers that vary together',
    over(
      { x: [1, 2, 3, 4], z: [0.3, -1, 2, 0.1], y: [1, 2, 4, 3] },
      ...[parameter('a', 1), parameter('b', 1), map('m', 'a*x + b*z'), squares],
    ),
    { method: 'D' },
    /^there is no abscissa along which one more sample could be taken: "x" and "z" vary from row to row, and nobody knows how they would go together in another$/,
  ],
  [
    'categories alone',
    over(
      { g: ['u', 'u', 'v', 'v'], y: [1, 2, 4, 3] },
      ...[parameter('k', 1, { like: 'g' }), { id: 'm', kind: 'gather', from: 'k', indices: 'g' }, squares],
    ),
    { method: 'D' },
    /one more sample could be taken: no column of numbers enters the prediction "m"$/,
  ],
  [
    'what is at a bound',
    over(
      { x: [1, 2, 3, 4], y: [2, 1, 1, 0] },
      ...[parameter('a', 1), parameter('b', 1, { lower: 0 })],
      map('m', 'a + b*x'),
      squares,
    ),
    { method: 'c', of: 'b' },
    /^--for b: "b" is at a bound, where it has no standard error that one more sample could narrow$/,
  ],
  [
    'what is made of such a one',
    over(
      { x: [1, 2, 3, 4], y: [2, 1, 1, 0] },
      ...[parameter('a', 1), parameter('b', 1, { lower: 0 }), map('m', 'a + b*x'), squares],
      { id: 'q', kind: 'quantity', formula: 'a + b' },
    ),
    { method: 'c', of: 'q' },
    /^--for q: "b" is at a bound/,
  ],
  ['nothing named', michaelis(), { method: 'c' }, /name a parameter or a quantity with --for/],
  ['something named for D', michaelis(), { method: 'D', of: 'K' }, /^--for is of the criterion c/],
  ['an unknown name', michaelis(), { method: 'c', of: 'Z' }, /no block "Z"/],
  ['an array', michaelis(), { method: 'c', of: 'm' }, /"m" is an array: name an element, m\[0\]/],
  ['a range that is none', michaelis(), { method: 'D', range: { x: [2, 1] } }, /wants two finite numbers for "x"/],
  [
    'what no sample narrows',
    michaelis(parameter('z', 1)),
    { method: 'c', of: 'z' },
    /depends on "z", which the objective does not read/,
  ],
])('refuses %s', async (_, document, request, says) => {
  await expect(designed(document, request)).rejects.toThrow(says);
});
