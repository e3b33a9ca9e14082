/** Solutions of which rows look up values, each at a place in it, as those of an imported problem do. */
import { numbers } from '../../engine/index.ts';
import type { Block } from '../blocks/block.ts';
import type { ColumnBlock } from '../blocks/column.ts';
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { fromNumber, isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { upstreamOf } from './comparisons.ts';
import type { OtherRows } from './finer.ts';
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

/** A value that could be looked up: of a lane, at a time, all else as it stands in a row of the table. */
export interface LookUp {
  readonly lane: number;
  readonly time: number;
  readonly row: number;
}

/** Undefined where rows are made of anything else of a solution, or no column tells the times. */
export function solutionBehind(model: Model, link: Link): LookedUpSolution | undefined {
  const upstream = upstreamOf(model, [link]);
  // What follows looks at every row.
  if (!upstream.some((id) => model.blocks.get(id)!.node.block.kind === 'ode')) return undefined;
  const rows = rowByRow(model, link);
  if (!rows || rows.filters.length > 0) return undefined;
  const count = outputAt(model, link).sizes[0]?.value ?? 0;
  const [lookedUp, another] = lookedUpBy(model, upstream, count);
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

/** When each lane begins. */
export function beginningsOf(model: Model, { ode, data, lanes }: Solution): Float64Array {
  const { node, links } = model.blocks.get(ode)!;
  const link = links.get('from');
  const given = link && outputAt(model, link).data;
  const written =
    node.block.kind === 'ode' && isDocumentNumber(node.block.from) ? toNumber(node.block.from) : undefined;
  return new Float64Array(numbers(lanes, (lane) => written ?? given?.[given.length > 1 ? lane : 0] ?? data[lane]!));
}

export interface AtTimes {
  /** The constant that holds them. */
  readonly blocks: ReadonlyMap<string, Block>;
  /** One that each lane has. */
  readonly placeOf: (lane: number, time: number) => number;
}

/** A solution at other times, of each lane its own; a lane that wants none keeps those that it has. */
export function atTimes(
  model: Model,
  { times, data, slots, lanes }: Solution,
  wanted: readonly ReadonlySet<number>[],
): AtTimes {
  const lanesTimes = wanted.map((own, lane) => {
    const known = numbers(slots, (slot) => data[slot * lanes + lane]!);
    return (own.size > 0 ? [...own] : [...known].filter((time) => !Number.isNaN(time))).sort((a, b) => a - b);
  });
  const places = lanesTimes.map((own) => new Map(own.map((time, slot) => [time, slot])));
  const inSlot = (slot: number) => lanesTimes.map((own) => fromNumber(own[slot] ?? NaN));
  const { node, outputs } = model.blocks.get(times)!;
  const isFlat = outputs[0]!.sizes.length === 1;
  const most = Math.max(...lanesTimes.map(({ length }) => length));
  const value = Array.from({ length: most }, (_, slot) => (isFlat ? inSlot(slot)[0]! : inSlot(slot)));
  return {
    blocks: new Map([[times, { ...node.block, value } as Block]]),
    placeOf: (lane, time) => places[lane]!.get(time)! * lanes + lane,
  };
}

/** The rows of a table that look up these values of a solution. */
export function lookingUp(
  model: Model,
  { table, places, x }: LookedUpSolution,
  { placeOf }: AtTimes,
  values: readonly LookUp[],
): OtherRows {
  const moved = new Map<string, Float64Array | Int32Array>([
    [columnOf(model, places), Int32Array.from(values, ({ lane, time }) => placeOf(lane, time))],
    [columnOf(model, x), Float64Array.from(values, ({ time }) => time)],
  ]);
  return { table, moved, rows: Int32Array.from(values, ({ row }) => row) };
}

/** What the column of a block is called in its table. */
export const columnOf = ({ blocks }: Model, id: string): string => (blocks.get(id)!.node.block as ColumnBlock).column;

export const dataOf = (model: Model, id: string): ArrayLike<number> =>
  outputAt(model, { block: id, output: 0 }).data ?? [];
