/** What a kernel that has become JavaScript runs on, and what it is. */

/** Numbers of the address spaces that are no workgroup variable's. */
export const arenaSpace = -1;
export const faultSpace = -2;

/** What an invocation asks of the world. `site` tells one place in the text from another. */
export interface Machine {
  load(at: number, site: number): number;
  store(at: number, value: number, site: number): void;
  /** The word before. `operation`: Add, Min, Max, Load, Store … */
  atomic(operation: string, space: number, at: number, value: number, site: number): number;
  /** Atomic compare-and-exchange of a word of the fault buffer. */
  exchange(at: number, expected: number, value: number): { old_value: number; exchanged: boolean };
  /** The index, once it has been checked. */
  reads(variable: number, at: number): number;
  writes(variable: number, at: number): number;
  /** A word of the uniform block. */
  readonly block: Int32Array;
}

export interface WorkgroupVariable {
  readonly name: string;
  readonly length: number;
  readonly zero: () => unknown;
}

export interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export interface CompiledKernel {
  readonly lanes: number;
  readonly shared: readonly WorkgroupVariable[];
  /** One invocation; a generator where the text has barriers. */
  readonly invocation: (
    machine: Machine,
    shared: readonly unknown[][],
    group: Vector,
    groups: Vector,
    local: number,
  ) => Generator<number, void> | undefined;
}
