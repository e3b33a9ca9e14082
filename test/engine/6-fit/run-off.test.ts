/**
 * Data that a curve meets, or nears, only as its parameters grow without end: rows of 0 and 1 that it tells apart, a group in which
 * nothing happened. There is no minimum, by whatever method; where there is one, however well the rows are met, it is found.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import type { FitMethod } from '../../../engine/6-fit/methods.ts';
import { partSeed, randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { model, type PlainBlock } from '../../support/documents.ts';
import '../../support/seed.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

interface Case {
  readonly formula: string;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** A second covariate. */
  readonly z?: readonly number[];
  readonly start: Readonly<Record<string, number>>;
  readonly loss: 'binomial' | 'poisson' | 'least-squares';
  readonly method?: FitMethod;
}

async function fitted({ formula, x, y, z, start, loss, method }: Case) {
  const columns = { x, y, ...(z && { z }) };
  const observed = { id: 'loss', observed: 'y' };
  const losses = {
    binomial: { ...observed, kind: 'likelihood', family: 'binomial', probability: 'f', trials: 1 },
    poisson: { ...observed, kind: 'likelihood', family: 'poisson', mean: 'f' },
    'least-squares': { ...observed, kind: 'least-squares', prediction: 'f' },
  };
  const document = await model(
    [
      ...Object.keys(columns).map((id) => ({ id, kind: 'column', table: 'T', column: id })),
      ...Object.entries(start).map(([id, initial]) => ({ id, kind: 'parameter', initial })),
      { id: 'f', kind: 'map', formula },
      losses[loss],
    ],
    { tables: { T: { columns } }, objective: 'loss' },
  );
  return fitModel(document, device, { parameters: {}, ...(method && { method }) });
}

const links = { logit: (eta: string) => `logistic(${eta})`, probit: (eta: string) => `erfc(-(${eta})/sqrt(2))/2` };

describe('rows of 0 and 1 that a line tells apart', () => {
  const separated = (seed: number) => {
    const random = randomFrom(partSeed(seed, 3));
    const n = 4 + (seed % 9);
    const x = Array.from({ length: n }, () => Math.round(random.uniform() * 20) / 4);
    const z = Array.from({ length: n }, () => random.uniform() * 4 - 2);
    const cut = x.toSorted((a, b) => a - b)[Math.floor(n / 2)]!;
    const both = seed % 3 === 0;
    const y = x.map((t, i) => Number(t - cut + 0.01 + (both ? z[i]! : 0) > 0));
    return { x, y, z, eta: both ? 'a + b*x + c*z' : 'a + b*x', start: { a: 0.1, b: 0.1, ...(both && { c: 0.1 }) } };
  };

  it.each([8, 9, 12, 13, 17, 19])('have no likeliest curve: data %d', async (seed) => {
    const { eta, ...data } = separated(seed);
    for (const link of ['logit', 'probit'] as const)
      for (const method of ['newton-cg', 'nelder-mead'] as const) {
        const found = await fitted({ ...data, formula: links[link](eta), loss: 'binomial', method });
        expect(found.status, `${link}, ${method}: ${found.reason}`).toBe('not-converged');
      }
  });

  it.each([2, 28, 30])('have no least squares: data %d', async (seed) => {
    const { eta, ...data } = separated(seed);
    for (const link of ['logit', 'probit'] as const) {
      const found = await fitted({ ...data, formula: links[link](eta), loss: 'least-squares' });
      expect(found.status, `${link}: ${found.reason}`).toBe('not-converged');
    }
  });

  it.each<FitMethod>(['newton-cg', 'l-bfgs-b', 'nelder-mead', 'adam'])(
    'nor have rows that it tells apart but for two of one x, or of a group, by %s',
    async (method) => {
      const touching = { x: [0, 1, 2, 2, 3], y: [0, 0, 0, 1, 1] };
      const group = { x: [0, 0, 0, 0, 1, 1, 1], y: [0, 1, 0, 1, 1, 1, 1] };
      for (const data of [touching, group]) {
        const found = await fitted({
          ...data,
          formula: links.logit('a + b*x'),
          start: { a: 0, b: 0 },
          loss: 'binomial',
          method,
        });
        expect(found.status, found.reason).toBe('not-converged');
      }
    },
  );
});

it.each<FitMethod>(['newton-cg', 'l-bfgs-b', 'nelder-mead', 'adam'])(
  'a group without a count has no likeliest rate, by %s',
  async (method) => {
    const found = await fitted({
      formula: 'exp(a + b*x)',
      x: [0, 0, 0, 0, 1, 1, 1],
      y: [3, 4, 2, 5, 0, 0, 0],
      start: { a: 0, b: 0 },
      loss: 'poisson',
      method,
    });
    expect(found.status, found.reason).toBe('not-converged');
  },
);

const seven = [1, 2, 3, 4, 5, 6, 7];

describe.each<FitMethod>(['levenberg-marquardt', 'newton-cg', 'nelder-mead'])(
  'rows that are met exactly, by %s',
  (method) => {
    it.each([
      ['a level from the first row on', 'A*(1 - exp(-k*x))', [2, 2, 2, 2, 2, 2, 2], { A: 1, k: 1 }],
      ['a jump', 'A*tanh(k*(x - 3.5))', [-1, -1, -1, 1, 1, 1, 1], { A: 0.5, k: 1 }],
      ['nothing after the first row', 'A*exp(-k*(x - 1))', [3, 0, 0, 0, 0, 0, 0], { A: 1, k: 1 }],
    ] as const)('%s: by a parameter that runs off', async (_, formula, y, start) => {
      const found = await fitted({ formula, x: seven, y, start, loss: 'least-squares', method });
      expect(found.status, found.reason).toBe('not-converged');
    });

    it.each([
      ['a line', 'a + b*x', seven.map((t) => 2 + 3 * t), { a: 0, b: 0 }],
      ['a decay', 'A*exp(-k*x)', seven.map((t) => 2 * Math.exp(-0.5 * t)), { A: 1, k: 1 }],
      ['a product, of which only the whole is known', 'a*b*x', seven.map((t) => 6 * t), { a: 1, b: 1 }],
      ['a ratio', 'a/b*x', seven.map((t) => 6 * t), { a: 1, b: 1 }],
      ['zeros', 'A*exp(-k*x)', seven.map(() => 0), { A: 1, k: 1 }],
      ['a wave', 'a*sin(w*x)', seven.map((t) => 2 * Math.sin(0.7 * t)), { a: 1.8, w: 0.72 }],
      ['a level that is reached at K = 0', 'V*x/(K + x)', seven.map(() => 2), { V: 1, K: 1 }],
    ] as const)('%s: at a minimum', async (_, formula, y, start) => {
      const found = await fitted({ formula, x: seven, y, start, loss: 'least-squares', method });
      expect(found.status, found.reason).toBe('converged');
      expect(found.objective).toBeLessThan(1e-20);
    });
  },
);

// R 4.5: lm(y ~ 0 + x + z, tol = 1e-20).
it.each([
  [1e-7, 0.0540883, -1.235655e5, 1.192255e5],
  [1e-9, 0.0540883, -1.235665e7, 1.192255e7],
] as const)('columns that are one but for %d have a minimum, far off', async (apart, sum, a, error) => {
  const x = [1, 2, 3, 4, 5];
  const z = x.map((t, i) => t * (1 + apart * [1, -2, 3, 0.5, -1][i]!));
  const y = [1.1, 1.9, 3.2, 3.9, 5.1];
  const found = await fitted({ formula: 'a*x + b*z', x, z, y, start: { a: 1, b: 0 }, loss: 'least-squares' });
  expect(found.status, found.reason).toBe('converged');
  expect(found.objective).toBeCloseTo(sum, 6);
  expect(found.estimates[0]!.value / a).toBeCloseTo(1, 5);
  expect(found.estimates[0]!.standardError / error).toBeCloseTo(1, 5);
});

it.each<FitMethod>(['newton-cg', 'l-bfgs-b'])(
  'and no other place is one to a Hessian that cannot see it: %s',
  async (method) => {
    const x = [1, 2, 3, 4, 5];
    const z = x.map((t, i) => t * (1 + 1e-11 * [1, -2, 3, 0.5, -1][i]!));
    const y = [1.1, 1.9, 3.2, 3.9, 5.1];
    const found = await fitted({ formula: 'a*x + b*z', x, z, y, start: { a: 1, b: 0 }, loss: 'least-squares', method });
    // The least is 0.05409; without z it is 0.07345.
    if (found.status === 'converged') expect(found.objective).toBeCloseTo(0.05409, 4);
    else expect(found.objective).toBeGreaterThan(0.054);
  },
);

describe('rows on a line, which a curve nears as its parameters run off along a product', () => {
  const dense = Array.from({ length: 20 }, (_, i) => 0.15 * (i + 1));
  const lines = {
    'y = x/2': { x: [...seven, 8], slope: 0.5 },
    'y = 0.37·x': { x: [...seven, 8], slope: 0.37 },
    'y = -1234·x, near 0': { x: dense.map((t) => t / 1000), slope: -1234 },
  };
  it.each([
    ['a*(1 - exp(-b*x))', { a: 5, b: 0.2 }],
    ['a*x/(b + x)', { a: 5, b: 5 }],
    ['a*exp(b*x) - a', { a: 1, b: 0.1 }],
    ['a*exp(b*x) + c', { a: 1, b: 0.1, c: 0 }],
    ['a*x^n/(b^n + x^n)', { a: 5, b: 5, n: 1.5 }],
    ['a*(1 - exp(-(b*x)^k))', { a: 5, b: 0.2, k: 1 }],
    ['a*tanh(b*x)', { a: 5, b: 0.2 }],
    ['a*log(1 + b*x)', { a: 3, b: 0.3 }],
    ['a*(sqrt(1 + b*x) - 1)', { a: 3, b: 0.3 }],
    ['a*sin(b*x)', { a: 5, b: 0.1 }],
  ] as const)('%s has no minimum', async (formula, start) => {
    const { x, slope } = lines['y = 0.37·x'];
    const found = await fitted({ formula, x, y: x.map((t) => slope * t), start, loss: 'least-squares' });
    expect(found.status, found.reason).toBe('not-converged');
  });

  it.each(Object.entries(lines))('%s has none, whoever looks for it', async (_, { x, slope }) => {
    for (const method of ['levenberg-marquardt', 'newton-cg', 'l-bfgs-b'] as const) {
      const y = x.map((t) => slope * t);
      const start = { a: 5, b: 0.2 };
      const found = await fitted({ formula: 'a*(1 - exp(-b*x))', x, y, start, loss: 'least-squares', method });
      expect(found.status, `${method}: ${found.reason}`).toBe('not-converged');
    }
  });

  it.each([
    ['a*x/(1 + b*x)', { a: 1, b: 0.1 }, { a: 0.37, b: 0 }],
    ['a*(1 + b*x)', { a: 1, b: 1 }, undefined],
    ['a*x^b', { a: 1, b: 0.5 }, { a: 0.37, b: 1 }],
    ['a*x + b*x^2', { a: 1, b: 0.1 }, { a: 0.37, b: 0 }],
    ['a*b*x', { a: 3, b: 1e-9 }, undefined],
    ['a*x*exp(b + c*x)', { a: 3, b: 1, c: 0.01 }, { c: 0 }],
  ] as const)('%s has one', async (formula, start, at: Readonly<Record<string, number>> | undefined) => {
    const offset = formula === 'a*(1 + b*x)' ? 2 : 0;
    const { x } = lines['y = 0.37·x'];
    const y = x.map((t) => offset + 0.37 * t);
    const found = await fitted({ formula, x, y, start, loss: 'least-squares' });
    expect(found.status, found.reason).toBe('converged');
    for (const { name, value } of found.estimates) expect(value).toBeCloseTo(at?.[name] ?? value, 8);
  });
});

it.each<FitMethod>(['levenberg-marquardt', 'newton-cg'])(
  'a step in noise has no best steepness, by %s',
  async (method) => {
    const x = Array.from({ length: 29 }, (_, i) => (i + 1) / 3);
    const y = x.map((t, i) => Number(t > 4.2) + 0.1 * Math.sin(12.9898 * (i + 1)));
    const found = await fitted({
      formula: '1 - exp(-(x/l)^k)',
      x,
      y,
      start: { k: 1, l: 3 },
      loss: 'least-squares',
      method,
    });
    expect(found.status, found.reason).toBe('not-converged');
  },
);

it.each<FitMethod>(['newton-cg', 'l-bfgs-b', 'nelder-mead', 'adam'])(
  'counts that scatter less than by chance have no overdispersion: 0, the bound, by %s',
  async (method) => {
    const x = Array.from({ length: 60 }, (_, i) => i / 10);
    const y = x.map((_, i) => [3, 4, 3, 2, 4, 3, 5, 4, 3, 4][i % 10]!);
    const fitted = async (family: PlainBlock, dispersion: readonly PlainBlock[]) =>
      fitModel(
        await model(
          [
            { id: 'x', kind: 'column', table: 'T', column: 'x' },
            { id: 'y', kind: 'column', table: 'T', column: 'y' },
            { id: 'a', kind: 'parameter', initial: 1 },
            { id: 'b', kind: 'parameter', initial: 0 },
            ...dispersion,
            { id: 'f', kind: 'map', formula: 'exp(a + b*x)' },
            { id: 'loss', kind: 'likelihood', observed: 'y', mean: 'f', ...family },
          ],
          { tables: { T: { columns: { x, y } } }, objective: 'loss' },
        ),
        device,
        { parameters: {}, method },
      );
    const poisson = await fitted({ family: 'poisson' }, []);
    const dispersed = { family: 'negative-binomial', dispersion: 'd' };
    const found = await fitted(dispersed, [{ id: 'd', kind: 'parameter', initial: 0.5, lower: 0 }]);
    expect(found.status, found.reason).toBe('converged');
    expect(found.objective).toBeCloseTo(poisson.objective, 8);
    expect(found.estimates.map(({ value }) => value)[2]).toBe(0);
  },
);

describe('data that a curve meets to the last digit, with a spread of its own to be found', () => {
  const x = [1, 2, 3, 4, 5, 6, 7, 8];
  const spread = {
    normal: { of: { mean: 'f', sigma: 's' }, initial: 0.5, way: 'shrinks' },
    'student-t': { of: { mean: 'f', scale: 's', degrees: 4 }, initial: 0.5, way: 'shrinks' },
    gamma: { of: { mean: 'f', shape: 's' }, initial: 10, way: 'grows' },
    beta: { of: { mean: 'f', precision: 's' }, initial: 10, way: 'grows' },
  } as const;
  const curves = {
    'a level': { formula: '0*x + m', start: { m: 0.5 }, y: x.map(() => 0.3) },
    'a decay': { formula: 'A*exp(-k*x)', start: { A: 0.5, k: 0.1 }, y: x.map((t) => 0.8 * Math.exp(-0.3 * t)) },
  } as const;

  async function fittedWith(
    family: keyof typeof spread,
    { formula, start, y }: (typeof curves)[keyof typeof curves],
    noise: number,
    method: FitMethod,
    support?: 'positive',
  ) {
    const { of, initial } = spread[family];
    const columns = { x, y: y.map((value, i) => value * (1 + noise * Math.sin(12.9898 * (i + 1)))) };
    const document = await model(
      [
        ...Object.keys(columns).map((id) => ({ id, kind: 'column', table: 'T', column: id })),
        ...Object.entries(start).map(([id, initial]) => ({ id, kind: 'parameter', initial })),
        { id: 's', kind: 'parameter', initial, ...(support ? { support } : { lower: 0 }) },
        { id: 'f', kind: 'map', formula },
        { id: 'loss', kind: 'likelihood', family, observed: 'y', ...of },
      ],
      { tables: { T: { columns } }, objective: 'loss' },
    );
    return fitModel(document, device, { parameters: {}, method });
  }

  it.each(Object.keys(spread) as (keyof typeof spread)[])('have no likeliest: %s', async (family) => {
    for (const [name, curve] of Object.entries(curves))
      for (const support of [undefined, 'positive'] as const) {
        const found = await fittedWith(family, curve, 0, 'newton-cg', support);
        expect(found.status, `${name}: ${found.reason}`).toBe('not-converged');
        expect(found.reason).toContain(`the likelihood grows without end as "s" ${spread[family].way}`);
        for (const { verdict } of found.estimates) expect(verdict.reason).toBe('not known: the fit has not converged');
      }
  });

  it.each<FitMethod>(['nelder-mead', 'adam'])('nor by %s', async (method) => {
    const found = await fittedWith('normal', curves['a decay'], 0, method);
    expect(found.status, found.reason).toBe('not-converged');
    expect(found.reason).toContain('the likelihood grows without end as "s" shrinks');
  });

  it.each(Object.keys(spread) as (keyof typeof spread)[])(
    'have one where they scatter in the sixth digit: %s',
    async (family) => {
      const found = await fittedWith(family, curves['a decay'], 1e-6, 'newton-cg', 'positive');
      expect(found.status, found.reason).toBe('converged');
    },
  );
});
