/** The contract on objectives: least squares, likelihoods, priors, and what a fit reports of them. */
import { describe, expect, it } from 'vitest';
import {
  constant,
  documentOf,
  expectClose,
  json,
  map,
  parameter,
  refusal,
  value,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

const b = (id: string, kind: string, more: PlainBlock): PlainBlock => ({ id, kind, ...more });
const y = constant('y', [1, 2, 4]);
const p = parameter('p', 1);
const m = map('m', 'p * (index + 1) + 0*y');
// Residuals at p = 1: 1 − 1, 2 − 2, 3 − 4.

describe('least squares', () => {
  const far = constant('far', [0, 2.5, 9]); // residuals 1, −0.5, −6 of m = 1, 2, 3
  const of = async (more: PlainBlock): Promise<unknown> =>
    value(
      [far, y, p, m, constant('s', [1, 2, 3]), b('l', 'least-squares', { prediction: 'm', observed: 'far', ...more })],
      'l',
    );
  const soft = (q: number, c: number): number => 2 * c * c * (Math.sqrt(1 + q / (c * c)) - 1);
  const cauchy = (q: number, c: number): number => c * c * Math.log(1 + q / (c * c));
  const huber = (q: number, c: number): number => (q <= c * c ? q : 2 * c * Math.sqrt(q) - c * c);
  it.each([
    [{}, 1 + 0.25 + 36],
    [{ sigma: 2 }, (1 + 0.25 + 36) / 4],
    [{ sigma: 's' }, 1 + 0.0625 + 4],
    [{ weights: 2 }, 2 * 37.25],
    [{ weights: 's' }, 1 + 0.5 + 108],
    [{ weights: 0 }, 0],
    [{ loss: { kind: 'huber', scale: 1 } }, 1 + 0.25 + 11],
    [{ loss: { kind: 'huber' } }, 1 + 0.25 + 11],
    [{ loss: { kind: 'huber', scale: 2 }, sigma: 's' }, huber(1, 2) + huber(0.0625, 2) + huber(4, 2)],
    [{ loss: { kind: 'soft-l1', scale: 2 } }, soft(1, 2) + soft(0.25, 2) + soft(36, 2)],
    [{ loss: { kind: 'cauchy', scale: 0.5 }, sigma: 2 }, cauchy(0.25, 0.5) + cauchy(0.0625, 0.5) + cauchy(9, 0.5)],
  ])('%j', async (more, wanted) => {
    expectClose(await of(more), wanted);
  });

  it('leaves out the rows whose observation is missing, whatever they predict', async () => {
    const blocks = [
      constant('y', [1, 'NaN', 4]),
      p,
      map('m', 'if(index == 1, log(p - 2), p * (index + 1)) + 0*x'),
      constant('x', [0, 0, 0]),
      b('l', 'least-squares', { prediction: 'm', observed: 'y' }),
    ];
    expect(await value(blocks, 'l')).toBe(1);
    const path = written(documentOf(blocks));
    for (const device of ['reference', 'cpu'])
      expect(await json('differentiate', path, '--of', 'l', '--device', device)).toEqual({
        value: 1,
        adjoints: { p: 2 * -1 * 3 },
      });
    const { warnings } = (await json('check', path)) as { warnings: string[] };
    expect(warnings.join()).toMatch(/block "l".*1 of 3/);
  });

  it('broadcasts a scalar prediction', async () => {
    expect(await value([y, p, b('l', 'least-squares', { prediction: 'p', observed: 'y' })], 'l')).toBe(0 + 1 + 9);
  });

  it('refuses what it cannot use', async () => {
    const l = (more: PlainBlock, ...blocks: PlainBlock[]) =>
      documentOf([y, p, m, ...blocks, b('l', 'least-squares', { prediction: 'm', observed: 'y', ...more })]);
    expect(await refusal(l({ sigma: 1, weights: 1 }))).toMatch(/"l".*sigma.*weights/);
    expect(await refusal(l({ sigma: 0 }))).toMatch(/"l".*sigma.*0/);
    expect(await refusal(l({ sigma: 's' }, constant('s', [1, -1, 1])))).toMatch(/"l".*-1.*sigma|"l".*sigma.*-1/);
    expect(await refusal(l({ weights: -1 }))).toMatch(/"l".*weights.*-1/);
    expect(await refusal(l({ loss: { kind: 'tukey' } }))).toMatch(/"l".*loss.*huber.*tukey/);
    expect(await refusal(l({ loss: { kind: 'huber', scale: 0 } }))).toMatch(/"l".*scale.*0/);
    expect(await refusal(l({ observed: 'w' }, constant('w', [1, 2])))).toMatch(/"l".*\[3\].*\[2\]/);
  });
});

describe('likelihood', () => {
  const lnGamma = (n: number): number => {
    let sum = 0;
    for (let i = 2; i < n; i++) sum += Math.log(i);
    return sum;
  };
  const half = 0.5 * Math.log(2 * Math.PI);
  // Written from the densities; lgamma at halves by Γ(½) = √π.
  const cases: [string, PlainBlock, number[], number][] = [
    ['normal', { mean: 1, sigma: 2 }, [0, 3], 2 * (Math.log(2) + half) + 0.5 * (0.25 + 1)],
    ['poisson', { mean: 2.5 }, [0, 3, 5], 3 * 2.5 - 8 * Math.log(2.5) + Math.log(6) + Math.log(120)],
    [
      'binomial',
      { probability: 0.3, trials: 4 },
      [0, 1, 4],
      -(4 * Math.log(0.7)) - Math.log(4 * 0.3 * 0.7 ** 3) - 4 * Math.log(0.3),
    ],
    // Cauchy with scale 2 at 1 and 5: π·2·(1 + z²)
    ['student-t', { mean: 1, scale: 2, degrees: 1 }, [1, 5], Math.log(2 * Math.PI) + Math.log(2 * Math.PI * 5)],
    // ν = 3: density 2/(π√3 (1 + t²/3)²)
    ['student-t', { mean: 0, scale: 1, degrees: 3 }, [2], -Math.log(2 / (Math.PI * Math.sqrt(3) * (1 + 4 / 3) ** 2))],
    // dispersion 1/2: k = 2, p = 1/(1 + mean/2); P(y) = (y + 1) p² (1 − p)^y
    [
      'negative-binomial',
      { mean: 3, dispersion: 0.5 },
      [0, 2, 7],
      [0, 2, 7].reduce((sum, n) => sum - Math.log((n + 1) * 0.4 ** 2 * 0.6 ** n), 0),
    ],
    ['log-normal', { mean: 0.5, sigma: 2 }, [1, Math.E], 2 * (Math.log(2) + half) + 0.5 * (0.0625 + 0.0625) + 0 + 1],
  ];
  it.each(cases)('%s %j', async (family, more, observed, wanted) => {
    const l = b('l', 'likelihood', { family, observed: 'o', ...more });
    expectClose(await value([constant('o', observed), l], 'l'), wanted, 1e-13);
    expectClose(await value([constant('o', [...observed, 'NaN']), l], 'l'), wanted, 1e-13);
    expectClose(await value([constant('o', observed.slice(0, 0)), l], 'l'), 0);
    // The same with parameters in place of numbers.
    const named = Object.fromEntries(Object.keys(more).map((key) => [key, `p_${key}`]));
    const parameters = Object.entries(more).map(([key, number]) => parameter(`p_${key}`, number));
    expectClose(await value([constant('o', observed), ...parameters, { ...l, ...named }], 'l'), wanted, 1e-13);
    void lnGamma;
  });

  it('knows 0·log 0', async () => {
    expectClose(
      await value([constant('o', [0]), b('l', 'likelihood', { family: 'poisson', observed: 'o', mean: 0 })], 'l'),
      0,
    );
    expectClose(
      await value(
        [constant('o', [0, 0]), b('l', 'likelihood', { family: 'binomial', observed: 'o', probability: 0, trials: 3 })],
        'l',
      ),
      0,
    );
    expectClose(
      await value(
        [constant('o', [3]), b('l', 'likelihood', { family: 'binomial', observed: 'o', probability: 1, trials: 3 })],
        'l',
      ),
      0,
    );
    expect(
      await value([constant('o', [1]), b('l', 'likelihood', { family: 'poisson', observed: 'o', mean: 0 })], 'l'),
    ).toBe('Infinity');
  });

  it('has gradients in closed form', async () => {
    const at = async (family: string, observed: number[], parameters: Record<string, number>): Promise<unknown> => {
      const keys = Object.fromEntries(Object.keys(parameters).map((key) => [key, `p_${key}`]));
      const path = written(
        documentOf([
          constant('o', observed),
          ...Object.entries(parameters).map(([key, x]) => parameter(`p_${key}`, x)),
          b('l', 'likelihood', { family, observed: 'o', ...keys }),
        ]),
      );
      const found: unknown[] = [];
      for (const device of ['reference', 'cpu'])
        found.push(
          ((await json('differentiate', path, '--of', 'l', '--device', device)) as { adjoints: unknown }).adjoints,
        );
      expectClose(found[1], found[0], 1e-12);
      return found[0];
    };
    expectClose(await at('normal', [0, 3], { mean: 1, sigma: 2 }), {
      p_mean: (1 - 2) / 4,
      p_sigma: 2 / 2 - (1 + 4) / 8,
    });
    expectClose(await at('poisson', [0, 3], { mean: 2 }), { p_mean: 2 - 3 / 2 });
    expectClose(
      await at('binomial', [1, 2], { probability: 0.25, trials: 4 }).then(
        (g) => (g as Record<string, unknown>)['p_probability'],
      ),
      -3 / 0.25 + 5 / 0.75,
    );
    expectClose(
      await at('student-t', [3], { mean: 1, scale: 1, degrees: 1 }).then(
        (g) => (g as Record<string, unknown>)['p_mean'],
      ),
      (-2 * 2) / (1 + 4),
    );
    expectClose(await at('log-normal', [Math.E], { mean: 0, sigma: 1 }), { p_mean: -1, p_sigma: 1 - 1 });
    // ∂/∂mean of (y + k)·log(1 + d·mean) − y·log mean at y = 2, k = 2, d = ½, mean = 3
    expectClose(
      await at('negative-binomial', [2], { mean: 3, dispersion: 0.5 }).then(
        (g) => (g as Record<string, unknown>)['p_mean'],
      ),
      (4 * 0.5) / 2.5 - 2 / 3,
    );
  });

  it('takes arguments per row and leaves missing rows out', async () => {
    const blocks = [
      constant('o', [1, 'NaN', 3]),
      constant('mu', [1, 'NaN', 2]),
      constant('s', [1, 1, 2]),
      b('l', 'likelihood', { family: 'normal', observed: 'o', mean: 'mu', sigma: 's' }),
    ];
    expectClose(await value(blocks, 'l'), 2 * half + Math.log(2) + 0.125);
  });

  it('refuses arguments and observations that its family does not have', async () => {
    const l = (family: string, o: unknown[], more: PlainBlock) =>
      documentOf([constant('o', o), b('l', 'likelihood', { family, observed: 'o', ...more })]);
    expect(await refusal(l('normal', [1], { mean: 1 }))).toMatch(/"l".*sigma/);
    expect(await refusal(l('poisson', [1], { mean: 1, sigma: 1 }))).toMatch(/"l".*sigma/);
    expect(await refusal(l('poisson', [1.5], { mean: 1 }))).toMatch(/"l".*1\.5/);
    expect(await refusal(l('poisson', [-1], { mean: 1 }))).toMatch(/"l".*-1/);
    expect(await refusal(l('log-normal', [0], { mean: 1, sigma: 1 }))).toMatch(/"l".*0/);
    expect(await refusal(l('normal', [1], { mean: 1, sigma: -1 }))).toMatch(/"l".*sigma.*-1/);
    expect(await refusal(l('gaussian', [1], { mean: 1, sigma: 1 }))).toMatch(/"l".*normal.*gaussian/);
    expect(await refusal(l('binomial', [5], { probability: 0.5, trials: 4 }))).toMatch(/"l".*5/);
  });
});
