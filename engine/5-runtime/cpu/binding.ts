/** A module with its sizes bound: numbers only, so that binding the same sizes again is a copy. */
import { sizeProduct, sizeValue, type Size, type SizeBinding } from '../../0-ir/sizes.ts';
import { layout } from '../../3-plan/arena.ts';
import type { BufferId, Plan, Port } from '../../3-plan/plan.ts';
import { FAULT_BYTES } from '../../4-backends/cpu/fault.ts';
import { LARGEST_MEMORY, type CpuModule, type CpuStep } from '../../4-backends/cpu/generate.ts';
import type { Cleared } from '../../4-backends/cpu/kernel.ts';
import { PARAMETERS_AT, type Parameter } from '../../4-backends/cpu/parameters.ts';
import { bytesPerElement } from '../../4-backends/cpu/representation.ts';
import { tileSizes, type DerivedTiling } from '../../4-backends/cpu/tiles.ts';

export interface BoundKernel {
  readonly kind: 'kernel';
  /** Its number within the module. */
  readonly kernel: number;
  readonly items: number;
  /** Items to run between two looks at the cancel flag. */
  readonly chunk: number;
  /** Whether several threads may take chunks, and there is enough for them to do. */
  readonly isShared: boolean;
  readonly cleared: ByteRange | null;
}

export interface BoundLoop {
  readonly kind: 'loop';
  readonly count: number;
  readonly steps: readonly BoundStep[];
}

export type BoundStep = BoundKernel | BoundLoop;

export interface ByteRange {
  readonly offset: number;
  readonly length: number;
}

export interface CpuBinding {
  readonly totalBytes: number;
  /** Where each thread's own memory begins (fault.ts). */
  readonly own: readonly number[];
  readonly parameters: Int32Array;
  readonly prepare: readonly BoundStep[];
  readonly run: readonly BoundStep[];
  /** By name: where a port's elements are, and how many. */
  readonly inputs: ReadonlyMap<string, BoundPort>;
  readonly results: ReadonlyMap<string, BoundPort>;
}

export interface BoundPort {
  readonly port: Port & { readonly varying?: boolean };
  readonly offset: number;
  /** Elements. */
  readonly length: number;
}

/** What a binding may choose; none of it changes a result but `tile`. */
export interface BindOptions {
  /** 1 unless said. */
  readonly threads?: number;
  /** Elements of a tile, in place of what kernels ask for. */
  readonly tile?: number;
  /** Simple operations from which on a kernel is shared among threads. */
  readonly sharedWork?: number;
}

/** Simple operations in a chunk: a few milliseconds' worth. */
const CHUNK_WORK = 2 ** 21;
/** Less is done before another thread has woken up. */
const SHARED_WORK = 2 ** 17;
/** Chunks for each thread, so that all end at about the same time. */
const CHUNKS_EACH = 8;
const ALIGNMENT = 64;
const LARGEST_INT = 2 ** 31 - 1;
export const PAGE = 65536;
/** What 32-bit addresses reach. */
export const ADDRESSABLE = LARGEST_MEMORY * PAGE;

/** Memory: the stop word, the parameters, each thread's own, the shared scratch, then the plan's arena. */
export function bindSizes(plan: Plan, module: CpuModule, bound: SizeBinding, options: BindOptions = {}): CpuBinding {
  const { threads = 1, sharedWork = SHARED_WORK } = options;
  const sizes = withTiles(module.tilings, bound, options.tile);
  const known = new Map<Size, number>();
  const value = (size: Size): number => {
    let result = known.get(size);
    if (result === undefined) known.set(size, (result = sizeValue(size, sizes)));
    return result;
  };
  const bytes = bytesPerElement(module.precision);
  const ownAt = align(PARAMETERS_AT + 4 * module.parameters.length);
  const ownBytes = align(FAULT_BYTES + Math.max(0, ...module.scratch.map(value)));
  const sharedAt = ownAt + threads * ownBytes;
  const arenaAt = align(sharedAt + Math.max(0, ...module.shared.map(value)));
  const { offsets, total } = layout(plan, sizes, bytes);
  const addressOf = (buffer: BufferId) => arenaAt + offsets[buffer]!;
  const boundPort = (port: BoundPort['port']): [string, BoundPort] => [
    port.name,
    { port, offset: addressOf(port.buffer), length: value(sizeProduct(port.type.shape)) },
  ];
  const range = (cleared: Cleared): ByteRange => {
    if (cleared.kind === 'shared') return { offset: sharedAt + value(cleared.offset), length: value(cleared.bytes) };
    const { element, length } = plan.buffers[cleared.buffer]!;
    return { offset: addressOf(cleared.buffer), length: value(length) * bytes[element] };
  };
  const boundStep = (step: CpuStep): BoundStep => {
    if (step.kind === 'loop') return { kind: 'loop', count: value(step.count), steps: step.steps.map(boundStep) };
    const { items: symbolic, abreast, work, together, sharing, cleared, only } = module.kernels[step.kernel]!;
    const isLeftOut = only !== null && (value(only.tiles) === 1) !== (only.are === 'one');
    const items = isLeftOut ? 0 : value(symbolic);
    const operations = value(work.points) * work.perPoint;
    const divisible =
      sharing === 'any' || sharing === 'ascending' || (sharing === 'in turn' && value(abreast ?? 1) > together);
    const isShared = threads > 1 && divisible && items > together && operations >= sharedWork;
    const cancellable = chunkOf(items, operations);
    const even = sharing === 'any' ? Math.ceil(items / (threads * CHUNKS_EACH)) : 1;
    return {
      kind: 'kernel',
      kernel: step.kernel,
      items,
      chunk: Math.max(together, isShared ? Math.min(cancellable, even) : cancellable),
      isShared,
      cleared: cleared === null ? null : range(cleared),
    };
  };
  const totalBytes = arenaAt + total;
  // What memory can hold is counted in 31 bits; a length without an array behind it may still be beyond.
  if (totalBytes < ADDRESSABLE) wantCountable(module.parameters, value);
  return {
    totalBytes,
    own: Array.from({ length: threads }, (_, thread) => ownAt + thread * ownBytes),
    parameters: Int32Array.from(module.parameters, (parameter) =>
      parameterValue(parameter, value, addressOf, sharedAt),
    ),
    prepare: module.prepare.map(boundStep),
    run: module.run.map(boundStep),
    inputs: new Map(plan.inputs.map(boundPort)),
    results: new Map(plan.results.map(boundPort)),
  };
}

/** The sizes and what tiles follow from them. */
function withTiles(tilings: readonly DerivedTiling[], sizes: SizeBinding, tile: number | undefined): SizeBinding {
  if (tilings.length === 0) return sizes;
  const known: Record<string, number> = { ...sizes };
  for (const { rule, length, count } of tilings) {
    const tiles = tileSizes(rule, (size) => sizeValue(size, sizes), tile);
    known[length] = tiles.length;
    known[count] = tiles.count;
  }
  return known;
}

/** Modulo 2³², which is how addresses are added. */
function parameterValue(
  parameter: Parameter,
  value: (size: Size) => number,
  addressOf: (buffer: BufferId) => number,
  sharedAt: number,
): number {
  switch (parameter.kind) {
    case 'shared':
      return (sharedAt + value(parameter.offset)) | 0;
    case 'address':
      return (addressOf(parameter.buffer) + value(parameter.offset) * parameter.bytes) | 0;
    case 'size':
      return (value(parameter.size) * parameter.unit) | 0;
  }
}

function wantCountable(parameters: readonly Parameter[], value: (size: Size) => number): void {
  for (const parameter of parameters)
    if (parameter.kind === 'size' && parameter.unit === 1 && value(parameter.size) > LARGEST_INT)
      throw new RangeError(`the size ${parameter.size} is ${value(parameter.size)}, more than ${LARGEST_INT}`);
}

function chunkOf(items: number, work: number): number {
  return Math.max(1, Math.floor((CHUNK_WORK * items) / Math.max(work, 1)));
}

function align(address: number): number {
  return Math.ceil(address / ALIGNMENT) * ALIGNMENT;
}
