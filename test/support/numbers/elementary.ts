/** The elementary functions of the CPU backend by themselves: on arrays, in any of their shapes, and as functions of numbers. */
import { operationInfo } from '../../../engine/0-ir/scalar-operations.ts';
import type { Shape } from '../../../engine/4-backends/cpu/elementary/algebra.ts';
import { elementaryLibrary } from '../../../engine/4-backends/cpu/elementary/library.ts';
import type { ElementaryOperation } from '../../../engine/4-backends/cpu/elementary/operation.ts';
import { apply, call, get, i32, load, type Local } from '../../../engine/4-backends/cpu/wasm/expression.ts';
import { FunctionBuilder } from '../../../engine/4-backends/cpu/wasm/function-builder.ts';
import { ModuleBuilder } from '../../../engine/4-backends/cpu/wasm/module-builder.ts';

type Run = (first: number, second: number, to: number, end: number) => number;

const LONGEST = 1 << 14;

/** The function on columns of numbers (at most 2¹⁴), each rounded to the shape's precision. */
export function elementaryOnArrays(operation: ElementaryOperation, shape: Shape) {
  const module = new ModuleBuilder();
  module.importMemory('host', 'memory', 1);
  const callee = elementaryLibrary(module).functionOf(operation, shape);
  const f = new FunctionBuilder(['i32', 'i32', 'i32', 'i32'], 'i32');
  const [first, second, to, end] = f.parameters as [Local, Local, Local, Local];
  const type = shape === 'f64' || shape === 'f32' ? shape : 'v128';
  f.loop((repeat) => {
    const operands = [first, second].slice(0, operationInfo(operation).arity);
    f.store(`${type}.store`, get(to), call(callee, ...operands.map((local) => load(`${type}.load`, get(local)))));
    for (const local of [first, second, to]) f.increase(local, i32({ f64: 8, f32: 4, v128: 16 }[type]));
    f.branchIf(repeat, apply('i32.lt_u', get(to), get(end)));
  });
  module.define(f, i32(0), 'run');
  const memory = new WebAssembly.Memory({ initial: Math.ceil((3 * 8 * LONGEST) / 65536) + 1 });
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()), { host: { memory } });
  const run = instance.exports['run'] as Run;
  const single = shape === 'f32' || shape === 'f32x4';
  const numbers = single ? new Float32Array(memory.buffer) : new Float64Array(memory.buffer);
  const bytes = numbers.BYTES_PER_ELEMENT;
  return (...columns: readonly (readonly number[])[]): number[] => {
    const count = columns[0]?.length ?? 0;
    if (count > LONGEST) throw new Error(`${count} numbers are more than ${LONGEST}`);
    columns.forEach((column, i) => numbers.set(column, i * LONGEST));
    run(0, LONGEST * bytes, 2 * LONGEST * bytes, (2 * LONGEST + count) * bytes);
    return [...numbers.slice(2 * LONGEST, 2 * LONGEST + count)];
  };
}

/** The function in f64, of numbers. */
export function elementaryOnNumbers(operation: ElementaryOperation): (...operands: number[]) => number {
  const module = new ModuleBuilder();
  const callee = elementaryLibrary(module).functionOf(operation, 'f64');
  const f = new FunctionBuilder(callee.takes, 'f64');
  module.define(f, call(callee, ...f.parameters.map(get)), 'run');
  const instance = new WebAssembly.Instance(new WebAssembly.Module(module.encode()));
  return instance.exports['run'] as (...operands: number[]) => number;
}
