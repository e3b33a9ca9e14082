/** Work whose GPU dies under it, time after time: the result is that of an undisturbed run. */
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DeviceLost } from '../../../engine/0-ir/errors.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import type { GpuPort } from '../../../engine/5-runtime/gpu/protocol.ts';
import { nodeGpu } from '../../../engine/5-runtime/gpu/webgpu-node.ts';
import { serveGpu } from '../../../engine/5-runtime/gpu/webgpu-serve.ts';
import { createDevices, type Devices } from '../../../src-main/compute/running/devices.ts';
import { fitModel, type FitRequest } from '../../../src-main/compute/fit/fit.ts';
import { fitOutlivingGpu, outlivingGpu, type Loss } from '../../../src-main/compute/outliving-gpu.ts';
import { GpuLost } from '../../../src-main/compute/running/refusals.ts';
import { runStudy } from '../../../src-main/compute/study/study.ts';
import { Refused } from '../../../src-main/refused.ts';
import { c, model } from '../../support/documents.ts';
import { gpuTest } from '../../support/gpu.ts';

const cpu: Device = cpuDevice();
afterAll(() => cpu.close());

const x = [1, 2, 3, 4, 5, 6, 7, 8];
const y = x.map((t, i) => 3 * Math.exp(-0.2 * t) + 0.02 * Math.sin(7 * i));
const decay = () =>
  model(
    [
      c('t', x),
      c('y', y),
      { id: 'A', kind: 'parameter', initial: 1, lower: 0.01, upper: 10 },
      { id: 'k', kind: 'parameter', initial: 2, lower: 0.01, upper: 10 },
      { id: 'curve', kind: 'map', formula: 'A * exp(-k * t)' },
      { id: 'loss', kind: 'least-squares', prediction: 'curve', observed: 'y' },
    ],
    { objective: 'loss' },
  );

/** Devices whose GPU, the CPU by another name, is lost after each so many runs, and opened again when it is asked for. */
function mortal(runs: number, opens = Infinity): Devices & { readonly opened: () => number } {
  let opened = 0;
  const gpu = (): Device => {
    let left = runs;
    let lost = false;
    const live = (): void => {
      if (lost) throw new DeviceLost('the window with the GPU has gone');
    };
    return {
      ...{ kind: 'webgpu', precision: 'f64', name: 'mortal' },
      close: () => undefined,
      async load(program, options) {
        live();
        const executable = await cpu.load(program, options);
        return {
          program,
          release: () => executable.release(),
          async bind(sizes) {
            live();
            const instance = await executable.bind(sizes);
            return {
              write(input, values) {
                live();
                instance.write(input, values);
              },
              read: (result) => instance.read(result),
              release: () => instance.release(),
              async run(told) {
                live();
                lost = --left < 0;
                live();
                await instance.run(told);
              },
            };
          },
        };
      },
    };
  };
  return {
    opened: () => opened,
    choose({ device }) {
      if (device === 'cpu') return Promise.resolve(cpu);
      if (opened >= opens) return Promise.reject(new Refused('WebGPU is not to be had here: it never came back.'));
      opened++;
      return Promise.resolve(gpu());
    },
    list: () => Promise.resolve([]),
    close: () => undefined,
  };
}

async function fitted(devices: Devices, more: Partial<FitRequest> = {}) {
  const losses: Loss[] = [];
  const iterations: number[] = [];
  const request = {
    ...{ parameters: {}, ...more },
    onProgress: ({ iteration }: { readonly iteration: number }) => void iterations.push(iteration),
  };
  const report = await fitOutlivingGpu(await decay(), devices, { device: 'webgpu' }, request, (loss) =>
    losses.push(loss),
  );
  return { report, losses, iterations };
}

describe('a fit', () => {
  const kills = ['levenberg-marquardt', 'l-bfgs-b'].flatMap((method) =>
    Array.from({ length: 10 }, (_, kill) => ({ method, kill })),
  );
  it.each(kills)('by $method whose GPU dies after $kill runs ends where it would have', async ({ method, kill }) => {
    const whole = await fitModel(await decay(), cpu, { parameters: {}, method });
    const { report, losses } = await fitted(mortal(kill), { method });
    expect(report.status).toBe('converged');
    report.estimates.forEach(({ value, standardError }, i) => {
      const there = whole.estimates[i]!;
      expect(Math.abs(value / there.value - 1)).toBeLessThan(1e-9);
      expect(Math.abs(standardError / there.standardError - 1)).toBeLessThan(1e-6);
    });
    expect(losses.length).toBeGreaterThan(0);
    expect(report.reason).toContain('the GPU was lost');
    expect(report.reason).toContain('the window with the GPU has gone');
  });

  it('goes on from its best point, on a GPU that is opened again, and counts its iterations on', async () => {
    const devices = mortal(9);
    const { report, losses, iterations } = await fitted(devices);
    expect(report.device).toBe('webgpu');
    expect(losses.map(({ device }) => device.kind)).toEqual(losses.map(() => 'webgpu'));
    expect(devices.opened()).toBe(losses.length + 1);
    expect(iterations).toEqual([...iterations].sort((a, b) => a - b));
    expect(report.history.length).toBe(report.iterations + 1);
    // Within the rounding of a sum of squares.
    report.history
      .slice(1)
      .forEach((energy, i) => expect(energy).toBeLessThanOrEqual(report.history[i]! * (1 + 1e-12)));
  });

  it('goes on on the CPU where the GPU does not come back, or is lost time after time', async () => {
    const gone = await fitted(mortal(4, 1));
    expect({ status: gone.report.status, device: gone.report.device }).toEqual({ status: 'converged', device: 'cpu' });
    expect(gone.losses.length).toBe(1);
    const often = await fitted(mortal(1));
    expect({ status: often.report.status, device: often.report.device }).toEqual({
      status: 'converged',
      device: 'cpu',
    });
    expect(often.losses.length).toBe(4);
    expect(often.report.reason).toContain('lost 4 times');
  });

  it('from many starts has the ends that it would have had', async () => {
    const whole = await fitModel(await decay(), cpu, { parameters: {}, starts: 8 });
    const { report } = await fitted(mortal(9), { starts: 8 });
    expect(report.starts).toEqual(whole.starts);
    expect(report.objective).toBe(whole.objective);
  });

  it('that is stopped while its GPU is away keeps its best point', async () => {
    const cancel = new Int32Array(1);
    const devices = mortal(4);
    const stopping: Devices = {
      ...devices,
      choose(options, elements) {
        if (devices.opened() === 1) cancel[0] = 1;
        return devices.choose(options, elements);
      },
    };
    const { report } = await fitted(stopping, { cancel });
    expect(report.status).toBe('cancelled');
    expect(report.objective).toBeLessThan(report.history[0]!);
  });
});

it('a study begins again, with the same result', async () => {
  const request = { kind: 'uncertainty', method: 'bootstrap', samples: 60 } as const;
  const study = async (devices: Devices) => {
    const of = await decay();
    const report = await outlivingGpu(devices, { device: 'webgpu' }, 1, (device) =>
      runStudy(of, device, request, { parameters: {} }),
    );
    if (report.kind !== 'uncertainty') throw new Error('another study');
    return report.parameters.map(({ lower, upper }) => [lower, upper]);
  };
  expect(await study(mortal(25))).toEqual(await study(mortal(Infinity)));
});

it('what is no loss is thrown at once', async () => {
  let tries = 0;
  const work = outlivingGpu(mortal(1), { device: 'webgpu' }, 1, () => {
    tries++;
    return Promise.reject(new Refused('no objective'));
  });
  await expect(work).rejects.toThrow('no objective');
  expect(tries).toBe(1);
});

describe('devices behind a port', () => {
  /** Windows that close their end at once, as one that dies while it opens. */
  it('ask for another port once the window has gone', async () => {
    let asked = 0;
    const devices = createDevices(() => {
      asked++;
      const { port1, port2 } = new MessageChannel();
      port2.close();
      return Promise.resolve(port1);
    });
    onTestFinished(() => devices.close());
    for (let k = 1; k <= 3; k++) {
      await expect(devices.choose({ device: 'webgpu' }, 1)).rejects.toBeInstanceOf(GpuLost);
      expect(asked).toBe(k);
    }
  });

  it.each([
    ['this window has no WebGPU', undefined],
    ['there is no WebGPU adapter', { requestAdapter: () => Promise.resolve(null) } as unknown as GPU],
  ])('ask again for a GPU that was not there only where somebody wants to know it: %s', async (why, gpu) => {
    let asked = 0;
    const devices = createDevices(() => {
      asked++;
      const { port1, port2 } = new MessageChannel();
      serveGpu(port2 as unknown as GpuPort, gpu);
      return Promise.resolve(port1);
    });
    onTestFinished(() => devices.close());
    // Large work may go to it.
    for (let k = 0; k < 3; k++) expect((await devices.choose({}, 2 ** 21)).kind).toBe('cpu');
    expect(asked).toBe(1);
    // Where the browser's GPU process has just died there is none for a moment.
    for (let k = 2; k <= 3; k++) {
      await expect(devices.choose({ device: 'webgpu' }, 1)).rejects.toThrow(why);
      expect(asked).toBe(k);
    }
    expect((await devices.list()).find(({ kind }) => kind === 'webgpu')?.usable).toBe(false);
    expect(asked).toBe(4);
  });

  gpuTest('is lost, not missing, where there was one before', async () => {
    const gpu = await nodeGpu();
    const far: MessagePort[] = [];
    const devices = createDevices(() => {
      const { port1, port2 } = new MessageChannel();
      // For a moment after the first has died there is none.
      serveGpu(port2 as unknown as GpuPort, far.length === 1 ? undefined : gpu);
      far.push(port2);
      return Promise.resolve(port1);
    });
    onTestFinished(() => devices.close());
    const choose = (): Promise<Device> => devices.choose({ device: 'webgpu' }, 1);
    expect((await choose()).kind).toBe('webgpu');
    far[0]?.close();
    // That it has gone may be noticed a moment later.
    const missed = (error: unknown): boolean => error instanceof GpuLost && far.length === 2;
    await vi.waitUntil(async () => (await choose().catch(missed)) === true);
    expect((await choose()).kind).toBe('webgpu');
  });

  gpuTest(
    'windows that die in one fit after the other: right results',
    async () => {
      const gpu = await nodeGpu();
      const far: MessagePort[] = [];
      const devices = createDevices(() => {
        const { port1, port2 } = new MessageChannel();
        serveGpu(port2 as unknown as GpuPort, gpu);
        far.push(port2);
        return Promise.resolve(port1);
      });
      onTestFinished(() => devices.close());
      const whole = await fitModel(await decay(), cpu, { parameters: {} });
      for (let kill = 0; kill < 5; kill++) {
        let heard = 0;
        const report = await fitOutlivingGpu(
          await decay(),
          devices,
          { device: 'webgpu' },
          { parameters: {}, onProgress: () => ++heard === 1 + kill && far.at(-1)?.close() },
          () => undefined,
        );
        expect(report.status).toBe('converged');
        expect(report.reason).toContain('the GPU was lost once');
        report.estimates.forEach(({ value }, i) =>
          expect(Math.abs(value / whole.estimates[i]!.value - 1)).toBeLessThan(1e-8),
        );
      }
      expect(far.length).toBe(6);
    },
    120_000,
  );
});
