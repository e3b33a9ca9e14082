/** What every exported text begins with: the model as one program of all its outputs and its objective. */
import { optimize, type Program, type Value } from '../../engine/index.ts';
import type { Block } from '../../models/blocks/block.ts';
import type { ParameterInfo } from '../../models/objective/parameter-info.ts';
import { outputReferences, parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { isIntegrated } from '../compute/fit/marginal.ts';
import type { ProgramInput } from '../../models/graph/lowering.ts';

export interface ModelProgram {
  /** Simplified, not fused: a block stays a few statements that bear its id. */
  readonly program: Program;
  readonly sizes: Readonly<Record<string, number>>;
  readonly parameters: readonly ParameterInfo[];
  /** What the program reads beside parameters: columns, constants, lengths; in the order of the program. */
  readonly data: readonly (readonly [name: string, value: Value, input: ProgramInput])[];
  /** By reference, `id` or `id.output`, in the order of the document. */
  readonly outputs: readonly (readonly [reference: string, value: Value])[];
  readonly objective: Value | undefined;
  readonly posterior: Value | undefined;
  /** What the objective is, in a line. */
  readonly meaning: string;
  readonly posteriorMeaning: string;
}

const sources: ReadonlySet<string> = new Set(['parameter', 'column', 'constant']);

/** The outputs of all blocks at the top level, in the order of the document. */
export function allOutputs(model: Model): string[] {
  return [...model.graph.top.blocks.values()].flatMap(({ block }) => outputReferences(model, block.id));
}

/** Those of blocks that are no sources. */
export function computedOutputs(model: Model): string[] {
  return [...model.graph.top.blocks.values()].flatMap(({ block }) =>
    sources.has(block.kind) ? [] : outputReferences(model, block.id),
  );
}

/** A fit integrates random effects out, which a program by itself does not: there they are parameters beside the others. */
export const objectiveMeaning = (model: Model): string =>
  isIntegrated(model)
    ? 'given the random effects, which are parameters here (a fit integrates them out)'
    : 'what a fit minimises';

/** `grown`: sizes that the document's own have come to (grown-sizes.ts). */
export function modelProgram(model: Model, grown: ModelProgram['sizes'] = {}): ModelProgram {
  const references = computedOutputs(model);
  const fitted = model.objective.length > 0;
  const lowered = lowerModel(model, {
    outputs: references,
    sources: parametersOf(model).map(({ id }) => id),
    ...(fitted && { objective: 'value' as const }),
  });
  const program = optimize(lowered.program, { fuse: false });
  const isParameter = new Set(lowered.parameters.map(({ id }) => id));
  const result = (index: number, name: string): Value | undefined =>
    program.results[index]?.name === name ? program.results[index].value : undefined;
  return {
    program,
    sizes: { ...lowered.sizes, ...grown },
    parameters: lowered.parameters,
    data: program.parameters.flatMap(({ name, value }) => {
      const input = lowered.inputs.get(name);
      return input === undefined || isParameter.has(name) ? [] : [[name, value, input] as const];
    }),
    outputs: references.map((reference, i) => [reference, program.results[i]!.value] as const),
    objective: result(references.length, 'objective'),
    posterior: result(references.length + 1, 'posterior'),
    meaning: objectiveMeaning(model),
    posteriorMeaning: lowered.parameters.some(({ effect }) => effect !== undefined)
      ? 'minus the logarithm of the joint density of data, random effects and, where there are priors, parameters'
      : 'minus the logarithm of the posterior density',
  };
}

/** What a block computes, in a line: its formula where it has one. */
export function describeBlock(block: Block): string {
  const text = 'formula' in block && block.formula !== undefined ? String(block.formula) : '';
  return `${block.kind}${text === '' ? '' : `: ${text}`}`.replaceAll(/\s*\n\s*/g, '; ');
}

/** The name that the document goes by. */
export function titleOf(model: Model): string {
  return model.document.name ?? 'Model';
}
