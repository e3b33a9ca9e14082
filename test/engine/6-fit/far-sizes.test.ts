/** A normal likelihood whose mean and sigma are so large, or so small, that 1/σ² is no number: maximum likelihood of a line by R. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import type { FitMethod } from '../../../engine/6-fit/methods.ts';
import { fitModel } from '../../../src-main/compute/fit/fit.ts';
import { model } from '../../support/documents.ts';

let device: Device;
beforeAll(() => {
  device = cpuDevice();
});
afterAll(() => device.close());

async function fitted(size: number, spread: object, method: FitMethod) {
  const x = [1, 2, 3, 4, 5, 6];
  const y = [1.1, 1.9, 3.2, 3.9, 5.1, 5.8].map((value) => value * size);
  const document = await model(
    [
      { id: 'x', kind: 'column', table: 'T', column: 'x' },
      { id: 'y', kind: 'column', table: 'T', column: 'y' },
      { id: 'a', kind: 'parameter', initial: 0 },
      { id: 'b', kind: 'parameter', initial: size },
      { id: 's', kind: 'parameter', initial: size, ...spread },
      { id: 'f', kind: 'map', formula: 'a + b*x' },
      { id: 'loss', kind: 'likelihood', family: 'normal', observed: 'y', mean: 'f', sigma: 's' },
    ],
    { tables: { T: { columns: { x, y } } }, objective: 'loss' },
  );
  return fitModel(document, device, { parameters: {}, method });
}

const spreads = [{ lower: 0 }, { support: 'positive' }];

// lm(y ~ x), sigma by n, and the errors of the maximum: sqrt(diag(vcov)·4/6), sigma/sqrt(12).
it.each([1e100, 1e-100, 1e160])('has its maximum, and its errors, in units of %d', async (size) => {
  for (const spread of spreads) {
    const found = await fitted(size, spread, 'newton-cg');
    expect(found.status, found.reason).toBe('converged');
    const told = found.estimates.map(({ value, standardError }) => [value / size, standardError / size]);
    for (const [j, [value, error]] of [
      [0.12, 0.119841],
      [0.965714, 0.030772],
      [0.12873, 0.037161],
    ].entries()) {
      expect(told[j]![0]).toBeCloseTo(value!, 5);
      expect(told[j]![1]).toBeCloseTo(error!, 5);
    }
  }
});

it.each([1e-160, 1e-200])('says that second derivatives are no numbers in units of %d', async (size) => {
  for (const method of ['newton-cg', 'l-bfgs-b', 'adam'] as const) {
    const found = await fitted(size, spreads[0]!, method);
    expect(found.status).not.toBe('converged');
    expect(found.reason).toMatch(/^at "b" = \S+ second derivatives are beyond the numbers/);
  }
});

it('and in units of 10²⁰⁰, where they are 0', async () => {
  const found = await fitted(1e200, spreads[0]!, 'l-bfgs-b');
  expect(found.status).not.toBe('converged');
  expect(found.reason).toMatch(/^at "b" = \S+ second derivatives are beyond the numbers/);
});
