/**
 * The device that runs programs as WebAssembly on the calling thread, in f64 or f32.
 *
 *     const device = cpuDevice({ precision: 'f64' });
 */
import { cpus } from 'node:os';
import type { Program } from '../0-ir/program.ts';
import type { SizeBinding } from '../0-ir/sizes.ts';
import type { Plan } from '../3-plan/plan.ts';
import { compile } from './compile.ts';
import { CpuCode } from './cpu-code.ts';
import { CpuInstance } from './cpu-instance.ts';
import { MemoryPool } from './cpu-memory.ts';
import type { Device, Executable, LoadOptions, Precision } from './device.ts';
import { LeastRecentlyUsed } from './least-recently-used.ts';

export interface CpuDeviceOptions {
  /** f64 unless said. */
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

const KEPT_PLANS = 64;

export function cpuDevice({ precision = 'f64', machineBytes }: CpuDeviceOptions = {}): CpuDevice {
  const memories = new MemoryPool(machineBytes);
  const codes = new LeastRecentlyUsed<CpuCode>(KEPT_PLANS);
  return {
    kind: 'cpu',
    precision,
    name: cpus()[0]?.model ?? 'CPU',
    load(program, options = {}) {
      const plan = compile(program, options.varying);
      const code = codes.get(planKey(plan), () => new CpuCode(plan, precision));
      return { program, bind: (sizes) => bindCode(code, memories, sizes), release: () => {} };
    },
    close() {
      memories.clear();
      codes.clear();
    },
  };
}

function bindCode(code: CpuCode, memories: MemoryPool, sizes: SizeBinding): CpuInstance {
  const binding = code.bind(sizes);
  const memory = memories.take(binding.totalBytes);
  return new CpuInstance({
    module: code.module,
    binding,
    memory,
    kernels: code.kernelsIn(memory),
    onRelease: () => memories.give(memory),
  });
}

/** The plan's text; JSON alone would read -0 as 0 and NaN and ∞ as null. */
function planKey(plan: Plan): string {
  return JSON.stringify(plan, (_, value: unknown) => {
    if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return value;
    return { number: Object.is(value, -0) ? '-0' : String(value) };
  });
}
