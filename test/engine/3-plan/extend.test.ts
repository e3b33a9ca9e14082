/** One element more at an end of a list: read, not copied. */
import { describe, expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import type { Program, Value } from '../../../engine/0-ir/program.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { vjp } from '../../../engine/2-ad/vjp.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { runOnCpu } from '../../support/run-on-cpu.ts';
import { runPlan } from '../../support/run-plan.ts';

/** x moved by one, with `edge` where nothing stood, times itself. */
function moved(forward: boolean, edge: (b: ProgramBuilder, x: Value) => Value, reversed = false): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const values = reversed ? b.reverse(x, 0) : x;
  const end = b.replicate(edge(b, x), [1]);
  const longer = b.concatenate(forward ? [end, values] : [values, end], 0);
  return b.finish({ y: b.apply('mul', b.slice(longer, 0, forward ? 0 : 1, 'n'), x) });
}

const constant = (b: ProgramBuilder): Value => b.literal(7);
const total = (b: ProgramBuilder, x: Value): Value => b.reduce(builtinOperator('add'), [x], 0)[0]!;
const cases = [true, false].flatMap((forward) =>
  [constant, total].flatMap((edge) => [true, false].map((reversed) => ({ forward, edge, reversed }))),
);

describe.each(cases)('forward $forward, edge $edge.name, reversed $reversed', ({ forward, edge, reversed }) => {
  const program = moved(forward, edge, reversed);
  const plan = lower(program);

  test('is one pass, beside what makes the edge', () => {
    expect(plan.run.filter(({ kind }) => kind === 'map')).toHaveLength(1);
  });

  test.each([0, 1, 2, 5, 4099])('gives the same for n = %i', (n) => {
    const x = Array.from({ length: n }, (_, i) => 1 + i);
    const wanted = [...(interpret(program, new Map([['x', x]]), { n }).get('y')?.values ?? [])];
    expect(runPlan(plan, { x }, { n }, { arena: true }).y).toEqual(wanted);
    for (const precision of ['f64', 'f32'] as const)
      expect(runOnCpu(plan, new Map([['x', x.map((value) => value % 32)]]), { n }, { precision }).y).toEqual([
        ...(interpret(program, new Map([['x', x.map((value) => value % 32)]]), { n }).get('y')?.values ?? []),
      ]);
  });
});

/** Rows moved by one along either axis, with sevens where nothing stood, times themselves. */
function movedRows(forward: boolean, axis: 0 | 1): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n', 'm']));
  const edge = b.replicate(b.literal(7), axis === 0 ? [1, 'm'] : ['n', 1]);
  const longer = b.concatenate(forward ? [edge, x] : [x, edge], axis);
  return b.finish({ y: b.apply('mul', b.slice(longer, axis, forward ? 0 : 1, axis === 0 ? 'n' : 'm'), x) });
}

test.each([
  [true, 0, 3],
  [false, 0, 3],
  [true, 1, 1],
  [false, 1, 1],
] as const)('rows, forward %s along %i, are moved in %i passes', (forward, axis, passes) => {
  const program = movedRows(forward, axis);
  const plan = lower(program);
  expect([...plan.prepare, ...plan.run].filter(({ kind }) => kind === 'map')).toHaveLength(passes);
  for (const [n, m] of [
    [0, 3],
    [3, 0],
    [1, 1],
    [5, 1],
    [3, 7],
    [130, 33],
  ] as const) {
    const x = Array.from({ length: n * m }, (_, i) => (i % 31) - 9);
    const wanted = [...(interpret(program, new Map([['x', x]]), { n, m }).get('y')?.values ?? [])];
    expect(runPlan(plan, { x }, { n, m }, { arena: true }).y).toEqual(wanted);
    for (const precision of ['f64', 'f32'] as const)
      expect(runOnCpu(plan, new Map([['x', x]]), { n, m }, { precision }).y).toEqual(wanted);
  }
});

test('a result of that form is written once', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const plan = lower(b.finish({ longer: b.concatenate([x, b.replicate(b.literal(7), [1])], 0) }));
  expect([...plan.prepare, ...plan.run]).toMatchObject([{ kind: 'map', domain: ['n + 1'] }]);
  expect(runPlan(plan, { x: [1, 2] }, { n: 2 }).longer).toEqual([1, 2, 7]);
});

test('the adjoint of a scan is one scan that reads its neighbours in place', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [products] = b.scan(builtinOperator('multiply'), [x], 0) as [Value];
  const plan = lower(optimize(vjp(b.finish({ products }), { of: ['products'], by: ['x'] })));
  expect(plan.run.map(({ kind }) => kind)).toEqual(['scan', 'scan']);
});
