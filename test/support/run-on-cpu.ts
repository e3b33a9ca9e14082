/** Runs plans as WebAssembly, as `openPlan` runs them in plain TypeScript. */
import type { SizeBinding } from '../../engine/0-ir/sizes.ts';
import type { Plan } from '../../engine/3-plan/plan.ts';
import type { BoundStep } from '../../engine/5-runtime/cpu-binding.ts';
import { CpuCode } from '../../engine/5-runtime/cpu-code.ts';
import { CpuInstance } from '../../engine/5-runtime/cpu-instance.ts';
import type { Precision } from '../../engine/5-runtime/device.ts';

/** `chunk`: items a call, so that ranges begin and end anywhere. */
export function openOnCpu(plan: Plan, precision: Precision, sizes: SizeBinding, chunk?: number): CpuInstance {
  const code = new CpuCode(plan, precision);
  const bound = code.bind(sizes);
  const binding =
    chunk === undefined
      ? bound
      : { ...bound, prepare: inChunks(bound.prepare, chunk), run: inChunks(bound.run, chunk) };
  const memory = new WebAssembly.Memory({ initial: Math.ceil(binding.totalBytes / 65536) });
  // What memory holds before it is written is no number that a test expects.
  new Uint8Array(memory.buffer).fill(0xd7);
  return new CpuInstance({
    module: code.module,
    binding,
    memory,
    kernels: code.kernelsIn(memory),
    onRelease: () => {},
  });
}

function inChunks(steps: readonly BoundStep[], chunk: number): BoundStep[] {
  return steps.map((step) =>
    step.kind === 'loop' ? { ...step, steps: inChunks(step.steps, chunk) } : { ...step, chunk },
  );
}

/** One run; all results. */
export function runOnCpu(
  plan: Plan,
  inputs: ReadonlyMap<string, ArrayLike<number>>,
  sizes: SizeBinding,
  options: { readonly precision?: Precision; readonly chunk?: number } = {},
): Record<string, number[]> {
  const instance = openOnCpu(plan, options.precision ?? 'f64', sizes, options.chunk);
  for (const { name } of plan.inputs) instance.write(name, inputs.get(name) ?? []);
  instance.run();
  return Object.fromEntries(plan.results.map(({ name }) => [name, [...instance.read(name)]]));
}
