/**
 * The contract on "marginal": "reml" against `lmer(REML = TRUE)` of R's lme4 1.1, run to 10⁻¹³; the exact gradient against
 * central differences; what has no restricted likelihood is refused.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { fitModel, problemOf } from '../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { compareModels } from '../../../src-main/compute/study/compare-models.ts';
import { cotangent, documentOf, map, parameter, written, type PlainBlock } from '../../support/command-line.ts';
import { expectMarginalGradient } from '../../support/fits/marginal-gradient.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

type Columns = Readonly<Record<string, readonly (number | string)[]>>;

const column = (id: string, type: string): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });
const effect = (id: string, like: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id, kind: 'random-effect', like },
  ...more,
});
const taken = (id: string, from: string, indices: string): PlainBlock => ({ id, kind: 'gather', from, indices });
const normal: PlainBlock = { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' };

const model = (columns: Columns, blocks: readonly PlainBlock[]): PlainBlock =>
  documentOf(
    [
      ...Object.entries(columns).map(([id, [first]]) => column(id, typeof first === 'string' ? 'category' : 'real')),
      ...blocks,
    ],
    { tables: { t: { columns } }, objective: 'l', fit: { marginal: 'reml' } },
  );

/** Yields of five preparations from each of six batches (Davies and Goldsmith 1972; `Dyestuff` of lme4). */
// prettier-ignore
const yields = [
  1545, 1440, 1440, 1520, 1580, 1540, 1555, 1490, 1560, 1495, 1595, 1550, 1605, 1510, 1560,
  1445, 1440, 1595, 1465, 1545, 1595, 1630, 1515, 1635, 1625, 1520, 1455, 1450, 1480, 1445,
];
const batches = yields.map((_, i) => 'ABCDEF'.charAt(Math.floor(i / 5)));
const dyestuff = model({ y: yields, batch: batches }, [
  ...[parameter('a', 1500), parameter('sigma', 40, { scale: 'log' }), effect('u', 'batch', { sd: 30 })],
  ...[taken('b', 'u', 'batch'), map('m', 'a + b'), normal],
]);

/** Lines of eight groups, each with an intercept and a slope of its own. */
// prettier-ignore
const y = [
  0.77, 1.94, 1.82, 2.4, 3.01, 2.2, 2.41, 3.22, 3.49, 3.87, 1.45, 0.75, 0.61, -0.17, -0.64, 0.54, 1.32, 0.17, 0.49, 1.15,
  3.11, 4.76, 4.46, 5.38, 5.52, 1.04, 1.76, 1.16, 2.33, 2, 1.68, 4.32, 5.35, 6.2, 7.59, 1.06, 2.15, 4.19, 5.4, 6.97,
];
const x = y.map((_, i) => (i % 5) - 2);
const h = y.map((_, i) => 'abcdefgh'.charAt(Math.floor(i / 5)));
const shared = [parameter('a', 1), parameter('s', 0.1), parameter('sigma', 1, { scale: 'log' })];
const ofLines = [
  effect('u', 'h', { names: ['b0', 'b1'], covariance: 'full', sd: [1, 0.5] }),
  ...[taken('b0', 'u.b0', 'h'), taken('b1', 'u.b1', 'h')],
];
const lines = model({ y, x, h }, [...shared, ...ofLines, map('m', 'a + b0 + (s + b1)*x'), normal]);

async function fitted(document: PlainBlock) {
  const { status, objective, estimates } = await fitModel(demandModel(await load(document, undefined)), device, {
    parameters: {},
  });
  return { status, objective, of: (id: string) => estimates.find(({ name }) => name === id) };
}

describe('a restricted likelihood', () => {
  it('of batches is that of lmer', async () => {
    const { status, objective, of } = await fitted(dyestuff);
    expect(status).toBe('converged');
    expect(objective).toBeCloseTo(159.827138421, 7);
    expect(of('a')?.value).toBeCloseTo(1527.5, 6);
    expect(of('a')?.standardError).toBeCloseTo(19.383412, 4);
    expect(of('u.sd.b')?.value).toBeCloseTo(42.000595, 4);
    expect(of('sigma')?.value).toBeCloseTo(49.5101, 4);
  });

  it('of intercepts and slopes is that of lmer', async () => {
    const { status, objective, of } = await fitted(lines);
    expect(status).toBe('converged');
    expect(objective).toBeCloseTo(46.411405761, 8);
    expect(of('a')?.standardError).toBeCloseTo(0.62160736, 5);
    expect(of('s')?.standardError).toBeCloseTo(0.23412561, 5);
    expect(of('u.sd.b0')?.value).toBeCloseTo(1.74905848, 5);
    expect(of('u.sd.b1')?.value).toBeCloseTo(0.65002952, 5);
    expect(of('u.correlation')?.value).toBeCloseTo(0.86094491, 5);
    expect(of('sigma')?.value).toBeCloseTo(0.39975044, 5);
  });

  it('has the gradient of central differences', async () => {
    const problem = await problemOf(demandModel(await load(lines, undefined)), device, {});
    await expectMarginalGradient(problem, device);
  });

  it.each([
    [
      'counts',
      [map('m', 'exp(a + b0 + s*x)'), { ...normal, family: 'poisson', sigma: undefined }],
      'is of normal noise',
    ],
    ['a curve', [map('m', '(a + b0)*exp(s*x)'), normal], 'not in "a"'],
    [
      'noise by the mean',
      [map('m', 'a + b0 + s*x'), map('n', 'sigma*(10 + m)'), { ...normal, sigma: 'n' }],
      'not in "a"',
    ],
    ['a column twice', [parameter('t', 0), map('m', 'a + b0 + (s + t)*x'), normal], 'do not tell "t" from the others'],
    [
      'what no row sees',
      [parameter('t', 0), map('m', 'a + b0 + s*x + t*0'), normal],
      'do not tell "t" from the others',
    ],
    [
      'a bound',
      [parameter('t', 1, { lower: 0 }), map('m', 'a + b0 + s*x + t*x^2'), normal],
      '"t" out over all numbers, and it has a bound',
    ],
    ['no fixed effect', [map('m', 'b0'), normal], 'the model has none'],
  ])('is refused of %s', async (_, blocks, message) => {
    const written = blocks.map((block) => JSON.parse(JSON.stringify(block)) as PlainBlock);
    const document = model({ y: y.map((value) => Math.round(value + 2)), x, h }, [...shared, ...ofLines, ...written]);
    await expect(fitted(document)).rejects.toThrow(message);
  });

  it('is compared with no other', async () => {
    const [restricted, laplace] = ['reml', 'laplace'].map((marginal) => {
      const document = { ...dyestuff, name: marginal, fit: { ...(dyestuff['fit'] as object), marginal } };
      return written(document);
    }) as [string, string];
    const { status, stderr } = await cotangent('compare', laplace, restricted);
    expect([status, stderr]).toEqual([2, expect.stringMatching('reml is fitted by its restricted likelihood')]);
    const loaded = demandModel(await load(lines, undefined));
    const others = [{ name: 'two', document: dyestuff }];
    const read = () => Promise.resolve(loaded);
    await expect(
      compareModels(
        loaded,
        device,
        { kind: 'comparison', method: 'aicc', name: 'one', others },
        { parameters: {}, load: read },
      ),
    ).rejects.toThrow('compare by "laplace"');
  });
});
