/** Scans there and back with what is made of both, in tiles and by one thread, on an emulated GPU that finds races. */
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { builtinOperator, componentTypes, flipped, type Operator } from '../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { vjp } from '../../../../engine/2-ad/vjp.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { generate } from '../../../../engine/4-backends/webgpu/generate.ts';
import { compile } from '../../../../engine/5-runtime/compile.ts';
import { randomFrom } from '../../../../engine/6-fit/ensembles/random.ts';
import { expectClose } from '../../../support/numbers/close.ts';
import { linFnComp, matMul2, satAdd } from '../../../support/operators.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';
import { seed } from '../../../support/seed.ts';
import { emulatedGpu } from '../../../support/wgsl/emulated-host.ts';

const random = randomFrom(seed);
const host = emulatedGpu(() => random.uniform());

/** Of the first component: a scan from one end, one from the other, and the element. */
function bothWays(operator: Operator, exclusive: boolean, axis: 0 | 1, against = flipped(operator)): Program {
  const b = new ProgramBuilder();
  const shape = axis === 0 ? ['n', 'k'] : ['k', 'n'];
  const xs = componentTypes(operator).map((_, i) => b.parameter(`x${i}`, arrayType('real', shape)));
  const before = b.scan(operator, xs, axis, { exclusive });
  const after = b.scan(against, xs, axis, { exclusive: !exclusive, reverse: true });
  const between = scalarFunction(['real', 'real', 'real'], (s, l, r, x) => [s.apply('add', s.apply('sub', l, x), r)]);
  const made = b.map(between, [before[0]!, after[0]!, xs[0]!], shape);
  return b.finish(made.map((value, i) => ({ name: `y${i}`, value })));
}

/** Against the interpreter; beyond f32 a result is infinite. */
async function holds(program: Program, inputs: Record<string, number[]>, n: number, k: number): Promise<void> {
  const sizes = { n, k };
  const plan = compile(program);
  expect(generate(plan).run.map(({ kind }) => kind)).toContain('sweep');
  const got = await runOnGpu(host, plan, inputs, sizes);
  const singles = (value: number): number => (Math.abs(value) > 3.4e38 ? Math.sign(value) * Infinity : value);
  for (const [name, { values }] of interpret(program, new Map(Object.entries(inputs)), sizes))
    expectClose(got[name] ?? [], Array.from(values, singles), 1e-5, `${name} of ${n} elements`);
}

const operators: readonly (readonly [name: string, operator: Operator, draw: (i: number) => number])[] = [
  ['+', builtinOperator('add'), (i) => (i % 7) - 3],
  ['min', builtinOperator('min'), (i) => ((i * 31) % 1000) / 8],
  ['satAdd', satAdd, (i) => (i % 5) / 1000],
  ['linFnComp', linFnComp, (i) => 1 - (i % 9) / 4],
  ['matMul2', matMul2, (i) => [0.875, 0.25, -0.25, 0.75][i % 4]!],
];

for (const [name, operator, draw] of operators)
  test(`${name}, along and against either axis, whatever the length`, async () => {
    for (const [axis, exclusive, lengths] of [
      [0, true, [5, 600]],
      [1, true, [0, 1, 511, 1025]],
      [1, false, [2, 512]],
    ] as const) {
      const program = bothWays(operator, exclusive, axis);
      for (const n of lengths) {
        const list = (c: number): number[] =>
          Array.from({ length: 2 * n }, (_, i) => draw(operator.neutral.length === 4 ? c : i + c));
        const inputs = Object.fromEntries(operator.neutral.map((_, c) => [`x${c}`, list(c)]));
        await holds(program, inputs, n, 2);
      }
    }
  });

test('lanes join several tiles each', async () => {
  const program = bothWays(matMul2, true, 1);
  const n = 20_000;
  const inputs = Object.fromEntries(
    [1, 2 ** -20, 0, 1].map((x, c) => [`x${c}`, Array.from({ length: n }, () => x)] as const),
  );
  await holds(program, inputs, n, 1);
});

test('what overflows within a tile does not spoil a zero, and the item beside it is not gone through again', async () => {
  const program = bothWays(linFnComp, true, 1, linFnComp);
  const n = 2000;
  const rows = (first: (i: number) => number, second: number): number[] => [
    ...Array.from({ length: n }, (_, i) => first(i)),
    ...Array.from({ length: n }, () => second),
  ];
  // x' = 3x + u of 0 for 1,990 steps is 0, though 3¹⁹⁹⁰ is beyond the numbers.
  await holds(program, { x0: rows((i) => Number(i >= 1990), 1), x1: rows(() => 3, 0.5) }, n, 2);
});

test('NaN and infinities go where they go one by one', async () => {
  const program = bothWays(builtinOperator('add'), true, 1);
  const n = 1500;
  const x0 = Array.from({ length: 2 * n }, (_, i) => (i === 700 ? Infinity : i === n + 900 ? NaN : i % 3));
  await holds(program, { x0 }, n, 2);
});

test('the derivative of a reduction reads each element twice in its sweep and writes its adjoint, nothing else', () => {
  const b = new ProgramBuilder();
  const xs = ['offset', 'slope'].map((name) => b.parameter(name, arrayType('real', ['n'])));
  const results = b.reduce(linFnComp, xs, 0).map((value, i) => ({ name: `y${i}`, value }));
  const module = generate(compile(vjp(b.finish(results), { force: new Map() })));
  expect(module.run.map(({ kind }) => kind)).toEqual(['reduce', 'sweep']);
});
