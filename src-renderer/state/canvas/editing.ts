/** What the canvas does with a selection: copies, cuts, moves, aligns, packs. Each change is one command. */
import type { Alignment, Distribution } from './arranging.ts';
import { aligned, distributed } from './arranging.ts';
import { duplicate, insert, paste, type EditingHost } from './pasting.ts';
import { copyText, readPasted } from '../document/clipboard.ts';
import type { Placed } from '../document/commands.ts';
import type { Draft, Point } from '../document/draft.ts';
import { freshId } from '../document/draft.ts';
import { packable, unpack, whyNotPacked } from '../document/grouping.ts';
import type { Rectangle } from '../document/rectangle.ts';

/** About as large as a group with few ports is. */
const groupSize = [148, 76] as const;

/** Where a group stands that takes the place of what is in these rectangles. */
function middleOf(all: readonly Rectangle[]): Point {
  if (all.length === 0) return [0, 0];
  const left = Math.min(...all.map(({ x }) => x));
  const right = Math.max(...all.map(({ x, width }) => x + width));
  const top = Math.min(...all.map(({ y }) => y));
  const bottom = Math.max(...all.map(({ y, height }) => y + height));
  return [Math.round((left + right - groupSize[0]) / 2), Math.round((top + bottom - groupSize[1]) / 2)];
}

export type Editing = ReturnType<typeof createEditing>;

export function createEditing(host: EditingHost) {
  const { studio, canvas, refuse } = host;
  const places = (ids: readonly string[]): Placed[] => [...canvas.placesFor(ids)];
  const rectangles = () =>
    studio.selection.flatMap((id) => {
      const rectangle = canvas.cards.get(id);
      return rectangle ? [[id, rectangle] as const] : [];
    });

  /** The selection as text; '' where nothing is selected. */
  function copied(): string {
    return studio.selection.length === 0
      ? ''
      : copyText(studio.draft, studio.selection, (id) => (canvas.chips.has(id) ? undefined : canvas.positionOf(id)));
  }

  function remove(): void {
    studio.perform({ type: 'remove', ids: studio.selection });
  }

  function move(positions: readonly Placed[]): void {
    if (positions.length === 0) return;
    const before = canvas.placesFor(positions.map(([id]) => id));
    studio.perform({ type: 'move', positions: [...new Map([...before, ...positions])] });
  }

  return {
    copied,
    remove,
    isTable: (text: string) => readPasted(text).kind === 'table',
    paste: (text: string) => paste(host, text),
    duplicate: () => duplicate(host, copied()),
    insert: (fragment: Draft, at: Point) => insert(host, fragment, at),

    selectAll(): void {
      studio.select(studio.draft.blocks.map((block) => block.id));
    },

    /** Moving one block of a model that was laid out automatically writes all places down: the others must not move. */
    drop(dragged: readonly Placed[]): void {
      const [only] = dragged;
      const [dx, dy] = only && dragged.length === 1 ? canvas.straighten(only[0]) : [0, 0];
      const moved = dragged
        .filter(([id]) => !canvas.chips.has(id))
        .map(([id, [x, y]]): Placed => [id, [x + dx, y + dy]]);
      const changed = moved.some(([id, [x, y]]) => {
        const [fromX, fromY] = canvas.positionOf(id);
        return x !== fromX || y !== fromY;
      });
      if (changed) move(moved);
    },

    align: (alignment: Alignment) => move(aligned(rectangles(), alignment)),
    distribute: (distribution: Distribution) => move(distributed(rectangles(), distribution)),

    /** Arrow keys: a run of them is one step back. */
    nudge([dx, dy]: Point): void {
      const positions = canvas.placesFor(studio.selection);
      // A chip stands where its block does.
      const moving = studio.selection.filter((id) => !canvas.chips.has(id));
      if (moving.length === 0) return;
      for (const id of moving) {
        const [x, y] = canvas.positionOf(id);
        positions.set(id, [x + dx, y + dy]);
      }
      studio.perform({ type: 'move', positions: [...positions] }, `move ${studio.selection.join()}`);
    },

    pack(): void {
      const why = whyNotPacked(studio.draft, studio.selection);
      if (why !== undefined) {
        refuse(why);
        return;
      }
      const ids = packable(studio.draft, studio.selection);
      const id = freshId(new Set(studio.draft.blocks.map((block) => block.id)), 'group');
      studio.perform({
        type: 'pack',
        ids,
        id,
        at: canvas.roomAt(middleOf(ids.flatMap((id) => canvas.cards.get(id) ?? [])), {
          size: { width: groupSize[0], height: groupSize[1] },
          without: ids,
        }),
        positions: places(ids),
      });
      studio.select([id]);
    },

    unpack(): void {
      const [id] = studio.selection;
      if (id === undefined) return;
      const outside = new Set(studio.draft.blocks.map((block) => block.id));
      const inside = unpack(studio.draft, id).blocks.map((block) => block.id);
      studio.perform({ type: 'unpack', id, positions: places([id]) });
      studio.select(inside.filter((inner) => !outside.has(inner)));
    },
  };
}
