/**
 * Whether an adapter computes what is asked of it. Drivers have bugs, and a wrong number looks like a right one: before a
 * GPU is used, each kind of kernel runs once on little data, and must give what the interpreter gives.
 */
import { ProgramBuilder } from '../../0-ir/builder.ts';
import { DeviceLost } from '../../0-ir/errors.ts';
import { builtinOperator, type Operator } from '../../0-ir/operators.ts';
import type { Program, Value } from '../../0-ir/program.ts';
import { intLiteral, realLiteral } from '../../0-ir/scalar.ts';
import { scalarFunction } from '../../0-ir/scalar-builder.ts';
import { arrayType } from '../../0-ir/types.ts';
import { lower } from '../../3-plan/lower.ts';
import type { KernelKind } from '../../3-plan/plan.ts';
import { interpret } from '../../4-backends/reference/interpret.ts';
import { generate } from '../../4-backends/webgpu/generate.ts';
import type { GpuHost } from './host.ts';
import { GpuPace } from './pace.ts';
import { bindWebGpu } from './webgpu-device.ts';

const verdicts = new WeakMap<GpuHost, Promise<string | undefined>>();

/** Why the GPU is not to be trusted, as a sentence without its full stop; undefined where it is. Asked once a host. */
export function distrust(host: GpuHost): Promise<string | undefined> {
  const known = verdicts.get(host) ?? check(host);
  verdicts.set(host, known);
  return known;
}

async function check(host: GpuHost): Promise<string | undefined> {
  const kinds = Object.keys(checks) as KernelKind[];
  const right = await Promise.all(kinds.map((kind) => isRight(host, checks[kind])));
  const wrong = kinds.filter((_, i) => !right[i]);
  if (wrong.length === 0) return undefined;
  return `${host.name} fails a test of its kernels for ${wrong.join(', ')}, so its numbers are not to be trusted`;
}

/** Elements: enough that chunks and tiles meet. */
const n = 1100;

async function isRight(host: GpuHost, write: (b: ProgramBuilder, x: Value, i: Value) => Value[]): Promise<boolean> {
  const program = checkProgram(write);
  const inputs = new Map([
    ['x', Array.from({ length: n }, (_, k) => (k % 11) / 4 - 1)],
    ['i', Array.from({ length: n }, (_, k) => (k * 7) % n)],
  ]);
  try {
    const instance = await bindWebGpu(host, new GpuPace(host.software), generate(lower(program)), { n });
    for (const [name, values] of inputs) instance.write(name, values);
    await instance.run();
    const close: boolean[] = [];
    for (const [name, { values }] of interpret(program, inputs, { n }))
      close.push(isClose(await instance.read(name), values));
    instance.release();
    return close.every((yes) => yes);
  } catch (error) {
    if (error instanceof DeviceLost) throw error;
    // A kernel that the driver refuses.
    return false;
  }
}

function isClose(found: ArrayLike<number>, wanted: ArrayLike<number>): boolean {
  return Array.from(wanted).every((value, k) => Math.abs(found[k]! - value) <= 1e-5 * (1 + Math.abs(value)));
}

/** The program of a check, of x, real, and of i, each int below n once. */
export function checkProgram(write: (b: ProgramBuilder, x: Value, i: Value) => Value[]): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const i = b.parameter('i', arrayType('int', ['n']));
  return b.finish(Object.fromEntries(write(b, x, i).map((value, k) => [`y${k}`, value])));
}

/** x' = c·x + u composed, on ints: not commutative, and exact in any order of rounding. */
const affine: Operator = {
  combine: scalarFunction(['int', 'int', 'int', 'int'], (s, u, c, v, d) => [
    s.apply('add', v, s.apply('mul', d, u)),
    s.apply('mul', d, c),
  ]),
  neutral: [0, 1],
  commutative: false,
};

const few = (b: ProgramBuilder, i: Value): Value => b.elementwise([i], (s, k) => s.apply('mod', k, intLiteral(5)));

export const checks: { [K in KernelKind]: (b: ProgramBuilder, x: Value, i: Value) => Value[] } = {
  map: (b, x) => [b.elementwise([x], (s, v) => s.apply('mul', s.apply('exp', v), v))],
  reduce: (b, _, i) => [...b.reduce(affine, [i, i], 0)],
  scan: (b, _, i) => [...b.scan(affine, [i, i], 0)],
  sweep: (b, _, i) => {
    const scan = { kind: 'scan', operator: affine, shape: ['n'], axis: 0, inputs: [i, i], exclusive: true } as const;
    const before = b.emit({ ...scan, reverse: false });
    const between = scalarFunction(['int', 'int', 'int', 'int', 'int'], (s, u, c, v, d, x) => [
      ...s.inline(affine.combine, [v, d, u, c]),
      x,
    ]);
    return [...b.emit({ ...scan, reverse: true, epilogue: { function: between, inputs: [...before, i] } })];
  },
  histogram: (b, x, i) => [
    ...b.histogram(affine, few(b, i), [i, i], 5),
    ...b.histogram(builtinOperator('min'), few(b, i), [x], 5),
  ],
  'keyed-scan': (b, _, i) => Object.values(b.keyedScan(affine, few(b, i), [i, i], 5)).flat(),
  recurrence: (b, x) => [
    ...b.emit({
      ...{ kind: 'recurrence', shape: ['n'], axis: 0, reverse: false },
      ...{ initial: [b.literal(1)], inputs: [x], invariants: [] },
      step: scalarFunction(['real', 'real'], (s, carry, v) => {
        const next = s.apply('add', s.apply('mul', carry, realLiteral(0.5)), v);
        return [next, next];
      }),
    }),
  ],
  history: (b, x) => {
    const step = { kind: 'history', columns: 2, shape: ['n'], axis: 0, inputs: [x], invariants: [] } as const;
    const forward = b.emit({
      ...{ ...step, backward: false, initial: [b.literal(0)], places: [] },
      asked: scalarFunction(['real', 'real'], (s, count) => [s.apply('mul', count, realLiteral(0.5))]),
      step: scalarFunction(['real', 'real', 'real', 'real'], (s, count, v, _, before) => [
        s.apply('add', count, realLiteral(1)),
        count,
        s.apply('add', s.apply('mul', before, realLiteral(0.5)), v),
      ]),
    });
    const backward = b.emit({
      ...{ ...step, backward: true, initial: [], places: forward.slice(-1) },
      step: scalarFunction(['real', 'real', 'real'], (s, v, left, other) => {
        const sum = s.apply('add', s.apply('mul', left, realLiteral(0.5)), v);
        return [sum, s.apply('sub', sum, other)];
      }),
    });
    return [...forward, ...backward];
  },
  gather: (b, x, i) => [b.gather(x, i, 'nan')],
  scatter: (b, x, i) => [b.scatter(b.zeros(arrayType('real', ['n'])), i, x, { checked: true })],
  sort: (b, _, i) => [b.sortPermutation(i)],
  matmul: (b, x) => [b.matmul(b.reshape(x, [1, 'n']), b.reshape(x, ['n', 1]))],
};
