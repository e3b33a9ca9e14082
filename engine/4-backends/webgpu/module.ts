/**
 * What `generate` makes of a plan for WebGPU: WGSL texts and how to dispatch them. Plain, serialisable data; sizes stay
 * symbolic, so new sizes recompile nothing.
 *
 * Every array lives in one storage buffer, the arena, as 32-bit words (real as f32, int as i32, bool as u32). A dispatch
 * reads one block of words from a uniform buffer: a header of eight, then its kernel's parameters.
 */
import type { BufferId, KernelKind, PlanBuffer, Port } from '../../3-plan/plan.ts';
import type { Size } from '../../0-ir/sizes.ts';

/** Words of a block: from, to, the bits of ∞ and NaN, the step's number for faults, and three that a dispatch chooses. */
export const headerWords = 8;

/** A word of a dispatch's block. */
export type Parameter =
  | { readonly kind: 'size'; readonly size: Size }
  /** Where in the arena element `offset` of a buffer is. */
  | { readonly kind: 'place'; readonly buffer: BufferId; readonly offset: Size }
  /** Where in the arena the step's scratch area of that number begins. */
  | { readonly kind: 'scratch'; readonly index: number };

export interface Kernel {
  /** WGSL with the entry point `main`. */
  readonly wgsl: string;
  /** Threads in a workgroup. */
  readonly lanes: number;
  /** Items of a thread, a workgroup apart. */
  readonly each: number;
  /** Whether an item is the work of a workgroup, not of a thread. */
  readonly cooperative: boolean;
  readonly parameters: readonly Parameter[];
}

export interface GeneratedStep {
  readonly kernels: readonly Kernel[];
  /** What `scratch` and `schedule` of its family want to know, by name. */
  readonly sizes: Readonly<Record<string, Size>>;
}

export interface ModuleKernel extends GeneratedStep {
  readonly kind: KernelKind;
  readonly origin?: string;
  /** Position among the module's kernel steps; what a fault names. */
  readonly number: number;
}

export interface ModuleLoop {
  readonly kind: 'loop';
  readonly count: Size;
  readonly steps: readonly ModuleStep[];
}

export type ModuleStep = ModuleKernel | ModuleLoop;

export interface WebGpuModule {
  readonly symbols: readonly string[];
  readonly buffers: readonly PlanBuffer[];
  readonly inputs: readonly (Port & { readonly varying: boolean })[];
  readonly results: readonly Port[];
  readonly prepare: readonly ModuleStep[];
  readonly run: readonly ModuleStep[];
}

/** The sizes of a `GeneratedStep` for one binding. */
export type SizeValues = Readonly<Record<string, number>>;

export interface Dispatch {
  /** Index into the step's kernels. */
  readonly kernel: number;
  readonly items: number;
  /** Scalar operations for an item, roughly; what long work is split by. */
  readonly work: number;
  readonly words?: readonly [number, number, number];
  /** Only where joins have been in doubt (combine/joins.ts): a run that meets none leaves it out. */
  readonly again?: true;
}

/** How fast a GPU is taken to be. */
export interface Pace {
  /** Operations that one submit should not exceed. */
  readonly budget: number;
  /** So many threads take as long as one. */
  readonly together: number;
}

/** How one kind of step becomes WGSL, and its WGSL dispatches. */
export interface KernelFamily<StepKind> {
  generate(step: StepKind): GeneratedStep;
  /** The lengths, in words, of the scratch areas for these sizes. */
  scratch?(sizes: SizeValues): number[];
  /** In order; each sees what those before it have written. Only an axis that one thread walks need be split here. */
  schedule(sizes: SizeValues, pace: Pace): Dispatch[];
}
