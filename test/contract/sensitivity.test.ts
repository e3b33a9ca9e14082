/** The contract on `sensitivity`: what is printed, against closed forms. */
import { describe, expect, it } from 'vitest';
import { constant, cotangent, documentOf, map, parameter, written, type PlainBlock } from '../support/command-line.ts';
import { runProcess } from '../support/process.ts';

async function studyJson<T>(args: readonly string[], status = 0): Promise<T> {
  const outcome = await cotangent('sensitivity', ...args, '--json');
  expect({ status: outcome.status, stderr: outcome.stderr }).toEqual({ status, stderr: '' });
  return JSON.parse(outcome.stdout) as T;
}

type Indices = Record<string, Record<string, number & number[]>>;

interface Study {
  readonly method: string;
  readonly indices: Indices;
  readonly samples: number;
  readonly failed: number;
  readonly directions?: number[][];
  readonly eigenvalues?: number[];
  readonly warnings?: readonly string[];
}

const bounds = { lower: -Math.PI, upper: Math.PI };
const model = (blocks: PlainBlock[], more: PlainBlock = { objective: 'f' }): string =>
  written(documentOf(blocks, more));
const ishigami = model([
  ...['x1', 'x2', 'x3'].map((id) => parameter(id, 1, bounds)),
  map('f', 'sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)'),
]);

describe('sensitivity', () => {
  it("by Sobol's method finds Ishigami's indices within their own intervals", async () => {
    const { method, indices, samples, failed } = await studyJson<Study>([ishigami, '--method', 'sobol']);
    expect({ method, samples, failed }).toEqual({ method: 'sobol', samples: 2048, failed: 0 });
    const wanted: Record<string, [number, number]> = {
      x1: [0.3139, 0.5576],
      x2: [0.4424, 0.4424],
      x3: [0, 0.2437],
    };
    for (const [id, [first, total]] of Object.entries(wanted)) {
      const { S1, S1Interval, ST, STInterval } = indices[id]!;
      expect(S1).toBeCloseTo(first, 1);
      expect(ST).toBeCloseTo(total, 1);
      expect(S1Interval?.[0]).toBeLessThan(first);
      expect(S1Interval?.[1]).toBeGreaterThan(first);
      expect(STInterval?.[0]).toBeLessThan(total);
      expect(STInterval?.[1]).toBeGreaterThan(total);
    }
  });

  it('by the other methods has the keys of the contract', async () => {
    const keys = { morris: ['mu', 'muStar', 'sigma'], dgsm: ['dgsm', 'bound'], local: ['derivative', 'elasticity'] };
    for (const [method, wanted] of Object.entries(keys)) {
      const { indices } = await studyJson<Study>([ishigami, '--method', method, '--samples', '40']);
      expect(Object.keys(indices)).toEqual(['x1', 'x2', 'x3']);
      for (const figures of Object.values(indices))
        expect(Object.keys(figures)).toEqual(expect.arrayContaining(wanted));
    }
    const found = await studyJson<Study>([ishigami, '--method', 'active-subspace', '--samples', '40']);
    expect(found.directions).toHaveLength(3);
    expect(found.eigenvalues).toHaveLength(3);
    expect(found.samples).toBe(40);
  });

  it('at values of --set is local and exact, and of an array a time course', async () => {
    const path = model([constant('t', [0, 1, 2]), parameter('A', 3), parameter('k', 0.5), map('y', 'A*exp(-k*t)')], {});
    const { indices } = await studyJson<Study>([path, '--method', 'local', '--of', 'y', '--set', 'k=1']);
    const course = [0, 1, 2].map((t) => Math.exp(-t));
    course.forEach((value, i) => {
      expect(indices['A']?.['derivative']?.[i]).toBeCloseTo(value, 12);
      expect(indices['A']?.['elasticity']?.[i]).toBeCloseTo(1, 12);
      expect(indices['k']?.['elasticity']?.[i]).toBeCloseTo(-i, 12);
    });
  });

  it('gives arrays for a parameter that is one, and leaves fixed ones out', async () => {
    const path = model([
      parameter('K', [[1, 2]], { lower: 0, upper: [[1, 2]] }),
      parameter('c', 5, { fixed: true }),
      map('p', 'c*K*K'),
      { id: 'f', kind: 'reduce', operator: 'add', values: 'q' },
      { id: 'q', kind: 'reduce', operator: 'add', values: 'p' },
    ]);
    const { indices } = await studyJson<Study>([path, '--method', 'sobol', '--samples', '512']);
    expect(Object.keys(indices)).toEqual(['K']);
    const K = indices['K'] as unknown as { S1: number[][]; STInterval: number[][][] };
    // Var(c·K²) goes by the fourth power of the width: 1 to 16.
    expect(K.S1[0]?.[0]).toBeCloseTo(1 / 17, 1);
    expect(K.S1[0]?.[1]).toBeCloseTo(16 / 17, 1);
    expect(K.STInterval[0]?.[1]).toHaveLength(2);
  });

  it('draws from priors: the variance of a normal one', async () => {
    const path = model([
      parameter('a', 0, { prior: { family: 'normal', mean: 1, sd: 2 } }),
      parameter('b', 0.5, { prior: { family: 'beta', alpha: 2, beta: 3 } }),
      parameter('c', 0.5, { prior: { family: 'gamma', shape: 2, rate: 3 } }),
      map('f', 'a + 10*b + 3*c'),
    ]);
    // Variances 4, 100·(2·3)/(5²·6) = 4, 9·2/9 = 2.
    const { indices } = await studyJson<Study>([path, '--method', 'sobol']);
    expect(indices['a']?.['S1']).toBeCloseTo(0.4, 1);
    expect(indices['b']?.['ST']).toBeCloseTo(0.4, 1);
    expect(indices['c']?.['ST']).toBeCloseTo(0.2, 1);
    const gradients = await studyJson<Study>([path, '--method', 'dgsm', '--samples', '64']);
    // For a linear function of a normal the bound is the index.
    expect(gradients.indices['a']?.['bound']).toBeCloseTo(0.4, 0);
    expect(gradients.warnings).toBeUndefined();
  });

  it('where the output may jump, bounds by derivatives are warned of', async () => {
    const jumping = model([
      parameter('a', 0.5, { lower: 0, upper: 1 }),
      parameter('b', 0.5, { lower: 0, upper: 1 }),
      map('f', 'step = a - 1/2\nif(step < 0, 1, 0) + b'),
    ]);
    const { indices, warnings } = await studyJson<Study>([jumping, '--of', 'f', '--method', 'dgsm', '--samples', '64']);
    expect(indices['a']?.['bound']).toBe(0);
    expect(warnings?.[0]).toMatch(/Conditions or roundings in “f” depend on parameters/);
  });

  it("by Sobol's method takes an array: indices of the whole, and of each element", async () => {
    const path = model(
      [
        ...['x', 'y'].map((id) => parameter(id, 0.5, { lower: 0, upper: 1 })),
        constant('a', [[1, 3]]),
        constant('b', [[2, 0]]),
        map('f', 'a*x + b*y'),
      ],
      {},
    );
    const { indices } = await studyJson<Study>([path, '--method', 'sobol', '--of', 'f']);
    // By parameter the variances of the elements are (1, 9)/12 and (4, 0)/12.
    const wanted = { x: { whole: 10 / 14, each: [1 / 5, 1] }, y: { whole: 4 / 14, each: [4 / 5, 0] } };
    for (const [id, { whole, each }] of Object.entries(wanted)) {
      const { S1, ST, S1Interval, S1Course, STCourse } = indices[id] as unknown as Record<string, number[][]>;
      for (const value of [S1, ST] as unknown as number[]) expect(Math.abs(value - whole)).toBeLessThan(0.01);
      const [lower, upper] = S1Interval as unknown as [number, number];
      expect(lower).toBeLessThan(whole);
      expect(upper).toBeGreaterThan(whole);
      // Nested as the array is.
      each.forEach((value, t) => {
        expect(Math.abs(S1Course![0]![t]! - value)).toBeLessThan(0.01);
        expect(Math.abs(STCourse![0]![t]! - value)).toBeLessThan(0.01);
      });
    }
  });

  it('draws a parameter on a log scale uniformly between its bounds, and its logarithm only where asked', async () => {
    const path = model([
      parameter('k', 1, { scale: 'log', lower: 0.001, upper: 1000 }),
      parameter('x', 0, { lower: -Math.log(1000), upper: Math.log(1000) }),
      map('f', 'log(k) + x'),
    ]);
    const indicesOf = async (...more: string[]) =>
      (await studyJson<Study>([path, '--method', 'sobol', ...more])).indices;
    // The logarithm of a uniform variable has the variance 1, but for its lower end.
    expect((await indicesOf())['k']?.['S1']).toBeCloseTo(1 / (1 + Math.log(1000) ** 2 / 3), 1);
    const found = await indicesOf('--log-uniform');
    for (const id of ['k', 'x']) expect(found[id]?.['S1']).toBeCloseTo(0.5, 1);
    const { indices } = await studyJson<Study>([path, '--method', 'dgsm', '--log-uniform']);
    for (const id of ['k', 'x']) expect(indices[id]?.['bound']).toBeGreaterThan(0.5);
  });

  it('bounds by derivatives hold of a log-uniform prior as of a range that is drawn so', async () => {
    const path = model([
      parameter('k', 1, { prior: { family: 'log-uniform', lower: 0.1, upper: 9 } }),
      map('f', '2*k + 1'),
    ]);
    const { indices } = await studyJson<Study>([path, '--of', 'f', '--method', 'dgsm', '--samples', '256']);
    const log = Math.log(90);
    const variance = (81 - 0.01) / (2 * log) - (8.9 / log) ** 2;
    // (upper·log(upper/lower)/π)²/Var k of a function that is linear; it is no less than the index, which is 1.
    expect(indices['k']!['bound']! / ((9 * log) / Math.PI) ** 2).toBeCloseTo(1 / variance, 2);
  });

  it('draws from a prior whose arguments are data', async () => {
    const path = model([
      ...[constant('m', [1, 2]), constant('s', 3)],
      parameter('a', [0, 0], { prior: { family: 'normal', mean: 'm', sd: 's' } }),
      parameter('b', 0, { prior: { family: 'normal', mean: 0, sd: 3 } }),
      ...[{ id: 'p', kind: 'reduce', operator: 'multiply', values: 'a' }, map('f', 'p + b')],
    ]);
    const { indices } = await studyJson<Study>([path, '--of', 'f', '--method', 'sobol', '--samples', '4096']);
    // Var f = s²·(1² + 2²) + s⁴ + s²; alone a₀ has 4·s² of it, a₁ s².
    const [first, second] = indices['a']!['S1'] as unknown as [number, number];
    expect(first).toBeCloseTo(36 / 135, 1);
    expect(second).toBeCloseTo(9 / 135, 1);
    expect(indices['b']?.['S1']).toBeCloseTo(9 / 135, 1);
  });

  it('refuses in one line what has no range, no scalar, no objective', async () => {
    const open = model([parameter('a', 1), parameter('b', 1, { lower: 0 }), map('f', 'a*b')]);
    const array = model([parameter('a', [1, 2], bounds), map('f', '2*a')], {});
    const zero = model([parameter('a', 1, { scale: 'log', lower: 0, upper: 2 }), map('f', 'a')]);
    const beyond = model([
      parameter('a', 9.5, { lower: 9, upper: 10, prior: { family: 'normal', mean: 0, sd: 1 } }),
      map('f', 'a'),
    ]);
    const wide = model([
      parameter('w', new Array(600).fill(0.5), { lower: 0, upper: 1 }),
      { id: 'f', kind: 'reduce', operator: 'add', values: 'w' },
    ]);
    const normal = (mean: unknown) => ({ prior: { family: 'normal', mean, sd: 1 } });
    const hierarchy = model([parameter('m', 0, normal(0)), parameter('x', 0, normal('m')), map('f', 'x')]);
    const covariance = [
      [1, 0.9],
      [0.9, 1],
    ];
    const together = model([
      parameter('a', [1, 2], { prior: { family: 'multivariate-normal', mean: [1, 2], covariance } }),
      ...[parameter('b', 1), { id: 'f', kind: 'reduce', operator: 'add', values: 'a' }],
    ]);
    const cases: [string[], RegExp][] = [
      [
        [hierarchy, '--method', 'sobol', '--of', 'f'],
        /^cotangent: the parameter "x" has no range to vary over: its prior depends on other parameters, and a global study draws each by itself; give it "lower" and "upper", or keep it out/,
      ],
      [
        [together, '--method', 'morris', '--of', 'f'],
        /the parameters "a" and "b" have no range to vary over \(the prior of "a" is one of its elements together, and a global study draws each by itself\): give each/,
      ],
      [[beyond, '--method', 'sobol'], /the prior of the parameter "a" has next to nothing between its bounds 9 and 10/],
      [
        [wide, '--method', 'active-subspace'],
        /600 elements of parameters are free, and active-subspace takes at most 512/,
      ],
      [
        [open, '--method', 'sobol'],
        /the parameters "a" and "b" have no range to vary over: give each "lower" and "upper"/,
      ],
      [[array, '--method', 'morris', '--of', 'f'], /"f" has shape \[2\], and morris is of a scalar/],
      [[zero, '--method', 'sobol', '--log-uniform'], /"a" has no "lower" above 0/],
      [[array, '--method', 'dgsm'], /no objective/],
      [[ishigami, '--method', 'guess'], /Allowed choices are local, morris, sobol, dgsm, active-subspace/],
      [[ishigami], /required option '--method/],
    ];
    for (const [args, message] of cases) {
      const { status, stdout, stderr } = await cotangent('sensitivity', ...args, '--json');
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(message);
      expect(stderr.trim()).not.toContain('\n');
    }
  });

  it('counts runs that failed and says where', async () => {
    const path = model([parameter('a', 1, { lower: -1, upper: 1 }), map('f', 'log(a)')]);
    const found = await studyJson<Study & { failures: { parameters: { a: number }; reason: string }[] }>([
      path,
      '--method',
      'dgsm',
      '--samples',
      '64',
    ]);
    expect(found.failed).toBe(32);
    expect(found.failures[0]?.parameters.a).toBeLessThan(0);
  });

  it('stopped by the user prints what it has, with status 130', async () => {
    const outcome = await runProcess(
      ['sensitivity', ishigami, '--method', 'sobol', '--samples', '50000000', '--json'],
      { interruptAfter: 6000 },
    );
    expect(outcome.status).toBe(130);
    const found = JSON.parse(outcome.stdout) as Study;
    expect(found.samples).toBeGreaterThan(0);
    expect(found.samples).toBeLessThan(5e7);
  });
});
