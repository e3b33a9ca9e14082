import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import { printProgram } from '../../../engine/0-ir/print.ts';
import type { ConstructKind, Program, Value } from '../../../engine/0-ir/program.ts';
import { realLiteral } from '../../../engine/0-ir/scalar.ts';
import { scalarFunction } from '../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { optimize } from '../../../engine/1-optimize/index.ts';
import { unfuse } from '../../../engine/1-optimize/unfuse.ts';
import { withJacobian } from '../../../engine/6-fit/derivative-programs.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { randomProgram } from '../../support/random/programs.ts';
import { awkward } from '../../support/random/styles.ts';

const kinds = (program: Program): ConstructKind[] => program.statements.map(({ construct }) => construct.kind);
const add = builtinOperator('add');

/** y ≈ a·exp(−k·x): residuals, and their derivatives by a and k, as reverse mode would write them. */
function decay(b: ProgramBuilder) {
  const [a, k] = [b.parameter('a', arrayType('real')), b.parameter('k', arrayType('real'))];
  const [x, y] = [b.parameter('x', arrayType('real', ['n'])), b.parameter('y', arrayType('real', ['n']))];
  const e = b.apply('exp', b.apply('neg', b.apply('mul', k, x)));
  const model = b.apply('mul', a, e);
  const residual = b.apply('sub', y, model);
  return { a, k, x, y, e, model, residual };
}

test('residuals and all columns of the Jacobian are one map', () => {
  const b = new ProgramBuilder();
  const { a, x, e, residual } = decay(b);
  const byA = b.apply('neg', e);
  const byK = b.apply('mul', b.apply('mul', a, x), e);
  const plan = lower(optimize(b.finish({ residual, byA, byK })));
  expect(plan.run.map((step) => step.kind)).toEqual(['map']);
  expect(plan.buffers.filter((buffer) => buffer.role === 'temporary')).toEqual([]);
});

test('a loss and its gradient sums are one reduction, and no array is written', () => {
  const b = new ProgramBuilder();
  const { a, x, e, residual } = decay(b);
  const [loss] = b.reduce(add, [b.apply('mul', residual, residual)], 0);
  const cotangent = b.apply('mul', b.replicate(b.literal(-2), ['n']), residual);
  const [byA] = b.reduce(add, [b.apply('mul', cotangent, e)], 0);
  const inner = b.apply('neg', b.apply('mul', cotangent, b.apply('mul', a, e)));
  const [byK] = b.reduce(add, [b.apply('mul', inner, x)], 0);
  const program = b.finish({ loss, byA, byK } as Record<string, Value>);
  const plan = lower(optimize(program));
  expect(plan.run).toMatchObject([{ kind: 'reduce', domain: ['n'], outputs: [{}, {}, {}] }]);
  expect(plan.buffers.filter((buffer) => buffer.role === 'temporary')).toEqual([]);
});

test('reductions that wait for each other stay apart', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [mean] = b.reduce(add, [x], 0) as [Value];
  const centred = b.apply('sub', x, mean);
  const [variance] = b.reduce(add, [b.apply('mul', centred, centred)], 0) as [Value];
  expect(kinds(optimize(b.finish({ mean, variance })))).toEqual(['reduce', 'reduce']);
});

test('maps that wait for each other by way of a reduction stay apart', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const e = b.apply('exp', x);
  const [total] = b.reduce(add, [e], 0) as [Value];
  const softmax = b.apply('div', e, total);
  expect(kinds(optimize(b.finish({ softmax, e })))).toEqual(['map', 'reduce', 'map']);
});

test('an expensive function of a parameter is computed once, not for every point', () => {
  const b = new ProgramBuilder();
  const k = b.parameter('k', arrayType('real'));
  const x = b.parameter('x', arrayType('real', ['n']));
  const apart = b.finish({ y: b.apply('mul', b.apply('exp', k), x) });
  const within = new ProgramBuilder();
  const [k2, x2] = [within.parameter('k', arrayType('real')), within.parameter('x', arrayType('real', ['n']))];
  const y = within.elementwise([k2, x2], (s, rate, time) => s.apply('mul', s.apply('exp', rate), time));
  for (const program of [apart, within.finish({ y })])
    expect(optimize(program).statements.map(({ construct }) => 'shape' in construct && construct.shape)).toEqual([
      [],
      ['n'],
    ]);
});

test('a cheap function of a parameter is computed where it is used', () => {
  const b = new ProgramBuilder();
  const k = b.parameter('k', arrayType('real'));
  const x = b.parameter('x', arrayType('real', ['n']));
  expect(kinds(optimize(b.finish({ y: b.apply('mul', b.apply('neg', k), x) })))).toEqual(['map']);
});

test('what depends on data alone is prepared once', () => {
  const b = new ProgramBuilder();
  const k = b.parameter('k', arrayType('real'));
  const x = b.parameter('x', arrayType('real', ['n']));
  const y = b.elementwise([k, x], (s, rate, time) => s.apply('mul', rate, s.apply('log', time)));
  const varying = new Set(['k']);
  const plan = lower(optimize(b.finish({ y }), { varying }), varying);
  expect([plan.prepare.length, plan.run.length]).toEqual([1, 1]);
  expect(lower(optimize(b.finish({ y }))).run).toHaveLength(1);
});

test('the Jacobian of a recurrence walks once, the primal beside all its tangents', () => {
  const b = new ProgramBuilder();
  const [r, k] = [b.parameter('r', arrayType('real')), b.parameter('k', arrayType('real'))];
  const step = scalarFunction(['real', 'real', 'real'], (s, x, rate, limit) => {
    const next = s.apply('add', x, s.apply('mul', s.apply('mul', rate, x), s.apply('sub', limit, x)));
    return [next, next];
  });
  const outline = { kind: 'recurrence', step, shape: ['n'], axis: 0, reverse: false } as const;
  const [, out] = b.emit({ ...outline, initial: [b.literal(0.1)], inputs: [], invariants: [r, k] }) as [Value, Value];
  const program = optimize(withJacobian(b.finish({ out }), ['out'], ['r', 'k']));
  expect(kinds(program).filter((kind) => kind !== 'literal')).toEqual(['recurrence']);
  expect(program.statements.at(-1)?.construct).toMatchObject({ initial: [{}, {}, {}] });
});

test('so does that of a scan', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [p, q] = [b.parameter('p', arrayType('real')), b.parameter('q', arrayType('real'))];
  const [out] = b.scan(builtinOperator('multiply'), [b.apply('add', b.apply('mul', x, p), q)], 0) as [Value];
  const program = optimize(withJacobian(b.finish({ out }), ['out'], ['p', 'q']));
  expect(kinds(program).filter((kind) => kind !== 'literal')).toEqual(['scan']);
  expect(program.statements.at(-1)?.results).toHaveLength(3);
});

test('keys have to be in memory, so elements that are the keys too are read from there', () => {
  const b = new ProgramBuilder();
  const k = b.parameter('k', arrayType('int', ['n']));
  const keys = b.elementwise([k], (s, key) => s.apply('mod', key, s.apply('add', key, key)));
  const [out] = b.histogram(builtinOperator('max', 'int'), keys, [keys], 4) as [Value];
  expect(optimize(b.finish({ out })).statements.at(-1)?.construct).not.toHaveProperty('prologue');
});

test('histograms by the same keys are one pass', () => {
  const b = new ProgramBuilder();
  const [x, y] = [b.parameter('x', arrayType('real', ['n'])), b.parameter('y', arrayType('real', ['n']))];
  const [k, other] = [b.parameter('k', arrayType('int', ['n'])), b.parameter('j', arrayType('int', ['n']))];
  const [sums] = b.histogram(add, k, [b.apply('mul', x, y)], 4) as [Value];
  const [largest] = b.histogram(builtinOperator('max'), k, [y], 4) as [Value];
  const [others] = b.histogram(add, other, [x], 4) as [Value];
  const program = b.finish({ sums, largest, others });
  expect(kinds(optimize(program))).toEqual(['histogram', 'histogram']);
  const inputs = new Map(Object.entries({ x: [1, 2, 3, 4], y: [5, -6, 7, 8], k: [0, 3, 0, 9], j: [1, 1, -1, 2] }));
  expect(interpret(optimize(program), inputs, { n: 4 })).toEqual(interpret(program, inputs, { n: 4 }));
});

test('a kept value is still there under its id', () => {
  const b = new ProgramBuilder();
  const { residual, model } = decay(b);
  const [loss] = b.reduce(add, [b.apply('mul', residual, residual)], 0) as [Value];
  const program = b.finish({ loss });
  const defined = (optimized: Program) =>
    optimized.statements.flatMap(({ results }) => results.map((result) => result.id));
  expect(defined(optimize(program))).not.toContain(model.id);
  expect(defined(optimize(program, { keep: new Set([model.id]) }))).toContain(model.id);
});

test('a reversed map is the map of the reversed', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [out] = b.scan(add, [b.reverse(b.apply('exp', x), 0)], 0) as [Value];
  const plan = lower(optimize(b.finish({ out })));
  expect(plan.run).toMatchObject([{ kind: 'scan', inputs: [{ strides: [-1] }] }]);
  expect(plan.run[0]).toHaveProperty('prologue');
});

test('only little work goes into the steps of a recurrence', () => {
  const recurrence = (operation: 'exp' | 'neg') => {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', ['n']));
    const start = b.literal(0);
    const step = scalarFunction(['real', 'real'], (s, carry, input) => [
      s.apply('add', s.apply('mul', carry, carry), input),
    ]);
    const inputs = [b.apply(operation, x)];
    const [last] = b.emit({
      ...{ kind: 'recurrence', step, shape: ['n'], axis: 0, reverse: false },
      ...{ initial: [start], inputs, invariants: [] },
    }) as [Value];
    return kinds(optimize(b.finish({ last }))).filter((kind) => kind !== 'literal');
  };
  expect(recurrence('neg')).toEqual(['recurrence']);
  expect(recurrence('exp')).toEqual(['map', 'recurrence']);
});

test('without fusion constructs stay apart', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [out] = b.reduce(add, [b.apply('exp', x)], 0) as [Value];
  expect(kinds(optimize(b.finish({ out }), { fuse: false }))).toEqual(['map', 'reduce']);
});

test('components, carries and outputs that nobody reads go', () => {
  const b = new ProgramBuilder();
  const [x, y] = [b.parameter('x', arrayType('real', ['n'])), b.parameter('y', arrayType('real', ['n']))];
  const step = scalarFunction(['real', 'real', 'real', 'real'], (s, p, q, u, v) => {
    const [first, second] = [s.apply('add', p, u), s.apply('add', q, s.apply('mul', p, v))];
    return [first, second, s.apply('exp', second), s.apply('neg', first)];
  });
  const results = b.emit({
    ...{ kind: 'recurrence', step, shape: ['n'], axis: 0, reverse: false },
    ...{ initial: [b.literal(0), b.literal(1)], inputs: [x, y], invariants: [] },
  });
  const optimized = optimize(b.finish({ out: results[3]! }));
  const last = optimized.statements.at(-1);
  expect(last?.construct).toMatchObject({ kind: 'recurrence', initial: [{}], inputs: [{ id: x.id }] });
  expect(last?.results.map(({ id }) => id)).toEqual([results[0]?.id, results[3]?.id]);
});

test('prologues written out give the same', () => {
  fc.assert(
    fc.property(randomProgram({ style: awkward, maxStatements: 10 }), ({ program, inputs, sizes }) => {
      const plain = unfuse(optimize(program));
      expect(printProgram(plain)).not.toContain('prologue');
      expect(interpret(plain, inputs, sizes)).toEqual(interpret(program, inputs, sizes));
    }),
    { numRuns: 200 },
  );
});

test('a literal squared stays exact and a branch that is decided goes', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const y = b.elementwise([x, b.literal(3)], (s, value, three) => {
    const [chosen] = s.branch(
      s.apply('lt', realLiteral(2), three),
      () => [s.apply('mul', s.apply('mul', three, three), value)],
      () => [s.apply('log', value)],
    );
    return chosen as never;
  });
  expect(printProgram(optimize(b.finish({ y })))).toContain('{ x1 = 9.0 * x0; yield x1 }');
});
