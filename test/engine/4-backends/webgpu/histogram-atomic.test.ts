/** Histograms by native atomics: the same bits as in the order of the elements, whatever the order. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Value } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { liftedMinMax } from '../../../../engine/0-ir/lifted-min-max.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { atomicForm } from '../../../../engine/4-backends/webgpu/histogram/atomic-form.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { linFnComp } from '../../../support/operators.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

describe('which operators atomics combine', () => {
  test('sums of ints, minima and maxima, and the lifted ones', () => {
    expect(atomicForm(builtinOperator('add', 'int'))).toEqual([[{ component: 0, combination: 'add' }]]);
    expect(atomicForm(builtinOperator('min'))).toEqual([[{ component: 0, combination: 'min' }]]);
    expect(atomicForm(liftedMinMax('max'))).toEqual([
      [{ component: 1, combination: 'max' }],
      [{ component: 0, combination: 'min', winnersOf: 1 }],
    ]);
  });

  test('not sums of reals, products, nor what starts from another neutral element', () => {
    for (const operator of [
      builtinOperator('add'),
      builtinOperator('multiply', 'int'),
      linFnComp,
      { ...builtinOperator('min'), neutral: [100] },
    ])
      expect(atomicForm(operator)).toBeUndefined();
  });
});

/** Awkward values: ties, both zeros, infinities, NaN. */
const awkward = [0, -0, 1, -1, 2, 2, -3.5, Infinity, -Infinity, 2 ** -100, -(2 ** -100)];
const valueAt = (i: number): number => awkward[(i * 7919) % awkward.length]!;
const values = (n: number): number[] => Array.from({ length: n }, (_, i) => (i % 97 === 13 ? NaN : valueAt(i)));

function program() {
  const b = new ProgramBuilder();
  const elements = ['k', 'n', 2];
  const keys = b.parameter('keys', arrayType('int', ['k', 'n']));
  const x = b.parameter('x', arrayType('real', elements));
  const m = b.parameter('m', arrayType('int', elements));
  const index = b.parameter('index', arrayType('int', elements));
  const initial = b.parameter('initial', arrayType('int', ['k', 'bins', 2]));
  const results: Record<string, Value> = {};
  for (const which of ['min', 'max'] as const) {
    const [real] = b.histogram(builtinOperator(which), keys, [x], 'bins', { batch: 1 });
    const [int] = b.histogram(builtinOperator(which, 'int'), keys, [m], 'bins', { batch: 1, initial: [initial] });
    const [winner, best] = b.histogram(liftedMinMax(which), keys, [index, x], 'bins', { batch: 1 });
    Object.assign(results, { [`${which} of x`]: real, [`${which} of m`]: int, [`${which} at`]: winner, [which]: best });
  }
  const [sum] = b.histogram(builtinOperator('add', 'int'), keys, [m], 'bins', { batch: 1, initial: [initial] });
  return b.finish({ ...results, sum: sum! });
}

gpuTest('minima, maxima, their places and sums of ints, in few bins and in many', async (host) => {
  const atomic = program();
  for (const [k, n, bins] of [
    [2, 700, 3],
    [1, 9000, 401],
    [2, 500, 4000],
    [1, 0, 5],
  ] as const) {
    const count = 2 * k * n;
    const inputs = {
      // Some are out of range, and some bins stay empty.
      keys: Array.from({ length: k * n }, (_, i) => ((i * 31) % (bins + 5)) - 2),
      x: values(count),
      m: Array.from({ length: count }, (_, i) => Math.imul(i, 2654435761) >> (i % 2 === 0 ? 0 : 20)),
      index: Array.from({ length: count }, (_, i) => i >> 1),
      initial: Array.from({ length: 2 * k * bins }, (_, i) => i - 3),
    };
    const sizes = { k, n, bins };
    const got = await runOnGpu(host, lower(atomic), inputs, sizes);
    for (const [name, { values: wanted }] of interpret(atomic, new Map(Object.entries(inputs)), sizes))
      // An image has one zero.
      expect(got[name], `${name} for ${JSON.stringify(sizes)}`).toEqual([...wanted].map((value) => value + 0));
  }
});
