/** What a step is made of, for everybody who walks over plans: its sizes, what it reads and what it writes. */
import type { Size } from '../0-ir/sizes.ts';
import type { Shape } from '../0-ir/types.ts';
import type { Access, BufferId, KernelStep, Plan, Source, Step, StepOf } from './plan.ts';

export interface StepParts {
  readonly domain: Shape;
  readonly sources: readonly Source[];
  /** Read in place, not as a `Source`. */
  readonly reads: readonly Access[];
  readonly writes: readonly Access[];
  readonly scratch: readonly BufferId[];
  /** Sizes besides the domain's and those within accesses. */
  readonly sizes: readonly Size[];
}

const none = { sources: [], reads: [], writes: [], scratch: [], sizes: [] } as const;

const parts: { [K in KernelStep['kind']]: (step: StepOf<K>) => StepParts } = {
  map: (s) => ({ ...none, domain: s.domain, sources: s.inputs, writes: s.outputs }),
  reduce: (s) => ({ ...none, domain: s.domain, sources: s.inputs, writes: s.outputs }),
  scan: (s) => ({
    ...none,
    domain: s.domain,
    sources: [...s.inputs, ...(s.flags ? [s.flags] : []), ...(s.epilogue?.inputs ?? [])],
    writes: s.outputs,
  }),
  sweep: (s) => ({
    ...none,
    domain: s.domain,
    sources: [...s.along.inputs, ...s.against.inputs, ...s.epilogue.inputs],
    writes: s.outputs,
  }),
  histogram: (s) => ({
    ...none,
    domain: s.domain,
    sources: [...s.inputs, s.keys, ...(s.initial ?? [])],
    writes: s.outputs,
    sizes: [s.bins],
  }),
  'keyed-scan': (s) => ({
    ...none,
    domain: s.domain,
    sources: [...s.inputs, s.keys, ...(s.initial ?? []), ...(s.epilogue?.inputs ?? [])],
    writes: [...s.running, ...s.totals].filter((access) => access !== null),
    sizes: [s.bins],
  }),
  recurrence: (s) => ({
    ...none,
    domain: s.domain,
    sources: [...s.initial, ...s.inputs, ...s.invariants, ...(s.back ? [s.back.from] : [])],
    writes: [...s.finals, ...s.outputs, s.reached ?? null].filter((access) => access !== null),
    sizes: [...(s.every ?? []), ...(s.rests === undefined ? [] : [s.rests])],
  }),
  history: (s) => ({
    ...none,
    domain: s.domain,
    sources: [...s.initial, ...s.inputs, ...s.places, ...s.invariants],
    writes: [...s.finals, ...s.outputs, ...s.rows, ...s.found].filter((access) => access !== null),
  }),
  gather: (s) => ({
    ...none,
    domain: s.domain,
    sources: [s.indices],
    reads: [s.from],
    writes: [s.output],
    sizes: [s.rows, s.rowStride],
  }),
  scatter: (s) => ({
    ...none,
    domain: s.domain,
    sources: [s.values, s.indices],
    writes: [s.target],
    scratch: s.checked ? [s.checked.scratch] : [],
    sizes: [s.rows, s.rowStride],
  }),
  sort: (s) => ({
    ...none,
    domain: s.domain,
    sources: [s.keys],
    writes: [s.output],
    scratch: [s.scratch],
    sizes: s.bound === undefined ? [] : [s.bound],
  }),
  matmul: (s) => ({ ...none, domain: s.domain, reads: [s.left, s.right], writes: [s.output] }),
};

export function partsOf(step: KernelStep): StepParts {
  return (parts[step.kind] as (step: KernelStep) => StepParts)(step);
}

/** The kernels of steps in the order in which they first run, loops entered. */
export function kernelsOf(steps: readonly Step[]): KernelStep[] {
  return steps.flatMap((step) => (step.kind === 'loop' ? kernelsOf(step.steps) : [step]));
}

/** The buffers that a step touches; a scatter's target is among `reads` too, since what it does not overwrite stays. */
export function buffersOf(step: Step): { reads: Set<BufferId>; writes: Set<BufferId> } {
  const reads = new Set<BufferId>();
  const writes = new Set<BufferId>();
  for (const kernel of kernelsOf([step])) {
    const { sources, reads: read, writes: written, scratch } = partsOf(kernel);
    for (const source of sources) {
      if (source.kind !== 'index') reads.add(source.buffer);
      if (source.kind === 'gathered') reads.add(source.table.buffer);
    }
    for (const access of read) reads.add(access.buffer);
    for (const access of written) writes.add(access.buffer);
    for (const buffer of scratch) writes.add(buffer);
    if (kernel.kind === 'scatter') reads.add(kernel.target.buffer);
  }
  return { reads, writes };
}

/** Every size of a plan, in a fixed order, literals and repetitions included. */
export function sizesOf(plan: Pick<Plan, 'buffers' | 'inputs' | 'results' | 'prepare' | 'run'>): Size[] {
  const sizes: Size[] = plan.buffers.map((buffer) => buffer.length);
  for (const port of [...plan.inputs, ...plan.results]) sizes.push(...port.type.shape);
  const visit = (step: Step): void => {
    if (step.kind === 'loop') {
      sizes.push(step.count);
      step.steps.forEach(visit);
      return;
    }
    const { domain, sources, reads, writes, sizes: own } = partsOf(step);
    sizes.push(...domain, ...own);
    for (const access of [...sources, ...reads, ...writes]) sizes.push(access.offset, ...access.strides);
    for (const source of sources)
      if (source.kind === 'gathered') {
        const { offset, strides, stride, rows } = source.table;
        sizes.push(offset, ...strides, stride, rows);
      }
  };
  [...plan.prepare, ...plan.run].forEach(visit);
  return sizes;
}
