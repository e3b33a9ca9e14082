/** What a model compares with data: every block of misfit that its objective is made of, and where its two sides come from. */
import type { LeastSquaresBlock } from '../blocks/least-squares.ts';
import type { LikelihoodBlock } from '../blocks/likelihood.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { outputAt, type CheckedBlock, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { limitsOf, type Limit } from './limits.ts';
import { measureOf, type Measure } from './measures.ts';

/** An argument of a block of misfit: a wire, or a number in the document. */
export type Argument = Link | number;

export interface Comparison {
  /** The block of misfit: `loss`, or `g/loss` in a group. */
  readonly of: string;
  /** Undefined where a number in the document stands for it. */
  readonly prediction: Link | undefined;
  readonly observed: Link;
  readonly measure: Measure;
  /** In the order of `measure.arguments`. */
  readonly arguments: readonly Argument[];
  /** What tells which observations are known by a limit alone. */
  readonly limits: readonly Limit[];
}

/** In the order of the objective, then of the blocks that it is made of; those alone whose observations are a list. */
export function comparisonsOf(model: Model): Comparison[] {
  const found = new Map<string, Comparison>();
  for (const link of model.objective)
    for (const id of upstreamOf(model, [link])) {
      const comparison = comparisonAt(model.blocks.get(id)!);
      if (comparison && isList(model, comparison) && !found.has(id)) found.set(id, comparison);
    }
  return [...found.values()];
}

/** As the document would write it; of what lies in a group by its whole path. */
export function referenceTo(model: Model, link: Link): string {
  const { name } = outputAt(model, link);
  return name === '' ? link.block : `${link.block}.${name}`;
}

/** The blocks that these values come from, nearest first, each once. */
export function upstreamOf({ blocks }: Pick<Model, 'blocks'>, links: readonly Link[]): string[] {
  const found = [...new Set(links.map(({ block }) => block))];
  const seen = new Set(found);
  for (const id of found)
    for (const { block } of blocks.get(id)?.links.values() ?? [])
      if (!seen.has(block)) {
        seen.add(block);
        found.push(block);
      }
  return found;
}

function comparisonAt(checked: CheckedBlock): Comparison | undefined {
  const { node, links } = checked;
  const { block } = node;
  if (block.kind !== 'least-squares' && block.kind !== 'likelihood') return undefined;
  const measure = measureOf(block);
  const observed = links.get('observed');
  const prediction = links.get(measure.prediction);
  const given = measure.arguments.map((name) => links.get(name) ?? numberAt(block, name));
  if (!observed || given.some((argument) => argument === undefined)) return undefined;
  const limits = block.kind === 'likelihood' ? limitsOf(checked) : [];
  return { of: node.id, prediction, observed, measure, arguments: given as Argument[], limits };
}

function numberAt(block: LeastSquaresBlock | LikelihoodBlock, name: string): number | undefined {
  const value = (block as unknown as Readonly<Record<string, unknown>>)[name];
  return isDocumentNumber(value) ? toNumber(value) : undefined;
}

function isList(model: Model, { observed, prediction }: Comparison): boolean {
  return outputAt(model, observed).sizes.length === 1 && (!prediction || outputAt(model, prediction).sizes.length <= 1);
}
