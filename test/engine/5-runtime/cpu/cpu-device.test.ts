import { afterEach, describe, expect, test, vi, type MockInstance } from 'vitest';
import { ProgramBuilder } from '../../../../engine/0-ir/builder.ts';
import { Cancelled, Fault, OutOfMemory } from '../../../../engine/0-ir/errors.ts';
import { builtinOperator } from '../../../../engine/0-ir/operators.ts';
import type { Program } from '../../../../engine/0-ir/program.ts';
import { arrayType } from '../../../../engine/0-ir/types.ts';
import { cpuDevice } from '../../../../engine/5-runtime/cpu/cpu-device.ts';

/** total = Σ x·a, where x varies only if said. */
function weightedSum(): Program {
  const b = new ProgramBuilder();
  const x = b.parameter('x', arrayType('real', ['n']));
  const a = b.parameter('a', arrayType('real'));
  const squares = b.apply('mul', x, x);
  return b.finish({ total: b.reduce(builtinOperator('add'), [b.apply('mul', squares, a)], 0)[0]!, squares });
}

function gatherProgram(): Program {
  const b = new ProgramBuilder();
  const table = b.parameter('table', arrayType('real', ['m']));
  const keys = b.parameter('keys', arrayType('int', ['n']));
  b.origin = 'look up';
  return b.finish({ found: b.gather(table, keys, 'fault') });
}

afterEach(() => vi.restoreAllMocks());

describe('sizes', () => {
  test('binding others compiles nothing and gives their results', () => {
    const executable = cpuDevice().load(weightedSum());
    const compile = vi.spyOn(WebAssembly, 'Module');
    for (const n of [3, 0, 5000, 1]) {
      const instance = executable.bind({ n });
      instance.write('x', new Float64Array(n).fill(2));
      instance.write('a', [0.5]);
      instance.run();
      expect([...instance.read('total')]).toEqual([2 * n]);
      instance.release();
    }
    expect(compile).not.toHaveBeenCalled();
  });

  test('the same program loaded again compiles nothing', () => {
    const device = cpuDevice();
    device.load(weightedSum());
    const compile = vi.spyOn(WebAssembly, 'Module');
    device.load(weightedSum());
    expect(compile).not.toHaveBeenCalled();
    device.load(weightedSum(), { varying: new Set(['a']) });
    expect(compile).toHaveBeenCalledOnce();
  });

  test('a released memory is taken again', () => {
    const executable = cpuDevice().load(weightedSum());
    executable.bind({ n: 100 }).release();
    const allocate = vi.spyOn(WebAssembly, 'Memory');
    const instantiate = vi.spyOn(WebAssembly, 'Instance');
    executable.bind({ n: 90 }).release();
    executable.bind({ n: 1e6 }).release(); // grows
    expect(allocate).not.toHaveBeenCalled();
    expect(instantiate).not.toHaveBeenCalled();
  });

  test('an unbound symbol is refused by name', () => {
    expect(() => cpuDevice().load(weightedSum()).bind({})).toThrow('the size n is not bound');
  });

  test('two instances do not share their arrays', () => {
    const executable = cpuDevice().load(weightedSum());
    const instances = [1, 2].map((x) => {
      const instance = executable.bind({ n: 1 });
      instance.write('x', [x]);
      instance.write('a', [1]);
      return instance;
    });
    for (const instance of instances) instance.run();
    expect(instances.map((instance) => instance.read('total')[0])).toEqual([1, 4]);
  });
});

describe('memory', () => {
  test('more than there can be is refused with both figures', () => {
    const executable = cpuDevice().load(weightedSum());
    try {
      executable.bind({ n: 1e15 });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(OutOfMemory);
      const { neededBytes, availableBytes } = error as OutOfMemory;
      expect(neededBytes).toBeGreaterThanOrEqual(8e15);
      expect(availableBytes).toBeGreaterThan(0);
      expect(availableBytes).toBeLessThanOrEqual(2 ** 32);
    }
  });

  test('more than 4 GiB is refused however much the machine has', () => {
    const executable = cpuDevice({ machineBytes: () => 1e12 }).load(weightedSum());
    const refused = expect.objectContaining({ name: 'OutOfMemory', availableBytes: 2 ** 32 - 65536 });
    expect(() => executable.bind({ n: 6e8 })).toThrow(refused);
  });

  test('a length beyond 31 bits is refused even where no array is that long', () => {
    const b = new ProgramBuilder();
    const total = b.reduce(builtinOperator('add', 'int'), [b.iota('n')], 0)[0]!;
    const executable = cpuDevice().load(b.finish({ total }));
    expect(() => executable.bind({ n: 2 ** 31 })).toThrow('the size n is 2147483648, more than 2147483647');
  });

  test('more than the machine has is refused', () => {
    const device = cpuDevice({ machineBytes: () => 1e6 });
    const executable = device.load(weightedSum());
    executable.bind({ n: 1000 }).release();
    expect(() => executable.bind({ n: 1e6 })).toThrow(OutOfMemory);
    executable.bind({ n: 1000 }).release();
  });
});

describe('faults', () => {
  test('name the block, the element and the index', () => {
    const instance = cpuDevice().load(gatherProgram()).bind({ n: 4, m: 3 });
    instance.write('table', [10, 20, 30]);
    instance.write('keys', [0, 2, 3, -1]);
    const fault = (() => {
      try {
        instance.run();
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({
      message: 'gather: the index 3 is not within 0..2',
      origin: 'look up',
      element: 2,
    });
    expect(() => instance.read('found')).toThrow('found is read before the program has run');
    instance.write('keys', [0, 2, 1, 1]);
    instance.run();
    expect([...instance.read('found')]).toEqual([10, 30, 20, 20]);
  });

  test('a repeated index of a checked scatter, and again the next time', () => {
    const b = new ProgramBuilder();
    const into = b.parameter('into', arrayType('real', [2, 'm']));
    const keys = b.parameter('keys', arrayType('int', [2, 'n']));
    const values = b.parameter('values', arrayType('real', [2, 'n']));
    b.origin = 'place';
    const program = b.finish({ out: b.scatter(into, keys, values, { batch: 1, checked: true }) });
    const instance = cpuDevice().load(program).bind({ n: 3, m: 4 });
    instance.write('into', new Float64Array(8));
    instance.write('values', [1, 2, 3, 4, 5, 6]);
    // The same row in two batches, and twice out of range, is no repetition.
    instance.write('keys', [0, 9, 9, 0, 1, 1]);
    for (let i = 0; i < 2; i++)
      expect(() => instance.run()).toThrow(
        expect.objectContaining({ name: 'Fault', message: 'scatter: the index 1 occurs twice', element: 5 }),
      );
    // What the runs before have noted is forgotten.
    for (const keys of [
      [9, 0, 9, 1, 0, -1],
      [9, 9, 0, -1, 1, 0],
    ]) {
      instance.write('keys', keys);
      instance.run();
    }
    expect([...instance.read('out')]).toEqual([3, 0, 0, 0, 6, 5, 0, 0]);
  });
});

describe('cancel', () => {
  test('stops before the next chunk, and the instance runs again afterwards', () => {
    const instance = cpuDevice().load(weightedSum()).bind({ n: 10 });
    instance.write('x', new Float64Array(10).fill(1));
    instance.write('a', [1]);
    const cancel = new Int32Array([1]);
    expect(() => instance.run({ cancel })).toThrow(Cancelled);
    cancel[0] = 0;
    instance.run({ cancel });
    expect(instance.read('total')[0]).toBe(10);
  });

  test('stops within one long kernel', () => {
    const b = new ProgramBuilder();
    const x = b.parameter('x', arrayType('real', ['n']));
    const instance = cpuDevice({ threads: 1 })
      .load(b.finish({ y: b.apply('lgamma', x) }))
      .bind({ n: 3e6 });
    instance.write('x', new Float64Array(3e6).fill(2.5));
    const polls = vi.spyOn(Atomics, 'load') as unknown as MockInstance<(words: Int32Array, at: number) => number>;
    polls.mockImplementation(() => (polls.mock.calls.length > 3 ? 1 : 0));
    expect(() => instance.run({ cancel: new Int32Array(1) })).toThrow(Cancelled);
    expect(polls).toHaveBeenCalledTimes(4);
  });
});

describe('inputs and results', () => {
  test('preparation runs again only when an input that does not vary was written', () => {
    const executable = cpuDevice().load(weightedSum(), { varying: new Set(['a']) });
    const instance = executable.bind({ n: 2 });
    instance.write('x', [1, 3]);
    const totals = [1, 2].map((a) => {
      instance.write('a', [a]);
      instance.run();
      return instance.read('total')[0];
    });
    instance.write('x', [0, 1]);
    instance.run();
    expect([...totals, instance.read('total')[0]]).toEqual([10, 20, 2]);
    expect([...instance.read('squares')]).toEqual([0, 1]);
  });

  test('come in the types of their elements whatever the precision, and are copies', () => {
    for (const precision of ['f64', 'f32'] as const) {
      const b = new ProgramBuilder();
      const x = b.parameter('x', arrayType('real', [2]));
      const k = b.parameter('k', arrayType('int', [2]));
      const f = b.parameter('f', arrayType('bool', [2]));
      const results = { x: b.apply('neg', x), k: b.apply('neg', k), f: b.apply('not', f) };
      const instance = cpuDevice({ precision }).load(b.finish(results)).bind({});
      instance.write('x', [0.5, 2]);
      instance.write('k', [1, -2]);
      instance.write('f', [7, 0]);
      instance.run();
      expect(instance.read('x')).toEqual(new Float64Array([-0.5, -2]));
      expect(instance.read('k')).toEqual(new Int32Array([-1, 2]));
      expect(instance.read('f')).toEqual(new Uint8Array([0, 1]));
      instance.read('x').fill(9);
      expect(instance.read('x')[0]).toBe(-0.5);
    }
  });

  test('mistakes are named', () => {
    const instance = cpuDevice().load(weightedSum()).bind({ n: 2 });
    expect(() => instance.write('y', [1])).toThrow('the program has no input y');
    expect(() => instance.write('x', [1])).toThrow('the input x takes 2 values, got 1');
    instance.write('x', [1, 2]);
    expect(() => instance.run()).toThrow('the input a has not been written');
    instance.write('a', [1]);
    expect(() => instance.read('total')).toThrow('total is read before the program has run');
    instance.run();
    expect(() => instance.read('sum')).toThrow('the program has no result sum');
    instance.release();
    instance.release();
    expect(() => instance.run()).toThrow('the instance has been released');
  });
});

test('a long real sum loses next to nothing', () => {
  const n = 1 << 20;
  const b = new ProgramBuilder();
  const total = b.reduce(builtinOperator('add'), [b.parameter('x', arrayType('real', ['n']))], 0)[0]!;
  const instance = cpuDevice({ precision: 'f32' }).load(b.finish({ total })).bind({ n });
  instance.write('x', new Float64Array(n).fill(0.1));
  instance.run();
  // Added one after the other in f32 the error would be about a tenth of a percent.
  expect(Math.abs(instance.read('total')[0]! / (Math.fround(0.1) * n) - 1)).toBeLessThan(1e-5);
});
