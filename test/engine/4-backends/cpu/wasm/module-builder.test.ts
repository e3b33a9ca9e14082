import fc from 'fast-check';
import wabt from 'wabt';
import { describe, expect, it } from 'vitest';
import { signed, unsigned } from '../../../../../engine/4-backends/cpu/wasm/encoding.ts';
import * as e from '../../../../../engine/4-backends/cpu/wasm/expression.ts';
import { FunctionBuilder } from '../../../../../engine/4-backends/cpu/wasm/function-builder.ts';
import {
  instructions,
  memoryInstructions,
  type InstructionName,
  type LoadName,
  type StoreName,
  type ValueType,
} from '../../../../../engine/4-backends/cpu/wasm/instructions.ts';
import {
  laneInstructions,
  type LaneInstructionName,
} from '../../../../../engine/4-backends/cpu/wasm/vector-instructions.ts';
import { ModuleBuilder } from '../../../../../engine/4-backends/cpu/wasm/module-builder.ts';

/** Compiled once: it takes longer than all that is asked of it. */
const loading = wabt();

async function textOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  expect(WebAssembly.validate(bytes)).toBe(true);
  const module = (await loading).readWasm(bytes, { readDebugNames: false, threads: true });
  return module.toText({ foldExprs: false, inlineExport: true });
}

const zero: Record<ValueType, e.Expression> = {
  i32: e.i32(0),
  i64: e.apply('i64.extend_i32_s', e.i32(0)),
  f32: e.f32(0),
  f64: e.f64(0),
  v128: e.i32x4(0, 0, 0, 0),
};

describe('numbers of the binary format', () => {
  it('round-trip through an independent decoder', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), (value) => {
        const decode = (bytes: number[], extend: boolean) => {
          let result = 0n;
          bytes.forEach((byte, i) => (result |= BigInt(byte & 0x7f) << BigInt(7 * i)));
          const last = bytes[bytes.length - 1] ?? 0;
          return extend && last & 0x40 ? result - (1n << BigInt(7 * bytes.length)) : result;
        };
        expect(decode(signed(value), true)).toBe(BigInt(value));
        expect(decode(unsigned(value), false)).toBe(BigInt(value >>> 0));
      }),
    );
  });
});

describe('module builder', () => {
  it('writes every instruction as wabt names it', async () => {
    for (const name of Object.keys(instructions) as InstructionName[]) {
      const module = new ModuleBuilder();
      module.importMemory('host', 'memory', 1);
      const { takes, gives } = instructions[name];
      module.define(new FunctionBuilder([], gives), e.apply(name, ...takes.map((type) => zero[type])), 'f');
      expect(await textOf(module.encode())).toContain(`    ${name}`);
    }
  });

  it('writes every load and store as wabt names it', async () => {
    for (const name of Object.keys(memoryInstructions) as (LoadName | StoreName)[]) {
      const module = new ModuleBuilder();
      module.importMemory('host', 'memory', 1);
      const f = new FunctionBuilder(['i32'], 'i32');
      const { type } = memoryInstructions[name];
      if (name.includes('store')) f.store(name as StoreName, e.i32(8), zero[type], 16);
      else f.keep(e.load(name as LoadName, e.i32(8), 16));
      module.define(f, e.i32(0), 'f');
      expect(await textOf(module.encode())).toContain(`${name} offset=16`);
    }
  });

  it('writes what has a lane or a choice of lanes as wabt names it', async () => {
    const written = async (write: (f: FunctionBuilder) => void) => {
      const module = new ModuleBuilder();
      module.importMemory('host', 'memory', 1);
      const f = new FunctionBuilder([], 'i32');
      write(f);
      module.define(f, e.i32(0), 'f');
      return textOf(module.encode());
    };
    for (const name of Object.keys(laneInstructions) as LaneInstructionName[]) {
      const operands = laneInstructions[name].takes.map((type) => zero[type]);
      expect(await written((f) => f.keep(e.onLane(name, 1, ...operands)))).toContain(`${name} 1`);
    }
    expect(await written((f) => f.keep(e.loadLane('v128.load64_lane', 1, e.i32(8), zero.v128, 16)))).toContain(
      'v128.load64_lane offset=16 1',
    );
    expect(await written((f) => f.storeLane('v128.store32_lane', 3, e.i32(8), zero.v128, 16))).toContain(
      'v128.store32_lane offset=16 3',
    );
    const bytes = Array.from({ length: 16 }, (_, i) => 31 - i);
    expect(await written((f) => f.keep(e.shuffle(zero.v128, zero.v128, bytes)))).toContain(
      `i8x16.shuffle ${bytes.join(' ')}`,
    );
    expect(() => e.shuffle(zero.v128, zero.v128, [0])).toThrow(TypeError);
  });

  it('writes vectors lane by lane', async () => {
    const lanes = (vector: e.Expression, type: 'i32' | 'i64' | 'f32' | 'f64', count: 2 | 4) => {
      const module = new ModuleBuilder();
      for (let lane = 0; lane < count; lane++) {
        const extract = `${type}x${count}.extract_lane` as LaneInstructionName;
        module.define(new FunctionBuilder([], type), e.onLane(extract, lane, vector), `lane${lane}`);
      }
      const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module.encode()));
      return Array.from({ length: count }, (_, lane) => (exports[`lane${lane}`] as () => number | bigint)());
    };
    expect(lanes(e.f64x2(1.5, -0), 'f64', 2)).toEqual([1.5, -0]);
    expect(lanes(e.f32x4(1.5, -0, NaN, Infinity), 'f32', 4)).toEqual([1.5, -0, NaN, Infinity]);
    expect(lanes(e.i32x4(1, -2, 3, -2147483648), 'i32', 4)).toEqual([1, -2, 3, -2147483648]);
    expect(lanes(e.i64x2(1n, -(2n ** 63n)), 'i64', 2)).toEqual([1n, -(2n ** 63n)]);
  });

  it('runs loops, branches, ifs, locals kept at entry and imported functions', () => {
    const module = new ModuleBuilder();
    const square = module.importFunction('host', 'square', ['f64'], 'f64');
    // Σ square(i) over the odd i below n
    const f = new FunctionBuilder(['i32'], 'f64');
    const n = f.parameters[0]!;
    const total = f.local('f64');
    const i = f.keepAtEntry(e.i32(0));
    f.block((leave) =>
      f.loop((repeat) => {
        f.branchIf(leave, e.apply('i32.ge_s', e.get(i), e.get(n)));
        f.if(
          e.apply('i32.and', e.get(i), e.i32(1)),
          () => {
            const value = e.call(square, e.apply('f64.convert_i32_s', e.get(i)));
            f.set(total, e.apply('f64.add', e.get(total), value));
          },
          () => f.set(total, e.apply('f64.add', e.get(total), e.f64(0))),
        );
        f.increase(i);
        f.branch(repeat);
      }),
    );
    module.define(f, e.get(total), 'sum');
    const compiled = new WebAssembly.Module(module.encode());
    const { exports } = new WebAssembly.Instance(compiled, { host: { square: (x: number) => x * x } });
    const sum = exports['sum'] as (n: number) => number;
    expect(sum(0)).toBe(0);
    expect(sum(6)).toBe(1 + 9 + 25);
  });

  it('refuses operands of the wrong type where they are written', () => {
    expect(() => e.apply('f64.add', e.f64(1), e.i32(1))).toThrow('f64.add takes (f64, f64), got (f64, i32)');
    expect(() => e.select(e.f64(1), e.f32(1), e.i32(1))).toThrow(TypeError);
    const f = new FunctionBuilder([], 'i32');
    expect(() => f.set(f.local('f64'), e.i32(0))).toThrow('a local of type f64 was set to a i32');
    expect(() => f.encode(e.f64(0))).toThrow(TypeError);
  });

  it('folds addresses with constants', () => {
    const local = e.get({ type: 'i32', index: 0 });
    expect(e.add(local, e.i32(0))).toBe(local);
    expect(e.multiply(e.i32(1), local)).toBe(local);
    expect(e.multiply(local, e.i32(0)).constant).toBe(0);
    expect(e.add(e.i32(2147483647), e.i32(1)).constant).toBe(-2147483648);
  });
});

it('refuses a function that no engine takes, and says how long it is', () => {
  const f = new FunctionBuilder([], 'i32');
  const local = f.local('i32');
  // Each sets a local: 7 bytes with the constant.
  for (let i = 0; i < 1_100_000; i++) f.set(local, e.i32(2 ** 27));
  expect(() => new ModuleBuilder().define(f, e.get(local))).toThrow(/a kernel of [78]\.\d+ MB of code/);
});
