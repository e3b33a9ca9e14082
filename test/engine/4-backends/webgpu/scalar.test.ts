/** Every scalar operation in WGSL against its twin in the reference, on a grid over its domain and at its edges. */
import { expect } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { operationInfo, operationType, scalarOperationNames } from '../../../../engine/0-ir/scalar-operations.ts';
import type { ScalarOperation } from '../../../../engine/0-ir/scalar-operations.ts';
import { realLiteral, type ScalarOperand } from '../../../../engine/0-ir/scalar.ts';
import type { ScalarBuilder } from '../../../../engine/0-ir/scalar-builder.ts';
import { arrayType, type ElementType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { meaningOf } from '../../../../engine/4-backends/reference/scalar/meaning.ts';
import { gpuTest } from '../../../support/gpu.ts';
import { runOnGpu } from '../../../support/run-on-gpu.ts';

const specials = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  -2.5,
  2,
  3,
  -3,
  Infinity,
  -Infinity,
  NaN,
  1e30,
  -1e30,
  1e-30,
  100.5,
];

/** 2^-20 to 2^20 and their negatives, and evenly between -12 and 12. */
const spread = [
  ...Array.from({ length: 80 }, (_, i) => (i % 2 ? -1 : 1) * 2 ** (i / 2 - 20) * 1.234),
  ...Array.from({ length: 240 }, (_, i) => -12 + i * 0.1003),
];
const reals = [...specials, ...spread].map(Math.fround);
const ints = [0, 1, -1, 2, -2, 3, 7, -7, 1000003, 2147483647, -2147483648, 65536, -65537];

const second: Partial<Record<ScalarOperation, number[]>> = {
  pow: [0, -0, 1, 2, 3, 0.5, -1, -2.5, 7, 31.25, -0.001, Infinity, -Infinity, NaN, 1e10],
  polygamma: [],
};

function operandTuples(operation: ScalarOperation, type: ElementType): number[][] {
  const { arity } = operationInfo(operation);
  const first = type === 'real' ? reals : type === 'int' ? ints : [0, 1];
  const others = type === 'real' ? (second[operation] ?? [...specials, 0.75, -7.25].map(Math.fround)) : first;
  if (operation === 'polygamma') return [0, 1, 2, 3, 5, NaN, -1, 0.5].flatMap((m) => reals.map((x) => [m, x]));
  if (arity === 1) return first.map((x) => [x]);
  // Beyond, neither precision holds the quotient.
  if (operation === 'mod' && type === 'real')
    return first.flatMap((x) => others.map((y) => [x, y])).filter(([x = 0, y = 0]) => !(Math.abs(x / y) > 2 ** 23));
  if (arity === 2) return first.flatMap((x) => others.map((y) => [x, y]));
  const third = type === 'real' ? [-1, 0, NaN, 2] : [-1, 0, 2];
  return first.flatMap((x) => others.flatMap((y) => third.map((z) => [x, y, z])));
}

/** Relative error where f32 cannot do better; the rest of the operations get 4e-7. */
const tolerance: Partial<Record<ScalarOperation, number>> = {
  erfc: 4e-6,
  lgamma: 4e-6,
  digamma: 4e-6,
  polygamma: 1e-5,
  logistic: 6e-7,
  sinh: 6e-7,
  tan: 2e-6,
  hypot: 6e-7,
};
/** Of the operands' error: where a function crosses zero, f32 is only absolutely right. */
const absolute: Partial<Record<ScalarOperation, number>> = {
  lgamma: 4e-6,
  digamma: 4e-6,
  polygamma: 1e-5,
  logaddexp: 2e-7,
  mod: 1e-6,
};

const smallestNormal = 2 ** -126;
const largest = 3.4028235e38;

function agrees(operation: ScalarOperation, got: number, wanted: number): boolean {
  if (Number.isNaN(wanted)) return Number.isNaN(got);
  if (Math.abs(wanted) > largest) return got === Math.sign(wanted) * Infinity || Math.abs(got) > largest * 0.999999;
  if (Math.abs(wanted) < smallestNormal)
    return Math.abs(got) <= smallestNormal && (wanted !== 0 || Object.is(got, wanted) || got === 0);
  const error = Math.abs(got - wanted);
  return error <= (tolerance[operation] ?? 4e-7) * Math.abs(wanted) || error <= (absolute[operation] ?? 0);
}

for (const operation of scalarOperationNames)
  gpuTest(`${operation} is what the reference computes`, async (host) => {
    const { arity } = operationInfo(operation);
    const misses: string[] = [];
    for (const type of ['real', 'int', 'bool'] as const) {
      const result = operationType(
        operation,
        Array.from({ length: arity }, () => type),
      );
      if (!result) continue;
      const tuples = operandTuples(operation, type);
      const b = new ProgramBuilder();
      const operands = Array.from({ length: arity }, (_, i) => b.parameter(`x${i}`, arrayType(type, ['n'])));
      const program = b.finish({ y: b.apply(operation, ...operands) });
      const inputs = Object.fromEntries(operands.map((_, i) => [`x${i}`, tuples.map((tuple) => tuple[i]!)]));
      const { y = [] } = await runOnGpu(host, lower(program), inputs, { n: tuples.length });
      const meaning = meaningOf(operation, type);
      tuples.forEach((tuple, i) => {
        const wanted = meaning(...tuple);
        const got = y[i]!;
        const right = result === 'real' ? agrees(operation, got, wanted) : got === wanted;
        if (!right) misses.push(`${operation}(${tuple.join(', ')}) = ${got}, not ${wanted}`);
      });
    }
    expect(misses).toEqual([]);
  });

gpuTest('x - x is NaN where x is infinite or NaN, and so is x / x, and where x is 0', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const twice = (operation: 'sub' | 'div') => b.elementwise([x], (s, x) => s.apply(operation, x, x));
  const program = b.finish({ difference: twice('sub'), quotient: twice('div') });
  const found = await runOnGpu(host, lower(program), { x: [Infinity, -Infinity, NaN, 0, -3, 1e-40] }, { n: 6 });
  expect(found['difference']).toEqual([NaN, NaN, NaN, 0, 0, 0]);
  expect(found['quotient']?.slice(0, 5)).toEqual([NaN, NaN, NaN, NaN, 1]);
});

gpuTest('a zero that a branch or a computation gives is no constant to the compiler', async (host) => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const timesZero = (write: (s: ScalarBuilder, x: ScalarOperand) => ScalarOperand) =>
    b.elementwise([x], (s, x) => s.apply('mul', write(s, x), x));
  const branch = timesZero(
    (s, x) =>
      s.branch(
        s.apply('isnan', x),
        () => [realLiteral(-0)],
        () => [realLiteral(0)],
      )[0] as ScalarOperand,
  );
  const program = b.finish({
    literal: timesZero(() => realLiteral(0)),
    difference: timesZero((s) => s.apply('sub', realLiteral(2), realLiteral(2))),
    branch,
  });
  const found = await runOnGpu(host, lower(program), { x: [Infinity, NaN, 3] }, { n: 3 });
  for (const [name, values] of Object.entries(found)) expect(values, name).toEqual([NaN, NaN, 0]);
});
