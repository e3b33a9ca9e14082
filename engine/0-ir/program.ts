/**
 * Array programs: static single assignment over arrays of symbolic shape. Plain data; build them with `ProgramBuilder`.
 *
 * Two conventions make `vmap` closed, so that no construct needs a batched twin:
 *
 * - map, reduce, scan, segmented-scan and recurrence run over a *domain* `shape`. Every input broadcasts to it (aligned
 *   at the right; a literal 1 or a missing axis stretches). They act along `axis`; all other axes are independent.
 * - gather, scatter, histogram, keyed-scan, sort-permutation and matmul have `batch` leading axes. Every operand carries
 *   them, each of the batch's size or the literal 1. A range is tested before a batch offset is added.
 */
import type { Operator } from './operators.ts';
import type { ScalarFunction } from './scalar.ts';
import type { Size } from './sizes.ts';
import type { ArrayType, ElementType, Shape } from './types.ts';

/** An array-valued variable; `id` is unique within its program. */
export interface Value {
  readonly id: number;
  readonly type: ArrayType;
}

/** A scalar constant. */
export interface LiteralConstruct {
  readonly kind: 'literal';
  readonly element: ElementType;
  readonly value: number;
}

/** results[k][i…] = function(inputs[…][i…])[k] for every point of the domain `shape`. */
export interface MapConstruct {
  readonly kind: 'map';
  readonly function: ScalarFunction;
  readonly shape: Shape;
  readonly inputs: readonly Value[];
}

/**
 * What reduce, scan, segmented-scan, histogram and keyed-scan share: elements of a domain, combined by ⊙.
 * `prologue`, where there is one, makes the operator's components from the inputs: a map fused in.
 */
interface Combining {
  readonly operator: Operator;
  readonly prologue?: ScalarFunction;
  readonly shape: Shape;
  readonly inputs: readonly Value[];
}

/** d results of the domain's shape without `axis`. */
export interface ReduceConstruct extends Combining {
  readonly kind: 'reduce';
  readonly axis: number;
}

/** Of the d components at a point, and of inputs there (which broadcast to the domain): what is given in their place. */
export interface Epilogue {
  readonly function: ScalarFunction;
  readonly inputs: readonly Value[];
}

/** A combining that gives something at each point. `epilogue`, where there is one, makes the results: a map fused in. */
interface Scanning extends Combining {
  readonly epilogue?: Epilogue;
}

/**
 * d results of the domain's shape, or what the epilogue makes of them. `reverse` is reverse ∘ scan ∘ reverse: ⊙'s left
 * operand is the one nearer the end.
 */
export interface ScanConstruct extends Scanning {
  readonly kind: 'scan';
  readonly axis: number;
  readonly exclusive: boolean;
  readonly reverse: boolean;
}

/** A scan that starts anew where a flag is true. A reverse one reads flags from the end too: a flag begins its segment. */
export interface SegmentedScanConstruct extends Scanning {
  readonly kind: 'segmented-scan';
  readonly axis: number;
  readonly exclusive: boolean;
  readonly reverse: boolean;
  /** bool, broadcasts to the domain. */
  readonly flags: Value;
}

/**
 * reduce-by-index. Domain [batch…, n, trailing…]; keys int [batch…, n]; d results [batch…, bins, trailing…].
 * hist[k] = initial[k] ⊙ v ⊙ …, in the order of the elements; a key outside 0..bins-1 is ignored.
 */
export interface HistogramConstruct extends Combining {
  readonly kind: 'histogram';
  readonly batch: number;
  readonly bins: Size;
  readonly keys: Value;
  readonly initial?: readonly Value[];
}

/**
 * A histogram that shows how it came about: many scans at once, one for each key. Domain, keys and initial contents as
 * for histogram. Results: d over the domain, what stands in the element's own bin once it has been combined (exclusive:
 * just before), the neutral element where that is nothing or the key is out of range, or what the epilogue makes of them;
 * then d contents of the bins at the end, as histogram gives. `reverse` takes the elements from the last to the first,
 * ⊙'s left operand the one nearer the end.
 */
export interface KeyedScanConstruct extends Scanning {
  readonly kind: 'keyed-scan';
  readonly batch: number;
  readonly bins: Size;
  readonly exclusive: boolean;
  readonly reverse: boolean;
  readonly keys: Value;
  readonly initial?: readonly Value[];
}

/** One step in so many, and how many these are. */
export interface Thinned {
  readonly steps: Size;
  readonly count: Size;
}

/**
 * The last step of each so many that was taken. Forward it is a further result, int, [count, …], and outputs of the steps after it
 * are written nowhere. In reverse it is read `from` there, and `inputs` says what each input is at the steps after it: `kept`, an
 * output of the other recurrence, what it is at that step; `same`, what it is at all but the first; `first`, 0 at all but the first,
 * and given as [count, …].
 */
export interface Reached {
  readonly count: Size;
  readonly from?: Value;
  readonly inputs?: readonly ('kept' | 'same' | 'first')[];
}

/**
 * (carriesₜ, outputsₜ) = step(carriesₜ₋₁, inputsₜ, invariants), t along `axis` of the domain.
 * Results: the last carries (domain without `axis`), then the stacked outputs (domain). With no steps the last carries
 * are the initial ones. `initial` and `invariants` broadcast to the domain without `axis`.
 */
export interface RecurrenceConstruct {
  readonly kind: 'recurrence';
  readonly step: ScalarFunction;
  /** Of an output: the first of each so many is given, [count, …]. Written last of all, for lowering (thin-outputs.ts). */
  readonly every?: readonly (Thinned | undefined)[];
  /** A step, not the first of so many, that leaves the carries as they are: nor do those that are left of them change anything (resting.ts). */
  readonly rests?: Size;
  /** Where outputs of a recurrence that rests are read step by step, by the one that goes back over them (resting.ts). */
  readonly reached?: Reached;
  readonly shape: Shape;
  readonly axis: number;
  readonly reverse: boolean;
  readonly initial: readonly Value[];
  readonly inputs: readonly Value[];
  readonly invariants: readonly Value[];
}

/**
 * A recurrence with a memory of `columns` reals for each step, forward along `axis`:
 *
 *   (carriesₜ, outputsₜ, rowₜ) = step(carriesₜ₋₁, inputsₜ, rows at placesₜ, invariants)       places before t
 *
 * or its transpose, backward, in which each step takes what later ones have left for it:
 *
 *   (carriesₜ, outputsₜ, left) = step(carriesₜ₊₁, inputsₜ, rowₜ, invariants),   rows at placesₜ += left
 *
 * Rows go with one another, place by place. `asked`, where there is one, says of (carriesₜ₋₁, inputsₜ, invariants) what
 * is looked for: the last step before t whose row begins with no more; rows' first numbers ascend. Else `places` are
 * given, int over the domain. A place that is no earlier step reads zeros, and keeps nothing.
 * Results: the last carries, the outputs, the rows (a column each), and the places where they were asked for (−1: none).
 */
export interface HistoryConstruct {
  readonly kind: 'history';
  readonly backward: boolean;
  readonly step: ScalarFunction;
  readonly columns: number;
  readonly asked?: ScalarFunction;
  readonly shape: Shape;
  readonly axis: number;
  readonly initial: readonly Value[];
  readonly inputs: readonly Value[];
  readonly places: readonly Value[];
  readonly invariants: readonly Value[];
}

/**
 * y with residual(y, given) = 0, as many equations as unknowns, for every point of the domain `shape` by itself; found by
 * Newton's method from `initial` in at most `iterations` steps. Results: y as far as it came, then int: one of `solveEnds`.
 * `linear`: the residual is affine in y, and is solved at once. What finds y is never differentiated.
 */
export interface SolveConstruct {
  readonly kind: 'solve';
  /** (y…, given…) ↦ as many reals as there are unknowns. */
  readonly residual: ScalarFunction;
  readonly shape: Shape;
  readonly initial: readonly Value[];
  readonly given: readonly Value[];
  readonly iterations: Size;
  readonly linear: boolean;
}

/** How a search for y ended: more steps would be of use; y was found; no step leads nearer; two roots or more fall together. */
export const solveEnds = { unfinished: 0, found: 1, stuck: 2, singular: 3 } as const;

/** carries = body(t, carries, invariants), `count` times. The body's parameters: int t, the carries, the invariants. */
export interface LoopConstruct {
  readonly kind: 'loop';
  readonly count: Size;
  readonly body: Program;
  readonly initial: readonly Value[];
  readonly invariants: readonly Value[];
}

/**
 * from [batch…, m, trailing…], indices int [batch…, index…] → [batch…, index…, trailing…].
 * An index out of range gives NaN (`nan`, real only), zero (`zero`), or stops the program with a fault (`fault`).
 */
export interface GatherConstruct {
  readonly kind: 'gather';
  readonly batch: number;
  readonly from: Value;
  readonly indices: Value;
  readonly outside: 'nan' | 'zero' | 'fault';
}

/**
 * into [batch…, m, trailing…] with rows replaced: indices int [batch…, k], values [batch…, k, trailing…].
 * An index out of range is ignored. A repeated index is a fault when `checked`; else the writer promises there is none.
 */
export interface ScatterConstruct {
  readonly kind: 'scatter';
  readonly batch: number;
  readonly into: Value;
  readonly indices: Value;
  readonly values: Value;
  readonly checked: boolean;
}

/** The stable ascending order of int keys along their last axis: keys[result[i]] is sorted. All other axes are batch. */
export interface SortPermutationConstruct {
  readonly kind: 'sort-permutation';
  readonly keys: Value;
  /** Keys lie in 0..bound-1 where given, so ⌈log₂ bound⌉ bits decide. */
  readonly bound?: Size;
}

/** 0, 1, …, length-1 (int). */
export interface IotaConstruct {
  readonly kind: 'iota';
  readonly length: Size;
  /** As of a parameter: beside data with cells that are missing. */
  readonly missing?: true;
}

/** The value broadcast to `shape`. */
export interface ReplicateConstruct {
  readonly kind: 'replicate';
  readonly value: Value;
  readonly shape: Shape;
}

export interface ReverseConstruct {
  readonly kind: 'reverse';
  readonly value: Value;
  readonly axis: number;
}

/** Axis i of the result is axis permutation[i] of the value. */
export interface TransposeConstruct {
  readonly kind: 'transpose';
  readonly value: Value;
  readonly permutation: readonly number[];
}

/** Same elements in row-major order; sizes must multiply to the same number when bound. */
export interface ReshapeConstruct {
  readonly kind: 'reshape';
  readonly value: Value;
  readonly shape: Shape;
}

/** Elements start, start + step, … along `axis`, `length` of them; the caller keeps them in range. */
export interface SliceConstruct {
  readonly kind: 'slice';
  readonly value: Value;
  readonly axis: number;
  readonly start: Size;
  readonly length: Size;
  readonly step: number;
}

export interface ConcatenateConstruct {
  readonly kind: 'concatenate';
  readonly values: readonly Value[];
  readonly axis: number;
}

/** [batch…, m, k] × [batch…, k, n] → [batch…, m, n]; equal ranks, batch sizes equal or the literal 1. Real. */
export interface MatmulConstruct {
  readonly kind: 'matmul';
  readonly left: Value;
  readonly right: Value;
}

export interface CallConstruct {
  readonly kind: 'call';
  readonly program: Program;
  readonly inputs: readonly Value[];
}

export type Construct =
  | LiteralConstruct
  | MapConstruct
  | ReduceConstruct
  | ScanConstruct
  | SegmentedScanConstruct
  | HistogramConstruct
  | KeyedScanConstruct
  | RecurrenceConstruct
  | HistoryConstruct
  | SolveConstruct
  | LoopConstruct
  | GatherConstruct
  | ScatterConstruct
  | SortPermutationConstruct
  | IotaConstruct
  | ReplicateConstruct
  | ReverseConstruct
  | TransposeConstruct
  | ReshapeConstruct
  | SliceConstruct
  | ConcatenateConstruct
  | MatmulConstruct
  | CallConstruct;

export type ConstructKind = Construct['kind'];
export type ConstructOf<K extends ConstructKind> = Extract<Construct, { kind: K }>;

export interface Statement {
  readonly results: readonly Value[];
  readonly construct: Construct;
  /** The block of the document that this came from; derived statements keep that of their primal. */
  readonly origin?: string;
}

export interface Named {
  readonly name: string;
  readonly value: Value;
}

export interface Parameter extends Named {
  /** Data with cells that are missing, or beside such: what is made of them need be no number, and is to count for nothing where nothing flows to it. */
  readonly missing?: true;
}

export interface Program {
  readonly parameters: readonly Parameter[];
  readonly statements: readonly Statement[];
  readonly results: readonly Named[];
}
