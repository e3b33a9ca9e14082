/** A plan made executable: its WebAssembly module, compiled once, and instantiated once for each memory it runs in. */
import { heed } from '../../0-ir/errors.ts';
import type { SizeBinding } from '../../0-ir/sizes.ts';
import type { Plan } from '../../3-plan/plan.ts';
import { withSweeps } from '../../3-plan/sweeps.ts';
import { sweepsSuit } from '../../4-backends/cpu/sweep.ts';
import { generate, type CpuModule } from '../../4-backends/cpu/generate.ts';
import { bindSizes, type BindOptions, type CpuBinding } from './binding.ts';
import type { KernelFunction, TeamJob } from './team.ts';
import type { Precision } from '../device.ts';
import { LeastRecentlyUsed } from '../least-recently-used.ts';

const KEPT_BINDINGS = 16;

export class CpuCode {
  readonly module: CpuModule;
  private readonly plan: Plan;
  private readonly webAssembly: WebAssembly.Module;
  private readonly bindings = new LeastRecentlyUsed<CpuBinding>(KEPT_BINDINGS);
  private readonly jobs = new WeakMap<WebAssembly.Memory, TeamJob>();

  /** Throws `Cancelled` once word 0 of `cancel` is not 0. */
  constructor(plan: Plan, precision: Precision, cancel?: Int32Array) {
    this.plan = withSweeps(plan, sweepsSuit);
    this.module = generate(this.plan, precision, cancel);
    heed(cancel);
    this.webAssembly = new WebAssembly.Module(this.module.bytes);
  }

  bind(sizes: SizeBinding, options?: BindOptions): CpuBinding {
    const key = this.plan.symbols.map((symbol) => (Object.hasOwn(sizes, symbol) ? sizes[symbol] : '')).join(' ');
    return this.bindings.get(key, () => bindSizes(this.plan, this.module, sizes, options));
  }

  /** The module in a memory, instantiated once. */
  loadInto(memory: WebAssembly.Memory): TeamJob {
    let job = this.jobs.get(memory);
    if (!job) {
      const { webAssembly } = this;
      const names = this.module.kernels.map(({ name }) => name);
      const { exports } = new WebAssembly.Instance(webAssembly, { host: { memory } });
      job = { webAssembly, memory, names, functions: names.map((name) => exports[name] as KernelFunction) };
      this.jobs.set(memory, job);
    }
    return job;
  }
}
