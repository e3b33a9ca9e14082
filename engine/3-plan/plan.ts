/**
 * A plan: what a backend runs. Plain, serialisable data that can be printed, compared, cached, sent to another process.
 *
 * - Sizes, strides and offsets are symbolic (`Size`, in elements). A backend keeps the non-literal ones in one table,
 *   passed to kernels when sizes are bound, so new data of another length recompiles nothing. Literal strides (0, 1)
 *   may be specialised on.
 * - Views (transpose, slice, reverse, replicate, broadcasting, contiguous reshape) are access patterns, never copies.
 *   A reverse scan or recurrence is a forward one over accesses with negative strides.
 * - `prepare` holds the steps that depend on no varying input; it runs again only when a data input has been written.
 * - Every kernel can run on a range `[from, to)` of its independent items (see each step), so that a host can poll a
 *   cancel flag between chunks, share items among threads, and split long submits.
 */
import type { Operator } from '../0-ir/operators.ts';
import type { ScalarFunction } from '../0-ir/scalar.ts';
import type { Size } from '../0-ir/sizes.ts';
import type { ArrayType, ElementType, Shape } from '../0-ir/types.ts';

/** Index into `Plan.buffers`. */
export type BufferId = number;

export interface PlanBuffer {
  readonly element: ElementType;
  /** Number of elements, stored densely. */
  readonly length: Size;
  /** `input`: written by the caller; `result`: readable after a run; `temporary`: alive between its first and last step. */
  readonly role: 'input' | 'result' | 'temporary';
  /** Steps (index into prepare ++ run) between which the contents matter; `result`s and what `prepare` leaves for `run` are kept. */
  readonly lifetime: readonly [first: number, last: number];
}

/** Point (i₀, i₁, …) of a domain is element `offset + Σ iₐ·strides[a]` of the buffer. */
export interface Access {
  readonly buffer: BufferId;
  readonly offset: Size;
  readonly strides: readonly Size[];
}

/**
 * A list of which a kernel reads the row that an int says: `rows` of them, `stride` apart. Where rows have several elements,
 * which only maps read so, the one at a point is Σ iₐ·strides[a] from the row's first.
 */
export interface Table {
  readonly buffer: BufferId;
  readonly offset: Size;
  readonly strides: readonly Size[];
  readonly stride: Size;
  readonly rows: Size;
  readonly outside: 'nan' | 'zero';
}

/**
 * What a kernel reads at a point of its domain: an element of an array, or an int that is affine in the point's indices, or
 * the row of a table that an element of an array of ints says.
 * An element may be the one before the first or after the last of its buffer; what is read there is not used.
 */
export type Source =
  | ({ readonly kind: 'array'; readonly element: ElementType } & Access)
  | ({ readonly kind: 'gathered'; readonly element: 'real' | 'int'; readonly table: Table } & Access)
  | { readonly kind: 'index'; readonly offset: Size; readonly strides: readonly Size[] };

interface StepBase {
  /** The block of the document it came from, for faults and timings. */
  readonly origin?: string;
}

/** outputs[k][point] = function(inputs[…][point])[k]. Items: the points of the domain, in row-major order. */
export interface MapStep extends StepBase {
  readonly kind: 'map';
  readonly domain: Shape;
  readonly inputs: readonly Source[];
  readonly function: ScalarFunction;
  readonly outputs: readonly Access[];
}

/** Elements are prologue(inputs) at each point; without a prologue the inputs are the components. */
interface CombiningStep extends StepBase {
  readonly domain: Shape;
  readonly inputs: readonly Source[];
  readonly prologue?: ScalarFunction;
  readonly operator: Operator;
}

/** Outputs over the domain without `axis`. In the order of the axis. Items: points of the domain without `axis`. */
export interface ReduceStep extends CombiningStep {
  readonly kind: 'reduce';
  readonly axis: number;
  readonly outputs: readonly Access[];
}

/**
 * Outputs over the domain: the components, or what the epilogue makes of them and of its own inputs at the point. With
 * `flags` (bool over the domain) starts anew where one is true. Items as for reduce.
 */
export interface ScanStep extends CombiningStep {
  readonly kind: 'scan';
  readonly axis: number;
  readonly exclusive: boolean;
  readonly flags?: Source;
  readonly epilogue?: { readonly function: ScalarFunction; readonly inputs: readonly Source[] };
  readonly outputs: readonly Access[];
}

/** One of the two scans of a sweep. Elements are prologue(inputs), as anywhere; accesses are over the domain as it stands. */
export interface SweptScan {
  readonly inputs: readonly Source[];
  readonly prologue?: ScalarFunction;
  readonly operator: Operator;
  readonly exclusive: boolean;
}

/**
 * A domain gone through both ways: a scan `along` the axis and one `against` it, neither of which needs the other, and what
 * the epilogue makes at each point of (the components of the first…, of the second…, its own inputs…). Of both nothing else is
 * seen. Made of two scans where a device asks for it (sweeps.ts). Items as for reduce.
 */
export interface SweepStep extends StepBase {
  readonly kind: 'sweep';
  readonly domain: Shape;
  readonly axis: number;
  readonly along: SweptScan;
  readonly against: SweptScan;
  readonly epilogue: { readonly function: ScalarFunction; readonly inputs: readonly Source[] };
  readonly outputs: readonly Access[];
}

/**
 * Domain [batch…, n, trailing…]; `keys` over [batch…, n]; `initial` and `outputs` over [batch…, bins, trailing…].
 * Bins without elements and without `initial` hold the neutral element. In the order of the elements.
 * Items: points of [batch…, trailing…].
 */
export interface HistogramStep extends CombiningStep {
  readonly kind: 'histogram';
  readonly batch: number;
  readonly bins: Size;
  readonly keys: Source;
  readonly initial?: readonly Source[];
  readonly outputs: readonly Access[];
}

/**
 * As for histogram; `running` over the domain: what stands in the element's bin after it (exclusive: before), the neutral
 * element where that is nothing or the key is out of range; or what the epilogue makes of that and of its own inputs at
 * the point. A null output is not wanted. Items as for histogram.
 */
export interface KeyedScanStep extends CombiningStep {
  readonly kind: 'keyed-scan';
  readonly batch: number;
  readonly bins: Size;
  readonly exclusive: boolean;
  readonly keys: Source;
  readonly initial?: readonly Source[];
  readonly epilogue?: { readonly function: ScalarFunction; readonly inputs: readonly Source[] };
  readonly running: readonly (Access | null)[];
  readonly totals: readonly (Access | null)[];
}

/**
 * (carries, outputs) = step(carries, inputs, invariants) along `axis`. `initial`, `invariants` and `finals` over the
 * domain without `axis`; `inputs` and `outputs` over the domain. A null result is not wanted. Items as for reduce.
 */
export interface RecurrenceStep extends StepBase {
  readonly kind: 'recurrence';
  readonly domain: Shape;
  readonly axis: number;
  readonly step: ScalarFunction;
  readonly initial: readonly Source[];
  readonly inputs: readonly Source[];
  readonly invariants: readonly Source[];
  readonly finals: readonly (Access | null)[];
  readonly outputs: readonly (Access | null)[];
  /** Of an output: only the first of each so many steps is written, one after the other; 1 unless said. */
  readonly every?: readonly Size[];
  /** As the construct has them. */
  readonly rests?: Size;
  /** Written at the end of each so many steps. */
  readonly reached?: Access;
  /** Read at the beginning of each so many; and what each input is, one for each. */
  readonly back?: { readonly from: Source; readonly inputs: readonly ('kept' | 'same' | 'first')[] };
}

/**
 * As the construct says (0-ir/program.ts). `rows` are its memory, a column each, over the domain; `asked` results in
 * `found`, over the domain as well.
 */
export interface HistoryStep extends StepBase {
  readonly kind: 'history';
  readonly domain: Shape;
  readonly axis: number;
  readonly backward: boolean;
  readonly step: ScalarFunction;
  readonly asked?: ScalarFunction;
  readonly initial: readonly Source[];
  readonly inputs: readonly Source[];
  readonly places: readonly Source[];
  readonly invariants: readonly Source[];
  readonly finals: readonly (Access | null)[];
  readonly outputs: readonly (Access | null)[];
  readonly rows: readonly Access[];
  readonly found: readonly (Access | null)[];
}

/**
 * output[point] = from[row indices[point]] at the point's batch and trailing indices. `from.strides` are over the
 * domain (0 on index axes); the row adds `index · rowStride`. Items: points of the domain.
 */
export interface GatherStep extends StepBase {
  readonly kind: 'gather';
  readonly domain: Shape;
  readonly from: Access;
  readonly element: ElementType;
  readonly rows: Size;
  readonly rowStride: Size;
  /** int, over the domain. */
  readonly indices: Source;
  readonly outside: 'nan' | 'zero' | 'fault';
  readonly output: Access;
}

/**
 * target[row indices[point]] = values[point]; a row out of range is ignored. `target.strides` are over the domain (0 on
 * the index axis `axis`). An earlier step has filled the target. With `checked`, an index that occurs twice is a fault.
 * Items: points of the domain.
 */
export interface ScatterStep extends StepBase {
  readonly kind: 'scatter';
  readonly domain: Shape;
  readonly axis: number;
  readonly values: Source;
  readonly indices: Source;
  readonly rows: Size;
  readonly rowStride: Size;
  readonly target: Access;
  /** With `checked`: int scratch of batch · rows elements. */
  readonly checked: { readonly scratch: BufferId } | null;
}

/** The stable ascending order of keys along the last axis of the domain. `scratch`: int, as long as the domain. */
export interface SortStep extends StepBase {
  readonly kind: 'sort';
  readonly domain: Shape;
  readonly keys: Source;
  readonly bound?: Size;
  readonly output: Access;
  readonly scratch: BufferId;
}

/** output[batch…, i, j] = Σₖ left[batch…, i, k] · right[batch…, k, j]. Accesses over [batch…, m, n, k]; items [batch…, m, n]. */
export interface MatmulStep extends StepBase {
  readonly kind: 'matmul';
  /** [batch…, m, n, k] */
  readonly domain: Shape;
  readonly left: Access;
  readonly right: Access;
  /** Over [batch…, m, n]. */
  readonly output: Access;
}

/** Runs its steps `count` times. The index, where the body reads it, is a buffer that the steps themselves advance. */
export interface LoopStep extends StepBase {
  readonly kind: 'loop';
  readonly count: Size;
  readonly steps: readonly Step[];
}

export type KernelStep =
  | MapStep
  | ReduceStep
  | ScanStep
  | SweepStep
  | HistogramStep
  | KeyedScanStep
  | RecurrenceStep
  | HistoryStep
  | GatherStep
  | ScatterStep
  | SortStep
  | MatmulStep;
export type Step = KernelStep | LoopStep;
export type KernelKind = KernelStep['kind'];
export type StepOf<K extends Step['kind']> = Extract<Step, { kind: K }>;

/** A parameter or a result of the program: its dense row-major array. Two may share a buffer. */
export interface Port {
  readonly name: string;
  readonly type: ArrayType;
  readonly buffer: BufferId;
}

export interface Plan {
  /** Symbols that must be bound before a run. */
  readonly symbols: readonly string[];
  readonly buffers: readonly PlanBuffer[];
  readonly inputs: readonly (Port & { readonly varying: boolean })[];
  readonly results: readonly Port[];
  readonly prepare: readonly Step[];
  readonly run: readonly Step[];
}
