/** Hessians of long programs: columns by what a solver hangs on, and a block of the others. */
import { afterAll, expect, test } from 'vitest';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { openAnswers } from '../../../../engine/6-fit/answers.ts';
import { coordinates, startingPoint } from '../../../../engine/6-fit/coordinates.ts';
import { byStepping } from '../../../../engine/6-fit/long/directions.ts';
import { curvedOf, isSifting } from '../../../../engine/6-fit/long/hessian-products.ts';
import { quadraticOf, withResults } from '../../../../engine/6-fit/questions.ts';
import { problemOf } from '../../../../src-main/compute/fit/fit.ts';
import { demandModel, load } from '../../../../src-main/compute/running/load.ts';

const device = cpuDevice({ threads: 1 });
afterAll(() => device.close());

const parameter = (id: string, initial: number, scale = 'log') => ({ id, kind: 'parameter', initial, scale });
/** A cascade whose last state is observed, scaled and with a noise; the scale and the noise are none of the solver's. */
const document = {
  format: 'cotangent/1',
  name: 'cascade',
  tables: { data: { columns: { t: [1, 2, 4, 7, 11, 16], y: [0.9, 2.1, 4.4, 5.1, 4.2, 2.6] } } },
  blocks: [
    { id: 't', kind: 'column', table: 'data', column: 't' },
    { id: 'y', kind: 'column', table: 'data', column: 'y' },
    parameter('k1', 0.4),
    parameter('k2', 0.3),
    parameter('start', 9, 'linear'),
    parameter('gain', 1.3),
    parameter('sd', 0.4),
    {
      ...{ id: 'course', kind: 'ode', times: 't', from: 0 },
      state: {
        A: { initial: 'start', rate: '-k1*A' },
        B: { initial: 0, rate: 'k1*A - k2*B*B/(1 + B)' },
        C: { initial: 0, rate: 'k2*B*B/(1 + B) - 0.1*C' },
        // Unseen, and long.
        ...Object.fromEntries(
          Array.from({ length: 9 }, (_, i) => [
            `D${i}`,
            { initial: 1, rate: `${i === 0 ? 'C' : `D${i - 1}`} - k1*D${i}` },
          ]),
        ),
      },
    },
    { id: 'seen', kind: 'map', formula: 'gain*c', inputs: { c: 'course.C' } },
    { id: 'loss', kind: 'likelihood', family: 'normal', mean: 'seen', sigma: 'sd', observed: 'y' },
  ],
  objective: 'loss',
};

test('are those by two sweeps of the whole program', async () => {
  const problem = await problemOf(demandModel(await load(document, undefined)), device, {});
  const all = coordinates(problem.parameters);
  const { stepping, others } = byStepping(withResults(problem.program, [problem.energy]), all);
  const names = (of: readonly number[]): string[] => of.map((j) => all[j]!.parameter.name);
  expect([names(stepping), names(others)]).toEqual([
    ['k1', 'k2', 'start'],
    ['gain', 'sd'],
  ]);
  const question = curvedOf(problem, all, problem.energy, {});
  expect(isSifting(question)).toBe(true);
  const answers = openAnswers(device, problem);
  try {
    const point = startingPoint(all);
    const found = await answers.ask(question, point);
    const wanted = await answers.ask(quadraticOf(problem, all, problem.energy, {}), point);
    expect(found.value).toBeCloseTo(wanted.value, 12);
    wanted.hessian.forEach((row, i) =>
      row.forEach((entry, j) => {
        const size = Math.sqrt(Math.abs(wanted.hessian[i]![i]! * wanted.hessian[j]![j]!));
        expect(Math.abs(found.hessian[i]![j]! - entry)).toBeLessThan(1e-9 * size);
      }),
    );
    wanted.gradient.forEach((slope, j) => expect(found.gradient[j]).toBeCloseTo(slope, 9));
  } finally {
    answers.release();
  }
});
