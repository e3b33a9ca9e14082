/**
 * Values that rows look up in an array, a solution say, by a column of places: where they stand is not what they are of. That is
 * told by other columns of the same table, of which the place knows the value: the time that is looked up, the experiment.
 */
import type { ColumnBlock } from '../blocks/column.ts';
import { outputAt } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';

export interface LookedUp {
  /** The column of places. */
  readonly places: string;
  /** Columns beside it, at least one of them of numbers. */
  readonly tellers: readonly string[];
}

/** `upstream`: the blocks that a prediction is made of. Nothing else is made of what tells. */
export function lookedUpBy(model: Model, upstream: readonly string[], rows: number): LookedUp[] {
  const used = new Set(
    [...model.blocks.values()].flatMap(({ links }) => [...links.values()].map(({ block }) => block)),
  );
  const free = [...model.blocks.keys()].filter((id) => upstream.includes(id) || !used.has(id));
  const places = upstream.flatMap((id) => {
    const { node, links } = model.blocks.get(id)!;
    const indices = node.block.kind === 'gather' ? links.get('indices') : undefined;
    return indices && columnAt(model, indices.block) ? [indices.block] : [];
  });
  return [...new Set(places)].flatMap((own) => {
    const at = outputAt(model, { block: own, output: 0 });
    const table = columnAt(model, own)?.table;
    if (!at.data || at.category || at.sizes[0]?.value !== rows) return [];
    const tellers = free.filter((id) => {
      if (id === own || columnAt(model, id)?.table !== table) return false;
      const output = outputAt(model, { block: id, output: 0 });
      const told = output.element === 'real' || output.category !== undefined;
      return told && output.data !== undefined && output.sizes[0]?.value === rows && knows(at.data!, output.data);
    });
    const measures = tellers.some((id) => outputAt(model, { block: id, output: 0 }).element === 'real');
    return measures ? [{ places: own, tellers }] : [];
  });
}

function columnAt({ blocks }: Model, id: string): ColumnBlock | undefined {
  const block = blocks.get(id)?.node.block;
  return block?.kind === 'column' ? block : undefined;
}

/** Whether the same place has the same value everywhere. */
function knows(places: ArrayLike<number>, values: ArrayLike<number>): boolean {
  const told = new Map<number, number>();
  for (let row = 0; row < places.length; row++) {
    const [place, value] = [places[row]!, values[row]!];
    if (!Object.is(told.get(place) ?? value, value)) return false;
    told.set(place, value);
  }
  return true;
}
