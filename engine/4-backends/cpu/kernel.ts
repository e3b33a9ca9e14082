/** What every generator of kernels writes with: a function `(from, to, own) → status` and the module around it. */
import type { Size } from '../../0-ir/sizes.ts';
import type { BufferId } from '../../3-plan/plan.ts';
import { FAULT_BYTES } from './fault.ts';
import type { Library } from './elementary/algebra.ts';
import type { Parameter, ParameterTable } from './parameters.ts';
import type { Precision } from './representation.ts';
import type { TileTable } from './tiles.ts';
import { add, get, i32, load, type Expression, type Local } from './wasm/expression.ts';
import { FunctionBuilder } from './wasm/function-builder.ts';

/** What a kernel shares with the others of its module. */
export interface ModuleParts {
  readonly precision: Precision;
  readonly parameters: ParameterTable;
  readonly library: Library;
  readonly tiles: TileTable;
}

/**
 * Who may run a kernel's items. `any`: every thread, in any order. `ascending`: every thread, but items are begun in
 * their order, since one may wait for another before it; `in turn`: so, and it waits for all of that, which leaves work
 * for several threads only where there are several items to each tile. `one`: a single thread, in order.
 */
export type Sharing = 'any' | 'ascending' | 'in turn' | 'one';

/** What must be zeros before a kernel starts: a buffer, or bytes of the step's shared scratch. */
export type Cleared =
  | { readonly kind: 'buffer'; readonly buffer: BufferId }
  | { readonly kind: 'shared'; readonly offset: Size; readonly bytes: Size };

/** A kernel that is there for axes of one tile, or for those of several. */
export interface OnlyFor {
  readonly tiles: Size;
  readonly are: 'one' | 'several';
}

/** What the runtime must know of a kernel to share it among threads. */
export interface KernelShape {
  readonly items: Size;
  /** Where items are tiles: so many of them are not of the same axis. */
  readonly abreast?: Size;
  /** Simple operations for one item, roughly: `perPoint` for each of `points`. */
  readonly work: { readonly points: Size; readonly perPoint: number };
}

export class Kernel {
  readonly f = new FunctionBuilder(['i32', 'i32', 'i32'], 'i32');
  readonly from = this.f.parameters[0]!;
  readonly to = this.f.parameters[1]!;
  /** The address of the running thread's own memory: its fault block, then its scratch. */
  readonly own = this.f.parameters[2]!;
  readonly precision: Precision;
  sharing: Sharing = 'any';
  /** Bytes of scratch that it asked for, and what must be zeros before it starts. */
  scratchBytes: Size = 0;
  cleared: Cleared | null = null;
  /** Items that it runs as fast together as apart. */
  together = 1;
  /** Where it is left out else. */
  only: OnlyFor | null = null;
  private readonly loaded = new Map<number, Local>();

  constructor(
    readonly module: ModuleParts,
    /** The kernel's number within its module, for the fault block. */
    readonly index: number,
    readonly shape: KernelShape,
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

  /** The address of so many bytes that the thread has to itself, undefined at the start of each item. */
  scratch(bytes: Size): Expression {
    this.scratchBytes = bytes;
    return get(this.f.keepAtEntry(add(get(this.own), i32(FAULT_BYTES))));
  }

  /** An address in the scratch that the phases of a step share (phases.ts). */
  shared(offset: Size): Expression {
    return this.parameter({ kind: 'shared', offset });
  }
}
