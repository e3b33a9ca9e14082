import fc from 'fast-check';
import { afterAll, describe, expect, test, vi, type MockInstance } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { Cancelled, Fault } from '../../../../engine/0-ir/errors.ts';
import { builtinOperator, type Operator } from '../../../../engine/0-ir/operators.ts';
import { scalarFunction } from '../../../../engine/0-ir/scalar-builder.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { lower } from '../../../../engine/3-plan/lower.ts';
import { interpret } from '../../../../engine/4-backends/reference/interpret.ts';
import { PAGE } from '../../../../engine/5-runtime/cpu/binding.ts';
import { CpuCode } from '../../../../engine/5-runtime/cpu/code.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';
import { newMemory } from '../../../../engine/5-runtime/cpu/memory.ts';
import { CpuTeam } from '../../../../engine/5-runtime/cpu/team.ts';
import { randomProgram } from '../../../support/random/programs.ts';
import { runOnCpu } from '../../../support/run-on-cpu.ts';

const teams = [2, 3].map((threads) => new CpuTeam(threads));
afterAll(() => Promise.all(teams.map((team) => team.close())));

/** Everything is shared, a few items at a time, over axes of many tiles. */
const eager = { tile: 2, sharedWork: 0, chunk: 2 };

test('random programs give the same bits on one thread, two and three', () => {
  fc.assert(
    fc.property(randomProgram({ maxStatements: 8 }), ({ program, inputs, sizes }) => {
      const plan = lower(program);
      const alone = runOnCpu(plan, inputs, sizes, eager);
      for (const team of teams) expect(runOnCpu(plan, inputs, sizes, { ...eager, team })).toEqual(alone);
    }),
    { numRuns: 60 },
  );
});

const operators: Record<string, Operator> = {
  add: builtinOperator('add'),
  multiply: builtinOperator('multiply'),
  max: builtinOperator('max'),
  // (b₁, c₁) ∘ (b₂, c₂) = (b₂ + c₂·b₁, c₂·c₁)
  linear: {
    combine: scalarFunction(['real', 'real', 'real', 'real'], (w, b1, c1, b2, c2) => [
      w.apply('add', b2, w.apply('mul', c2, b1)),
      w.apply('mul', c2, c1),
    ]),
    neutral: [0, 1],
    commutative: false,
  },
};

describe.each(Object.entries(operators))('a long axis under %s', (_, operator) => {
  const n = 80_000;
  const write = (b: ProgramBuilder, shape: readonly string[], axis: number) => {
    const inputs = operator.neutral.map((_, i) => b.parameter(`x${i}`, arrayType('real', shape)));
    const flags = b.parameter('flags', arrayType('bool', shape));
    return [
      ...b.reduce(operator, inputs, axis),
      ...b.scan(operator, inputs, axis, {}),
      ...b.scan(operator, inputs, axis, { exclusive: true, reverse: true }),
      ...b.segmentedScan(operator, flags, inputs, axis, {}),
    ];
  };

  test.each([
    [['n'], 0],
    [['n', 'm'], 0],
    [['m', 'n'], 1],
  ])('of %s, axis %i', (shape, axis) => {
    const sizes = shape.length === 1 ? { n, m: 1 } : { n: n / 4, m: 4 };
    const b = new ProgramBuilder();
    const program = b.finish(write(b, shape, axis).map((value, i) => ({ name: `r${i}`, value })));
    // Factors near 1 and a few exact zeros, so that neither sums nor products leave the range.
    const value = (i: number) => (i % 30_011 === 77 ? 0 : 1 + (((i * 7919) % 1000) - 500) / 1e6);
    const inputs = new Map<string, number[]>(
      program.parameters.map(({ name }) => [
        name,
        Array.from({ length: n }, name === 'flags' ? (_, i) => (i % 20_000 === 17 ? 1 : 0) : (_, i) => value(i)),
      ]),
    );
    const results = (threads: number) => {
      const device = cpuDevice({ threads });
      const instance = device.load(program).bind(sizes);
      for (const [name, values] of inputs) instance.write(name, values);
      instance.run();
      const read = program.results.map(({ name }) => [...instance.read(name)]);
      device.close();
      return read;
    };
    const alone = results(1);
    for (const threads of [2, 3]) expect(results(threads)).toEqual(alone);
    const oracle = interpret(program, inputs, sizes);
    program.results.forEach(({ name }, i) => {
      const expected = oracle.get(name)?.values ?? [];
      const worst = alone[i]?.reduce((most, x, at) => {
        const y = expected[at]!;
        return x === y ? most : Math.max(most, Math.abs(x - y) / Math.max(1, Math.abs(y)));
      }, 0);
      expect(worst).toBeLessThan(1e-10);
    });
  });
});

describe('where tiles meet', () => {
  /** b of the composed (b, c): x' = c·x + b. */
  const composed = (n: number, read: 'scan' | 'reduce') => {
    const b = new ProgramBuilder();
    const inputs = ['u', 'c'].map((name) => b.parameter(name, arrayType('real', ['n'])));
    const [x] = read === 'scan' ? b.scan(operators['linear']!, inputs, 0) : b.reduce(operators['linear']!, inputs, 0);
    return { program: b.finish({ x: x! }), sizes: { n } };
  };

  test.each(['scan', 'reduce'] as const)("x' = 3x + u is 0 as long as u is, in a %s", (read) => {
    const { program, sizes } = composed(2000, read);
    const [u, c] = [new Float64Array(2000), new Float64Array(2000).fill(3)];
    u.fill(1, 1990);
    const inputs = new Map([
      ['u', [...u]],
      ['c', [...c]],
    ]);
    const { x } = runOnCpu(lower(program), inputs, sizes, { tile: 700 });
    expect(x).toEqual([...(interpret(program, inputs, sizes).get('x')?.values ?? [])]);
    expect(x?.at(-1)).toBe((3 ** 10 - 1) / 2);
  });

  test('a product that leaves the range within a tile alone stays within it', () => {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', ['n']));
    const times = builtinOperator('multiply');
    const program = b.finish({ all: b.reduce(times, [x], 0)[0]!, each: b.scan(times, [x], 0)[0]! });
    // 2^-900 in the first tile, 2^1800 and then 2^-1800 in the next two; and with a zero before, zeros.
    for (const first of [1, 0]) {
      const values = [first, ...Array.from({ length: 299 }, (_, i) => 2 ** (i < 99 ? -9 : i < 199 ? 18 : -18))];
      const { all, each } = runOnCpu(lower(program), new Map([['x', values]]), { n: 300 }, { tile: 100 });
      expect([all, each]).toEqual([
        [first * 2 ** -891],
        values.map((_, i) => values.slice(0, i + 1).reduce((a, v) => a * v, 1)),
      ]);
    }
  });
});

describe('with several threads', () => {
  const gathering = () => {
    const b = new ProgramBuilder();
    const table = b.parameter('table', arrayType('real', ['m']));
    const keys = b.parameter('keys', arrayType('int', ['n']));
    b.origin = 'look up';
    return b.finish({ found: b.gather(table, keys, 'fault') });
  };

  test.each(teams.map((team) => [team.threads, team] as const))('the first fault is found by %i', (_, team) => {
    const keys = Array.from({ length: 5000 }, (_, i) => (i >= 3210 ? 9 : i % 3));
    const inputs = new Map([
      ['table', [1, 2, 3]],
      ['keys', keys],
    ]);
    for (let run = 0; run < 20; run++) {
      const fault = (() => {
        try {
          return runOnCpu(lower(gathering()), inputs, { n: 5000, m: 3 }, { sharedWork: 0, chunk: 7, team });
        } catch (error) {
          return error;
        }
      })();
      expect(fault).toBeInstanceOf(Fault);
      expect(fault).toMatchObject({
        message: 'gather: the index 9 is not within 0..2',
        origin: 'look up',
        element: 3210,
      });
    }
  });

  test.each([1, 2])('%i: one long reduction stops between two chunks, and runs again', (threads) => {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', ['n']));
    const program = b.finish({ total: b.reduce(builtinOperator('add'), [x], 0)[0]! });
    const device = cpuDevice({ threads });
    const n = 3_000_000;
    const instance = device.load(program).bind({ n });
    instance.write('x', new Float64Array(n).fill(1));
    // A flag that is seen raised at the third look: the caller looks before each of its chunks.
    let looks = 0;
    const flag = new Int32Array(1);
    const load = Atomics.load.bind(Atomics);
    const spied = vi.spyOn(Atomics, 'load') as unknown as MockInstance<(words: Int32Array, at: number) => number>;
    spied.mockImplementation((words, at) => (words === flag ? Number(++looks > 2) : load(words, at)));
    expect(() => instance.run({ cancel: flag })).toThrow(Cancelled);
    expect(looks).toBeGreaterThan(2);
    spied.mockRestore();
    instance.run({ cancel: flag });
    expect(instance.read('total')[0]).toBe(n);
    device.close();
  });

  test('what a kernel throws in a worker is told, and the team works on', async () => {
    const team = new CpuTeam(2);
    const b = new ProgramBuilder();
    const program = b.finish({ negative: b.apply('neg', b.parameter('x', arrayType('real', ['n']))) });
    const code = new CpuCode(lower(program), 'f64');
    const binding = code.bind({ n: 4 }, { threads: 2, sharedWork: 0 });
    const job = code.loadInto(newMemory(Math.ceil(binding.totalBytes / PAGE)));
    const kernel = binding.run.find((step) => step.kind === 'kernel')!;
    // The leader does nothing, slowly, so that it is a worker that reads beyond the memory.
    const idle = {
      ...job,
      functions: job.functions.map(() => () => (Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5), 0)),
    };
    const far = { ...kernel, items: 1e9, chunk: 1e6, isShared: true };
    expect(() => team.run(idle, far, binding.own)).toThrow(/^a thread of the CPU device has failed: /);
    expect(team.run(job, { ...kernel, chunk: 1 }, binding.own)).toEqual([]);
    await team.close();
  });

  test('closing ends the workers, and a later run starts others', async () => {
    const team = new CpuTeam(2);
    const sum = () =>
      runOnCpu(
        lower(gathering()),
        new Map([
          ['table', [5]],
          ['keys', [0, 0, 0, 0]],
        ]),
        { n: 4, m: 1 },
        { sharedWork: 0, chunk: 1, team },
      );
    expect(sum()).toEqual({ found: [5, 5, 5, 5] });
    expect(team.running).toBe(1);
    await team.close();
    expect(team.running).toBe(0);
    expect(sum()).toEqual({ found: [5, 5, 5, 5] });
    await team.close();
  });
});
