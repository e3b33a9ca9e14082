/** Runs plans as WebAssembly, as `openPlan` runs them in plain TypeScript. */
import type { SizeBinding } from '../../engine/0-ir/sizes.ts';
import type { Plan } from '../../engine/3-plan/plan.ts';
import { PAGE, type BindOptions, type BoundStep } from '../../engine/5-runtime/cpu/binding.ts';
import { CpuCode } from '../../engine/5-runtime/cpu/code.ts';
import { CpuInstance } from '../../engine/5-runtime/cpu/instance.ts';
import { newMemory } from '../../engine/5-runtime/cpu/memory.ts';
import type { CpuTeam } from '../../engine/5-runtime/cpu/team.ts';
import type { Precision } from '../../engine/5-runtime/device.ts';

export interface CpuRunOptions extends Pick<BindOptions, 'tile' | 'sharedWork'> {
  readonly chunk?: number;
  readonly team?: CpuTeam;
}

/** `chunk`: items a call, so that ranges begin and end anywhere; `tile`: elements of a tile, so that axes have many. */
export function openOnCpu(
  plan: Plan,
  precision: Precision,
  sizes: SizeBinding,
  { chunk, team, ...options }: CpuRunOptions = {},
): CpuInstance {
  const code = new CpuCode(plan, precision);
  const bound = code.bind(sizes, { ...options, threads: team?.threads ?? 1 });
  const binding =
    chunk === undefined
      ? bound
      : { ...bound, prepare: inChunks(bound.prepare, chunk), run: inChunks(bound.run, chunk) };
  const memory = newMemory(Math.ceil(binding.totalBytes / PAGE));
  // What memory holds before it is written is no number that a test expects.
  new Uint8Array(memory.buffer).fill(0xd7);
  return new CpuInstance({
    module: code.module,
    binding,
    job: code.loadInto(memory),
    team,
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
  { precision = 'f64', ...options }: CpuRunOptions & { readonly precision?: Precision } = {},
): Record<string, number[]> {
  const instance = openOnCpu(plan, precision, sizes, options);
  for (const { name } of plan.inputs) instance.write(name, inputs.get(name) ?? []);
  instance.run();
  return Object.fromEntries(plan.results.map(({ name }) => [name, [...instance.read(name)]]));
}
