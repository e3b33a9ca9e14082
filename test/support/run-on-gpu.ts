/** Runs a plan on a GPU as `runPlan` runs it in plain TypeScript. */
import type { SizeBinding } from '../../engine/0-ir/sizes.ts';
import type { Plan } from '../../engine/3-plan/plan.ts';
import { generate } from '../../engine/4-backends/webgpu/generate.ts';
import type { GpuHost } from '../../engine/5-runtime/gpu/host.ts';
import { GpuPace } from '../../engine/5-runtime/gpu/pace.ts';
import { bindWebGpu } from '../../engine/5-runtime/gpu/webgpu-device.ts';

export async function runOnGpu(
  host: GpuHost,
  plan: Plan,
  inputs: Readonly<Record<string, ArrayLike<number>>>,
  sizes: SizeBinding,
  pace = new GpuPace(host.software),
): Promise<Record<string, number[]>> {
  const instance = await bindWebGpu(host, pace, generate(plan), sizes);
  try {
    for (const { name } of plan.inputs) instance.write(name, inputs[name] ?? []);
    await instance.run();
    const results = plan.results.map(async ({ name }): Promise<[string, number[]]> => [
      name,
      [...(await instance.read(name))],
    ]);
    return Object.fromEntries(await Promise.all(results));
  } finally {
    instance.release();
  }
}
