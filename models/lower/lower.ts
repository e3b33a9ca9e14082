/**
 * From a model to the array program that computes what is asked of it, and the data to run it on.
 *
 * Every real source block that is needed (parameter, column, constant) becomes an input of the program, named by its
 * id, so that anything can be differentiated by it. Blocks that nothing asks for are left out.
 */
import type { ExpectedInformation, Named, Program, Value } from '../../engine/index.ts';
import { kindOf } from '../blocks/index.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import { DocumentError, type Problem } from '../notation/problem.ts';
import { blocksOf, type Link } from '../graph/checked.ts';
import { findOutput, namesObjective, parametersOf, type Model } from '../load/model.ts';
import { Lowering, type ProgramInput, type Wires } from '../graph/lowering.ts';
import type { ObjectiveTerm } from '../objective/combination.ts';
import { objectiveOf, type ObjectiveRequest, type RedrawnBlock } from './objective.ts';
import { SizeTable } from '../graph/sizes.ts';

export interface LowerRequest {
  /** References to lower, each a result of its own name; `objective` may be among them. */
  readonly outputs?: readonly string[];
  /** Results by name, inside groups too. */
  readonly links?: ReadonlyMap<string, Link>;
  /**
   * Adds the result `objective`, `posterior` where a parameter has a prior or there are random effects, and `joint`, without
   * the priors, where there are; with `residuals`, also `residuals`
   * (rank 1, their squares sum to the objective) where every term has them, and `rows`, how many elements were
   * observed.
   */
  readonly objective?: ObjectiveRequest;
  /** Adds a result `odeError ID` for each block that is solved by steps, among those that are needed. */
  readonly solverErrors?: boolean;
  /** Gives each wire a value of its own, told in `wires`, and a result named by `wireName`. */
  readonly wires?: boolean;
  /** Ids of source blocks, or of parameters that a block brings, that must be inputs, be they used or not: their derivative is then 0. */
  readonly sources?: readonly string[];
  /** Symbols of sizes that say their value, whatever their tables are called. */
  readonly plainSizes?: boolean;
}

export interface Lowered {
  readonly program: Program;
  /** One for each parameter of the program. */
  readonly inputs: ReadonlyMap<string, ProgramInput>;
  /** The values of the program's size symbols. */
  readonly sizes: Readonly<Record<string, number>>;
  /** The model's parameters that the program reads, in the order of the document. */
  readonly parameters: readonly ParameterInfo[];
  /** The blocks of the objective, where it was asked for. */
  readonly terms: readonly ObjectiveTerm[];
  /** Of an objective whose data are drawn again. */
  readonly redrawn: readonly RedrawnBlock[];
  /** Of a fit by the expected information: what that is made of, or the block of which it is not known. */
  readonly informed?: ExpectedInformation | { readonly lacking: string };
  readonly linear?: { readonly means: readonly string[] } | { readonly lacking: string };
  /** Where they were asked for. */
  readonly wires: ReadonlyMap<string, ReadonlyMap<string, Value>>;
}

/** Throws `DocumentError` where a reference leads nowhere. */
export function lowerModel(model: Model, request: LowerRequest): Lowered {
  const wires: Wires = new Map();
  const sizes = new SizeTable(request.plainSizes);
  const lowering = new Lowering(model.blocks, sizes, request.wires === true ? wires : undefined);
  const asked = request.outputs ?? [];
  const outputs = asked.flatMap((reference) =>
    namesObjective(model, reference) ? [] : [[reference, find(model, reference)] as const],
  );
  const links = [...outputs, ...(request.links ?? [])];
  const parameters = parametersOf(model);
  const byName = outputs.length < asked.length;
  const form = request.objective ?? (byName ? 'value' : undefined);
  const objective = form && objectiveOf(model, form, parameters);
  const sources = (request.sources ?? []).map((id) => parameters.find((each) => each.id === id) ?? id);
  lowering.lowerBlocks([
    ...blocksOf(
      model,
      links.map(([, link]) => link),
    ),
    ...sources.flatMap((source) => (typeof source === 'string' ? source : ownerOf(model, source))),
    ...(objective?.needs ?? []),
  ]);

  const results: Named[] = links.map(([name, link]) => ({ name, value: lowering.value(link) }));
  const whole = objective?.lower(lowering) ?? { results: [], terms: [], redrawn: [] };
  const lowered =
    request.objective === undefined
      ? { ...whole, results: whole.results.filter(({ name }) => name === 'objective') }
      : whole;
  for (const source of sources) if (typeof source !== 'string') lowering.parameter(source);
  const errors = request.solverErrors === true ? solverErrors(lowering) : [];
  const carried = [...wires].flatMap(([block, ports]) =>
    [...ports].map(([port, value]): Named => ({ name: wireName(block, port), value })),
  );
  const program = lowering.builder.finish([...results, ...lowered.results, ...errors, ...carried]);
  return {
    program,
    inputs: lowering.inputs,
    sizes: lowering.sizes.binding(),
    parameters: parameters.filter((parameter) => lowering.inputs.has(parameter.id)),
    terms: lowered.terms,
    redrawn: lowered.redrawn,
    ...(lowered.informed && { informed: lowered.informed }),
    ...(lowered.linear && { linear: lowered.linear }),
    wires,
  };
}

/** The result that holds what a block takes at a port; no id has a space. */
export function wireName(block: string, port: string): string {
  return `wire ${block} ${port}`;
}

const odeError = 'odeError ';

/** The block whose error a result of the program is. */
export function solvedBlock(result: string): string | undefined {
  return result.startsWith(odeError) ? result.slice(odeError.length) : undefined;
}

function solverErrors(lowering: Lowering): Named[] {
  return lowering.lowered().flatMap((id) =>
    lowering.within(id, ({ node, detail }, context) => {
      const value = kindOf(node.block).solverError?.(node.block, detail, context);
      return value ? [{ name: `${odeError}${id}`, value }] : [];
    }),
  );
}

/** The block that lowers a parameter as one of its values; none of what a density alone reads. */
function ownerOf({ blocks }: Model, { id, effect }: ParameterInfo): string[] {
  if (effect !== undefined) return [effect];
  return blocks.has(id) ? [id] : [];
}

function find(model: Model, reference: string): Link {
  const found: Link | Problem = findOutput(model, reference);
  if ('message' in found) throw new DocumentError([found]);
  return found;
}
