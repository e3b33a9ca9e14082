/**
 * Numbers at the edges, the same on every device and in both precisions: for each a program of x, a cotangent of y, and
 * what x takes. Zeros are compared without their signs.
 */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { arity, builtinOperator, type BuiltinOperator, type Operator } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import type { ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { cpuDevice } from '../../../engine/5-runtime/cpu-device.ts';
import type { Device } from '../../../engine/5-runtime/device.ts';
import { referenceDevice } from '../../../engine/5-runtime/reference-device.ts';
import { webGpuDevice } from '../../../engine/5-runtime/webgpu-device.ts';
import { gpuTest } from '../../support/gpu.ts';
import { linFnComp } from '../../support/operators.ts';

type Lists = Readonly<Record<string, readonly number[]>>;

interface Edge {
  readonly name: string;
  readonly program: Program;
  readonly inputs: Lists;
  readonly expected: Lists;
}

const inf = Infinity;
const first = (values: readonly Value[]): Value => values[0] as Value;

/** Of y by x; forward over reverse where the inputs name its tangent. */
function edge(
  name: string,
  write: (b: ProgramBuilder, x: Value) => Value,
  inputs: Lists,
  expected: readonly number[],
  rule?: string,
): Edge {
  const b = new ProgramBuilder();
  b.origin = 'edge';
  const program = b.finish({ y: write(b, b.parameter('x', arrayType('real', ['n']))) });
  const reverse = vjp(program, rule ? { force: new Map([['edge', rule]]) } : {});
  const nested = inputs['tangent of adjoint of x'] !== undefined;
  const { 'tangent of adjoint of x': _, ...given } = inputs;
  return nested
    ? { name, program: jvp(reverse), inputs: given, expected: { 'tangent of adjoint of x': expected } }
    : { name, program: reverse, inputs: given, expected: { 'adjoint of x': expected } };
}

const reduced =
  (name: BuiltinOperator) =>
  (b: ProgramBuilder, x: Value): Value =>
    first(b.reduce(builtinOperator(name), [x], 0));
const binned =
  (name: BuiltinOperator) =>
  (b: ProgramBuilder, x: Value): Value =>
    first(b.histogram(builtinOperator(name), b.parameter('keys', arrayType('int', ['n'])), [x], 3));
const scanned =
  (operator: Operator) =>
  (b: ProgramBuilder, x: Value): Value => {
    const factors = b.parameter('factors', arrayType('real', ['n']));
    return first(b.scan(operator, arity(operator) === 1 ? [x] : [x, factors], 0));
  };
const each =
  (write: (s: ScalarBuilder, x: ScalarOperand) => ScalarOperand) =>
  (b: ProgramBuilder, x: Value): Value =>
    b.elementwise([x], write);

const y = 'cotangent of y';
const real = realLiteral;
const list = (n: number, value: (i: number) => number): number[] => Array.from({ length: n }, (_, i) => value(i));
const times = builtinOperator('multiply');

/** Of a scalar function at several x, with a cotangent of one. */
const scalar = (
  name: string,
  write: (s: ScalarBuilder, x: ScalarOperand) => ScalarOperand,
  x: readonly number[],
  expected: readonly number[],
): Edge => edge(name, each(write), { x, [y]: x.map(() => 1) }, expected);

/** Where a product of Jacobians overflows though nothing flows through it. */
const joins = ['scan-structured', 'scan-general', 'scan-ppad'].flatMap((rule) => [
  edge(
    `x' = 3x + u with u = 0 for 1990 steps, backwards by ${rule}`,
    scanned(linFnComp),
    { x: list(1990, () => 0), factors: list(1990, () => 3), [y]: list(1990, (t) => Number(t === 12)) },
    list(1990, (t) => (t <= 12 ? 3 ** (12 - t) : 0)),
    rule,
  ),
  ...(rule === 'scan-structured'
    ? []
    : [
        edge(
          `the adjoint of scan × over 800 values of 100 with a cotangent at 0 alone, by ${rule}`,
          scanned(times),
          { x: list(800, () => 100), factors: list(800, () => 0), [y]: list(800, (t) => Number(t === 0)) },
          list(800, (t) => Number(t === 0)),
          rule,
        ),
      ]),
]);

/** ∂/∂ȳ of what flows back where ȳ is zero: a guard against ∞·0 must not make a constant of it. */
const linear = ['scan-general', 'scan-ppad'].map((rule) =>
  edge(
    `what flows back is linear in a cotangent of zero, by ${rule}`,
    scanned(times),
    {
      x: [2, 3, 5],
      factors: [0, 0, 0],
      [y]: [0, 0, 0],
      'tangent of x': [0, 0, 0],
      'tangent of factors': [0, 0, 0],
      'tangent of cotangent of y': [0, 0, 1],
      'tangent of adjoint of x': [],
    },
    [15, 10, 6],
    rule,
  ),
);

const edges: readonly Edge[] = [
  edge('ties of reduce min: the smallest index takes all', reduced('min'), { x: [3, 1, 2, 1], [y]: [1] }, [0, 1, 0, 0]),
  edge('ties of reduce max: the smallest index takes all', reduced('max'), { x: [3, 7, 7, 1], [y]: [2] }, [0, 2, 0, 0]),
  edge('an element beats the neutral element', reduced('min'), { x: [inf, inf], [y]: [1] }, [1, 0]),
  edge('the first NaN of reduce min', reduced('min'), { x: [1, NaN, -inf, NaN], [y]: [1] }, [0, 1, 0, 0]),
  edge('minus zero ties with zero', reduced('max'), { x: [-0, 0], [y]: [1] }, [1, 0]),
  edge(
    'ties of a histogram of min, each bin for itself',
    binned('min'),
    { keys: [0, 1, 0, 1, 0], x: [2, 4, 1, 4, 1], [y]: [1, 10, 5] },
    [0, 10, 1, 0, 0],
  ),
  edge('the first NaN of a bin', binned('max'), { keys: [2, 2, 2], x: [inf, NaN, NaN], [y]: [1, 1, 1] }, [0, 1, 0]),
  edge('a product without zeros', reduced('multiply'), { x: [2, 3, 5], [y]: [1] }, [15, 10, 6]),
  edge('a product with one zero', reduced('multiply'), { x: [2, -0, 5], [y]: [1] }, [0, 10, 0]),
  edge('a product with two zeros', reduced('multiply'), { x: [0, 3, 0], [y]: [1] }, [0, 0, 0]),
  edge(
    'a product that overflows on the way',
    reduced('multiply'),
    { x: [2 ** 100, 2 ** 100, 2 ** -100, 2 ** -100], [y]: [1] },
    [2 ** -100, 2 ** -100, 2 ** 100, 2 ** 100],
  ),
  edge(
    'products in bins: none, one and two zeros',
    binned('multiply'),
    { keys: [0, 1, 2, 2, 1, 0], x: [2, 0, 0, 0, 7, 3], [y]: [1, 1, 1] },
    [3, 7, 0, 0, 0, 2],
  ),
  ...(['add', 'multiply', 'min', 'max', 'logaddexp'] as const).map((name) =>
    edge(
      `keys out of range take an exact zero: ${name}`,
      binned(name),
      { keys: [-1, 0, 3, 2147483647], x: [NaN, 1, inf, 2], [y]: [1, inf, inf] },
      [0, 1, 0, 0],
    ),
  ),
  ...(['add', 'multiply', 'min', 'max', 'logaddexp'] as const).flatMap((name) => [
    edge(`nothing to reduce: ${name}`, reduced(name), { x: [], [y]: [inf] }, []),
    edge(`one element: ${name}`, reduced(name), { x: [3], [y]: [2] }, [2]),
  ]),
  edge('logaddexp of -∞ and -∞ has no weights', reduced('logaddexp'), { x: [-inf, -inf], [y]: [1] }, [0, 0]),
  edge(
    'the second derivative of logaddexp where both are equal',
    reduced('logaddexp'),
    {
      x: [1, 1],
      [y]: [1],
      'tangent of x': [1, 0],
      'tangent of cotangent of y': [0],
      'tangent of adjoint of x': [],
    },
    [0.25, -0.25],
  ),
  ...joins,
  ...linear,
  scalar('scalar min: the first operand on ties', (s, x) => s.apply('min', x, real(1)), [1, 2, 0], [1, 0, 1]),
  scalar('scalar max: the first operand on ties', (s, x) => s.apply('max', real(1), x), [1, 2, 0], [0, 1, 0]),
  scalar('abs at 0', (s, x) => s.apply('abs', x), [-2, 0, -0, 3], [-1, 0, 0, 1]),
  scalar('clamp at a bound', (s, x) => s.apply('clamp', x, real(0), real(1)), [-1, 0, 0.5, 1, 2], [0, 1, 1, 1, 0]),
  scalar('floor and sign', (s, x) => s.apply('add', s.apply('floor', x), s.apply('sign', x)), [0, 1, -2.5], [0, 0, 0]),
  scalar('xlogy of 0', (s, x) => s.apply('xlogy', real(0), x), [0, 1, 4], [0, 0, 0]),
  scalar('x² at 0 and at a negative base', (s, x) => s.apply('pow', x, real(2)), [0, -3], [0, -6]),
  scalar('√x as a power at 0', (s, x) => s.apply('pow', x, real(0.5)), [0, 4], [inf, 0.25]),
  scalar('1/x as a power at 0', (s, x) => s.apply('pow', x, real(-1)), [0, 2], [-inf, -0.25]),
  scalar('the exponent of 0', (s, x) => s.apply('pow', real(0), x), [0, 1, 2], [0, 0, 0]),
  scalar(
    'only the branch taken: if(x > 0, log(x), 0) at x ≤ 0',
    (s, x) =>
      s.branch(
        s.apply('lt', real(0), x),
        () => [s.apply('log', x)],
        () => [real(0)],
      )[0] as ScalarOperand,
    [-1, 0, 4, NaN],
    [0, 0, 0.25, 0],
  ),
  scalar('an int made real ends the chain', (s, x) => s.apply('real', s.apply('int', x)), [1.5, -2], [0, 0]),
];

async function hold(device: Device, { program, inputs, expected }: Edge): Promise<void> {
  const executable = await device.load(program);
  const n = inputs['x']?.length ?? 0;
  const instance = await executable.bind({ n });
  for (const { name } of program.parameters) instance.write(name, inputs[name] ?? []);
  await instance.run();
  for (const [name, wanted] of Object.entries(expected)) {
    const found = Array.from(await instance.read(name));
    expect(found.length).toBe(wanted.length);
    wanted.forEach((value, i) => {
      const own = found[i] as number;
      const close = Object.is(own + 0, value + 0) || Math.abs(own - value) <= 1e-5 * Math.abs(value);
      expect(close, `${name}[${i}] is ${own}, not ${value}`).toBe(true);
    });
  }
  instance.release();
  executable.release();
}

describe.each(edges)('$name', (each) => {
  test('by interpretation', () => hold(referenceDevice(), each));
  test('on the CPU in f64', () => hold(cpuDevice(), each));
  test('on the CPU in f32', () => hold(cpuDevice({ precision: 'f32' }), each));
  gpuTest('on the GPU', (host) => hold(webGpuDevice(host), each));
});
