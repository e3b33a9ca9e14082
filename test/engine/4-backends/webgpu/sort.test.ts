/** The radix sort: passes by the bound, tiles, workgroups of several tiles, rows. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import type { Size } from '../../../../engine/0-ir/sizes.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { generate } from '../../../../engine/4-backends/webgpu/generate.ts';
import { sort } from '../../../../engine/4-backends/webgpu/sort.ts';
import { sortPieces } from '../../../../engine/4-backends/webgpu/sort/sort-digits.ts';
import { GpuPace } from '../../../../engine/5-runtime/gpu/pace.ts';
import { bindWebGpu } from '../../../../engine/5-runtime/gpu/webgpu-device.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

function sorting(bound?: Size) {
  const b = new ProgramBuilder();
  const keys = b.parameter('keys', arrayType('int', ['k', 'n']));
  return lower(b.finish({ order: b.sortPermutation(keys, bound) }));
}

/** Stable, row by row: equal keys in the order of their indices. */
function expected(keys: readonly number[], k: number): number[] {
  const n = keys.length / k;
  return Array.from({ length: k }, (_, row) =>
    Array.from({ length: n }, (_, i) => i).sort((i, j) => (keys[row * n + i] ?? 0) - (keys[row * n + j] ?? 0)),
  ).flat();
}

/** Deterministic whole numbers from low to below high. */
function keysBetween(count: number, low: number, high: number): number[] {
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return low + Math.floor(((high - low) * state) / 2 ** 32);
  });
}

test('the bits of the bound are all that is sorted by', () => {
  const pieces = (bound: number | undefined, length = 1000) =>
    sortPieces(bound === undefined ? { length } : { length, bound });
  expect(pieces(undefined)).toMatchObject({ passes: 4, bits: 8, groups: 1 });
  expect([1, 2, 256, 257, 401, 65536, 65537].map((bound) => [pieces(bound).passes, pieces(bound).bits])).toEqual([
    [1, 1],
    [1, 1],
    [1, 8],
    [2, 5],
    [2, 5],
    [2, 8],
    [3, 6],
  ]);
  expect(pieces(401, 10_000_000)).toMatchObject({ tiles: 3, groups: 3256 });
});

test('what one workgroup sorts needs no tables, and nothing needs nothing', () => {
  const { schedule } = sort;
  const kernels = (length: number) => schedule({ rows: 2, length }, new GpuPace(true)).map(({ kernel }) => kernel);
  expect(kernels(0)).toEqual([2, 2, 2, 2]);
  expect(schedule({ rows: 2, length: 0 }, new GpuPace(true)).every(({ items }) => items === 0)).toBe(true);
  expect(kernels(1024)).toEqual([2, 2, 2, 2]);
  expect(kernels(1025).slice(0, 3)).toEqual([0, 1, 2]);
});

gpuTest('any keys, of any length, in every row', async (host) => {
  const plan = sorting();
  for (const n of [0, 1, 2, 64, 1000, 1024, 1025, 4097, 20_000]) {
    const keys = keysBetween(2 * n, -(2 ** 31), 2 ** 31 - 1).map((key, i) => (i % 3 === 0 ? key >> 24 : key));
    expect((await runOnGpu(host, plan, { keys }, { k: 2, n }))['order'], `n = ${n}`).toEqual(expected(keys, 2));
  }
});

gpuTest('keys below a bound that is known where sizes are bound', async (host) => {
  const plan = sorting('bins');
  for (const [k, n, bins] of [
    [1, 5000, 1],
    [3, 3000, 2],
    [1, 5000, 16],
    [1, 5000, 17],
    [2, 1500, 401],
    [1, 9000, 100_000],
  ] as const) {
    const keys = keysBetween(k * n, 0, bins);
    expect((await runOnGpu(host, plan, { keys }, { k, n, bins }))['order'], `${bins} bins`).toEqual(expected(keys, k));
  }
});

gpuTest('several tiles to a workgroup', async (host) => {
  const module = generate(sorting());
  const few = module.run.map((step) => (step.kind === 'loop' ? step : { ...step, sizes: { ...step.sizes, most: 2 } }));
  const n = 5000;
  const instance = await bindWebGpu(host, new GpuPace(true), { ...module, run: few }, { k: 2, n });
  const keys = keysBetween(2 * n, -500, 500);
  instance.write('keys', keys);
  await instance.run();
  expect([...(await instance.read('order'))]).toEqual(expected(keys, 2));
  instance.release();
});
