/** Carries that are changed where they stand. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { sizeProduct, sizeValue, type SizeBinding } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { jvp } from '../../../engine/2-ad/jvp.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import type { Plan, Step } from '../../../engine/3-plan/plan.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { compile } from '../../../engine/5-runtime/compile.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';
import { runPlan } from '../../support/run-plan.ts';

/** Points that the plan's kernels visit, those of loops in each of their rounds. */
function pointsOf(plan: Plan, sizes: SizeBinding): number {
  const points = (steps: readonly Step[]): number =>
    steps.reduce(
      (sum, step) =>
        sum +
        (step.kind === 'loop'
          ? sizeValue(step.count, sizes) * points(step.steps)
          : 'domain' in step
            ? sizeValue(sizeProduct(step.domain), sizes)
            : 0),
      0,
    );
  return points(plan.run);
}

/** c′ = sin(c)·v, `count` times. */
function iterated(): Program {
  const body = new ProgramBuilder();
  body.parameter('t', arrayType('int'));
  const c = body.parameter('c', arrayType('real', ['n']));
  const v = body.parameter('v', arrayType('real', ['n']));
  const next = body.apply('mul', body.apply('sin', c), v);
  const b = new ProgramBuilder();
  const [x, p] = ['x', 'p'].map((name) => b.parameter(name, arrayType('real', ['n']))) as [Value, Value];
  const [y] = b.emit({ kind: 'loop', count: 'k', body: body.finish({ c: next }), initial: [x], invariants: [p] });
  return b.finish({ y: y! });
}

describe('the reverse of a loop', () => {
  const cases: [string, Program][] = [
    ['alone', vjp(iterated())],
    ['and its tangents', jvp(vjp(iterated()))],
  ];
  test.each(cases)('%s, is linear in its count', (_, program) => {
    const plan = compile(program);
    const at = (k: number) => pointsOf(plan, { n: 100, k });
    expect(at(400) - at(200)).toBe(2 * (at(200) - at(100)));
    expect(at(200)).toBeLessThan(2.1 * at(100));
  });

  test.each(cases)('%s, gives what the interpreter gives', (_, program) => {
    const sizes = { n: 3, k: 5 };
    const inputs = new Map(
      program.parameters.map(({ name }, i) => [name, [0.3, -0.7, 1.1].map((value) => value * (i + 1))]),
    );
    const plan = compile(program);
    const wanted = Object.fromEntries([...interpret(program, inputs, sizes)].map(([name, v]) => [name, [...v.values]]));
    const got = runPlan(plan, Object.fromEntries(inputs), sizes, { arena: true });
    for (const [name, values] of Object.entries(wanted))
      values.forEach((value, i) => expect(got[name]?.[i]).toBeCloseTo(value, 12));
  });
});

/** A loop over (c, d: real[n]; v: int[1]) with this body; two carries, both results. */
function loopOf(write: (b: ProgramBuilder, c: Value, d: Value, t: Value) => [Value, Value]): Program {
  const body = new ProgramBuilder();
  const t = body.parameter('t', arrayType('int'));
  const [c, d] = ['c', 'd'].map((name) => body.parameter(name, arrayType('real', ['n']))) as [Value, Value];
  const [first, second] = write(body, c, d, body.reshape(t, [1]));
  const b = new ProgramBuilder();
  const initial = ['x', 'y'].map((name) => b.parameter(name, arrayType('real', ['n'])));
  const results = b.emit({
    kind: 'loop',
    count: 'k',
    body: body.finish({ c: first, d: second }),
    initial,
    invariants: [],
  });
  return b.finish({ c: results[0]!, d: results[1]! });
}

describe('rows of a carry are replaced', () => {
  const row = (b: ProgramBuilder, from: Value, t: Value) => b.gather(from, t, 'zero');
  const cases: { name: string; program: Program; copies: boolean }[] = [
    { name: 'once', copies: false, program: loopOf((b, c, d, t) => [b.scatter(c, t, row(b, d, t)), d]) },
    {
      name: 'twice',
      copies: false,
      program: loopOf((b, c, d, t) => {
        const one = b.scatter(c, t, row(b, d, t));
        return [b.scatter(one, b.apply('add', t, b.literal(1, 'int')), row(b, d, t)), d];
      }),
    },
    {
      name: 'by what the carry held before',
      copies: true,
      program: loopOf((b, c, d, t) => [b.scatter(c, t, b.apply('mul', row(b, c, t), b.literal(2))), d]),
    },
    {
      name: 'and what it held before is read after',
      copies: true,
      program: loopOf((b, c, d, t) => [b.scatter(c, t, row(b, d, t)), b.apply('add', c, d)]),
    },
    {
      name: 'and what it becomes is read',
      copies: true,
      program: loopOf((b, c, d, t) => {
        const next = b.scatter(c, t, row(b, d, t));
        return [next, b.apply('mul', next, d)];
      }),
    },
    {
      name: 'and it changes places with another',
      copies: true,
      program: loopOf((b, c, d, t) => [d, b.scatter(c, t, row(b, d, t))]),
    },
  ];

  test.each(cases)('$name', ({ program, copies }) => {
    const plan = compile(program);
    const isCopied = plan.run.some(
      (step) => step.kind === 'loop' && step.steps.some(({ kind, ...other }) => kind === 'map' && isWhole(other)),
    );
    expect(isCopied).toBe(copies);
    const inputs = new Map([
      ['x', [1, 2, 3, 4]],
      ['y', [5, 6, 7, 8]],
    ]);
    const sizes = { n: 4, k: 3 };
    const wanted = Object.fromEntries([...interpret(program, inputs, sizes)].map(([name, v]) => [name, [...v.values]]));
    expect(runPlan(plan, Object.fromEntries(inputs), sizes, { arena: true })).toEqual(wanted);
    expect(runOnCpu(plan, inputs, sizes)).toEqual(wanted);
  });

  const isWhole = (step: object): boolean => 'domain' in step && JSON.stringify(step.domain) === '["n"]';
});
