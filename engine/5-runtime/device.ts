/**
 * A device runs programs. Three implementations: the reference interpreter (of the program as it stands), WebAssembly on
 * the CPU, and WebGPU; the last two lower it to a plan first (compile.ts).
 *
 *     const executable = await device.load(program, { varying: new Set(['k']) });
 *     const instance = await executable.bind({ n: 214 }); // sizes bound, memory laid out
 *     instance.write('x', data);
 *     await instance.run();
 *     const loss = await instance.read('loss');
 */
import type { Program } from '../0-ir/program.ts';
import type { SizeBinding } from '../0-ir/sizes.ts';

export type DeviceKind = 'reference' | 'cpu' | 'webgpu';
export type Precision = 'f64' | 'f32';

/** Real as Float64Array whatever the precision; int as Int32Array; bool as Uint8Array of 0 and 1. Row-major. */
export type HostArray = Float64Array | Int32Array | Uint8Array;

export interface LoadOptions {
  /** Names of the inputs that change from run to run; what depends on the others alone is prepared once. All, unless said. */
  readonly varying?: ReadonlySet<string>;
  /** Word 0 is polled while it compiles; once it is non-zero `load` stops with `Cancelled`. */
  readonly cancel?: Int32Array | undefined;
}

export interface RunOptions {
  /** Word 0 is polled between chunks; once it is non-zero the run stops with `Cancelled`. */
  readonly cancel?: Int32Array;
  /** Runs so often, one after the other; once unless said. For clocks, beside which one run of a GPU is short. */
  readonly times?: number;
}

export interface Instance {
  /** Fills an input. Writing one that is not varying makes the next run prepare again. */
  write(input: string, values: ArrayLike<number>): void;
  /** Runs the plan. Synchronous devices return nothing to wait for. Throws `Fault` or `Cancelled` (0-ir/errors.ts). */
  run(options?: RunOptions): void | Promise<void>;
  /** A copy of a result. */
  read(result: string): HostArray | Promise<HostArray>;
  release(): void;
}

export interface Executable {
  readonly program: Program;
  /** Lays out memory for these sizes. Throws `OutOfMemory`, with both figures, where the device has too little. */
  bind(sizes: SizeBinding): Instance | Promise<Instance>;
  /** Sizes that runs have found too small, by symbol, as they have become (growth.ts). */
  readonly grown?: ReadonlyMap<string, number>;
  release(): void;
}

export interface Device {
  readonly kind: DeviceKind;
  readonly precision: Precision;
  /** The hardware's name, for people. */
  readonly name: string;
  load(program: Program, options?: LoadOptions): Executable | Promise<Executable>;
  close(): void;
}
