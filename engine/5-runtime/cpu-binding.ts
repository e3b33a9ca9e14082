/** A module with its sizes bound: numbers only, so that binding the same sizes again is a copy. */
import { sizeProduct, sizeValue, type Size, type SizeBinding } from '../0-ir/sizes.ts';
import { layout } from '../3-plan/arena.ts';
import type { BufferId, Plan, Port } from '../3-plan/plan.ts';
import type { CpuKernel, CpuModule, CpuStep } from '../4-backends/cpu/generate.ts';
import { PARAMETERS_AT, type Parameter } from '../4-backends/cpu/parameters.ts';
import { bytesPerElement } from '../4-backends/cpu/representation.ts';

export interface BoundKernel {
  readonly kind: 'kernel';
  /** Its number within the module. */
  readonly kernel: number;
  readonly items: number;
  /** Items to run between two looks at the cancel flag. */
  readonly chunk: number;
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

/** Simple operations in a chunk: a few milliseconds' worth. */
const CHUNK_WORK = 2 ** 21;
const ALIGNMENT = 64;
const LARGEST_INT = 2 ** 31 - 1;
/** What 32-bit addresses reach, less a page so that the end itself is an address. */
export const ADDRESSABLE = 2 ** 32 - 65536;

/** Memory: the fault block, the parameters, scratch, then the plan's arena. */
export function bindSizes(plan: Plan, module: CpuModule, sizes: SizeBinding): CpuBinding {
  const known = new Map<Size, number>();
  const value = (size: Size): number => {
    let result = known.get(size);
    if (result === undefined) known.set(size, (result = sizeValue(size, sizes)));
    return result;
  };
  const bytes = bytesPerElement(module.precision);
  const scratchAt = align(PARAMETERS_AT + 4 * module.parameters.length);
  const arenaAt = align(scratchAt + Math.max(0, ...module.scratch.map(value)));
  const { offsets, total } = layout(plan, sizes, bytes);
  const addressOf = (buffer: BufferId) => arenaAt + (offsets[buffer] as number);
  const boundPort = (port: BoundPort['port']): [string, BoundPort] => [
    port.name,
    { port, offset: addressOf(port.buffer), length: value(sizeProduct(port.type.shape)) },
  ];
  const range = (buffer: BufferId): ByteRange => {
    const { element, length } = plan.buffers[buffer] as Plan['buffers'][number];
    return { offset: addressOf(buffer), length: value(length) * bytes[element] };
  };
  const boundStep = (step: CpuStep): BoundStep => {
    if (step.kind === 'loop') return { kind: 'loop', count: value(step.count), steps: step.steps.map(boundStep) };
    const { items: symbolic, work, together, cleared } = module.kernels[step.kernel] as CpuKernel;
    const items = value(symbolic);
    return {
      kind: 'kernel',
      kernel: step.kernel,
      items,
      chunk: Math.max(together, chunkOf(items, value(work.points) * work.perPoint)),
      cleared: cleared === null ? null : range(cleared),
    };
  };
  const totalBytes = arenaAt + total;
  // What memory can hold is counted in 31 bits; a length without an array behind it may still be beyond.
  if (totalBytes < ADDRESSABLE) wantCountable(module.parameters, value);
  return {
    totalBytes,
    parameters: Int32Array.from(module.parameters, (parameter) =>
      parameterValue(parameter, value, addressOf, scratchAt),
    ),
    prepare: module.prepare.map(boundStep),
    run: module.run.map(boundStep),
    inputs: new Map(plan.inputs.map(boundPort)),
    results: new Map(plan.results.map(boundPort)),
  };
}

/** Modulo 2³², which is how addresses are added. */
function parameterValue(
  parameter: Parameter,
  value: (size: Size) => number,
  addressOf: (buffer: BufferId) => number,
  scratchAt: number,
): number {
  switch (parameter.kind) {
    case 'scratch':
      return scratchAt | 0;
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
