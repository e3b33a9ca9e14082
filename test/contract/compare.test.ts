/** The contract on `compare`: criteria and tests are R's (`AIC`, `BIC`, `anova` of lm, nls and glm, R 4.2). */
import { describe, expect, it } from 'vitest';
import {
  constant,
  cotangent,
  documentOf,
  map,
  parameter,
  quietJson,
  written,
  type PlainBlock,
} from '../support/command-line.ts';

interface Comparison {
  readonly models: readonly Record<string, number | string | null>[];
  readonly nested: readonly { small: string; large: string; test: string; p: number | null }[];
  readonly warnings: readonly string[];
}

const xs = [0, 1, 2, 3, 4, 5, 6, 7];
const ys = [1.1, 2.9, 5.2, 6.8, 9.1, 11.4, 12.7, 15.6];
const counts = [2, 3, 6, 7, 8, 9, 10, 12];

const squares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
const poisson: PlainBlock = { id: 'l', kind: 'likelihood', family: 'poisson', mean: 'm', observed: 'y' };

const model = (
  name: string,
  formula: string,
  starts: Readonly<Record<string, number>>,
  {
    x = xs,
    y = ys,
    loss = squares,
  }: { x?: readonly number[]; y?: readonly (number | string)[]; loss?: PlainBlock } = {},
): string => {
  const parameters = Object.entries(starts).map(([id, initial]) => parameter(id, initial));
  const blocks = [constant('x', x), constant('y', y), map('x1', 'x + 1'), ...parameters, map('m', formula), loss];
  return written(documentOf(blocks, { name, objective: 'l' }));
};
const line = model('line', 'a + k*x', { a: 0, k: 1 });
const parabola = model('parabola', 'a + k*x + q*x^2', { a: 0, k: 1, q: 0.1 });
const power = model('power', 'a + k*x^p', { a: 1, k: 2, p: 1 });
/** Over these rows each comes near the other, and neither is the other. */
const square = model('square', 'a + q*x^2', { a: 1, q: 0.1 });
const cubic = model('cubic', 'a + k*x + c*x^3', { a: 1, k: 1, c: 0.01 });

const compare = (paths: readonly string[], status = 0): Promise<Comparison> => quietJson(['compare', ...paths], status);

describe('compare', () => {
  it('ranks models of least squares and finds which is a case of which', async () => {
    const { models, nested, warnings } = await compare([line, parabola, power]);
    expect(models.map(({ name, parameters, status }) => [name, parameters, status])).toEqual([
      ['line', 2, 'converged'],
      ['parabola', 3, 'converged'],
      ['power', 3, 'converged'],
    ]);
    const wanted = [
      [13.587223866382, 7.8255484914215],
      [22.0177950607864, 9.00222789417239],
      [22.1761083092154, 9.16054114260138],
    ] as const;
    for (const [i, [aicc, bic]] of wanted.entries()) {
      expect(models[i]?.['aicc']).toBeCloseTo(aicc, 9);
      expect(models[i]?.['bic']).toBeCloseTo(bic, 9);
      expect(models[i]?.['delta']).toBeCloseTo(aicc - wanted[0][0], 9);
    }
    expect(models.reduce((sum, { weight }) => sum + Number(weight), 0)).toBeCloseTo(1, 12);
    expect(nested.map(({ small, large, test }) => [small, large, test])).toEqual([
      ['line', 'parabola', 'F'],
      ['line', 'power', 'F'],
    ]);
    expect(nested[0]?.p).toBeCloseTo(0.47454277159394, 9);
    expect(nested[1]?.p).toBeCloseTo(0.516127177316923, 8);
    expect(warnings).toEqual([]);
  });

  it.each<[string, PlainBlock, readonly number[], readonly number[], string, number]>([
    ['weights', { weights: 'w' }, [], [12.565760096511, 21.505313092402], 'F', 0.636814137855],
    ['known errors', { sigma: 'w' }, [], [23.171561874656, 28.4016029842], 'likelihood-ratio', 0.543026677212],
    ['rows left out', {}, [3, 7], [16.851921995851, 45.14444184963], 'F', 0.393579591045],
  ])('with %s as lm, anova and logLik have it', async (_, loss, excluded, aiccs, test, p) => {
    const columns = { x: xs, y: ys, w: [1, 2, 1, 0.5, 4, 1, 2, 0.25] };
    const table = { columns, excluded: excluded.map((row) => ({ row, why: 'spilt' })) };
    const column = (id: string): PlainBlock => ({ id, kind: 'column', table: 't', column: id });
    const [small, large] = [
      ['a', 'k'],
      ['a', 'k', 'q'],
    ].map((names) => {
      const formula = names.length === 2 ? 'a + k*x' : 'a + k*x + q*x^2';
      const blocks = [...Object.keys(columns).map(column), ...names.map((id) => parameter(id, 1)), map('m', formula)];
      const name = names.join(' ');
      return written(documentOf([...blocks, { ...squares, ...loss }], { name, objective: 'l', tables: { t: table } }));
    });
    const { models, nested } = await compare([small!, large!]);
    for (const [i, aicc] of aiccs.entries()) expect(models[i]?.['aicc']).toBeCloseTo(aicc, 9);
    expect(nested).toMatchObject([{ small: 'a k', large: 'a k q', test }]);
    expect(nested[0]?.p).toBeCloseTo(p, 9);
  });

  it('tests likelihoods by their ratio', async () => {
    const of = (name: string, formula: string, starts: Record<string, number>) =>
      model(name, formula, starts, { y: counts, loss: poisson });
    const { models, nested } = await compare([
      of('rise', 'exp(a + b*x)', { a: 1, b: 0.1 }),
      of('flat', 'exp(a + 0*x)', { a: 2 }),
    ]);
    expect(models[0]?.['aicc']).toBeCloseTo(37.4439205040159, 9);
    expect(models[1]?.['aicc']).toBeCloseTo(44.9899112338845, 9);
    expect(models[0]?.['bic']).toBeCloseTo(35.2028035873756, 9);
    expect(nested).toEqual([
      { small: 'flat', large: 'rise', test: 'likelihood-ratio', p: expect.any(Number) as number },
    ]);
    expect(nested[0]?.p).toBeCloseTo(0.000783750877801144, 9);
  });

  it('counts a model once that is there from two starts, and says so', async () => {
    const twin = model('twin', 'a + k*x', { a: 2, k: 3 });
    const { models } = await compare([line, parabola, twin]);
    expect(models[0]?.['weight']).toBe((await compare([line, parabola])).models[0]?.['weight']);
    expect(models[2]).toMatchObject({ weight: null, same: 'line' });
    expect((await cotangent('compare', line, twin)).stdout).toMatch(/^twin .* – .* the same as line$/m);
  });

  it('calls nothing a case of another that only comes near', async () => {
    expect((await compare([square, cubic])).nested).toEqual([]);
  });

  it('calls nothing a case of what weighs its observations otherwise', async () => {
    const of = (name: string, formula: string, starts: Readonly<Record<string, number>>, more: PlainBlock): string =>
      model(name, formula, starts, { loss: { ...squares, ...more } });
    const small = (more: PlainBlock): string => of('small', 'a + k*x', { a: 0, k: 1 }, more);
    const large = (more: PlainBlock): string => of('large', 'a + k*x + q*x^2', { a: 0, k: 1, q: 0.1 }, more);
    const nestedOf = async (one: PlainBlock, other: PlainBlock) =>
      (await compare([small(one), large(other)])).nested.length;
    expect(await nestedOf({ weights: 100 }, {})).toBe(0);
    expect(await nestedOf({ weights: 'y' }, {})).toBe(0);
    expect(await nestedOf({ weights: 'y' }, { weights: 'x1' })).toBe(0);
    expect(await nestedOf({ sigma: 0.5 }, { sigma: 0.6 })).toBe(0);
    expect(await nestedOf({ sigma: 'y' }, { sigma: 1 })).toBe(0);
    expect(await nestedOf({ weights: 1 }, {})).toBe(1);
    expect(await nestedOf({ weights: 'y' }, { weights: 'y' })).toBe(1);
    expect(await nestedOf({ sigma: 'y' }, { sigma: 'y' })).toBe(1);
  });

  // The p of both maxima by SciPy.
  it('tests models of observations that are censored', async () => {
    const loss = (more: PlainBlock): PlainBlock => ({
      ...{ id: 'l', kind: 'likelihood', family: 'normal', mean: 'm', sigma: 's', observed: 'y' },
      ...more,
    });
    const y = ys.map((value) => Math.max(value, 3));
    const of = (name: string, formula: string, starts: Readonly<Record<string, number>>, more: PlainBlock): string =>
      model(name, formula, { ...starts, s: 1 }, { y, loss: loss(more) });
    const pair = (one: PlainBlock, other: PlainBlock) => [
      of('small', 'a + k*x', { a: 0, k: 1 }, one),
      of('large', 'a + k*x + q*x^2', { a: 0, k: 1, q: 0.1 }, other),
    ];
    const left = { censored: { left: 3 } };
    const { nested } = await compare(pair(left, left));
    expect(nested).toEqual([
      { small: 'small', large: 'large', test: 'likelihood-ratio', p: expect.closeTo(0.86032695, 6) },
    ]);
    const seen = { truncated: { lower: 2 } };
    expect((await compare(pair(seen, seen))).nested.length).toBe(1);
    expect((await compare(pair(seen, { truncated: { lower: 1 } }))).nested).toEqual([]);
    expect((await compare(pair(seen, {}))).nested).toEqual([]);
    expect((await compare(pair({}, seen))).nested).toEqual([]);
  });

  it('halves p where the small model is the large one at a bound', async () => {
    const y = [3.1, 2.7, 3.6, 2.9, 3.3, 3.8, 3.0, 3.6];
    const rising = written(
      documentOf(
        [
          ...[constant('x', xs), constant('y', y), parameter('a', 1), parameter('k', 1, { lower: 0 })],
          ...[map('m', 'a + k*x'), squares],
        ],
        { name: 'rising', objective: 'l' },
      ),
    );
    const level = model('level', 'a + 0*x', { a: 1 }, { y });
    const free = model('free', 'a + k*x', { a: 1, k: 1 }, { y });
    const { nested } = await compare([level, rising, free]);
    // The test of Student's t on one side, and on two: summary(lm(y ~ x)) of R.
    expect(nested).toMatchObject([
      { small: 'level', large: 'rising', test: 'F', p: expect.closeTo(0.131846098331158, 9) },
      { small: 'level', large: 'free', test: 'F', p: expect.closeTo(0.263692196662316, 9) },
    ]);
  });

  it('halves p of an overdispersion that may be 0', async () => {
    const of = (name: string, dispersion: string | number, more: readonly PlainBlock[]): string =>
      written(
        documentOf(
          [
            ...[constant('y', [2, 9, 1, 7, 14, 3, 12, 5]), parameter('m', 5, { lower: 0.1 }), ...more],
            { id: 'l', kind: 'likelihood', family: 'negative-binomial', mean: 'm', dispersion, observed: 'y' },
          ],
          { name, objective: 'l' },
        ),
      );
    const { nested } = await compare([
      of('none', 0, []),
      of('some', 'd', [parameter('d', 0.5, { lower: 0 })]),
      of('logarithmic', 'd', [parameter('d', 0.5, { scale: 'log' })]),
    ]);
    // dnbinom and dpois of R, by optim
    expect(nested).toMatchObject([
      { small: 'none', large: 'some', test: 'likelihood-ratio', p: expect.closeTo(0.00254992047762, 6) },
      { small: 'none', large: 'logarithmic', test: 'likelihood-ratio', p: expect.closeTo(0.00254992047762, 6) },
    ]);
  });

  it.each([
    // 2·(log L − log L) by SciPy, and half of P(χ²₁ > it).
    {
      ...{ of: 'Poisson and negative binomial', y: [2, 9, 1, 7, 14, 3, 12, 5], formula: 'exp(a + b*x)' },
      ...{ starts: { a: 1, b: 0.1 }, small: { family: 'poisson' }, p: 0.005561903288 },
      large: { family: 'negative-binomial', dispersion: 'd' },
      more: parameter('d', 0.5, { support: 'positive' }),
    },
    {
      ...{ of: 'Poisson and zero-inflated Poisson', y: [0, 0, 3, 0, 5, 4, 0, 6, 2, 0, 5, 3], formula: 'exp(a) + 0*x' },
      ...{ starts: { a: 1 }, small: { family: 'poisson' }, p: 8.4291723246e-5 },
      large: { family: 'zero-inflated-poisson', inflation: 'd' },
      more: parameter('d', 0.3, { scale: 'logit' }),
    },
    {
      ...{ of: 'normal and Student’s t', y: [1.1, 2.9, 5.2, 6.8, 9.1, 15.4, 12.7, 14.9], formula: 'a + b*x' },
      ...{ starts: { a: 1, b: 2, s: 1 }, small: { family: 'normal', sigma: 's' }, p: 7.89183123984e-6 },
      large: { family: 'student-t', scale: 's', degrees: 'd' },
      more: parameter('d', 2, { support: 'positive' }),
    },
  ])('tests families at the end of others: $of', async ({ y, formula, starts, small, large, more, p }) => {
    const of = (name: string, loss: PlainBlock, extra: readonly PlainBlock[]): string =>
      written(
        documentOf(
          [
            ...[constant('y', y), constant('x', [...y.keys()]), map('m', formula), ...extra],
            ...Object.entries(starts).map(([id, initial]) => parameter(id, initial, id === 's' ? { lower: 0 } : {})),
            { id: 'l', kind: 'likelihood', mean: 'm', observed: 'y', ...loss },
          ],
          { name, objective: 'l' },
        ),
      );
    const { nested } = await compare([of('small', small, []), of('large', large, [more])]);
    expect(nested).toEqual([{ small: 'small', large: 'large', test: 'likelihood-ratio', p: expect.closeTo(p, 8) }]);
  });

  it('reads a family by its other spelling: exponential waiting times and gamma ones', async () => {
    const y = [1.2, 2.1, 0.7, 3.3, 2.8, 4.9, 3.6, 6.1];
    const of = (name: string, loss: PlainBlock, extra: readonly PlainBlock[]): string =>
      written(
        documentOf(
          [
            ...[constant('y', y), constant('x', xs), parameter('a', 0.5), parameter('b', 0.2), ...extra],
            { id: 'l', kind: 'likelihood', family: 'gamma', observed: 'y', ...loss },
          ],
          { name, objective: 'l' },
        ),
      );
    const { nested } = await compare([
      of('exponential', { mean: 'm', shape: 1 }, [map('m', 'exp(a + b*x)')]),
      of('gamma', { shape: 'k', rate: 'r' }, [parameter('k', 2, { support: 'positive' }), map('r', 'k*exp(-a - b*x)')]),
    ]);
    // dgamma: 9.98693838, and that is no bound.
    expect(nested).toEqual([
      { small: 'exponential', large: 'gamma', test: 'likelihood-ratio', p: expect.closeTo(0.00157654509, 8) },
    ]);
  });

  it('refuses counts out of other numbers of trials', async () => {
    const of = (name: string, trials: number | string): string =>
      written(
        documentOf(
          [
            ...[constant('y', [2, 3, 5]), constant('n', [10, 12, 10]), parameter('p', 0.3, { scale: 'logit' })],
            { id: 'l', kind: 'likelihood', family: 'binomial', probability: 'p', trials, observed: 'y' },
          ],
          { name, objective: 'l' },
        ),
      );
    const { status, stderr } = await cotangent('compare', of('some', 'n'), of('others', 20));
    expect(status).toBe(2);
    expect(stderr).toContain('the counts of "others" are out of other numbers of trials than those of "some"');
    expect((await compare([of('some', 'n'), of('again', 'n')])).models).toHaveLength(2);
  });

  it('follows no model where nothing was observed', async () => {
    const y = ['NaN', ...ys.slice(1)];
    const of = (name: string, formula: string, starts: Readonly<Record<string, number>>): string =>
      model(name, formula, starts, { y });
    const logarithm = of('logarithm', 'a + k*log(x)', { a: 0, k: 1 });
    const both = of('both', 'a + k*log(x) + q*x', { a: 0, k: 1, q: 0.1 });
    const { nested } = await compare([logarithm, both]);
    // anova(lm(y ~ log(x)), lm(y ~ log(x) + x)) of the rows from 1 on
    expect(nested).toEqual([
      { small: 'logarithm', large: 'both', test: 'F', p: expect.closeTo(0.00113003901545886, 9) },
    ]);
  });

  it('takes the same observations in another order for the same, and refuses others', async () => {
    const turned = { x: [...xs].reverse(), y: [...ys].reverse() };
    const { models } = await compare([line, model('turned', 'a + k*x', { a: 0, k: 1 }, turned)]);
    expect(models[1]?.['delta']).toBeCloseTo(0, 9);
    const fewer = model('fewer', 'a + k*x', { a: 0, k: 1 }, { x: xs.slice(1), y: ys.slice(1) });
    const other = model('other', 'a + k*x', { a: 0, k: 1 }, { y: ys.map((y) => y + 1) });
    const weights = constant('w', [0, ...xs.slice(1).map(() => 1)]);
    const light = written(
      documentOf(
        [
          constant('x', xs),
          constant('y', ys),
          weights,
          parameter('a', 0),
          map('m', 'a*x'),
          { ...squares, weights: 'w' },
        ],
        { name: 'light', objective: 'l' },
      ),
    );
    const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', mean: 'm', sigma: 1, observed: 'y' };
    const tobit = model('tobit', 'a + k*x', { a: 0, k: 1 }, { loss: { ...normal, censored: { left: 3 } } });
    const from = (end: number): string =>
      model(`to ${end}`, 'a + k*x', { a: 0, k: 1 }, { loss: { ...normal, censored: { interval: end } } });
    const ends = await cotangent('compare', from(20), from(30));
    expect(ends.stderr).toMatch(/the 8 observations of "to 30" are not those of "to 20"/);
    for (const [path, message] of [
      [light, /"line" has 8 observations, "light" has 7/],
      [tobit, /0 observations of "line" are censored, 2 of "tobit": a probability is not compared with a density/],
      [fewer, /"line" has 8 observations, "fewer" has 7/],
      [other, /the 8 observations of "other" are not those of "line"/],
    ] as const) {
      const { status, stdout, stderr } = await cotangent('compare', line, path);
      expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
      expect(stderr).toMatch(message);
    }
    expect((await cotangent('compare', line)).status).toBe(2);
  });

  it('tells documents of one name apart, and does not rank what maximises no likelihood', async () => {
    const robust = model(
      'line',
      'a + k*x',
      { a: 0, k: 1 },
      { loss: { ...squares, loss: { kind: 'huber', scale: 1 } } },
    );
    const outcome = await cotangent('compare', line, robust, '--json');
    expect(outcome.status).toBe(0);
    const { models } = JSON.parse(outcome.stdout) as Comparison;
    expect(models.map(({ name }) => name)).toEqual([line, robust]);
    expect(models[1]).toMatchObject({ aicc: null, delta: null, weight: null });
    expect(models[0]?.['weight']).toBe(1);
    expect(outcome.stderr).toMatch(/robust loss/);
  });
});
