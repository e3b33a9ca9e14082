/** What an iteration of a fit asks of a GPU. */
import { expect, it } from 'vitest';
import type { GpuHost, Submission } from '../../../engine/5-runtime/gpu/host.ts';
import { webGpuDevice } from '../../../engine/5-runtime/gpu/webgpu-device.ts';
import { randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { fit } from '../../../engine/6-fit/fit.ts';
import { problemOf } from '../../../src-main/compute/fit/fit.ts';
import { model } from '../../support/documents.ts';
import { seed } from '../../support/seed.ts';
import { emulatedGpu } from '../../support/wgsl/emulated-host.ts';

it('asks once, for three dispatches at most, of an exponential decay', async () => {
  const random = randomFrom(seed);
  const host = emulatedGpu(() => random.uniform());
  const submissions: Submission[] = [];
  const counted: GpuHost = { ...host, submit: (submission) => (submissions.push(submission), host.submit(submission)) };
  // Whatever this machine is busy with: a GPU that seems slow is asked in several submits.
  const device = webGpuDevice(counted, { budget: 2 ** 22, together: 8, observe: () => undefined });
  const t = Array.from({ length: 2000 }, (_, i) => i / 500);
  const document = await model(
    [
      { id: 't', kind: 'constant', value: t },
      { id: 'y', kind: 'constant', value: t.map((x, i) => 2 * Math.exp(-0.7 * x) + 0.01 * Math.sin(7 * i)) },
      { id: 'A', kind: 'parameter', initial: 1 },
      { id: 'k', kind: 'parameter', initial: 0.4 },
      { id: 'm', kind: 'map', formula: 'A*exp(-k*t)' },
      { id: 'l', kind: 'least-squares', prediction: 'm', observed: 'y' },
    ],
    { objective: 'l' },
  );
  const { status, iterations, evaluations } = await fit(await problemOf(document, device, {}), device, {
    elsewhere: false,
  });
  expect(status).toBe('converged');
  // Four words a dispatch; the first submission prepares what data alone decide.
  const dispatches = submissions.slice(1).map(({ dispatches }) => dispatches.length / 4);
  expect(Math.max(...dispatches)).toBeLessThanOrEqual(3);
  // Each evaluation is one round trip, and the report's curvature one more.
  expect(submissions.length).toBeLessThanOrEqual(evaluations + 2);
  expect(iterations).toBeGreaterThan(2);
});
