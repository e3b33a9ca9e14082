import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { Cancelled, DeviceLost, Fault, OutOfMemory } from '../../../../engine/0-ir/errors.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { realLiteral } from '../../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import type { GpuHost, Submission } from '../../../../engine/5-runtime/gpu/host.ts';
import { webGpuDevice } from '../../../../engine/5-runtime/gpu/webgpu-device.ts';
import { openNodeGpu, probeWebGpu } from '../../../../engine/5-runtime/gpu/webgpu-node.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { linFnComp } from '../../../support/operators.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

/** loss = Σ (k·x - y)², with x and y data. */
function lossProgram(): Program {
  const b = new ProgramBuilder();
  const k = b.parameter('k', arrayType('real'));
  const x = b.parameter('x', arrayType('real', ['n']));
  const y = b.parameter('y', arrayType('real', ['n']));
  const residual = b.apply('sub', b.apply('mul', k, x), y);
  const [loss] = b.reduce(builtinOperator('add'), [b.apply('mul', residual, residual)], 0);
  const [mean] = b.reduce(builtinOperator('add'), [b.apply('exp', x)], 0);
  return b.finish({ residual, loss: loss!, mean: mean! });
}

/** A host that counts what it is asked. */
function counting(host: GpuHost): { host: GpuHost; submissions: Submission[]; compiled: string[] } {
  const submissions: Submission[] = [];
  const compiled: string[] = [];
  return {
    submissions,
    compiled,
    host: {
      name: host.name,
      software: host.software,
      maxArenaBytes: host.maxArenaBytes,
      gone: host.gone,
      compile: (texts) => (compiled.push(...texts), host.compile(texts)),
      allocate: (bytes) => host.allocate(bytes),
      write: (memory, offset, words) => host.write(memory, offset, words),
      setBlocks: (memory, blocks, bytes) => host.setBlocks(memory, blocks, bytes),
      submit: (submission) => (submissions.push(submission), host.submit(submission)),
      free: (memory) => host.free(memory),
      close: () => {},
    },
  };
}

gpuTest('a program runs again and again, with new values and new sizes, compiled once', async (host) => {
  const { host: counted, submissions, compiled } = counting(host);
  const device = webGpuDevice(counted);
  expect([device.kind, device.precision, device.name]).toEqual(['webgpu', 'f32', host.name]);
  const executable = await device.load(lossProgram(), { varying: new Set(['k']) });
  for (const n of [3, 5]) {
    const instance = await executable.bind({ n });
    const x = Array.from({ length: n }, (_, i) => i);
    instance.write('x', x);
    instance.write('y', x);
    for (const k of [1, 3]) {
      instance.write('k', [k]);
      await instance.run();
      expect(await instance.read('loss')).toEqual(Float64Array.of(x.reduce((sum, v) => sum + ((k - 1) * v) ** 2, 0)));
      expect(await instance.read('residual')).toEqual(Float64Array.from(x, (v) => (k - 1) * v));
    }
    instance.release();
  }
  expect(submissions.length).toBe(4);
  // What depends on data alone is computed by the first run of each pair.
  const dispatched = submissions.map(({ dispatches }) => dispatches.length);
  expect(dispatched[1]).toBeLessThan(dispatched[0]!);
  expect(compiled.slice(compiled.length / 2)).toEqual(compiled.slice(0, compiled.length / 2));
});

gpuTest('an index out of range is a fault of its block, the first element in front', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const indices = b.parameter('indices', arrayType('int', ['m']));
  b.origin = 'pick';
  const program = b.finish({ y: b.gather(x, indices, 'fault') });
  const instance = await (await webGpuDevice(host).load(program)).bind({ n: 3, m: 200 });
  instance.write('x', [1, 2, 3]);
  instance.write(
    'indices',
    Array.from({ length: 200 }, (_, i) => (i >= 150 ? 3 : i % 3)),
  );
  const fault = await Promise.resolve(instance.run()).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(Fault);
  expect(fault).toMatchObject({ origin: 'pick', element: 150 });
  expect((fault as Fault).message).toContain('pick');
  await expect(instance.read('y')).rejects.toThrow('before the program has run');
  instance.write('indices', new Array(200).fill(2));
  await instance.run();
  expect((await instance.read('y'))[199]).toBe(3);
  instance.release();
});

gpuTest('an index that occurs twice is a fault, at its second place', async (host) => {
  const b = new ProgramBuilder();
  const into = b.parameter('into', arrayType('real', ['n', 2]));
  const indices = b.parameter('indices', arrayType('int', ['m']));
  const values = b.parameter('values', arrayType('real', ['m', 2]));
  const program = b.finish({ y: b.scatter(into, indices, values, { checked: true }) });
  const instance = await (await webGpuDevice(host).load(program)).bind({ n: 6, m: 4 });
  instance.write('into', new Array(12).fill(0));
  instance.write('values', [1, 2, 3, 4, 5, 6, 7, 8]);
  instance.write('indices', [4, -1, 9, 2]);
  await instance.run();
  expect([...(await instance.read('y'))]).toEqual([0, 0, 0, 0, 7, 8, 0, 0, 1, 2, 0, 0]);
  instance.write('indices', [4, 2, 0, 2]);
  await expect(instance.run()).rejects.toMatchObject({ name: 'Fault', element: 6 });
  instance.release();
});

/** sₜ = (3.7 - 1e-4·j)·sₜ₋₁·(1 - sₜ₋₁) for some j at once, and the same by a loop over arrays. */
function longProgram(): Program {
  const b = new ProgramBuilder();
  const start = b.parameter('start', arrayType('real', ['k']));
  const x = b.parameter('x', arrayType('real', ['n', 'k']));
  const logistic = scalarFunction(['real', 'real'], (s, state, rate) => {
    const next = s.apply('mul', rate, s.apply('mul', state, s.apply('sub', realLiteral(1), state)));
    return [next, next];
  });
  const shared = { step: logistic, shape: ['n', 'k'], axis: 0, reverse: false, invariants: [] };
  const [last, path] = b.emit({ kind: 'recurrence', ...shared, initial: [start], inputs: [x] });
  const inner = new ProgramBuilder();
  inner.parameter('t', arrayType('int'));
  const state = inner.parameter('state', arrayType('real', ['k']));
  const rate = inner.parameter('rate', arrayType('real', ['k']));
  const [next] = inner.map(
    scalarFunction(['real', 'real'], (s, a, c) => s.inline(logistic, [a, c]).slice(0, 1)),
    [state, rate],
  );
  const body = inner.finish({ state: next! });
  const row = b.reshape(b.slice(x, 0, 0, 1), ['k']);
  const [looped] = b.emit({ kind: 'loop', count: 'n', body, initial: [start], invariants: [row] });
  return b.finish({ last: last!, path: path!, looped: looped! });
}

gpuTest('long work is split into submits that change no bit', async (host) => {
  const program = longProgram();
  const [n, k] = [300, 70];
  const inputs = {
    start: Array.from({ length: k }, (_, j) => 0.1 + j / 100),
    x: Array.from({ length: n * k }, (_, i) => 3.7 - 1e-4 * (i % k)),
  };
  const whole = await runOnGpu(host, lower(program), inputs, { n, k });
  const { host: counted, submissions } = counting(host);
  // Whatever this machine is busy with.
  const pace = { budget: 2 ** 12, together: 8, observe: () => undefined };
  const split = await runOnGpu(counted, lower(program), inputs, { n, k }, pace);
  expect(submissions.length).toBeGreaterThan(20);
  expect(split).toEqual(whole);
  expect(whole.last?.[5]).toBe(whole.path?.[(n - 1) * k + 5]);
  expect(whole.looped).toEqual(whole.last);
});

gpuTest('a run whose joins are in doubt is made again, and the next is made so at once', async (host) => {
  const { host: counted, submissions } = counting(host);
  const b = new ProgramBuilder();
  const inputs = ['u', 'c'].map((name) => b.parameter(name, arrayType('real', ['n'])));
  const program = b.finish({ y: b.scan(linFnComp, inputs, 0)[0]! });
  const n = 2000;
  const instance = await (await webGpuDevice(counted).load(program)).bind({ n });
  /** x' = c·x + u, where u is 0 but for the last steps: 3²⁰⁰⁰ is infinite, and 0 times it no number. */
  const submitsOf = async (c: number): Promise<number> => {
    const before = submissions.length;
    instance.write(
      'u',
      Array.from({ length: n }, (_, i) => Number(i >= 1990)),
    );
    instance.write('c', new Array(n).fill(c));
    await instance.run();
    expect((await instance.read('y'))[1990]).toBe(1);
    return submissions.length - before;
  };
  expect(await submitsOf(3)).toBe(2);
  expect(await submitsOf(3)).toBe(1);
  expect(await submitsOf(0.5)).toBe(1);
  expect(await submitsOf(0.5)).toBe(1);
  expect(await submitsOf(3)).toBe(2);
  const [quick = 0, careful = 0] = submissions.slice(0, 2).map(({ dispatches }) => dispatches.length);
  expect(careful).toBeGreaterThan(quick);
  instance.release();
});

gpuTest('a run stops between submits once the flag is set, and can be run again', async (host) => {
  const { host: counted, submissions } = counting(host);
  const flag = new Int32Array(new SharedArrayBuffer(4));
  const stopping: GpuHost = {
    ...counted,
    submit: (submission) => {
      if (submissions.length === 2) Atomics.store(flag, 0, 1);
      return counted.submit(submission);
    },
  };
  // However fast the GPU is.
  const device = webGpuDevice(stopping, { budget: 2 ** 12, together: 8, observe: () => undefined });
  const [n, k] = [300, 70];
  const instance = await (await device.load(longProgram())).bind({ n, k });
  instance.write('start', new Array(k).fill(0.5));
  instance.write('x', new Float64Array(n * k).fill(3));
  await expect(instance.run({ cancel: flag })).rejects.toBeInstanceOf(Cancelled);
  expect(submissions.length).toBe(3);
  instance.release();
});

gpuTest('sizes that the GPU cannot hold are refused with both figures', async (host) => {
  const executable = await webGpuDevice(host).load(lossProgram());
  const refusal = await Promise.resolve(executable.bind({ n: 2 ** 33 })).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(OutOfMemory);
  expect((refusal as OutOfMemory).availableBytes).toBe(host.maxArenaBytes);
  await expect(async () => executable.bind({})).rejects.toThrow('n is not bound');
});

gpuTest('after the GPU is gone every call says so', async () => {
  const own = await openNodeGpu();
  const device = webGpuDevice(own);
  const instance = await (await device.load(lossProgram())).bind({ n: 2 });
  device.close();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(() => instance.write('k', [1])).toThrow(DeviceLost);
  await expect(instance.run()).rejects.toBeInstanceOf(DeviceLost);
  await expect(Promise.resolve(device.load(lossProgram())).then((e) => e.bind({ n: 2 }))).rejects.toThrow(DeviceLost);
});

gpuTest('a kernel that the driver refuses is an error with its reason, and harms nothing else', async (host) => {
  await expect(host.compile(['fn main() { let x: i32 = 1.5; }'])).rejects.toThrow(/refuses a kernel: .*i32/s);
  expect(await runOnGpu(host, lower(lossProgram()), { k: [2], x: [1], y: [0] }, { n: 1 })).toMatchObject({ loss: [4] });
});

gpuTest('wrong names and lengths are refused', async (host) => {
  const instance = await (await webGpuDevice(host).load(lossProgram())).bind({ n: 2 });
  expect(() => instance.write('z', [1])).toThrow('no input z');
  expect(() => instance.write('x', [1])).toThrow('takes 2 values, got 1');
  await expect(instance.read('loss')).rejects.toThrow('before the program has run');
  instance.release();
});

gpuTest('the probe says in a sentence what there is', async (host) => {
  const probe = await probeWebGpu();
  expect(probe).toMatchObject({ usable: true, name: host.name, software: host.software });
  expect(probe.why).toMatch(/^[^.]*[^ ].*\.$/);
  expect(probe.why.includes('auto')).toBe(host.software);
});

test('a program that solves equations is refused before anything is compiled', () => {
  const b = new ProgramBuilder();
  const k = b.parameter('k', arrayType('real'));
  const [root] = b.emit({
    kind: 'solve',
    residual: scalarFunction(['real', 'real'], (s, y, x) => [s.apply('sub', y, x)]),
    shape: [],
    initial: [b.literal(0)],
    given: [k],
    iterations: 9,
    linear: false,
  });
  const device = webGpuDevice({ software: true, name: 'none' } as GpuHost);
  expect(() => device.load(b.finish({ root: root! }))).toThrow(/on the CPU alone/);
});
