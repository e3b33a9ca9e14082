/** A plan made executable: its WebAssembly module, compiled once, and instantiated once for each memory it runs in. */
import type { SizeBinding } from '../0-ir/sizes.ts';
import type { Plan } from '../3-plan/plan.ts';
import { generate, type CpuModule } from '../4-backends/cpu/generate.ts';
import { meaningOf } from '../4-backends/reference/scalar/meaning.ts';
import { bindSizes, type BindOptions, type CpuBinding } from './cpu-binding.ts';
import type { KernelFunction } from './cpu-instance.ts';
import type { Precision } from './device.ts';
import { LeastRecentlyUsed } from './least-recently-used.ts';

const KEPT_BINDINGS = 16;

export class CpuCode {
  readonly module: CpuModule;
  private readonly plan: Plan;
  private readonly webAssembly: WebAssembly.Module;
  private readonly bindings = new LeastRecentlyUsed<CpuBinding>(KEPT_BINDINGS);
  private readonly kernels = new WeakMap<WebAssembly.Memory, readonly KernelFunction[]>();

  constructor(plan: Plan, precision: Precision) {
    this.plan = plan;
    this.module = generate(plan, precision);
    this.webAssembly = new WebAssembly.Module(this.module.bytes);
  }

  bind(sizes: SizeBinding, options?: BindOptions): CpuBinding {
    const key = this.plan.symbols.map((symbol) => (Object.hasOwn(sizes, symbol) ? sizes[symbol] : '')).join(' ');
    return this.bindings.get(key, () => bindSizes(this.plan, this.module, sizes, options));
  }

  /** In the order of the module's kernels. */
  kernelsIn(memory: WebAssembly.Memory): readonly KernelFunction[] {
    let functions = this.kernels.get(memory);
    if (!functions) {
      const host: Record<string, WebAssembly.ImportValue> = { memory };
      for (const operation of this.module.imports) host[operation] = meaningOf(operation, 'real');
      const { exports } = new WebAssembly.Instance(this.webAssembly, { host });
      functions = this.module.kernels.map(({ name }) => exports[name] as KernelFunction);
      this.kernels.set(memory, functions);
    }
    return functions;
  }
}
