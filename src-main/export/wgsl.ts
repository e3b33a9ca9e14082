/** `export --to wgsl`: the kernels that the WebGPU device runs for a fit's objective and gradient, or for all outputs. */
import {
  compile,
  generateWgsl,
  type ModuleKernel,
  type ModuleStep,
  printPlan,
  profiles,
  withGradient,
} from '../../engine/index.ts';
import { parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { isIntegrated } from '../compute/fit/marginal.ts';
import { computedOutputs, objectiveMeaning, titleOf } from './model-program.ts';

const comment = (text: string): string =>
  text
    .split('\n')
    .map((line) => `// ${line}`.trimEnd())
    .join('\n');
const rule = `// ${'─'.repeat(76)}`;

export function exportWgsl(model: Model, version: string, grown: Readonly<Record<string, number>> = {}): string {
  const fits = model.objective.length > 0 && parametersOf(model).some(({ fixed }) => !fixed);
  const lowered = lowerModel(model, fits ? { objective: 'value' } : { outputs: computedOutputs(model) });
  const names = lowered.parameters.map(({ id }) => id);
  const program = fits
    ? withGradient(lowered.program, 'objective', names, { profile: profiles.webgpu })
    : lowered.program;
  const plan = compile(program, new Set(names));
  const module = generateWgsl(plan);
  const given = isIntegrated(model) ? ` (${objectiveMeaning(model)})` : '';
  const what = fits ? `the objective and its gradient${given}` : 'all outputs';
  const sizes = Object.entries(lowered.sizes).map(([name, size]) => `${name} = ${grown[name] ?? size}`);
  return [
    comment(`${titleOf(model).replaceAll(/\s+/g, ' ')}: ${what}, as WGSL kernels. Written by Cotangent ${version}.`),
    comment(
      [
        'Each kernel is a module of its own, with the entry point "main". All arrays live in one storage buffer;',
        'a dispatch reads its sizes and places, the parameters listed with the kernel, from a uniform block.',
        ...(sizes.length > 0 ? [`Sizes of this document: ${sizes.join(', ')}.`] : []),
      ].join('\n'),
    ),
    comment(printPlan(plan)),
    ...kernels([...module.prepare, ...module.run]).flatMap(writeKernels),
    '',
  ].join('\n\n');
}

/** A loop's kernels as often as they are written: once. */
function kernels(steps: readonly ModuleStep[]): ModuleKernel[] {
  return steps.flatMap((step) => (step.kind === 'loop' ? kernels(step.steps) : [step]));
}

function writeKernels({ kind, origin, number, kernels: all, sizes }: ModuleKernel): string[] {
  return all.map(({ wgsl, lanes, cooperative, parameters }, i) => {
    const words = parameters.map((parameter) => {
      if (parameter.kind === 'size') return `size ${parameter.size}`;
      return parameter.kind === 'place' ? `b${parameter.buffer} + ${parameter.offset}` : `scratch ${parameter.index}`;
    });
    const head = [
      `kernel ${number}${all.length > 1 ? `.${i}` : ''}: ${kind}${origin === undefined ? '' : ` of block "${origin}"`}`,
      `workgroups of ${lanes}, an item is the work of a ${cooperative ? 'workgroup' : 'thread'}`,
      `parameters: ${words.join(', ') || 'none'}`,
      `sizes: ${
        Object.entries(sizes)
          .map(([name, size]) => `${name} = ${size}`)
          .join(', ') || 'none'
      }`,
    ];
    return `${rule}\n${comment(head.join('\n'))}\n${rule}\n\n${wgsl.trim()}`;
  });
}
