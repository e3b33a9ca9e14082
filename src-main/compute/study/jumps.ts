/**
 * Where an output may jump as parameters move: a condition or a rounding of something that depends on them, in a formula on its
 * way. A derivative knows nothing of a jump, and neither does what is told from derivatives alone. Within a solution of
 * differential equations rates may jump, and the solution does not.
 */
import { parseFormula } from '../../../models/formula/parse.ts';
import { walk, type Expression, type Formula } from '../../../models/formula/syntax.ts';
import { outputAt, type CheckedBlock, type Link } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { upstreamOf } from '../../../models/plots/comparisons.ts';

const roundings: ReadonlySet<string> = new Set(['floor', 'ceil', 'round', 'trunc', 'sign', 'mod', 'int']);
const comparisons: ReadonlySet<string> = new Set(['<', '<=', '>', '>=', '==', '!=']);

/** The blocks whose formulas may, in the order of the model. */
export function jumpingBlocks(model: Model, links: readonly Link[]): string[] {
  const upstream = new Set(upstreamOf(model, links));
  return [...model.blocks].flatMap(([id, checked]) =>
    upstream.has(id) && formulasOf(checked).some((text) => mayJump(model, checked, text)) ? [id] : [],
  );
}

function formulasOf({ node: { block } }: CheckedBlock): string[] {
  if (block.kind === 'quantity') return [block.formula];
  return block.kind === 'map' ? [block.formula ?? [], Object.values(block.outputs ?? {})].flat() : [];
}

function mayJump(model: Model, { links }: CheckedBlock, text: string): boolean {
  const parsed = parseFormula(text);
  if (!parsed.ok) return false;
  const computed = (name: string): boolean => {
    const link = links.get(name);
    return link !== undefined && outputAt(model, link).computed;
  };
  const moves = movingNames(parsed.formula, computed);
  return expressionsOf(parsed.formula).some((whole) =>
    [...walk(whole)].some(
      (part) => jumps(part) && [...walk(part)].some((each) => each.kind === 'name' && moves(each.name)),
    ),
  );
}

const jumps = (part: Expression): boolean =>
  part.kind === 'call' ? roundings.has(part.name) : part.kind === 'binary' && comparisons.has(part.operator);

const expressionsOf = ({ definitions, result }: Formula): Expression[] => [
  ...definitions.map(({ value }) => value),
  result,
];

/** Names of what depends on parameters: inputs, and what the formula defines of them line by line. */
function movingNames({ definitions }: Formula, computed: (name: string) => boolean): (name: string) => boolean {
  const known = new Map<string, boolean>();
  const moves = (name: string): boolean => known.get(name) ?? computed(name);
  for (const { name, value } of definitions)
    known.set(
      name,
      [...walk(value)].some((each) => each.kind === 'name' && moves(each.name)),
    );
  return moves;
}
