/** Solutions of which rows look up values, each at a place in it, as those of an imported problem do. */
import type { ColumnBlock } from '../blocks/column.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { upstreamOf } from './comparisons.ts';
import { lookedUpBy } from './looked-up.ts';
import { rowByRow } from './rows.ts';

/** An ode block whose outputs are looked up. */
export interface Solution {
  readonly ode: string;
  /** The constant that holds its times, slot by slot, in each of them lane by lane. */
  readonly times: string;
  readonly data: ArrayLike<number>;
  readonly slots: number;
  readonly lanes: number;
}

/** Values that are looked up row by row of a table. */
export interface LookedUpSolution extends Solution {
  readonly table: string;
  /** Column blocks: of the places, of the times that are found there, and of all else that the rows are made of or told by. */
  readonly places: string;
  readonly x: string;
  readonly others: readonly string[];
}

/** Undefined where rows are made of anything else of a solution, or no column tells the times. */
export function solutionBehind(model: Model, link: Link): LookedUpSolution | undefined {
  const rows = rowByRow(model, link);
  if (!rows || rows.filters.length > 0) return undefined;
  const count = outputAt(model, link).sizes[0]?.value ?? 0;
  const [lookedUp, another] = lookedUpBy(model, upstreamOf(model, [link]), count);
  if (!lookedUp || another) return undefined;
  const { places, tellers } = lookedUp;
  const solution = solutionAt(model, link, places);
  if (!solution) return undefined;
  const at = dataOf(model, places);
  const x = tellers.find((id) => {
    const told = dataOf(model, id);
    return Array.from(at).every((place, row) => Object.is(solution.data[place], told[row]));
  });
  if (x === undefined) return undefined;
  const others = [...tellers, ...rows.columns].filter((id) => id !== places && id !== x);
  return { ...solution, ...{ table: rows.table, places, x }, others: [...new Set(others)] };
}

/** The solution that values look up by these places, of whose outputs they take nothing else. */
export function solutionAt(model: Model, link: Link, places: string): Solution | undefined {
  const upstream = upstreamOf(model, [link]);
  const usersOf = (id: string): string[] =>
    upstream.filter((user) => [...model.blocks.get(user)!.links.values()].some(({ block }) => block === id));
  const isGather = (id: string): boolean => {
    const { node, links } = model.blocks.get(id)!;
    return node.block.kind === 'gather' && links.get('indices')?.block === places;
  };
  // Where a place also counts as a number, that of a further row would count as another.
  if (!usersOf(places).every(isGather)) return undefined;
  const lookedUp = (id: string): string[] =>
    usersOf(id).flatMap((user) => (isFlat(model, user) ? usersOf(user) : [user]));
  const [ode, another] = upstream.filter(
    (id) => model.blocks.get(id)!.node.block.kind === 'ode' && lookedUp(id).some(isGather),
  );
  const times = ode === undefined ? undefined : model.blocks.get(ode)!.links.get('times')?.block;
  if (ode === undefined || times === undefined || another !== undefined) return undefined;
  const { node, outputs } = model.blocks.get(times)!;
  const { sizes, data } = outputs[0]!;
  if (node.block.kind !== 'constant' || !data || usersOf(times).length > 1) return undefined;
  // Of lanes what is looked up lies in one row: slot by slot, lane by lane.
  if (sizes.length > 1 && usersOf(ode).some(isGather)) return undefined;
  const [slots = 0, lanes = 1] = sizes.map(({ value }) => value);
  return lookedUp(ode).every(isGather) ? { ode, times, data, slots, lanes } : undefined;
}

function isFlat({ blocks }: Model, id: string): boolean {
  const { block } = blocks.get(id)!.node;
  return block.kind === 'reshape' && block.shape.length === 1 && block.shape[0] === -1;
}

/** What the column of a block is called in its table. */
export const columnOf = ({ blocks }: Model, id: string): string => (blocks.get(id)!.node.block as ColumnBlock).column;

export const dataOf = (model: Model, id: string): ArrayLike<number> =>
  outputAt(model, { block: id, output: 0 }).data ?? [];
