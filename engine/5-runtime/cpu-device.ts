/**
 * The device that runs programs as WebAssembly on the calling thread, in f64 or f32.
 *
 *     const device = cpuDevice({ precision: 'f64' });
 */
import { cpus } from 'node:os';
import type { Program } from '../0-ir/program.ts';
import type { SizeBinding } from '../0-ir/sizes.ts';
import type { Plan } from '../3-plan/plan.ts';
import { generate, type CpuModule } from '../4-backends/cpu/generate.ts';
import { meaningOf } from '../4-backends/reference/scalar/meaning.ts';
import { compile } from './compile.ts';
import { bindSizes, type CpuBinding } from './cpu-binding.ts';
import { CpuInstance, type KernelFunction } from './cpu-instance.ts';
import { MemoryPool } from './cpu-memory.ts';
import type { Device, Executable, LoadOptions, Precision } from './device.ts';
import { LeastRecentlyUsed } from './least-recently-used.ts';

export interface CpuDeviceOptions {
  readonly precision?: Precision;
  /** Bytes that the machine could still give; asked whenever memory must grow. */
  readonly machineBytes?: () => number;
}

/** Unlike other devices', its calls return at once with what they give. */
export interface CpuDevice extends Device {
  load(program: Program, options?: LoadOptions): CpuExecutable;
}

export interface CpuExecutable extends Executable {
  bind(sizes: SizeBinding): CpuInstance;
}

/** A plan made executable. */
interface CpuCode {
  readonly plan: Plan;
  readonly module: CpuModule;
  readonly webAssembly: WebAssembly.Module;
  readonly bindings: LeastRecentlyUsed<CpuBinding>;
  /** A module is instantiated once for each memory it runs in. */
  readonly kernels: WeakMap<WebAssembly.Memory, readonly KernelFunction[]>;
}

const KEPT_PLANS = 64;
const KEPT_BINDINGS = 16;

export function cpuDevice({ precision = 'f64', machineBytes }: CpuDeviceOptions = {}): CpuDevice {
  const memories = new MemoryPool(machineBytes);
  const codes = new LeastRecentlyUsed<CpuCode>(KEPT_PLANS);
  return {
    kind: 'cpu',
    precision,
    name: cpus()[0]?.model ?? 'CPU',
    load(program, options = {}) {
      const plan = compile(program, options.varying);
      const code = codes.get(planKey(plan), () => makeCode(plan, precision));
      return { program, bind: (sizes) => bindCode(code, memories, sizes), release: () => {} };
    },
    close() {
      memories.clear();
      codes.clear();
    },
  };
}

/** For plans that did not come from a program. */
export function bindPlan(plan: Plan, precision: Precision, sizes: SizeBinding): CpuInstance {
  return bindCode(makeCode(plan, precision), new MemoryPool(), sizes);
}

function makeCode(plan: Plan, precision: Precision): CpuCode {
  const module = generate(plan, precision);
  return {
    plan,
    module,
    webAssembly: new WebAssembly.Module(module.bytes),
    bindings: new LeastRecentlyUsed(KEPT_BINDINGS),
    kernels: new WeakMap(),
  };
}

function bindCode(code: CpuCode, memories: MemoryPool, sizes: SizeBinding): CpuInstance {
  const key = code.plan.symbols.map((symbol) => (Object.hasOwn(sizes, symbol) ? sizes[symbol] : '')).join(' ');
  const binding = code.bindings.get(key, () => bindSizes(code.plan, code.module, sizes));
  const memory = memories.take(binding.totalBytes);
  return new CpuInstance({
    module: code.module,
    binding,
    memory,
    kernels: kernelsIn(code, memory),
    onRelease: () => memories.give(memory),
  });
}

function kernelsIn({ module, webAssembly, kernels }: CpuCode, memory: WebAssembly.Memory): readonly KernelFunction[] {
  let functions = kernels.get(memory);
  if (!functions) {
    const host: Record<string, WebAssembly.ImportValue> = { memory };
    for (const operation of module.imports) host[operation] = meaningOf(operation, 'real');
    const { exports } = new WebAssembly.Instance(webAssembly, { host });
    functions = module.kernels.map(({ name }) => exports[name] as KernelFunction);
    kernels.set(memory, functions);
  }
  return functions;
}

/** The plan's text; JSON alone would read -0 as 0 and NaN and ∞ as null. */
function planKey(plan: Plan): string {
  return JSON.stringify(plan, (_, value: unknown) =>
    typeof value === 'number' && (!Number.isFinite(value) || Object.is(value, -0))
      ? { number: numberText(value) }
      : value,
  );
}

function numberText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}
