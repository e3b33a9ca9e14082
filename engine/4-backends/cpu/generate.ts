/**
 * A plan becomes one WebAssembly module: a function `(from, to, own) → status` for each phase of each step, over its items.
 * Sizes, strides and addresses are read from the parameter block, so a module serves every binding of the sizes.
 */
import { heed } from '../../0-ir/errors.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import type { KernelKind, KernelStep, Plan, Step, StepOf, SweptScan } from '../../3-plan/plan.ts';
import { kernelsOf } from '../../3-plan/step-parts.ts';
import { elementaryLibrary } from './elementary/library.ts';
import { status } from './fault.ts';
import { emitGather } from './gather.ts';
import { emitHistory } from './history.ts';
import { emitHistogram } from './histogram.ts';
import type { Kernel, KernelShape, ModuleParts } from './kernel.ts';
import { emitKeyedScan } from './keyed-scan.ts';
import { emitMap } from './map.ts';
import { emitMatmul, matmulItems } from './matmul.ts';
import { ParameterTable, type Parameter } from './parameters.ts';
import { Phases } from './phases.ts';
import { emitRecurrence } from './recurrence.ts';
import { emitReduce } from './reduce.ts';
import type { Precision } from './representation.ts';
import { functionWork } from './scalar/scalar-function.ts';
import { emitScan } from './scan.ts';
import { emitScatter } from './scatter.ts';
import { emitSort } from './sort.ts';
import { emitSweep } from './sweep.ts';
import { TileTable, type DerivedTiling } from './tiles.ts';
import { i32 } from './wasm/expression.ts';
import { ModuleBuilder } from './wasm/module-builder.ts';

/** A step, or a phase of one. The exported function of that name takes a range of its items (kernel.ts). */
export interface CpuKernel extends KernelShape, Pick<Kernel, 'together' | 'sharing' | 'cleared' | 'only'> {
  readonly name: string;
  readonly origin?: string;
}

export interface CpuLoop {
  readonly kind: 'loop';
  readonly count: Size;
  readonly steps: readonly CpuStep[];
}

/** Pages of 64 KiB: what 32-bit addresses reach, less one so that the end itself is an address. */
export const LARGEST_MEMORY = 2 ** 16 - 1;

/** A kernel by its number, or a loop. */
export type CpuStep = { readonly kind: 'kernel'; readonly kernel: number } | CpuLoop;

/** Plain data. The module imports the shared `host.memory` alone. */
export interface CpuModule {
  readonly precision: Precision;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** What the words from `PARAMETERS_AT` on must hold. */
  readonly parameters: readonly Parameter[];
  /** Sizes that follow from others, to be bound with them. */
  readonly tilings: readonly DerivedTiling[];
  /** Bytes of scratch for each thread, and of scratch that threads share; the largest of these will do. */
  readonly scratch: readonly Size[];
  readonly shared: readonly Size[];
  /** In the order of their numbers in fault blocks. */
  readonly kernels: readonly CpuKernel[];
  readonly prepare: readonly CpuStep[];
  readonly run: readonly CpuStep[];
}

const emitters: { [K in KernelKind]: (phases: Phases, step: StepOf<K>) => void } = {
  map: inOnePhase(emitMap),
  reduce: emitReduce,
  scan: emitScan,
  sweep: emitSweep,
  histogram: emitHistogram,
  'keyed-scan': inOnePhase(emitKeyedScan),
  recurrence: inOnePhase(emitRecurrence),
  history: inOnePhase(emitHistory),
  gather: inOnePhase(emitGather),
  scatter: inOnePhase(emitScatter),
  sort: emitSort,
  matmul: inOnePhase(emitMatmul),
};

function inOnePhase<S>(emit: (k: Kernel, step: S) => void): (phases: Phases, step: S) => void {
  return (phases, step) => emit(phases.next(), step);
}

/** The axes that belong to one item, and the scalar functions run at each point. */
const shapes: { [K in KernelKind]: (step: StepOf<K>) => { items: Shape; functions: readonly ScalarFunction[] } } = {
  map: (s) => ({ items: s.domain, functions: [s.function] }),
  reduce: (s) => ({ items: withoutAxis(s.domain, s.axis), functions: combiningFunctions(s) }),
  scan: (s) => ({ items: withoutAxis(s.domain, s.axis), functions: combiningFunctions(s) }),
  sweep: (s) => ({
    items: withoutAxis(s.domain, s.axis),
    functions: [...combiningFunctions(s.along), ...combiningFunctions(s.against), s.epilogue.function],
  }),
  histogram: (s) => ({ items: withoutAxis(s.domain, s.batch), functions: combiningFunctions(s) }),
  'keyed-scan': (s) => ({ items: withoutAxis(s.domain, s.batch), functions: combiningFunctions(s) }),
  recurrence: (s) => ({ items: withoutAxis(s.domain, s.axis), functions: [s.step] }),
  history: (s) => ({
    items: withoutAxis(s.domain, s.axis),
    functions: [s.step, ...(s.asked ? [s.asked] : [])],
  }),
  gather: (s) => ({ items: s.domain, functions: [] }),
  scatter: (s) => ({ items: s.domain, functions: [] }),
  sort: (s) => ({ items: s.domain.slice(0, -1), functions: [] }),
  matmul: (s) => ({ items: matmulItems(s), functions: [] }),
};

/** Throws `Cancelled` once word 0 of `cancel` is not 0. */
export function generate(plan: Plan, precision: Precision, cancel?: Int32Array): CpuModule {
  const steps = kernelsOf([...plan.prepare, ...plan.run]);
  const module = new ModuleBuilder();
  module.importMemory('host', 'memory', 1, LARGEST_MEMORY);
  const parts: ModuleParts = {
    precision,
    parameters: new ParameterTable(),
    library: elementaryLibrary(module),
    tiles: new TileTable(plan.symbols),
  };
  const kernels: CpuKernel[] = [];
  const [scratch, shared]: [Size[], Size[]] = [[], []];
  const counts = steps.map((step) => {
    heed(cancel);
    const phases = new Phases(parts, kernels.length, describe(step));
    (emitters[step.kind] as (phases: Phases, step: KernelStep) => void)(phases, step);
    shared.push(phases.sharedBytes);
    for (const k of phases.kernels) {
      const name = `${step.kind}${k.index}`;
      module.define(k.f, i32(status.done), name);
      scratch.push(k.scratchBytes);
      const { shape, together, sharing, cleared, only } = k;
      const origin = step.origin !== undefined && { origin: step.origin };
      kernels.push({ ...shape, name, together, sharing, cleared, only, ...origin });
    }
    return phases.kernels.length;
  });
  return {
    precision,
    bytes: module.encode(),
    parameters: parts.parameters.list,
    tilings: parts.tiles.derived,
    scratch,
    shared,
    kernels,
    ...nest(plan, counts),
  };
}

/** The kernels in the places that their steps have, within loops; `counts`: how many a step has. */
function nest(plan: Plan, counts: readonly number[]): Pick<CpuModule, 'prepare' | 'run'> {
  let [step, kernel] = [0, 0];
  const visit = (steps: readonly Step[]): CpuStep[] =>
    steps.flatMap((each): CpuStep | CpuStep[] => {
      if (each.kind === 'loop') return { kind: 'loop', count: each.count, steps: visit(each.steps) };
      return Array.from({ length: counts[step++]! }, () => ({ kind: 'kernel' as const, kernel: kernel++ }));
    });
  return { prepare: visit(plan.prepare), run: visit(plan.run) };
}

function describe(step: KernelStep): KernelShape {
  const { items, functions } = shapeOf(step);
  return {
    items: sizeProduct(items),
    work: {
      points: sizeProduct(step.domain),
      perPoint: functions.reduce((work, fn) => work + functionWork(fn), 2),
    },
  };
}

function shapeOf(step: KernelStep): { items: Shape; functions: readonly ScalarFunction[] } {
  return (shapes[step.kind] as (step: KernelStep) => ReturnType<(typeof shapes)[KernelKind]>)(step);
}

function combiningFunctions(
  step: StepOf<'reduce' | 'scan' | 'histogram' | 'keyed-scan'> | SweptScan,
): ScalarFunction[] {
  const after = 'epilogue' in step && step.epilogue ? [step.epilogue.function] : [];
  return [step.operator.combine, ...(step.prologue ? [step.prologue] : []), ...after];
}
