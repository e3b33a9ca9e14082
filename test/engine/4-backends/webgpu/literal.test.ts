import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { f32Literal, i32Literal } from '../../../../engine/4-backends/webgpu/scalar/literal.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

test('an f32 literal reads as the number that it was written for', () => {
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = f32Literal(value);
      if (Object.is(value, -0)) expect(text).toBe('bitcast<f32>(0x80000000u)');
      else expect(Number(text.replace(/^\((.*)\)$/, '$1').replace(/f$/, ''))).toBe(value);
    }),
  );
});

test('ints are literals of their own, but for the least', () => {
  expect(i32Literal(5)).toBe('5i');
  expect(i32Literal(-5)).toBe('(-5i)');
  expect(i32Literal(-2147483648)).toBe('(-2147483647i - 1i)');
});

gpuTest('literals of every kind arrive on the GPU bit by bit', async (host) => {
  const reals = [0, -0, 1, -1.5, 0.1, 1e-30, 3.4028234663852886e38, -1e21, 16777217, Infinity, -Infinity, NaN];
  const ints = [0, -1, 2147483647, -2147483648];
  const b = new ProgramBuilder();
  const named = [
    ...reals.map((value, i) => ({ name: `r${i}`, value: b.literal(value) })),
    ...ints.map((value, i) => ({ name: `i${i}`, value: b.literal(value, 'int') })),
    { name: 'yes', value: b.literal(1, 'bool') },
  ];
  const got = await runOnGpu(host, lower(b.finish(named)), {}, {});
  expect(reals.map((_, i) => got[`r${i}`]?.[0])).toEqual(reals.map(Math.fround));
  expect(ints.map((_, i) => got[`i${i}`]?.[0])).toEqual(ints);
  expect(got.yes).toEqual([1]);
});
