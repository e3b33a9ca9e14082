/**
 * The Hessian of effects whose groups cross, as a sum over rows: against products with each unit vector, and Σ A∘H's
 * slopes against central differences; where rows meet, column by column, it is right all the same.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/index.ts';
import { openAnswers } from '../../../engine/6-fit/answers.ts';
import { coordinates, startingPoint } from '../../../engine/6-fit/coordinates.ts';
import { jointQuestions } from '../../../engine/6-fit/marginal/joint-questions.ts';
import { demandModel, load } from '../../../src-main/compute/running/load.ts';
import { problemOf } from '../../../src-main/compute/fit/fit.ts';
import { documentOf, map, parameter, type PlainBlock } from '../../support/command-line.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const rows = 60;
const column = (id: string, type = 'real'): PlainBlock => ({ id, kind: 'column', table: 't', column: id, type });
const effect = (id: string, like: string, more: PlainBlock = {}): PlainBlock => ({
  ...{ id, kind: 'random-effect', like },
  ...more,
});
const taken = (id: string, from: string, indices: string): PlainBlock => ({ id, kind: 'gather', from, indices });
const wave = (k: number): number[] => Array.from({ length: rows }, (_, i) => Math.sin(1 + k * i));
const labels = (name: string, of: (i: number) => number): string[] =>
  Array.from({ length: rows }, (_, i) => `${name} ${of(i)}`);

/** Plots, judges and who is beaten by whom, every row another mixture of them. */
const documentWith = (blocks: readonly PlainBlock[], mean: string): PlainBlock =>
  documentOf(
    [
      ...[column('y'), column('x'), column('n'), column('g', 'category'), column('h', 'category')],
      ...[parameter('a', 0.3), parameter('s', -0.2), parameter('sigma', 0.8, { scale: 'log' })],
      ...[...blocks, map('m', mean)],
      { id: 'l', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'm', sigma: 'sigma' },
    ],
    {
      tables: {
        t: {
          columns: {
            ...{ y: wave(0.7), x: wave(1.3), n: Array.from({ length: rows }, (_, i) => (3 * i) % 4) },
            ...{ g: labels('plot', (i) => i % 5), h: labels('judge', (i) => (7 * i) % 4) },
          },
        },
      },
      objective: 'l',
    },
  );

const both = [effect('u', 'g'), effect('w', 'h'), taken('b', 'u', 'g'), taken('c', 'w', 'h')];
const lines = effect('u', 'g', { names: ['b0', 'b1'], covariance: 'full', sd: [0.7, 0.4] });
const cases: readonly (readonly [string, PlainBlock, boolean])[] = [
  ['two intercepts', documentWith(both, 'a + b + c + s*x'), true],
  ['intercepts that multiply', documentWith(both, 'a + exp(0.3*b)*(s + c)*x'), true],
  [
    'lines with a covariance and an intercept',
    documentWith(
      [lines, effect('w', 'h'), taken('b0', 'u.b0', 'g'), taken('b1', 'u.b1', 'g'), taken('c', 'w', 'h')],
      'a + b0 + (s + b1)*x + c*b1',
    ),
    true,
  ],
  [
    'one effect that a row sees of two groups',
    documentWith(
      [...both, { id: 'of', kind: 'column', table: 't', column: 'n' }, taken('d', 'w', 'of')],
      'a + b + sin(c - d) + s*x',
    ),
    true,
  ],
  [
    'rows that meet',
    documentWith(
      [...both, map('bc', 'b*c'), { id: 'z', kind: 'scan', operator: 'add', values: 'bc' }],
      'a + 0.1*z + s*x',
    ),
    false,
  ],
];

describe.each(cases)('of %s', (_, document, byRows) => {
  it('the Hessian is that of its products, and its contraction that of differences', async () => {
    const problem = await problemOf(demandModel(await load(document, undefined)), device, {});
    const all = coordinates(problem.parameters.filter(({ fixed }) => !fixed));
    const { layout, curvature, contraction, product } = jointQuestions(problem, all, {});
    const answers = openAnswers(device, problem);
    const n = layout.length;
    const point = startingPoint(all);
    const effects = Float64Array.from({ length: n }, (_, i) => 0.6 * Math.sin(2 + 3 * i));
    try {
      const products = product();
      await answers.ask(curvature, { point, effects });
      const before = answers.evaluations;
      const { hessian, gradient } = await answers.ask(curvature, { point, effects });
      // A run, and the product that it is held to; else one for each column that is told apart from others.
      const runs = answers.evaluations - before;
      if (byRows) expect(runs).toBe(2);
      else expect(runs).toBeGreaterThan(n / 2);
      for (let j = 0; j < n; j++) {
        const direction = new Float64Array(n).fill(1, j, j + 1);
        const column = await answers.ask(products, { point, effects, direction });
        for (let i = 0; i < n; i++) expect(hessian[i * n + j]).toBeCloseTo(column[i]!, 10);
      }
      const a = hessian.map((_, k) =>
        Math.cos(1 + Math.min(Math.floor(k / n), k % n) + 5 * Math.max(Math.floor(k / n), k % n)),
      );
      const seed = 0.7;
      const { byTheta, byEffects } = await answers.ask(contraction, { point, effects, seed, contracted: a });
      const total = async (at: { point: Float64Array; effects: Float64Array }): Promise<number> => {
        const { value, hessian } = await answers.ask(curvature, at);
        return seed * value + hessian.reduce((sum, h, k) => sum + h * a[k]!, 0);
      };
      const difference = async (
        move: (step: number) => { point: Float64Array; effects: Float64Array },
      ): Promise<number> => {
        const step = 1e-3;
        const [one, two] = [
          (await total(move(step))) - (await total(move(-step))),
          (await total(move(2 * step))) - (await total(move(-2 * step))),
        ];
        return (8 * one - two) / (12 * step);
      };
      const moved = (values: Float64Array, i: number, step: number): Float64Array =>
        values.map((x, k) => (k === i ? x + step : x));
      for (let i = 0; i < n; i++) {
        const by = await difference((step) => ({ point, effects: moved(effects, i, step) }));
        expect(byEffects[i]).toBeCloseTo(by, 5);
      }
      for (const i of all.keys()) {
        const slope = Math.exp((all[i] as { parameter: { scale?: string } }).parameter.scale === 'log' ? point[i]! : 0);
        const by = await difference((step) => ({ point: moved(point, i, step), effects }));
        expect(byTheta[i]! * slope).toBeCloseTo(by, 5);
      }
      expect(gradient.every(Number.isFinite)).toBe(true);
    } finally {
      answers.release();
    }
  });
});
