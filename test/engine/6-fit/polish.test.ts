/** Fits that begin in single precision and end in double. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutOfMemory } from '../../../engine/0-ir/errors.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { webGpuDevice } from '../../../engine/5-runtime/gpu/webgpu-device.ts';
import { fitFromStarts } from '../../../engine/6-fit/multistart.ts';
import { fitPolished } from '../../../engine/6-fit/polish.ts';
import type { FitProblem } from '../../../engine/6-fit/problem.ts';
import { gpuTest } from '../../support/gpu.ts';
import { nistFormulas, readNist } from '../../nist/problems.ts';
import { curveProblem, scalarParameter } from '../../support/study-problems.ts';

const { starts, columns, certified, standardDeviations } = readNist('Misra1a');

function misra(): FitProblem {
  return curveProblem({
    formula: nistFormulas['Misra1a']!,
    x: columns.get('x') ?? [],
    y: columns.get('y') ?? [],
    parameters: certified.map((_, i) => scalarParameter(`b${i + 1}`, starts[1][i]!)),
  });
}

let exact: Device;
let single: Device;
beforeAll(() => {
  exact = cpuDevice();
  single = cpuDevice({ precision: 'f32' });
});
afterAll(() => [exact, single].forEach((device) => device.close()));

const digits = (found: number, wanted: number): number => -Math.log10(Math.abs(found / wanted - 1));

async function expectPolished(device: Device): Promise<void> {
  const rough = await fitFromStarts(misra(), device);
  const found = await fitPolished(misra(), device, exact);
  expect(found.status, found.reason).toBe('converged');
  expect(found.reason).toContain(`found on ${device.kind} in f32, ended on cpu in f64`);
  expect({ device: found.device, precision: found.precision }).toEqual({ device: device.kind, precision: 'f64' });
  expect(found.iterations).toBeGreaterThan(rough.iterations);
  found.estimates.forEach(({ value, standardError }, i) => {
    expect(digits(value, certified[i]!)).toBeGreaterThan(8);
    expect(digits(standardError, standardDeviations[i]!)).toBeGreaterThan(6);
  });
  // Single precision alone ends, and not there.
  expect(rough.iterations).toBeLessThan(100);
  expect(Math.min(...rough.estimates.map(({ value }, i) => digits(value, certified[i]!)))).toBeLessThan(8);
}

describe('a fit in single precision', () => {
  it('goes on in double, and says so', () => expectPolished(single));

  gpuTest('goes on in double from WebGPU', (host) => expectPolished(webGpuDevice(host)));

  it('stays as it is where the memory is too small, and says so', async () => {
    const full: Device = { ...exact, load: () => Promise.reject(new OutOfMemory(2 ** 33, 2 ** 32)) };
    const found = await fitPolished(misra(), single, full);
    expect(found.precision).toBe('f32');
    expect(found.reason).toMatch(/left in f32: needs 8/);
  });

  it('keeps what many starts have found', async () => {
    const found = await fitPolished(misra(), single, exact, { starts: 3, seed: 1 });
    expect(found.starts?.ends).toHaveLength(3);
    expect(digits(found.estimates[0]!.value, certified[0]!)).toBeGreaterThan(8);
  });
});
