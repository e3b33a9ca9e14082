/** What a fault word means, in words for people. */
import type { ModuleKernel, ModuleStep, WebGpuModule } from './module.ts';

export function faultMessage(
  module: WebGpuModule,
  number: number,
  element: number,
): { message: string; origin: string | undefined } {
  const step = kernelSteps([...module.prepare, ...module.run]).find((candidate) => candidate.number === number);
  const where = step?.origin === undefined ? '' : ` of ${step.origin}`;
  const what =
    step?.kind === 'scatter'
      ? `the index of element ${element}${where} occurs before it: each row can be written once`
      : `the index of element ${element}${where} is out of range`;
  return { message: what, origin: step?.origin };
}

function kernelSteps(steps: readonly ModuleStep[]): ModuleKernel[] {
  return steps.flatMap((step) => (step.kind === 'loop' ? kernelSteps(step.steps) : [step]));
}
