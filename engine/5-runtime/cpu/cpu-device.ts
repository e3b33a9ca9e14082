/**
 * The device that runs programs as WebAssembly, in f64 or f32: what is short on the calling thread, what is long on
 * several. A result does not depend on how many there are.
 *
 *     const device = cpuDevice({ precision: 'f64', threads: 4 });
 */
import { availableParallelism, cpus } from 'node:os';
import type { Program } from '../../0-ir/program.ts';
import type { SizeBinding } from '../../0-ir/sizes.ts';
import type { Plan } from '../../3-plan/plan.ts';
import { compile } from '../compile.ts';
import { CpuCode } from './code.ts';
import { CpuInstance } from './instance.ts';
import { MemoryPool } from './memory.ts';
import { CpuTeam } from './team.ts';
import type { Device, Executable, LoadOptions, Precision } from '../device.ts';
import { growingAtOnce, type InstanceAtOnce } from '../growth.ts';
import { LeastRecentlyUsed } from '../least-recently-used.ts';

export interface CpuDeviceOptions {
  /** f64 unless said. */
  readonly precision?: Precision;
  /** Threads that share long work, the caller's among them; as many as the machine has, up to sixteen, unless said. */
  readonly threads?: number;
  /** Bytes that the machine could still give; asked whenever memory must grow. */
  readonly machineBytes?: () => number;
}

/** Unlike other devices', its calls return at once with what they give. */
export interface CpuDevice extends Device {
  load(program: Program, options?: LoadOptions): CpuExecutable;
}

export interface CpuExecutable extends Executable {
  bind(sizes: SizeBinding): InstanceAtOnce;
}

const KEPT_PLANS = 64;
/** Few kernels gain from more, since they wait for memory. */
const MOST_THREADS = 16;

export function cpuDevice(options: CpuDeviceOptions = {}): CpuDevice {
  const { precision = 'f64', threads = Math.min(availableParallelism(), MOST_THREADS), machineBytes } = options;
  const team = threads > 1 ? new CpuTeam(threads) : undefined;
  const memories = new MemoryPool(machineBytes, (memory) => team?.forget(memory));
  const codes = new LeastRecentlyUsed<CpuCode>(KEPT_PLANS);
  return {
    kind: 'cpu',
    precision,
    name: cpus()[0]?.model ?? 'CPU',
    load(program, { varying, cancel } = {}) {
      const plan = compile(program, varying, cancel);
      const code = codes.get(planKey(plan), () => new CpuCode(plan, precision, cancel));
      const known = new Map<string, number>();
      const bind = (sizes: SizeBinding): CpuInstance => bindCode(code, memories, team, sizes);
      return { program, bind: (sizes) => growingAtOnce(bind, sizes, known), grown: known, release: () => {} };
    },
    close() {
      void team?.close();
      memories.clear();
      codes.clear();
    },
  };
}

function bindCode(code: CpuCode, memories: MemoryPool, team: CpuTeam | undefined, sizes: SizeBinding): CpuInstance {
  const binding = code.bind(sizes, { threads: team?.threads ?? 1 });
  const memory = memories.take(binding.totalBytes);
  return new CpuInstance({
    module: code.module,
    binding,
    job: code.loadInto(memory),
    team,
    onRelease: () => memories.give(memory),
  });
}

/** The plan's text. JSON reads −0 as 0, and NaN and ±∞ as null: which of its numbers are such stands behind it. */
function planKey(plan: Plan): string {
  const odd: string[] = [];
  let count = 0;
  const visit = (value: unknown): void => {
    if (typeof value === 'number') {
      count++;
      if (!Number.isFinite(value) || Object.is(value, -0)) odd.push(`${count} ${Object.is(value, -0) ? '-0' : value}`);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null)
      for (const key in value) visit(value[key as keyof typeof value]);
  };
  visit(plan);
  return `${JSON.stringify(plan)} ${odd.join()}`;
}
