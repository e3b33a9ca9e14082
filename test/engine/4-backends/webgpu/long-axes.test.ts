/** Long axes, where workgroups share the work: each kernel once, over lengths about the edges of its chunks. */
import { expect } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator, type Operator } from '../../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../../engine/0-ir/program.ts';
import { intLiteral } from '../../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { generate } from '../../../../engine/4-backends/webgpu/generate.ts';
import type { ModuleKernel } from '../../../../engine/4-backends/webgpu/module.ts';
import { generateReduce } from '../../../../engine/4-backends/webgpu/reduce.ts';
import { generateScan } from '../../../../engine/4-backends/webgpu/scan.ts';
import type { GpuHost } from '../../../../engine/5-runtime/gpu/host.ts';
import { GpuPace } from '../../../../engine/5-runtime/gpu/pace.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import { bindWebGpu } from '../../../../engine/5-runtime/gpu/webgpu-device.ts';
import { expectClose } from '../../../support/numbers/close.ts';
import { anyGpuTest, gpuTest } from '../../../support/gpu.ts';
import { linFnComp, matMul2 } from '../../../support/operators.ts';
import { matMul } from '../../../../src-main/benchmark/operators.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

/** Deterministic numbers in [low, high). */
function numbers(count: number, low: number, high: number, seed = 1): number[] {
  let state = seed;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.fround(low + ((high - low) * state) / 2 ** 32);
  });
}

const whole = (values: number[]): number[] => values.map(Math.floor);

async function agree(
  host: GpuHost,
  program: Program,
  inputs: Record<string, number[]>,
  sizes: Record<string, number>,
  tolerance = 3e-6,
): Promise<void> {
  const got = await runOnGpu(host, lower(program), inputs, sizes);
  for (const [name, { values }] of interpret(program, new Map(Object.entries(inputs)), sizes))
    expectClose(got[name] ?? [], values, tolerance, `${name} for ${JSON.stringify(sizes)}`);
}

/** Entries stay near 1 in products of thousands. */
const operators: readonly { name: string; operator: Operator; low: number; high: number }[] = [
  { name: 'add', operator: builtinOperator('add'), low: 0, high: 1 },
  { name: 'linFnComp', operator: linFnComp, low: 0, high: 0.9 },
  { name: 'matMul2', operator: matMul2, low: 0, high: 0.5 },
];
const lengths = [0, 1, 127, 128, 511, 512, 1024, 1025, 12345];

for (const { name, operator, low, high } of operators)
  anyGpuTest(`reduce and scan with ${name} over any length`, async (host) => {
    const b = new ProgramBuilder();
    const d = operator.neutral.length;
    const xs = Array.from({ length: d }, (_, i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
    const flags = b.parameter('flags', arrayType('bool', ['n']));
    const results: Record<string, Value> = {};
    const keep = (of: string, values: Value[]): void => values.forEach((value, i) => (results[`${of}${i}`] = value));
    keep('reduced', b.reduce(operator, xs, 0));
    keep('scanned', b.scan(operator, xs, 0));
    keep('exclusive', b.scan(operator, xs, 0, { exclusive: true, reverse: true }));
    keep('segmented', b.segmentedScan(operator, flags, xs, 0));
    keep('exclusiveSegmented', b.segmentedScan(operator, flags, xs, 0, { exclusive: true }));
    const program = b.finish(results);
    for (const n of lengths) {
      const inputs = Object.fromEntries(xs.map((_, i) => [`x${i}`, numbers(n, low, high, i + 1)]));
      const segments = numbers(n, 0, 1, 99).map((u) => (u < 0.002 ? 1 : 0));
      await agree(host, program, { ...inputs, flags: segments }, { n }, 2e-5);
    }
  });

anyGpuTest('reduce and scan along a middle axis, with a prologue', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['k', 'n', 3]));
  const c = b.parameter('c', arrayType('real', [3]));
  const prologue = scalarFunction(['real', 'real'], (s, u, v) => [s.apply('mul', u, v), s.apply('sub', u, v)]);
  const shared = { operator: linFnComp, prologue, shape: ['k', 'n', 3], inputs: [x, c], axis: 1 } as const;
  const [r0, r1] = b.emit({ kind: 'reduce', ...shared });
  const [s0, s1] = b.emit({ kind: 'scan', ...shared, exclusive: false, reverse: false });
  const program = b.finish({ r0: r0!, r1: r1!, s0: s0!, s1: s1! });
  for (const [k, n] of [
    [2, 700],
    [5, 20],
  ] as const)
    await agree(host, program, { x: numbers(k * n * 3, 0, 1), c: [0.25, 0.5, 0.75] }, { k, n }, 2e-5);
});

anyGpuTest('chunks of chunks of chunks, in the order of the elements', async (host) => {
  const b = new ProgramBuilder();
  const xs = [b.parameter('x0', arrayType('real', ['n'])), b.parameter('x1', arrayType('real', ['n']))];
  const [r0, r1] = b.reduce(linFnComp, xs, 0);
  const [s0, s1] = b.scan(linFnComp, xs, 0);
  const program = b.finish({ r0: r0!, r1: r1!, s0: s0!, s1: s1! });
  const module = generate(lower(program));
  const ofLanes = (lanes: number): ModuleKernel[] =>
    lower(program).run.map((step, number): ModuleKernel => {
      if (step.kind === 'reduce') return { kind: 'reduce', number, ...generateReduce(step, lanes) };
      if (step.kind === 'scan') return { kind: 'scan', number, ...generateScan(step, lanes) };
      throw new Error(`a ${step.kind} was not expected`);
    });
  for (const [lanes, n] of [
    // Four lanes make chunks so small that 5000 elements need three levels, and twenty rounds of carries.
    [4, 5000],
    // Of one lane's tiles there are so many that a chunk takes two, and the last but one.
    [1, 40_010],
  ] as const) {
    const inputs = { x0: numbers(n, 0, 1), x1: numbers(n, 0, 0.9, 2) };
    const instance = await bindWebGpu(host, new GpuPace(true), { ...module, run: ofLanes(lanes) }, { n });
    for (const [name, values] of Object.entries(inputs)) instance.write(name, values);
    await instance.run();
    for (const [name, { values }] of interpret(program, new Map(Object.entries(inputs)), { n }))
      expectClose(await instance.read(name), values, 1e-5, name);
    instance.release();
  }
});

gpuTest('long sums in f32 are as right as their elements, in reduce, scan and histogram', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const keys = b.elementwise([b.iota('n')], (s, i) => s.apply('mod', i, intLiteral(3)));
  const add = builtinOperator('add');
  const results = {
    sum: b.reduce(add, [x], 0)[0]!,
    sums: b.scan(add, [x], 0)[0]!,
    bins: b.histogram(add, keys, [x], 3)[0]!,
  };
  const xs = numbers(300_000, 0, 1);
  const program = b.finish(results);
  const got = await runOnGpu(host, lower(program), { x: xs }, { n: xs.length });
  for (const [name, { values }] of interpret(program, new Map([['x', xs]]), { n: xs.length })) {
    const errors = Array.from(values, (value, i) => Math.abs(got[name]![i]! / value - 1));
    expect(Math.max(...errors.slice(-3)), name).toBeLessThan(name === 'sum' ? 2e-7 : 6e-7);
  }
});

anyGpuTest('a list moved by one, and the map after a scan', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const c = b.parameter('c', arrayType('real', ['n']));
  const [running] = b.scan(linFnComp, [x, c], 0) as [Value];
  const longer = b.concatenate([b.replicate(b.literal(7), [1]), b.reverse(running, 0)], 0);
  const moved = b.slice(longer, 0, 0, 'n');
  const program = b.finish({ y: b.apply('mul', moved, x), z: b.apply('add', b.apply('mul', running, c), x) });
  for (const n of [1, 2, 600, 5000]) {
    const inputs = { x: numbers(n, -1, 1), c: numbers(n, 0, 0.9, 2) };
    const got = await runOnGpu(host, compile(program), inputs, { n });
    for (const [name, { values }] of interpret(program, new Map(Object.entries(inputs)), { n }))
      expectClose(got[name] ?? [], values, 2e-5, `${name} for n = ${n}`);
  }
});

anyGpuTest('histograms of many elements, in the order of the elements', async (host) => {
  const b = new ProgramBuilder();
  const keys = b.parameter('keys', arrayType('int', ['k', 'n']));
  const x = b.parameter('x', arrayType('real', ['k', 'n', 2]));
  const y = b.parameter('y', arrayType('real', ['k', 'n', 2]));
  const initial = b.parameter('initial', arrayType('real', ['k', 'bins', 2]));
  const [first, slope] = b.histogram(linFnComp, keys, [x, y], 'bins', { batch: 1 });
  const [least] = b.histogram(builtinOperator('min'), keys, [x], 'bins', { batch: 1, initial: [initial] });
  const added = { batch: 1, initial: [initial] };
  const shown = b.keyedScan(linFnComp, keys, [x, y], 'bins', { batch: 1 }).running;
  const before = b.keyedScan(builtinOperator('add'), keys, [x], 'bins', { ...added, exclusive: true });
  const values = { first, slope, least, shown: shown[1], before: before.running[0], total: before.totals[0] };
  const program = b.finish(values as Record<string, Value>);
  for (const { k, n, bins, low, high } of [
    // A workgroup has room for the bins of one column.
    { k: 1, n: 1000, bins: 1000, low: -100, high: 1100 },
    { k: 1, n: 5000, bins: 7, low: -2, high: 9 },
    { k: 3, n: 1000, bins: 2, low: 0, high: 2 },
    { k: 2, n: 100, bins: 5000, low: 4000, high: 5100 },
    { k: 2, n: 0, bins: 3, low: 0, high: 1 },
  ]) {
    const inputs = {
      keys: whole(numbers(k * n, low, high)),
      x: numbers(k * n * 2, 0, 1, 2),
      y: numbers(k * n * 2, 0, 1, 3),
      initial: numbers(k * bins * 2, 0, 0.1, 4),
    };
    await agree(host, program, inputs, { k, n, bins }, 1e-5);
  }
});

anyGpuTest('histograms of more bins than a workgroup has room for', async (host) => {
  const b = new ProgramBuilder();
  const keys = b.parameter('keys', arrayType('int', ['n']));
  const xs = Array.from({ length: 9 }, (_, i) => b.parameter(`x${i}`, arrayType('real', ['n'])));
  const sums = b.histogram(matMul(3), keys, xs, 'bins');
  const { running } = b.keyedScan(matMul(3), keys, xs, 'bins');
  const results = [...sums.slice(0, 2), ...running.slice(0, 2)].map((value, i) => [`y${i}`, value] as const);
  const program = b.finish(Object.fromEntries(results));
  // Two chunks of two ranges, with keys outside all of them.
  const n = 6500;
  const inputs = Object.fromEntries(xs.map((_, i) => [`x${i}`, numbers(n, 0, 0.3, i + 1)]));
  await agree(host, program, { ...inputs, keys: whole(numbers(n, -20, 420)) }, { n, bins: 400 }, 1e-5);
});

anyGpuTest('products of matrices', async (host) => {
  const b = new ProgramBuilder();
  const left = b.parameter('left', arrayType('real', [1, 'm', 'k']));
  const right = b.parameter('right', arrayType('real', ['b', 'k', 'n']));
  const program = b.finish({
    product: b.matmul(left, right),
    turned: b.matmul(b.transpose(right, [0, 2, 1]), b.transpose(left, [0, 2, 1])),
  });
  for (const [m, k, n] of [
    [3, 70, 5],
    [2, 0, 2],
    [17, 33, 9],
  ] as const)
    await agree(host, program, { left: numbers(m * k, -1, 1), right: numbers(2 * k * n, -1, 1) }, { b: 2, m, k, n });
});

gpuTest('more items than one dimension of a dispatch can hold', async (host) => {
  const b = new ProgramBuilder();
  const program = b.finish({ y: b.elementwise([b.iota('n')], (s, i) => s.apply('mul', i, i)) });
  const n = 65535 * 64 + 100;
  const { y = [] } = await runOnGpu(host, lower(program), {}, { n });
  expect(y.length).toBe(n);
  for (const i of [0, 63, 64, 65535 * 64 - 1, 65535 * 64, n - 1]) expect(y[i]).toBe(Math.imul(i, i));
});
