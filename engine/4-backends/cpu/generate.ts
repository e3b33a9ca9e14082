/**
 * A plan becomes one WebAssembly module: a function `(from, to) → status` for each kernel, over its independent items.
 * Sizes, strides and addresses are read from the parameter block, so a module serves every binding of the sizes.
 */
import { operationInfo, type ScalarOperation } from '../../0-ir/scalar-operations.ts';
import type { ScalarFunction } from '../../0-ir/scalar.ts';
import { sizeProduct, type Size } from '../../0-ir/sizes.ts';
import { withoutAxis, type Shape } from '../../0-ir/types.ts';
import type { BufferId, KernelKind, KernelStep, Plan, Step, StepOf } from '../../3-plan/plan.ts';
import { kernelsOf } from '../../3-plan/step-parts.ts';
import { elementaryLibrary } from './elementary/library.ts';
import { emitGather } from './gather.ts';
import { emitHistogram } from './histogram.ts';
import { Kernel, type ModuleParts } from './kernel.ts';
import { emitKeyedScan } from './keyed-scan.ts';
import { emitMap } from './map.ts';
import { emitMatmul } from './matmul.ts';
import { ParameterTable, type Parameter } from './parameters.ts';
import { emitRecurrence } from './recurrence.ts';
import { emitReduce } from './reduce.ts';
import type { Precision } from './representation.ts';
import { functionWork, hostOperations } from './scalar-function.ts';
import { emitScan } from './scan.ts';
import { emitScatter } from './scatter.ts';
import { emitSort } from './sort.ts';
import { i32, type Callee } from './wasm/expression.ts';
import { ModuleBuilder } from './wasm/module-builder.ts';

/** A kernel's exported function takes a range of its items. */
export interface CpuKernel {
  readonly name: string;
  readonly items: Size;
  /** Simple operations for one item, roughly: `perPoint` for each of `points`. */
  readonly work: { readonly points: Size; readonly perPoint: number };
  /** So many items at a time run well. */
  readonly together: number;
  /** A buffer that must be zeros before the kernel starts. */
  readonly cleared: BufferId | null;
  readonly origin?: string;
}

export interface CpuLoop {
  readonly kind: 'loop';
  readonly count: Size;
  readonly steps: readonly CpuStep[];
}

/** A kernel by its number, or a loop. */
export type CpuStep = { readonly kind: 'kernel'; readonly kernel: number } | CpuLoop;

/** Plain data. The module imports `host.memory` and `host.<operation>` for each of `imports`, on f64. */
export interface CpuModule {
  readonly precision: Precision;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly imports: readonly ScalarOperation[];
  /** What the words from `PARAMETERS_AT` on must hold. */
  readonly parameters: readonly Parameter[];
  /** Bytes of scratch; the largest of these will do. */
  readonly scratch: readonly Size[];
  /** In the order of their numbers in fault blocks. */
  readonly kernels: readonly CpuKernel[];
  readonly prepare: readonly CpuStep[];
  readonly run: readonly CpuStep[];
}

const emitters: { [K in KernelKind]: (k: Kernel, step: StepOf<K>) => void } = {
  map: emitMap,
  reduce: emitReduce,
  scan: emitScan,
  histogram: emitHistogram,
  'keyed-scan': emitKeyedScan,
  recurrence: emitRecurrence,
  gather: emitGather,
  scatter: emitScatter,
  sort: emitSort,
  matmul: emitMatmul,
};

/** The axes that belong to one item, and the scalar functions run at each point. */
const shapes: { [K in KernelKind]: (step: StepOf<K>) => { items: Shape; functions: readonly ScalarFunction[] } } = {
  map: (s) => ({ items: s.domain, functions: [s.function] }),
  reduce: (s) => ({ items: withoutAxis(s.domain, s.axis), functions: combiningFunctions(s) }),
  scan: (s) => ({ items: withoutAxis(s.domain, s.axis), functions: combiningFunctions(s) }),
  histogram: (s) => ({ items: withoutAxis(s.domain, s.batch), functions: combiningFunctions(s) }),
  'keyed-scan': (s) => ({ items: withoutAxis(s.domain, s.batch), functions: combiningFunctions(s) }),
  recurrence: (s) => ({ items: withoutAxis(s.domain, s.axis), functions: [s.step] }),
  gather: (s) => ({ items: s.domain, functions: [] }),
  scatter: (s) => ({ items: s.domain, functions: [] }),
  sort: (s) => ({ items: s.domain.slice(0, -1), functions: [] }),
  matmul: (s) => ({ items: s.domain.slice(0, -1), functions: [] }),
};

export function generate(plan: Plan, precision: Precision): CpuModule {
  const steps = kernelsOf([...plan.prepare, ...plan.run]);
  const module = new ModuleBuilder();
  const imports = [...new Set(steps.flatMap(functionsOf).flatMap(hostOperations))].sort();
  const callees = new Map(imports.map((operation) => [operation, importOperation(module, operation)]));
  module.importMemory('host', 'memory', 1);
  const parts: ModuleParts = {
    precision,
    parameters: new ParameterTable(),
    library: elementaryLibrary(module),
    host(operation) {
      const callee = callees.get(operation);
      if (!callee) throw new Error(`${operation} has not been imported`);
      return callee;
    },
  };
  const scratch: Size[] = [];
  const kernels = steps.map((step, index): CpuKernel => {
    const k = new Kernel(parts, index);
    (emitters[step.kind] as (k: Kernel, step: KernelStep) => void)(k, step);
    const name = `${step.kind}${index}`;
    module.define(k.f, i32(0), name);
    scratch.push(k.scratchBytes);
    return { ...describe(step), name, cleared: k.cleared, together: k.together };
  });
  return {
    precision,
    bytes: module.encode(),
    imports,
    parameters: parts.parameters.list,
    scratch,
    kernels,
    ...nest(plan),
  };
}

function importOperation(module: ModuleBuilder, operation: ScalarOperation): Callee {
  const takes = Array.from({ length: operationInfo(operation).arity }, () => 'f64' as const);
  return module.importFunction('host', operation, takes, 'f64');
}

/** The kernels in the places that their steps have, within loops. */
function nest(plan: Plan): Pick<CpuModule, 'prepare' | 'run'> {
  let next = 0;
  const visit = (step: Step): CpuStep =>
    step.kind === 'loop'
      ? { kind: 'loop', count: step.count, steps: step.steps.map(visit) }
      : { kind: 'kernel', kernel: next++ };
  return { prepare: plan.prepare.map(visit), run: plan.run.map(visit) };
}

function describe(step: KernelStep): Omit<CpuKernel, 'name' | 'cleared' | 'together'> {
  const { items, functions } = shapeOf(step);
  return {
    items: sizeProduct(items),
    work: {
      points: sizeProduct(step.domain),
      perPoint: functions.reduce((work, fn) => work + functionWork(fn), 2),
    },
    ...(step.origin !== undefined && { origin: step.origin }),
  };
}

function shapeOf(step: KernelStep): { items: Shape; functions: readonly ScalarFunction[] } {
  return (shapes[step.kind] as (step: KernelStep) => ReturnType<(typeof shapes)[KernelKind]>)(step);
}

function functionsOf(step: KernelStep): readonly ScalarFunction[] {
  return shapeOf(step).functions;
}

function combiningFunctions(step: StepOf<'reduce' | 'scan' | 'histogram' | 'keyed-scan'>): ScalarFunction[] {
  return [step.operator.combine, ...(step.prologue ? [step.prologue] : [])];
}
