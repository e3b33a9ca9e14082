/** Slots of a solver that are left between two knots, and do nothing: they are passed over, and nobody sees it. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { intLiteral, realLiteral, type ScalarOperand } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction, type ScalarBuilder } from '../../../engine/0-ir/scalar-builder.ts';
import { sizeProduct, sizeValue } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { vmap } from '../../../engine/2-ad/vmap.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { GpuPace } from '../../../engine/5-runtime/gpu/pace.ts';
import { expectClose } from '../../support/numbers/close.ts';
import { randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';
import { runOnGpu } from '../../support/run-on-gpu.ts';
import { seed } from '../../support/seed.ts';
import { emulatedGpu } from '../../support/wgsl/emulated-host.ts';

interface Otherwise {
  /** What a slot does with its number, beside asking whether it is the first. */
  readonly asks?: (e: ScalarBuilder, number: ScalarOperand) => ScalarOperand;
  /** Whether each slot has an input of its own. */
  readonly own?: boolean;
  /** Which slot of each knot is read. */
  readonly read?: number;
  /** x ← x/10 + u − 3 at the first, and x + r·(2 − x) while that is below 1: then 0, as memory is that nobody has written, is no rest. */
  readonly climbs?: boolean;
}

/** x ← x + u at the first of the s slots of a knot; then r·x while that is above 1; and how often, an int. */
function solved({ asks, own = false, read = 0, climbs = false }: Otherwise = {}): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const rate = b.parameter('rate', arrayType('real'));
  const u = b.parameter('u', arrayType('real', ['k', own ? 's' : 1, 1]));
  const number = b.elementwise([b.iota('s')], (e, at) => e.apply('real', at), ['s']);
  const flat = (value: Value): Value => b.reshape(b.replicate(value, ['k', 's', 'n']), ['k*s', 'n']);
  const step = scalarFunction(['real', 'int', 'real', 'real', 'real'], (e, x0, count, slot, u0, r) => {
    const begun = e.branch(
      e.apply('eq', slot, realLiteral(0)),
      () => [
        climbs
          ? e.apply('sub', e.apply('add', e.apply('mul', x0, realLiteral(0.1)), u0), realLiteral(3))
          : e.apply('add', x0, u0),
      ],
      () => [x0],
    )[0]!;
    const [next, counted] = e.branch(
      climbs ? e.apply('lt', begun, realLiteral(1)) : e.apply('lt', realLiteral(1), begun),
      () => [
        climbs
          ? e.apply('add', begun, e.apply('mul', r, e.apply('sub', realLiteral(2), begun)))
          : e.apply('mul', r, begun),
        e.apply('add', count, intLiteral(1)),
      ],
      () => [asks ? e.apply('add', begun, asks(e, slot)) : begun, count],
    );
    return [next!, counted!, begun];
  });
  const [end, often, emitted] = b.emit({
    ...{ kind: 'recurrence', shape: ['k*s', 'n'], axis: 0, reverse: false, step },
    ...{
      initial: [x, b.literal(0, 'int')],
      inputs: [flat(b.reshape(number, [1, 's', 1])), flat(u)],
      invariants: [rate],
    },
  }) as [Value, Value, Value];
  const slots = b.reshape(emitted, ['k', 's', 'n']);
  return b.finish({ end, often, at: b.reshape(b.slice(slots, 1, read, 1), ['k', 'n']) });
}

const rests = (program: Program): boolean =>
  compile(program).run.some((step) => step.kind === 'recurrence' && step.rests === 's');

const inputsOf = (program: Program, sizes: { n: number; k: number; s: number }): Map<string, number[]> =>
  new Map(
    program.parameters.map(({ name, value }, i) => {
      const length = sizeValue(sizeProduct(value.type.shape), sizes);
      const wave = (at: number): number => 3 + 2.5 * Math.sin(1 + at * (i + 1));
      return [name, Array.from({ length }, (_, at) => (name === 'rate' ? 0.6 : wave(at)))];
    }),
  );

const tangents = jvp(solved());
const seeds = tangents.parameters.slice(3).map(({ name }) => name);
const adjoints = vjp(solved(), { by: ['x', 'rate'] });
const second = jvp(adjoints);
const directions = second.parameters.slice(adjoints.parameters.length).map(({ name }) => name);

describe.each([
  ['the values', solved()],
  ['their tangents', tangents],
  ['five tangents', vmap(tangents, 5, seeds)],
  ['five courses', vmap(solved(), 5, ['x'])],
  ['the adjoints', adjoints],
  ['tangents of the adjoints', second],
  ['five of these', vmap(second, 5, directions)],
  ['tangents of adjoints that climb', jvp(vjp(solved({ climbs: true }), { by: ['x', 'rate'] }))],
  ['the adjoints of five courses', vjp(vmap(solved(), 5, ['x']), { by: ['x', 'rate'] })],
])('%s', (_, program) => {
  test('come to rest', () => expect(rests(program)).toBe(true));

  // One item, a vector and a rest, several vectors; one slot, and more than are needed.
  test.each([1, 3, 7, 19])('are what the interpreter gives, %i abreast', async (n) => {
    for (const s of [1, 2, 9]) {
      const sizes = { n, k: 4, s };
      const inputs = inputsOf(program, sizes);
      const wanted = interpret(program, inputs, sizes);
      for (const [precision, digits] of [
        ['f64', 1e-12],
        ['f32', 1e-4],
      ] as const) {
        const got = runOnCpu(compile(program), inputs, sizes, { precision });
        for (const [name, { values }] of wanted) expectClose(got[name] ?? [], [...values], digits, `${name}, s = ${s}`);
      }
      // At once, and by dispatches of a few steps each, which begin between two knots.
      for (const budget of n === 3 && s === 9 ? [2 ** 22, 250, 500, 1000, 2000] : [2 ** 22]) {
        const pace = Object.assign(new GpuPace(true), { budget, together: 1 });
        const gpu = emulatedGpu(() => randomFrom(seed).uniform());
        const onGpu = await runOnGpu(gpu, compile(program), Object.fromEntries(inputs), sizes, pace);
        for (const [name, { values }] of wanted)
          expectClose(onGpu[name] ?? [], [...values], 1e-4, `${name}, s = ${s}, ${budget} at a time`);
      }
    }
  });
});

test('nothing rests whose slots differ, or are read one by one', () => {
  expect(rests(solved({ asks: (_, number) => number }))).toBe(false);
  expect(rests(solved({ asks: (e, number) => e.apply('mul', number, realLiteral(0)) }))).toBe(false);
  expect(rests(solved({ own: true }))).toBe(false);
  expect(rests(solved({ read: 1 }))).toBe(false);
  // What goes back gives an adjoint of each slot's input.
  expect(rests(vjp(solved({ own: true })))).toBe(false);
});
