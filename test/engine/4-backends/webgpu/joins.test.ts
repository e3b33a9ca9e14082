/** What meets where chunks, lanes and tree nodes do: what has overflowed or vanished within one does not spoil the rest. */
import { expect } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Value } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import type { GpuHost } from '../../../../engine/5-runtime/gpu/host.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { linFnComp } from '../../../support/operators.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

const list = (n: number, at: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => at(i));

/** x' = c·x + u of every row by each construct that is cut into chunks; all elements have the key 1. */
function affine() {
  const b = new ProgramBuilder();
  const rows = arrayType('real', ['k', 'n']);
  const inputs = [b.parameter('u', rows), b.parameter('c', rows)];
  const keys = b.parameter('keys', arrayType('int', ['k', 'n']));
  const start = b.parameter('start', arrayType('bool', ['k', 'n']));
  const [reduced] = b.reduce(linFnComp, inputs, 1);
  const [scanned] = b.scan(linFnComp, inputs, 1);
  const [before] = b.scan(linFnComp, inputs, 1, { exclusive: true, reverse: true });
  const [segmented] = b.segmentedScan(linFnComp, start, inputs, 1);
  const [binned] = b.histogram(linFnComp, keys, inputs, 3, { batch: 1 });
  const keyed = b.emit({
    ...{ kind: 'keyed-scan', operator: linFnComp, keys, inputs, shape: ['k', 'n'], batch: 1, bins: 3 },
    ...{ exclusive: false, reverse: false },
  });
  const results = { reduced, scanned, before, segmented, binned, running: keyed[0], total: keyed[2] };
  return b.finish(results as Record<keyof typeof results, Value>);
}

async function holdAffine(host: GpuHost, n: number, u: (i: number) => number, c: (i: number) => number): Promise<void> {
  const program = affine();
  // The second row is harmless.
  const inputs = {
    u: [...list(n, u), ...list(n, () => 1)],
    c: [...list(n, c), ...list(n, () => 0.5)],
    keys: list(2 * n, () => 1),
    start: list(2 * n, (i) => Number(i === 100)),
  };
  const got = await runOnGpu(host, lower(program), inputs, { k: 2, n });
  for (const [name, { values }] of interpret(program, new Map(Object.entries(inputs)), { k: 2, n }))
    values.forEach((value, i) => {
      // Beyond f32, both are infinite.
      const wanted = Math.abs(value) > 3.4e38 ? Math.sign(value) * Infinity : value;
      const own = got[name]![i]!;
      const close = own === wanted || Math.abs(own - wanted) <= 2e-6 * Math.max(Math.abs(wanted), 1e-37);
      expect(close, `${name}[${i}] is ${own}, not ${wanted}`).toBe(true);
    });
}

gpuTest("x' = 3x + u with u = 0 for 1,990 steps stays 0, by every construct that is cut into chunks", (host) =>
  holdAffine(
    host,
    2000,
    (i) => Number(i >= 1990),
    () => 3,
  ),
);

gpuTest('the adjoint of scan × over 800 values of 100 with a cotangent at 0 alone', (host) =>
  // From the end, where the adjoint comes from.
  holdAffine(
    host,
    800,
    (i) => Number(i === 799),
    () => 100,
  ),
);

gpuTest('values that vanish within a chunk meet a large one', (host) =>
  // 2¹⁰⁰ and then 2⁻¹⁰ a step, down from element 600 on for 18 steps: 2⁻¹⁶⁰ alone is nothing in f32.
  holdAffine(
    host,
    2000,
    (i) => (i === 500 ? 2 ** 100 : 0),
    (i) => (i >= 600 && i < 618 ? 2 ** -10 : 1),
  ),
);

gpuTest('a product that leaves the range within a chunk alone stays within it', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const times = builtinOperator('multiply');
  const program = b.finish({ all: b.reduce(times, [x], 0)[0]!, each: b.scan(times, [x], 0)[0]! });
  for (const first of [1, 0]) {
    // 2⁻¹⁰⁰, then up by 2²⁰⁰ and down by as much.
    const values = list(1300, (i) => (i === 0 ? first : i <= 100 ? 0.5 : i <= 300 ? 2 : i <= 500 ? 0.5 : 1));
    const inputs = new Map([['x', values]]);
    const got = await runOnGpu(host, lower(program), { x: values }, { n: values.length });
    for (const [name, { values: wanted }] of interpret(program, inputs, { n: values.length }))
      expect(got[name], name).toEqual([...wanted]);
  }
});

gpuTest('what a lane loses and wins back counts from end to end', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const none = b.parameter('none', arrayType('real', ['n']));
  const times = builtinOperator('multiply');
  const results = [
    ...[...b.reduce(times, [x], 0), ...b.scan(times, [x], 0)],
    ...[...b.reduce(linFnComp, [none, x], 0), ...b.scan(linFnComp, [none, x], 0)],
  ];
  const program = b.finish(results.map((value, i) => ({ name: `r${i}`, value })));
  // Down in eight steps, and up again in as many: 2⁻¹³⁷ is lost by itself, and normal behind 2¹⁰⁰; 2⁻¹²⁰ is normal anyhow.
  for (const [first, factor] of [
    [2 ** 100, 1.1 * 2 ** -17.3],
    [2 ** 20, 2 ** -15],
  ] as const)
    for (const start of [1024, 1027, 2048]) {
      const dip = list(16, (i) => Math.fround(i < 8 ? factor : 1 / factor));
      const values = list(4096, (i) => dip[i - start] ?? (i === 0 ? first : 1));
      const inputs = { x: values, none: list(4096, () => 0) };
      const sizes = { n: values.length };
      const got = await runOnGpu(host, lower(program), inputs, sizes);
      for (const [name, { values: wanted }] of interpret(program, new Map(Object.entries(inputs)), sizes))
        wanted.forEach((value, i) => {
          const own = got[name]![i]!;
          expect(Math.abs(own - value) <= 2e-6 * value, `${name}[${i}] from ${start} is ${own}, not ${value}`).toBe(
            true,
          );
        });
    }
});
