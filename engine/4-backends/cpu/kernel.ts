/** What every generator of kernels writes with: a function `(from, to) → status` and the module around it. */
import type { ScalarOperation } from '../../0-ir/scalar-operations.ts';
import type { Size } from '../../0-ir/sizes.ts';
import type { BufferId } from '../../3-plan/plan.ts';
import type { Library } from './elementary/algebra.ts';
import type { Parameter, ParameterTable } from './parameters.ts';
import type { Precision } from './representation.ts';
import { get, i32, load, type Callee, type Expression, type Local } from './wasm/expression.ts';
import { FunctionBuilder } from './wasm/function-builder.ts';

/** What a kernel shares with the others of its module. */
export interface ModuleParts {
  readonly precision: Precision;
  readonly parameters: ParameterTable;
  readonly library: Library;
  /** An imported function on f64. */
  host(operation: ScalarOperation): Callee;
}

export class Kernel {
  readonly f = new FunctionBuilder(['i32', 'i32'], 'i32');
  readonly from = this.f.parameters[0] as Local;
  readonly to = this.f.parameters[1] as Local;
  readonly precision: Precision;
  /** Bytes of scratch that it asked for, and a buffer that must be zeros before it starts. */
  scratchBytes: Size = 0;
  cleared: BufferId | null = null;
  /** Items that it runs as fast together as apart. */
  together = 1;
  private readonly loaded = new Map<number, Local>();

  constructor(
    readonly module: ModuleParts,
    /** The kernel's number within its module, for the fault block. */
    readonly index: number,
  ) {
    this.precision = module.precision;
  }

  /** size · unit as an i32: a constant where the size is a number, else loaded once a call. */
  size(size: Size, unit = 1): Expression {
    if (typeof size === 'number') return i32(size * unit);
    return this.parameter({ kind: 'size', size, unit });
  }

  parameter(parameter: Parameter): Expression {
    const place = this.module.parameters.place(parameter);
    let local = this.loaded.get(place);
    if (!local) {
      local = this.f.keepAtEntry(load('i32.load', i32(0), place));
      this.loaded.set(place, local);
    }
    return get(local);
  }

  /** The address of so many bytes, undefined at the start of each item. */
  scratch(bytes: Size): Expression {
    this.scratchBytes = bytes;
    return this.parameter({ kind: 'scratch' });
  }
}
