/** Fisher scoring: the expected information in the place of a long program's Hessian. */
import { afterAll, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { OutOfMemory } from '../../../../engine/0-ir/errors.ts';
import { realLiteral } from '../../../../engine/0-ir/scalar.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { openAnswers } from '../../../../engine/6-fit/answers.ts';
import { coordinates, fromCoordinate } from '../../../../engine/6-fit/coordinates.ts';
import { fit } from '../../../../engine/6-fit/fit.ts';
import { informationOf } from '../../../../engine/6-fit/long/scoring.ts';
import type { FitParameter } from '../../../../engine/6-fit/problem.ts';
import type { Ask } from '../../../../engine/6-fit/questions.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';
import { problemOf } from '../../../../src-main/compute/fit/fit.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const x = [0.5, 1, 2, 3];
/** The last row is missing. */
const rows = [...x, NaN];

/** Means a·exp(−b·x) and a deviation s·a, with the information of normal noise, and a prior −log p = 3·a²/2 + a·b. */
function small() {
  const b = new ProgramBuilder();
  const [a, rate, s] = ['a', 'b', 's'].map((name) => b.parameter(name, arrayType('real', []))) as never[];
  const points = b.parameter('x', arrayType('real', [rows.length]));
  const mean = b.elementwise([a!, rate!, points], (e, p, q, t) =>
    e.apply('mul', p, e.apply('exp', e.apply('neg', e.apply('mul', q, t)))),
  );
  const sigma = b.elementwise([s!, a!, points], (e, p, q) => e.apply('mul', p, q));
  const square = b.apply('mul', sigma, sigma);
  const one = b.elementwise([square, points], (e, q, t) =>
    e.either(
      e.apply('isnan', t),
      () => realLiteral(0),
      () => e.apply('div', realLiteral(1), q),
    ),
  );
  const prior = b.elementwise([a!, rate!], (e, p, q) =>
    e.apply('add', e.apply('mul', e.apply('mul', p, p), realLiteral(1.5)), e.apply('mul', p, q)),
  );
  return b.finish([
    { name: 'mean', value: mean },
    { name: 'sigma', value: sigma },
    { name: 'by mean', value: one },
    { name: 'by sigma', value: b.apply('add', one, one) },
    { name: 'priors', value: prior },
  ]);
}

test('is Σ JᵀVJ of the arguments and the curvature of priors, in the optimiser’s coordinates, however many directions at once', async () => {
  const parameters = (['linear', 'log', 'logit'] as const).map((scale, i): FitParameter => ({
    ...{ name: 'abs'[i]!, initial: [[1.3, 0.7, 0.4][i]!], shape: [], fixed: false, scale },
    ...{ lower: [scale === 'linear' ? -Infinity : 0], upper: [scale === 'logit' ? 1 : Infinity] },
  }));
  const all = coordinates(parameters);
  const problem = { program: small(), parameters, data: new Map([['x', rows]]), sizes: {} };
  const terms = [
    {
      block: 'y',
      arguments: ['mean', 'sigma'],
      entries: [
        { by: [0, 0] as const, name: 'by mean' },
        { by: [1, 1] as const, name: 'by sigma' },
      ],
    },
  ];
  const point = Float64Array.of(1.1, Math.log(0.6), 0.3);
  const [a, b, s] = all.map((coordinate, j) => fromCoordinate(coordinate, point[j]!)) as [number, number, number];
  // ∂(mean, sigma)/∂u by hand: db/du = b, ds/du = s·(1 − s).
  const columns = [
    x.map((t) => [Math.exp(-b * t), s]),
    x.map((t) => [-a * t * Math.exp(-b * t) * b, 0]),
    x.map(() => [0, a * s * (1 - s)]),
  ];
  const weights = [1 / (s * a) ** 2, 2 / (s * a) ** 2];
  const expected = (priors: readonly (readonly number[])[]): number[][] =>
    columns.map((one, i) =>
      columns.map((other, j) =>
        one.reduce(
          (sum, row, r) => sum + row.reduce((part, v, k) => part + weights[k]! * v * other[r]![k]!, 0),
          priors[i]![j]!,
        ),
      ),
    );
  const none = [0, 1, 2].map(() => [0, 0, 0]);
  const answers = openAnswers(device, problem);
  const isNear = (found: readonly Float64Array[], wanted: readonly (readonly number[])[]): void =>
    wanted.forEach((row, i) => row.forEach((entry, j) => expect(found[i]![j]).toBeCloseTo(entry, 10)));
  try {
    const plain = informationOf({ ...problem, scoring: { terms } }, all, {});
    isNear(await answers.ask(plain, point), expected(none));
    const withPriors = informationOf({ ...problem, scoring: { terms, priors: 'priors' } }, all, {});
    // ∂²(1.5·a² + a·b)/∂u²: by u of b, twice, a·b.
    isNear(
      await answers.ask(withPriors, point),
      expected([
        [3, b, 0],
        [b, a * b, 0],
        [0, 0, 0],
      ]),
    );
    const narrow: Ask = (question, at) => {
      const width = 'program' in question ? Number(question.program.results[0]!.value.type.shape[0] ?? 0) : 0;
      return width > 1 ? Promise.reject(new OutOfMemory(2, 1)) : answers.ask(question, at);
    };
    isNear(await plain.compose(narrow, point), expected(none));
  } finally {
    answers.release();
  }
});

/** A chain of states, each fed by the one before, of which the fourth is seen with noise that is to be found. */
function chain(states: number): unknown {
  const numbers = Array.from({ length: states }, (_, i) => i);
  const time = Array.from({ length: 16 }, (_, i) => 0.5 * (i + 1));
  const seen = time.map((t, i) => (t ** 3 / 3) * Math.exp(-t) + 0.02 * Math.sin(12.9898 * (i + 1) ** 2));
  const loss = (i: number): string => `k${i}*x${i}`;
  const state = Object.fromEntries(
    numbers.map((i) => [`x${i}`, { initial: i === 0 ? 2 : 0, rate: `${i === 0 ? '0' : loss(i - 1)} - ${loss(i)}` }]),
  );
  return {
    format: 'cotangent/1',
    name: 'chain',
    tables: { seen: { columns: { t: time, y: seen } } },
    blocks: [
      { id: 't', kind: 'column', table: 'seen', column: 't' },
      { id: 'y', kind: 'column', table: 'seen', column: 'y' },
      ...numbers.map((i) => ({
        id: `k${i}`,
        kind: 'parameter',
        initial: i === 0 ? 2 : 1,
        scale: 'log',
        fixed: i > 3 || i === 1 || i === 2,
      })),
      { id: 'noise', kind: 'parameter', initial: 0.1, scale: 'log' },
      { id: 'solution', kind: 'ode', times: 't', state },
      { id: 'misfit', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'solution.x3', sigma: 'noise' },
    ],
    objective: 'misfit',
  };
}

test('a fit of a long program by it ends where one without it does', async () => {
  const model = demandModel(await load(chain(16), undefined));
  const problem = await problemOf(model, device, {});
  expect(problem.scoring?.terms).toHaveLength(1);
  const { scoring, ...without } = problem;
  void scoring;
  const [scored, plain] = [await fit(problem, device), await fit(without, device)];
  expect([scored.status, plain.status]).toEqual(['converged', 'converged']);
  expect(scored.objective).toBeCloseTo(plain.objective, 9);
  const values = (of: typeof scored): number[] => of.estimates.map(({ value }) => value);
  values(scored).forEach((value, i) => expect(value / values(plain)[i]!).toBeCloseTo(1, 4));
});
