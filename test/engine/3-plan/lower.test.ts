import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ProgramBuilder } from '../../../engine/0-ir/builder.ts';
import { Fault } from '../../../engine/0-ir/errors.ts';
import { builtinOperator } from '../../../engine/0-ir/operators.ts';
import { sizeCeilDivide } from '../../../engine/0-ir/sizes.ts';
import { arrayType } from '../../../engine/0-ir/types.ts';
import { lower } from '../../../engine/3-plan/lower.ts';
import { printPlan } from '../../../engine/3-plan/print.ts';
import { evaluateSizes, sizeTable } from '../../../engine/3-plan/size-table.ts';
import { interpret } from '../../../engine/4-backends/reference/interpret.ts';
import { openPlan, runPlan } from '../../support/run-plan.ts';
import { parameterNames, randomProgram, type RandomProgram } from '../../support/random/programs.ts';
import { awkward } from '../../support/random/styles.ts';

function expected({ program, inputs, sizes }: RandomProgram): Record<string, number[]> {
  const results = interpret(program, inputs, sizes);
  return Object.fromEntries([...results].map(([name, { values }]) => [name, [...values]]));
}

/** Values that show every bit, and values that stay comparable. */
const programs: fc.Arbitrary<RandomProgram> = fc.oneof(
  randomProgram({ style: awkward, maxStatements: 8 }),
  randomProgram(),
);

const varyingInputs = fc.subarray([...parameterNames]).map((names) => new Set(names));

test('a lowered program gives what the program gives', () => {
  fc.assert(
    fc.property(programs, (random) => {
      const plan = lower(random.program);
      expect(runPlan(plan, Object.fromEntries(random.inputs), random.sizes)).toEqual(expected(random));
    }),
    { numRuns: 300 },
  );
});

test('also in one arena, in any order of items, whatever varies, and a second time', () => {
  fc.assert(
    fc.property(programs, varyingInputs, fc.boolean(), (random, varying, backward) => {
      const plan = lower(random.program, varying);
      const run = openPlan(plan, random.sizes, { arena: true, backward });
      for (const [name, values] of random.inputs) run.write(name, values);
      run.prepare();
      run.run();
      run.run();
      const results = Object.fromEntries(plan.results.map(({ name }) => [name, run.read(name)]));
      expect(results).toEqual(expected(random));
    }),
    { numRuns: 300 },
  );
});

test('prepare reads no varying input, and a run alone follows the varying ones', () => {
  fc.assert(
    fc.property(randomProgram({ style: awkward, maxStatements: 8 }), varyingInputs, (random, varying) => {
      const plan = lower(random.program, varying);
      const run = openPlan(plan, random.sizes, { arena: true });
      const other = new Map(
        [...random.inputs].map(([name, values]) => [name, values.map((value) => (value === 0 ? 1 : 0))]),
      );
      for (const [name, values] of random.inputs) run.write(name, varying.has(name) ? (other.get(name) ?? []) : values);
      run.prepare();
      run.run();
      for (const [name, values] of random.inputs) if (varying.has(name)) run.write(name, values);
      run.run();
      const results = Object.fromEntries(plan.results.map(({ name }) => [name, run.read(name)]));
      expect(results).toEqual(expected(random));
    }),
    { numRuns: 200 },
  );
});

test('shape operations are views: a reversed transposed slice costs one kernel, its reader', () => {
  const b = new ProgramBuilder();
  const z = b.parameter('z', arrayType('real', ['n', 'm']));
  const view = b.slice(b.reverse(b.transpose(z, [1, 0]), 0), 1, 0, sizeCeilDivide('n', 2), 2);
  const plan = lower(b.finish({ out: b.apply('exp', view) }));
  expect(plan.run).toMatchObject([
    { kind: 'map', domain: ['m', 'ceil((n)/2)'], inputs: [{ offset: 'm - 1', strides: [-1, '2*m'] }] },
  ]);
  expect(plan.buffers).toHaveLength(2);
});

test('a dense domain of any rank has one axis', () => {
  const b = new ProgramBuilder();
  const z = b.parameter('z', arrayType('real', ['n', 'm', 3]));
  expect(lower(b.finish({ out: b.apply('exp', z) })).run).toMatchObject([{ domain: ['3*m*n'] }]);
});

test('a reverse scan is a forward one from the end', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [out] = b.scan(builtinOperator('add'), [x], 0, { reverse: true });
  expect(lower(b.finish({ out: out! })).run).toMatchObject([
    { inputs: [{ offset: 'n - 1', strides: [-1] }], outputs: [{ offset: 'n - 1', strides: [-1] }] },
  ]);
});

test('a literal is written into the function that reads it', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const plan = lower(b.finish({ out: b.apply('mul', x, b.literal(2)) }));
  expect(plan.run).toHaveLength(1);
  expect(plan.run[0]).toMatchObject({ kind: 'map', inputs: [{ buffer: 0 }] });
});

test('what a loop does not change is computed before it', () => {
  const body = new ProgramBuilder();
  body.parameter('t', arrayType('int'));
  const carry = body.parameter('c', arrayType('real', ['n']));
  const fixed = body.parameter('v', arrayType('real', ['n']));
  const next = body.apply('add', carry, body.apply('exp', fixed));
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const [out] = b.emit({
    kind: 'loop',
    count: 5,
    body: body.finish({ c: next }),
    initial: [x],
    invariants: [x],
  });
  const plan = lower(b.finish({ out: out! }));
  expect(plan.run.map((step) => step.kind)).toEqual(['map', 'map', 'loop']);
});

test('a kernel that may fault stays in its loop, which may never run', () => {
  const body = new ProgramBuilder();
  body.parameter('t', arrayType('int'));
  const carry = body.parameter('c', arrayType('real', ['n']));
  const indices = body.parameter('k', arrayType('int', ['n']));
  const next = body.gather(carry, indices, 'fault');
  const fixed = body.gather(indices, indices, 'fault');
  const both = body.elementwise([next, fixed], (s, value, index) => s.apply('add', value, s.apply('real', index)));
  const b = new ProgramBuilder();
  b.origin = 'lookup';
  const x = b.parameter('x', arrayType('real', ['n']));
  const k = b.parameter('k', arrayType('int', ['n']));
  const loop = { kind: 'loop', count: 'm', body: body.finish({ c: both }), initial: [x], invariants: [k] } as const;
  const [out] = b.emit(loop);
  const plan = lower(b.finish({ out: out! }), new Set(['x']));
  const inputs = { x: [1, 2], k: [0, 5] };
  expect(runPlan(plan, inputs, { n: 2, m: 0 })).toEqual({ out: [1, 2] });
  expect(() => runPlan(plan, inputs, { n: 2, m: 1 })).toThrow(Fault);
});

test('a scatter that writes a row twice is a fault where it is checked', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const k = b.parameter('k', arrayType('int', ['n']));
  const plan = lower(b.finish({ out: b.scatter(x, k, x, { checked: true }) }));
  expect(runPlan(plan, { x: [1, 2, 3], k: [2, 9, 0] }, { n: 3 })).toEqual({ out: [3, 2, 1] });
  expect(() => runPlan(plan, { x: [1, 2, 3], k: [2, 9, 2] }, { n: 3 })).toThrow(Fault);
});

test('what the scatter of a result leaves, and parameters given back, are copies', () => {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const plan = lower(b.finish({ x, y: b.reshape(x, ['n', 1]) }));
  for (const result of plan.results) expect(plan.buffers[result.buffer]?.role).toBe('result');
  expect(runPlan(plan, { x: [1, 2] }, { n: 2 })).toEqual({ x: [1, 2], y: [1, 2] });
});

test('plans print', () => {
  const b = new ProgramBuilder();
  b.origin = 'sum';
  const x = b.parameter('x', arrayType('real', ['n']));
  const [total] = b.reduce(builtinOperator('add'), [x], 0);
  expect(printPlan(lower(b.finish({ total: total! })))).toBe(
    [
      'plan (n)',
      '  b0 real[n] input 0..0   x varying',
      '  b1 real[1] result 0..0   total',
      'prepare',
      'run',
      '  0 reduce [n] along 0 add (b0[0 + i0*1]) → b1[0] @ "sum"',
    ].join('\n'),
  );
});

test('the size table holds each size that is no number once', () => {
  const b = new ProgramBuilder();
  const z = b.parameter('z', arrayType('real', ['n', 'm']));
  const plan = lower(b.finish({ out: b.apply('exp', b.transpose(z, [1, 0])) }));
  const table = sizeTable(plan, ['2*n', 'n']);
  expect(table.sizes).toEqual(['m*n', 'n', 'm', '2*n']);
  expect(evaluateSizes(table, { n: 2, m: 5 })).toEqual([10, 2, 5, 4]);
});
