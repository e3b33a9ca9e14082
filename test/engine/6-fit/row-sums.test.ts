/** What is a sum over rows, what is none, and gradients by batches of rows. */
import { afterAll, describe, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import { coordinates, startingPoint } from '../../../engine/6-fit/coordinates.ts';
import { openAnswers } from '../../../engine/6-fit/answers.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { slopeOf } from '../../../engine/6-fit/questions.ts';
import { openRowBatches } from '../../../engine/6-fit/row-batches.ts';
import { rowSums, type RowSums } from '../../../engine/6-fit/row-sums.ts';
import type { Slope } from '../../../engine/6-fit/stationary/stationary.ts';
import { problemOf } from '../../../src-main/compute/fit/fit.ts';
import { model, type PlainBlock } from '../../support/documents.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const n = 40;
const t = Array.from({ length: n }, (_, i) => i / 10);
const y = t.map((x, i) => (1 + (i % 2)) * Math.exp(-0.5 * x) + 0.05 * Math.sin(7 * i));
const columns: readonly PlainBlock[] = [
  { id: 't', kind: 'constant', value: t },
  { id: 'y', kind: 'constant', value: y },
  { id: 'g', kind: 'constant', value: t.map((_, i) => i % 2), type: 'int' },
  { id: 'k', kind: 'parameter', initial: 0.4 },
];
const squares: PlainBlock = { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' };
const problemFor = async (...blocks: readonly PlainBlock[]): Promise<FitProblem> =>
  problemOf(await model([...columns, ...blocks], { objective: 'l' }), device, {});
const curve = (formula: string): PlainBlock => ({ id: 'm', kind: 'map', formula });
const amplitudes: readonly PlainBlock[] = [
  { id: 'A', kind: 'parameter', initial: [1, 1.5] },
  { id: 'a', kind: 'gather', from: 'A', indices: 'g' },
];

describe('a sum over rows', () => {
  it.each<[string, readonly PlainBlock[]]>([
    ['least squares', [curve('exp(-k*t)'), squares]],
    ['a formula with their number', [curve('exp(-k*t)/length(t)'), squares]],
    ['parameters of each subject', [...amplitudes, curve('a*exp(-k*t)'), squares]],
    [
      'a prior beside it',
      [
        { id: 'c', kind: 'parameter', initial: 1, prior: { family: 'normal', mean: 0, sd: 1 } },
        ...[curve('c*exp(-k*t)'), { ...squares, sigma: 0.1 }],
      ],
    ],
    [
      'a likelihood',
      [
        curve('exp(-k*t)'),
        { id: 'l', kind: 'likelihood', family: 'student-t', observed: 'y', mean: 'm', scale: 0.1, degrees: 4 },
      ],
    ],
  ])('by batches has the gradient of all rows as its mean: %s', async (_, blocks) => {
    const problem = await problemFor(...blocks);
    const all = coordinates(problem.parameters);
    const point = startingPoint(all);
    const answers = openAnswers(device, problem);
    const whole = await answers.ask(slopeOf(problem, all, problem.energy, {}), point);
    const sums = rowSums(problem) as RowSums;
    const batches = await openRowBatches(problem, sums, device, all, { size: 8, seed: 3 });
    expect(batches.batches).toBe(n / 8);
    const found: Slope[] = [];
    for (let k = 0; k < 2 * batches.batches; k++) found.push(await batches.next(point));
    const mean = (of: (slope: Slope) => number, over: readonly Slope[]): number =>
      over.reduce((sum, slope) => sum + of(slope), 0) / over.length;
    // An epoch has every row once.
    for (const epoch of [found.slice(0, 5), found.slice(5)]) {
      expect(mean(({ value }) => value, epoch)).toBeCloseTo(whole.value, 9);
      whole.gradient.forEach((g, j) => expect(mean(({ gradient }) => gradient[j]!, epoch)).toBeCloseTo(g, 8));
    }
    expect(found[0]?.value).not.toBe(found[5]?.value);
    batches.release();
    answers.release();
  });

  it.each<[string, string, readonly PlainBlock[]]>([
    [
      'a scan',
      '"s" is no sum over rows',
      [{ id: 's', kind: 'scan', operator: 'add', values: 't' }, curve('exp(-k*s)'), squares],
    ],
    [
      'a mean in the formula',
      'is no sum over rows',
      [{ id: 's', kind: 'reduce', operator: 'add', values: 't' }, ...[curve('exp(-k*t/s)'), squares]],
    ],
    ['the place of a row', 'is no sum over rows', [curve('exp(-k*index) + 0*t'), squares]],
    [
      'a parameter of each row',
      '"p" has an element for each row',
      [{ id: 'p', kind: 'parameter', initial: t }, ...[curve('exp(-k*t) + p'), squares]],
    ],
    [
      'the logarithm of a sum',
      'is no sum over rows',
      [...[curve('exp(-k*t)'), { ...squares, id: 'q' }], { id: 'l', kind: 'map', formula: 'log(q)' }],
    ],
    ['no rows', 'reads no rows', [{ id: 'l', kind: 'map', formula: '(k - 1)^2' }]],
  ])('is not %s', async (_, reason, blocks) => {
    expect(rowSums(await problemFor(...blocks))).toContain(reason);
  });
});

describe('adam', () => {
  it('by batches ends near the minimum, by any schedule', async () => {
    const problem = await problemFor(...amplitudes, curve('a*exp(-k*t)'), squares);
    const wanted = await fit(problem, device);
    for (const schedule of ['constant', 'cosine', 'step'] as const) {
      const rate = schedule === 'constant' ? 0.002 : 0.02;
      const found = await fit(problem, device, { method: 'adam', adam: { batch: 10, schedule, rate, seed: 1 } });
      expect(found.status, found.reason).toBe('converged');
      found.estimates.forEach(({ value, standardError }, j) =>
        expect(Math.abs(value - wanted.estimates[j]!.value)).toBeLessThan(0.3 * standardError),
      );
    }
  });

  it('refuses batches of what is no sum over rows, of too many rows, or without an end', async () => {
    const problem = await problemFor(curve('exp(-k*t)'), squares);
    const refused = (adam: object, of = problem) => expect(fit(of, device, { method: 'adam', adam })).rejects;
    await refused({ batch: n + 1 }).toThrow('there are 40');
    await refused({ batch: 5, schedule: 'plateau' }).toThrow('take constant, cosine or step');
    await refused({ batch: 5 }, await problemFor({ id: 'l', kind: 'map', formula: '(k - 1)^2' })).toThrow(
      'reads no rows',
    );
  });
});
