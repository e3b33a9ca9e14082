/** Plans become WGSL. */
import type { KernelStep, Plan, Step } from '../../3-plan/plan.ts';
import { withSweeps } from '../../3-plan/sweeps.ts';
import { families } from './families.ts';
import type { GeneratedStep, ModuleStep, WebGpuModule } from './module.ts';

export function generate(plan: Plan): WebGpuModule {
  let number = 0;
  const convert = (step: Step): ModuleStep => {
    if (step.kind === 'loop') return { kind: 'loop', count: step.count, steps: step.steps.map(convert) };
    const { kind, origin } = step;
    return { kind, number: number++, ...(origin !== undefined && { origin }), ...generateStep(step) };
  };
  const { symbols, buffers, inputs, results, prepare, run } = withSweeps(plan);
  return { symbols, buffers, inputs, results, prepare: prepare.map(convert), run: run.map(convert) };
}

function generateStep(step: KernelStep): GeneratedStep {
  const { generate: write } = families[step.kind] as { generate: (step: KernelStep) => GeneratedStep };
  return write(step);
}
