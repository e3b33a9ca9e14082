/** From a document to a model: tables read, references led to their blocks, types and shapes inferred, laws tested. */
import { kindOf } from '../blocks/index.ts';
import type { ParameterInfo } from '../objective/parameter-info.ts';
import type { Output } from '../blocks/kind.ts';
import { elementCount, printOutput } from '../blocks/parts/sizes.ts';
import type { Document } from '../format/document.ts';
import { asList } from '../notation/fields.ts';
import { didYouMean } from '../notation/names.ts';
import { errorProblem, hasErrors, warningProblem, type Problem } from '../notation/problem.ts';
import { parseReference, printReference } from '../notation/references.ts';
import { combinationOf } from '../objective/combination.ts';
import { readTables, type ReadFile } from '../tables/read-tables.ts';
import type { Table } from '../tables/table.ts';
import { checkGraph } from './check.ts';
import { outputAt, outputIndex, outputsOf, type CheckedBlocks, type Link } from '../graph/checked.ts';
import { buildGraph, isTarget, resolve, type Graph, type Target } from '../graph/graph.ts';
import { defaultAvailableBytes, goesByRows, outputBytes, oversized } from './memory.ts';
import { effectWarnings } from './effect-warnings.ts';
import { jointModeWarnings } from './joint-mode.ts';
import { objectiveTerms } from './objective-terms.ts';
import { solverTimeWarnings } from './solver-time.ts';
import { reportBlocks, type BlockReport } from './report.ts';

/** A document that is right in every part, and its data. */
export interface Model {
  readonly document: Document;
  readonly tables: ReadonlyMap<string, Table>;
  readonly graph: Graph;
  /** Every block but the groups. */
  readonly blocks: CheckedBlocks;
  /** The blocks whose sum is the objective; empty where the document has none. */
  readonly objective: readonly Link[];
  /** What is doubtful in the document, in sentences: whoever is told of a fit is told of these. */
  readonly warnings: readonly string[];
}

export interface LoadOptions {
  /** Blocks that were left out of the document by `readLeniently`. */
  readonly broken?: ReadonlySet<string>;
  /** What the device has; a document that needs more is refused. */
  readonly availableBytes?: number;
}

export interface LoadResult {
  /** Undefined where a problem is an error. */
  readonly model: Model | undefined;
  readonly problems: readonly Problem[];
  /** What is known of each block, those at fault included. */
  readonly blocks: readonly BlockReport[];
  readonly tables: ReadonlyMap<string, Table>;
}

export async function loadModel(document: Document, files: ReadFile, options: LoadOptions = {}): Promise<LoadResult> {
  const { broken = new Set<string>(), availableBytes = defaultAvailableBytes } = options;
  const { tables, problems: tableProblems } = await readTables(document.tables ?? {}, files);
  const graph = buildGraph(document);
  const tableNames = Object.keys(document.tables ?? {});
  const checked = checkGraph(graph, { tables, tableNames, broken, availableBytes });
  const problems = [...tableProblems, ...checked.problems, ...solverTimeWarnings(graph)];
  const objective = objectiveLinks(document, graph, checked.blocks, broken, problems);
  if (!hasErrors(problems)) checkTotal(checked.blocks, tables, availableBytes, problems);
  const warnings = problems.flatMap(({ severity, message }) => (severity === 'warning' ? [message] : []));
  const { blocks } = checked;
  const model =
    hasErrors(problems) || broken.size > 0 ? undefined : { document, tables, graph, blocks, objective, warnings };
  return { model, problems, blocks: reportBlocks(graph, checked.blocks, broken), tables };
}

/** Where a reference of the top level leads: `id`, or `id.output`. A problem where it leads to no value. */
export function findOutput(model: Pick<Model, 'graph' | 'blocks'>, reference: string): Link | Problem {
  const inside = insideGroup(model, reference);
  const end = inside ?? resolve(model.graph.names.get(reference) ?? reference, model.graph.top, new Set());
  if (!isTarget(end)) {
    const fix = didYouMean(end.name, end.known);
    return errorProblem(end.message, { got: reference, ...(fix !== undefined && { fix }) });
  }
  const source = model.blocks.get(end.node.id);
  if (!source) return errorProblem(`the block "${end.node.id}" is at fault`, { block: end.node.id });
  const index = outputIndex(source.outputs, end.output);
  if (index >= 0) return { block: end.node.id, output: index };
  const names = source.outputs
    .map((output) => JSON.stringify(printReference(end.node.block.id, output.name)))
    .join(', ');
  const message =
    end.output === undefined
      ? `"${reference}" has several outputs: say which of ${names}`
      : `"${end.node.block.id}" has no output "${end.output}"; it has ${names}`;
  return errorProblem(message, { block: end.node.id, got: reference });
}

/** `g/h`: a block inside a group. */
function insideGroup({ blocks }: Pick<Model, 'blocks'>, reference: string): Target | undefined {
  const last = reference.lastIndexOf('/') + 1;
  const found = last > 0 ? parseReference(reference.slice(last)) : undefined;
  const node = found && blocks.get(`${reference.slice(0, last)}${found.block}`)?.node;
  return node && { node, output: found.output };
}

/** Whether a reference is the word for the document's objective: it is, unless something in the document bears it. */
export function namesObjective({ graph }: Pick<Model, 'graph'>, reference: string): boolean {
  return reference === 'objective' && !graph.names.has(reference) && !graph.top.blocks.has(reference);
}

/** The references of all outputs of a block, groups included: `["fit"]`, `["line.slope", "line.offset"]`. */
export function outputReferences(model: Model, id: string): string[] {
  const node = model.graph.top.blocks.get(id);
  if (!node) return [];
  if (node.block.kind === 'group') return Object.keys(node.block.outputs).map((name) => `${id}.${name}`);
  const outputs = outputsOf(model.blocks.get(id) ?? { outputs: [] });
  return outputs.length === 1 ? [id] : outputs.map((output) => `${id}.${output.name}`);
}

/** Every parameter, fixed ones too, in the order of the document; or what is varied in its place (../lower/freed.ts). */
export function parametersOf(model: Model): ParameterInfo[] {
  return model.graph.nodes.flatMap((node) => {
    const checked = model.blocks.get(node.id);
    return checked ? (kindOf(node.block).parameters?.(checked.detail) ?? []) : [];
  });
}

/** Those that are parameters of the document: no effects, and nothing of their distributions. */
export const chosenParameters = (model: Model): ParameterInfo[] =>
  parametersOf(model).filter(({ id }) => model.blocks.has(id));

function objectiveLinks(
  document: Document,
  graph: Graph,
  blocks: CheckedBlocks,
  broken: ReadonlySet<string>,
  problems: Problem[],
): Link[] {
  const links: Link[] = [];
  const refs = document.objective === undefined ? [] : asList(document.objective);
  for (const [i, ref] of refs.entries()) {
    const details = { port: 'objective', got: ref };
    const end = resolve(ref, graph.top, broken);
    if (refs.indexOf(ref) !== i) problems.push(errorProblem(`the objective names "${ref}" twice`, details));
    else if (!isTarget(end)) {
      const fix = didYouMean(end.name, end.known);
      if (!end.silent)
        problems.push(errorProblem(`the objective: ${end.message}`, { ...details, ...(fix !== undefined && { fix }) }));
    } else if (blocks.has(end.node.id)) {
      const link = findOutput({ graph, blocks }, ref);
      if ('message' in link) problems.push(errorProblem(`the objective: ${link.message}`, details));
      else if (isScalarReal(outputAt({ blocks }, link))) links.push(link);
      else {
        const got = printOutput(outputAt({ blocks }, link));
        problems.push(
          errorProblem(`the objective wants a real scalar, and "${ref}" is ${got}`, {
            ...details,
            wanted: 'a real scalar',
            got,
          }),
        );
      }
    }
  }
  if (links.length === refs.length)
    for (const warning of combinationOf(objectiveTerms(blocks, links)).warnings)
      problems.push(warningProblem(warning, { port: 'objective' }));
  if (links.length > 0)
    for (const { message, block } of [
      ...jointModeWarnings(blocks, document.fit?.marginal !== false),
      ...effectWarnings(blocks, links),
    ])
      problems.push(warningProblem(message, { block }));
  if (links.length === refs.length) wantDensities(blocks, links, problems);
  if (links.length > 0 && links.length === refs.length) warnOfUnnamed(graph, blocks, refs, problems);
  const isComputed = links.some((link) => outputAt({ blocks }, link).computed) || hasPriors(blocks);
  if (links.length > 0 && links.length === refs.length && !isComputed)
    problems.push(
      warningProblem('the objective depends on no parameter: there is nothing to fit', { port: 'objective' }),
    );
  return links;
}

/** Whether there is something to fit that no observation tells of. */
const hasPriors = (blocks: CheckedBlocks): boolean =>
  [...blocks.values()].some(({ node: { block } }) => block.kind === 'parameter' && block.prior && !block.fixed);

/** Beside random effects the objective is a likelihood, with all its constants. */
function wantDensities(blocks: CheckedBlocks, links: readonly Link[], problems: Problem[]): void {
  const effect = [...blocks].find(([, { node }]) => node.block.kind === 'random-effect')?.[0];
  if (effect === undefined) return;
  for (const { block, kind, noise, robust } of objectiveTerms(blocks, links)) {
    if (kind === 'likelihood' || (kind === 'least-squares' && noise === 'known' && !robust)) continue;
    const why = kind === 'scalar' ? 'is no likelihood' : robust ? 'has a robust loss, which is none' : 'has no sigma';
    problems.push(
      errorProblem(`the random effects of "${effect}" want an objective of likelihoods, and "${block}" ${why}`, {
        block,
        fix: 'take a likelihood block of the family normal, with sigma a parameter',
      }),
    );
  }
}

/** A loss that nothing reads counts for nothing. */
function warnOfUnnamed(graph: Graph, blocks: CheckedBlocks, refs: readonly string[], problems: Problem[]): void {
  const read = new Set([...blocks.values()].flatMap(({ links }) => [...links.values()].map(({ block }) => block)));
  for (const { id, block } of graph.top.blocks.values()) {
    if ((block.kind !== 'least-squares' && block.kind !== 'likelihood') || read.has(id) || refs.includes(id)) continue;
    problems.push(
      warningProblem(`block "${id}": the objective does not name it, so that a fit passes it over`, {
        block: id,
        fix: `"objective": ${JSON.stringify([...refs, id])}`,
      }),
    );
  }
}

function isScalarReal(output: Output): boolean {
  return output.element === 'real' && output.sizes.length === 0;
}

/** Each value alone was found to fit; all of them must. */
function checkTotal(
  blocks: CheckedBlocks,
  tables: ReadonlyMap<string, Table>,
  availableBytes: number,
  problems: Problem[],
): void {
  let total = 0;
  let largest: { id: string; bytes: number } | undefined;
  for (const [id, { outputs }] of blocks) {
    const bytes = outputs
      .filter(({ sizes }) => !goesByRows(sizes, tables))
      .reduce((sum, output) => sum + outputBytes(output.element, elementCount(output.sizes)), 0);
    total += bytes;
    if (!largest || bytes > largest.bytes) largest = { id, bytes };
  }
  const fault = oversized('bool', total, availableBytes);
  if (fault && largest)
    problems.push(
      errorProblem(`the document ${fault.message}; the largest block is "${largest.id}"`, {
        block: largest.id,
        ...fault.details,
      }),
    );
}
