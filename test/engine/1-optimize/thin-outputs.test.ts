/** What a recurrence emits at every step, and is read at the first of each so many: written there alone. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { sizeProduct, sizeValue } from '../../../engine/0-ir/sizes.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { vmap } from '../../../engine/2-ad/vmap.ts';
import type { Plan } from '../../../engine/3-plan/plan.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { randomFrom } from '../../../engine/6-fit/ensembles/random.ts';
import { expectClose } from '../../support/numbers/close.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';
import { runOnGpu } from '../../support/run-on-gpu.ts';
import { runPlan } from '../../support/run-plan.ts';
import { seed } from '../../support/seed.ts';
import { emulatedGpu } from '../../support/wgsl/emulated-host.ts';

/** x ← sin(x) + k·u, of which x² is wanted at the first of each `s` of k·s steps, and where `last` at the last too. */
function solved(last = false): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const rate = b.parameter('rate', arrayType('real'));
  const u = b.parameter('u', arrayType('real', ['k*s', 1]));
  const step = scalarFunction(['real', 'real', 'real'], (e, x0, u0, r) => [
    e.apply('add', e.apply('sin', x0), e.apply('mul', r, u0)),
    e.apply('mul', x0, x0),
  ]);
  const [end, emitted] = b.emit({
    ...{ kind: 'recurrence', shape: ['k*s', 'n'], axis: 0, reverse: false, step },
    ...{ initial: [x], inputs: [u], invariants: [rate] },
  }) as [Value, Value];
  const slots = b.reshape(emitted, ['k', 's', 'n']);
  const at = (slot: number | string): Value => b.reshape(b.slice(slots, 1, slot, 1), ['k', 'n']);
  return b.finish({ end, first: at(0), ...(last && { last: at('s - 1') }) });
}

const thinned = (plan: Plan): boolean =>
  plan.run.some((step) => step.kind === 'recurrence' && step.every?.includes('s') === true);

const inputsOf = (program: Program, sizes: { n: number; k: number; s: number }): Map<string, number[]> =>
  new Map(
    program.parameters.map(({ name, value }, i) => {
      const length = sizeValue(sizeProduct(value.type.shape), sizes);
      return [name, Array.from({ length }, (_, at) => (name === 'rate' ? 0.5 : Math.sin(1 + at * (i + 1))))];
    }),
  );

const tangents = jvp(solved());

describe.each([
  ['the values', solved()],
  ['their tangents', tangents],
  ['their adjoints, for which the carries are kept', vjp(solved())],
  ['three of them, each of its own x', vmap(solved(), 3, ['x'])],
  [
    'three tangents of them',
    vmap(
      tangents,
      3,
      tangents.parameters.slice(3).map(({ name }) => name),
    ),
  ],
])('%s', (_, program) => {
  test('are thinned', () => expect(thinned(compile(program))).toBe(true));

  // One item, a vector and a rest, several vectors.
  test.each([1, 3, 7, 19])('are what the interpreter gives, %i abreast', async (n) => {
    const sizes = { n, k: 4, s: 5 };
    const inputs = inputsOf(program, sizes);
    const plan = compile(program);
    const given = Object.fromEntries(inputs);
    const onCpu = runOnCpu(plan, inputs, sizes);
    const onGpu = await runOnGpu(
      emulatedGpu(() => randomFrom(seed).uniform()),
      plan,
      given,
      sizes,
    );
    const inWords = runPlan(plan, given, sizes, { arena: true });
    for (const [name, { values }] of interpret(program, inputs, sizes)) {
      expectClose(inWords[name] ?? [], [...values], 1e-12, name);
      expectClose(onCpu[name] ?? [], [...values], 1e-12, name);
      expectClose(onGpu[name] ?? [], [...values], 1e-4, name);
    }
  });
});

test('what is read at other steps too is written at all', () => {
  const program = solved(true);
  const sizes = { n: 3, k: 4, s: 5 };
  const inputs = inputsOf(program, sizes);
  const plan = compile(program);
  expect(thinned(plan)).toBe(false);
  const got = runPlan(plan, Object.fromEntries(inputs), sizes, { arena: true });
  for (const [name, { values }] of interpret(program, inputs, sizes))
    expectClose(got[name] ?? [], [...values], 1e-12, name);
});
