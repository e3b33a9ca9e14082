/** A module with its sizes bound: where everything lies in the arena, and the dispatches with their blocks of words. */
import { sizeValue, type SizeBinding } from '../../0-ir/sizes.ts';
import { layout } from '../../3-plan/arena.ts';
import type { PlanBuffer } from '../../3-plan/plan.ts';
import { families } from './families.ts';
import {
  headerWords,
  type Dispatch,
  type Kernel,
  type KernelFamily,
  type ModuleKernel,
  type ModuleStep,
  type Pace,
  type Parameter,
  type SizeValues,
  type WebGpuModule,
} from './module.ts';

/** WebGPU's default limit for a dimension of a dispatch. */
const maxGroups = 65535;
/** Dynamic offsets of uniforms are multiples of this many bytes on every adapter. */
const blockAlignment = 256;
const bytesPerElement = { real: 4, int: 4, bool: 4 };
/** A view moved by one reads a word past its end, to no purpose: it must be nobody's, who may be writing it. */
const padding = 4;

export interface BoundModule {
  readonly module: WebGpuModule;
  readonly sizes: SizeBinding;
  /** Bytes of the arena; where each of the module's buffers begins in it. */
  readonly arenaBytes: number;
  readonly offsets: readonly number[];
  /** By the number of the step. */
  readonly steps: ReadonlyMap<number, BoundStep>;
}

interface BoundStep {
  readonly sizes: SizeValues;
  /** Where the scratch areas begin, in bytes. */
  readonly scratch: readonly number[];
}

export interface EncodedDispatch {
  readonly wgsl: string;
  /** Bytes from the beginning of the blocks. */
  readonly block: number;
  readonly groups: readonly [x: number, y: number];
  /** Operations, counted as if no fewer threads ran than the GPU has. */
  readonly work: number;
  /** As in a `Dispatch`. */
  readonly again: boolean;
}

export type EncodedStep = EncodedDispatch | { readonly count: number; readonly body: readonly EncodedStep[] };

export interface EncodedPlan {
  readonly blocks: Int32Array<ArrayBuffer>;
  /** What the uniform binding must cover from a block's beginning. */
  readonly blockBytes: number;
  readonly prepare: readonly EncodedStep[];
  readonly run: readonly EncodedStep[];
}

/** Throws where a symbol is not bound. */
export function bindModule(module: WebGpuModule, sizes: SizeBinding): BoundModule {
  const areas: PlanBuffer[] = [];
  const steps = new Map<number, { sizes: SizeValues; areas: number[] }>();
  const visit = (step: ModuleStep, at: number): void => {
    if (step.kind === 'loop') {
      for (const inner of step.steps) visit(inner, at);
      return;
    }
    const values = Object.fromEntries(Object.entries(step.sizes).map(([name, size]) => [name, sizeValue(size, sizes)]));
    const lengths = familyOf(step).scratch?.(values) ?? [];
    const own = lengths.map((length) => {
      areas.push({ element: 'int', length, role: 'temporary', lifetime: [at, at] });
      return module.buffers.length + areas.length - 1;
    });
    steps.set(step.number, { sizes: values, areas: own });
  };
  [...module.prepare, ...module.run].forEach(visit);
  const { offsets, total } = layout({ buffers: [...module.buffers, ...areas] }, sizes, bytesPerElement, { padding });
  const bound = [...steps].map(
    ([number, step]) => [number, { sizes: step.sizes, scratch: step.areas.map((id) => offsets[id]!) }] as const,
  );
  return { module, sizes, arenaBytes: total, offsets, steps: new Map(bound) };
}

/** The dispatches, none of which exceeds the budget where its items can be split. */
export function encode(bound: BoundModule, pace: Pace): EncodedPlan {
  const { module } = bound;
  const words = Math.max(headerWords, ...kernelsOf(module).map((kernel) => headerWords + kernel.parameters.length));
  const stride = Math.ceil((words * 4) / blockAlignment) * blockAlignment;
  const blocks: Int32Array[] = [];
  const place = (block: Int32Array): number => (blocks.push(block) - 1) * stride;
  const encodeStep = (step: ModuleStep): EncodedStep[] => {
    if (step.kind === 'loop') {
      const count = sizeValue(step.count, bound.sizes);
      return count > 0 ? [{ count, body: step.steps.flatMap(encodeStep) }] : [];
    }
    const boundStep = bound.steps.get(step.number)!;
    return familyOf(step)
      .schedule(boundStep.sizes, pace)
      .flatMap((dispatch) => encodeDispatch(bound, step, boundStep, dispatch, pace, place));
  };
  const prepare = module.prepare.flatMap(encodeStep);
  const run = module.run.flatMap(encodeStep);
  const all = new Int32Array((Math.max(blocks.length, 1) * stride) / 4);
  blocks.forEach((block, i) => all.set(block, (i * stride) / 4));
  return { blocks: all, blockBytes: stride, prepare, run };
}

/** The kernels' texts, each once. */
export function kernelTexts(steps: readonly EncodedStep[], texts = new Set<string>()): Set<string> {
  for (const step of steps) {
    if ('body' in step) kernelTexts(step.body, texts);
    else texts.add(step.wgsl);
  }
  return texts;
}

/** The dispatches in the order in which they run, with or without those that joins in doubt ask for. */
export function* unrolled(steps: readonly EncodedStep[], withAgain: boolean): Generator<EncodedDispatch> {
  for (const step of steps) {
    if ('body' in step) for (let turn = 0; turn < step.count; turn++) yield* unrolled(step.body, withAgain);
    else if (withAgain || !step.again) yield step;
  }
}

function encodeDispatch(
  bound: BoundModule,
  step: ModuleKernel,
  { scratch }: BoundStep,
  { kernel: index, items, work, words = [0, 0, 0], again }: Dispatch,
  { budget, together }: Pace,
  place: (block: Int32Array) => number,
): EncodedDispatch[] {
  if (items <= 0) return [];
  if (items > 2 ** 31 - 65536) throw new RangeError(`a step of ${items} items is beyond what a GPU kernel can count`);
  const kernel = step.kernels[index]!;
  const parameters = kernel.parameters.map((parameter) => valueOf(bound, scratch, parameter));
  const perDispatch = Math.min(items, maxGroups * maxGroups, Math.max(1, Math.floor(budget / work)));
  const encoded: EncodedDispatch[] = [];
  for (let from = 0; from < items; from += perDispatch) {
    const to = Math.min(from + perDispatch, items);
    const block = place(Int32Array.of(from, to, infinityBits, nanBits, step.number, ...words, ...parameters));
    const threads = Math.max(to - from, kernel.cooperative ? together / kernel.lanes : together);
    encoded.push({
      wgsl: kernel.wgsl,
      block,
      groups: groupsFor(kernel, to - from),
      work: work * threads,
      again: again ?? false,
    });
  }
  return encoded;
}

const infinityBits = 0x7f800000;
const nanBits = 0x7fc00000;

/** The groups in two dimensions, since one holds 65535 of them. */
function groupsFor(kernel: Kernel, items: number): [number, number] {
  const groups = kernel.cooperative ? items : Math.ceil(items / (kernel.lanes * kernel.each));
  const rows = Math.ceil(groups / maxGroups);
  return [Math.ceil(groups / rows), rows];
}

function valueOf(bound: BoundModule, scratch: readonly number[], parameter: Parameter): number {
  switch (parameter.kind) {
    case 'size':
      return sizeValue(parameter.size, bound.sizes);
    case 'place':
      return bound.offsets[parameter.buffer]! / 4 + sizeValue(parameter.offset, bound.sizes);
    case 'scratch':
      return scratch[parameter.index]! / 4;
  }
}

function familyOf(step: ModuleKernel): KernelFamily<never> {
  return families[step.kind];
}

function kernelsOf(module: WebGpuModule): Kernel[] {
  const visit = (step: ModuleStep): readonly Kernel[] =>
    step.kind === 'loop' ? step.steps.flatMap(visit) : step.kernels;
  return [...module.prepare, ...module.run].flatMap(visit);
}
