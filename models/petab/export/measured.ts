/** Likelihoods row by row, and what of their rows can be one observable: formulas alike but for numbers and parameters. */
import type { Block, BlockOf } from '../../blocks/block.ts';
import type { Document } from '../../format/document.ts';
import type { Expression } from '../../formula/syntax.ts';
import { asList } from '../../notation/fields.ts';
import { refuse } from '../../sbml/refusal.ts';
import { call, name } from '../../sbml/syntax.ts';
import type { Courses } from './courses.ts';
import type { Elements, SolutionElement } from './elements.ts';
import { numeral } from './fold.ts';
import { printMath, replaced } from './print.ts';

export interface MeasuredRow {
  readonly likelihood: LikelihoodBlock;
  readonly value: number;
  /** On the scale of the measurement. */
  readonly predicted: Expression;
  readonly noise: Expression;
  /** Undefined where neither hangs on a solution. */
  readonly solution: SolutionElement | undefined;
}

type LikelihoodBlock = BlockOf<'likelihood'>;

const families: Readonly<Record<string, readonly [center: 'mean' | 'location', spread: 'sigma' | 'scale']>> = {
  normal: ['mean', 'sigma'],
  'log-normal': ['mean', 'sigma'],
  laplace: ['location', 'scale'],
  'log-laplace': ['location', 'scale'],
};

/** What `simulation` stands for: a reference, or the block of that id. */
export function simulationOf({ names, blocks }: Document): string | undefined {
  const named = names?.['simulation'];
  if (typeof named === 'string') return named;
  return blocks.some(({ id }) => id === 'simulation') ? 'simulation' : undefined;
}

/** In the order of `simulation` where the document has it, else of the objective. */
export function measuredRows(
  document: Document,
  blocks: ReadonlyMap<string, Block>,
  elements: Elements,
  courses: Courses,
): readonly MeasuredRow[] {
  const all = new Map<string, MeasuredRow[]>();
  for (const term of asList(document.objective ?? [])) {
    const block = blocks.get(term);
    if (block?.kind !== 'likelihood')
      return refuse(`the objective has "${term}", which is no likelihood block: PEtab's objective is one`);
    all.set(predictionOf(block, blocks), rowsOf(block, elements, courses));
  }
  const rows = [...all.values()].flat();
  if (rows.length === 0) refuse('the document has no likelihood, and a PEtab problem has measurements');
  const simulation = simulationOf(document);
  if (simulation === undefined) return rows;
  const among = new Set(all.keys());
  const ordered = rows.map((_, i) => {
    const found = elements.origin(simulation, i, among);
    return found && all.get(found.from)?.[found.at];
  });
  return new Set(ordered).size === rows.length && !ordered.includes(undefined) ? (ordered as MeasuredRow[]) : rows;
}

/** The reference of what is predicted, behind the logarithm of a log-normal one. */
export function predictionOf(likelihood: LikelihoodBlock, blocks: ReadonlyMap<string, Block>): string {
  const [center] = families[likelihood.family] ?? [];
  const reference = center && likelihood[center];
  const block = typeof reference === 'string' ? blocks.get(reference) : undefined;
  const behind =
    block?.kind === 'map' && isLog(likelihood) ? /^log\((\w+)\)$/.exec(block.formula ?? '')?.[1] : undefined;
  if (behind !== undefined && block?.kind === 'map') return block.inputs?.[behind] ?? behind;
  return typeof reference === 'string' ? reference : likelihood.id;
}

const isLog = ({ family }: LikelihoodBlock): boolean => family.startsWith('log');

function rowsOf(block: LikelihoodBlock, elements: Elements, courses: Courses): MeasuredRow[] {
  const { id, family, observed } = block;
  const [center, spread] = families[family] ?? refuse(`"${id}" has the family ${family}, which PEtab does not have`);
  if (block.censored !== undefined || block.truncated !== undefined)
    refuse(`"${id}" has censored or truncated values, which PEtab does not have`);
  const [mean, sigma] = [block[center], block[spread]];
  if (mean === undefined || sigma === undefined)
    return refuse(`"${id}" does not say its ${center} and its ${spread}, which PEtab wants`);
  const rows = elements.count(observed);
  const at = (reference: string | number, row: number): Expression => {
    const count = typeof reference === 'string' && elements.has(reference) ? elements.count(reference) : 1;
    if (count !== 1 && count !== rows) return refuse(`"${id}" spreads "${reference}" over its rows`);
    return elements.at(reference, count === 1 ? 0 : row);
  };
  return Array.from({ length: rows }, (_, row) => {
    const [given, noise] = [at(mean, row), at(sigma, row)];
    const predicted = !isLog(block)
      ? given
      : given.kind === 'call' && given.name === 'log'
        ? given.operands[0]!
        : call('exp', given);
    const solution = courses.solutionIn(`a row of "${id}"`, [predicted, noise]);
    return { likelihood: block, value: elements.valueAt(observed, row), predicted, noise, solution };
  });
}

export interface ObservableGroup {
  readonly likelihood: LikelihoodBlock;
  /** Among all. */
  readonly rows: readonly number[];
  readonly predicted: Template;
  readonly noise: Template;
}

/** A formula in which `#1`, `#2`, … stand for what rows say. */
export interface Template {
  readonly formula: Expression;
  /** For each row what stands for each. */
  readonly given: readonly (readonly Expression[])[];
}

/** What its observable is called: of the likelihoods of one in several periods the same. */
export const observableOf = ({ id }: LikelihoodBlock): string =>
  id.replace(/_*likelihood_*$/, '').replace(/_+$/, '') || id;

export function observableGroups(rows: readonly MeasuredRow[], elements: Elements): ObservableGroup[] {
  const groups = new Map<string, number[]>();
  for (const [i, { likelihood, predicted, noise }] of rows.entries()) {
    const mask = (expression: Expression): string =>
      printMath(
        replaced(expression, (node) => (isGiven(node, elements) ? name('#') : undefined)),
        (id) => elements.solutionOf(name(id))?.own ?? id,
      );
    const key = [observableOf(likelihood), likelihood.family, mask(predicted), mask(noise)].join('\n');
    const group = groups.get(key) ?? [];
    groups.set(key, group);
    group.push(i);
  }
  return [...groups.values()].map((group) => {
    const members = group.map((i) => rows[i]!);
    return {
      likelihood: members[0]!.likelihood,
      rows: group,
      predicted: template(
        members.map((row) => row.predicted),
        elements,
      ),
      noise: template(
        members.map((row) => row.noise),
        elements,
      ),
    };
  });
}

/** A number, or a parameter. */
function isGiven(node: Expression, elements: Elements): boolean {
  return numeral(node) !== undefined || (node.kind === 'name' && elements.isParameter(node.name));
}

function template(formulas: readonly Expression[], elements: Elements): Template {
  const leaves = formulas.map((formula) => {
    const found: Expression[] = [];
    replaced(formula, (node) => (isGiven(node, elements) ? (found.push(node), node) : undefined));
    return found;
  });
  const places: number[] = [];
  const names = new Map<string, string>();
  const standing = (leaves[0] ?? []).map((first, at) => {
    const texts = leaves.map((row) => printMath(row[at]!, (id) => id));
    if (texts.every((text) => text === texts[0])) return first;
    const key = texts.join('\n');
    const known = names.get(key) ?? `#${places.push(at)}`;
    names.set(key, known);
    return name(known);
  });
  let next = 0;
  const formula = replaced(formulas[0]!, (node) => (isGiven(node, elements) ? standing[next++] : undefined));
  return { formula, given: leaves.map((row) => places.map((at) => row[at]!)) };
}
