/**
 * Converged means stationary, on models of every day from starts that people give: what is called so is judged by plain
 * functions (models.ts) and by descents of their own (lower.ts). A part of them is fitted here; all of them, with a line for
 * each end, by
 *
 *   EVERYDAY=FILE npx vitest run test/everyday
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuDevice } from '../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../engine/5-runtime/device.ts';
import { fitMethods, type FitMethod } from '../../engine/6-fit/methods.ts';
import { fitModel } from '../../src-main/compute/fit/fit.ts';
import type { FitReport } from '../../src-main/contract/contract.ts';
import { model } from '../support/documents.ts';
import { lowestAbout } from './lower.ts';
import { everydayModels, type EverydayModel } from './models.ts';

const file = process.env['EVERYDAY'];
if (file !== undefined) writeFileSync(file, '');

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

/** By how much −log L, and by what share a sum of squares, may lie lower beside an end. */
const LOWER = 0.01;
const LOWER_SQUARES = 1e-6;
/** Squares that are rounding. */
const NOTHING = 1e-20;
/** No parameter of these models is as large at a minimum. */
const VAST = 1e9;

const times = [1, 3, 10, 1000, -1, 0];
const methods = Object.keys(fitMethods) as FitMethod[];
/** Of all of them about a nineteenth, and those that were once called converged wrongly. */
const isPart = (...numbers: readonly number[]): boolean => numbers.reduce((sum, k) => 3 * sum + k, 0) % 19 === 0;
const once: readonly string[] = ['Rat42 3', 'Rat42 1000', 'Gompertz 1000', 'logistic growth, laplace 1000'];

async function fitted({ columns, parameters, blocks }: EverydayModel, method: FitMethod, factor: number) {
  const whole = await model(
    [
      ...Object.keys(columns).map((id) => ({ id, kind: 'column', table: 'T', column: id })),
      ...parameters.map(({ id, start, more }) => {
        const initial = typeof start === 'number' ? start * factor : start;
        return { id, kind: 'parameter', initial, ...more };
      }),
      ...blocks,
    ],
    { ...(Object.keys(columns).length > 0 && { tables: { T: { columns } } }), objective: 'loss' },
  );
  return fitModel(whole, device, { parameters: {}, method });
}

/** Squares have a method of their own, and a document wants starts where its parameters may lie. */
const isAsked = ({ parameters, squares }: EverydayModel, method: FitMethod, factor: number): boolean =>
  (squares || method !== 'levenberg-marquardt') &&
  parameters.every(({ start, more, lower = -Infinity, upper = Infinity }) =>
    [start].flat().every((p) => p * factor >= lower && p * factor <= upper && (!more?.['support'] || factor > 0)),
  );

function falseness(
  { parameters, value, squares }: EverydayModel,
  { estimates, decrement }: FitReport,
): string | undefined {
  const end = estimates.map((estimate) => estimate.value);
  const at = `at ${end.join(', ')}`;
  if (!Number.isFinite(decrement)) return `has no decrement ${at}`;
  if (!end.every((p) => Math.abs(p) < VAST)) return `has run off ${at}`;
  const box = parameters.flatMap(({ start, lower = -Infinity, upper = Infinity }) =>
    [start].flat().map(() => ({ lower, upper })),
  );
  const here = value(end);
  const lowest = lowestAbout(value, end, box);
  const allowed = squares ? LOWER_SQUARES * here + NOTHING : LOWER;
  return here - lowest.value <= allowed
    ? undefined
    : `${here} ${at}, and ${lowest.value} at ${lowest.point.join(', ')}`;
}

it.each(methods)('what %s calls converged is stationary', async (method) => {
  const wrong: string[] = [];
  let converged = 0;
  for (const [i, everyday] of everydayModels.entries())
    for (const [k, factor] of times.entries()) {
      const { name } = everyday;
      const isFitted =
        file !== undefined || once.includes(`${name} ${factor}`) || isPart(i, k, methods.indexOf(method));
      if (!isFitted || !isAsked(everyday, method, factor)) continue;
      const found = await fitted(everyday, method, factor);
      const why = found.status === 'converged' ? falseness(everyday, found) : undefined;
      if (found.status === 'converged') converged++;
      if (why !== undefined) wrong.push(`${name} from ${factor} times its start: ${why}`);
      const { status, reason, objective, estimates } = found;
      const end = { name, method, factor, status, reason, objective, at: estimates.map(({ value }) => value), why };
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(end)}\n`);
    }
  expect(wrong).toEqual([]);
  expect(converged).toBeGreaterThan(2);
});

it('a step across a pole is followed back', async () => {
  // From K = 1 it leads beyond x = -K, to a minimum between two rows: 5.89, where the least is 0.313.
  const saturation = everydayModels.find(({ name }) => name === 'Michaelis–Menten, huber')!;
  const found = await fitted(saturation, 'levenberg-marquardt', 1);
  expect(found.status).toBe('converged');
  expect(found.objective).toBeLessThan(0.3131);
  expect(found.reason).toContain('found from elsewhere: from the start the fit ended at 5.89');
});
