/** What the canvas does with a selection: copies, cuts, pastes, aligns, packs. Each change is one command. */
import type { Problem } from '../../../src-main/contract/contract.ts';
import type { Alignment, Distribution } from './arranging.ts';
import { aligned, distributed } from './arranging.ts';
import type { CanvasState } from './canvas.svelte.ts';
import { around } from './free-place.ts';
import { copyText, pasteCommand, readPasted } from '../document/clipboard.ts';
import type { Placed } from '../document/commands.ts';
import type { Draft, JsonRecord, Point } from '../document/draft.ts';
import { freshId, readDraft } from '../document/draft.ts';
import { packable, unpack, whyNotPacked } from '../document/grouping.ts';
import { problemText } from '../document/problem-text.ts';
import { sentenceOf } from '../window/refusal.ts';
import type { Studio } from '../studio.svelte.ts';

export interface EditingHost {
  readonly studio: Studio;
  readonly canvas: CanvasState;
  /** Where the pointer is on the canvas; undefined where it is elsewhere. */
  readonly pointer: () => Point | undefined;
  /** One sentence for the user; what text holds rows of cells is the import's. */
  readonly refuse: (sentence: string) => void;
  readonly pasteTable: (text: string) => void;
}

/** About as large as a group with few ports is. */
const groupSize = [148, 76] as const;
/** About as large as a block is. */
const pastedSize = [148, 64] as const;

/** A port that is not wired yet is as good on this canvas as it was on the other. */
function isUnfinished({ block, got }: Problem): boolean {
  return block !== undefined && (got === undefined || got === '""');
}

export function createEditing({ studio, canvas, pointer, refuse, pasteTable }: EditingHost) {
  const places = (ids: readonly string[]): Placed[] => [...canvas.placesFor(ids)];
  const rectangles = () =>
    studio.selection.flatMap((id) => {
      const rectangle = canvas.rectangles.get(id);
      return rectangle ? [[id, rectangle] as const] : [];
    });

  /** The selection as text; '' where nothing is selected. */
  function copied(): string {
    return studio.selection.length === 0 ? '' : copyText(studio.draft, studio.selection, (id) => canvas.positionOf(id));
  }

  function remove(): void {
    studio.perform({ type: 'remove', ids: studio.selection });
  }

  function insert(fragment: Draft, at: Point | undefined, what: 'Paste' | 'Duplicate'): void {
    // A model that was laid out automatically keeps its places: what comes must not move it.
    const fixed = [...canvas.placesFor([])];
    const { positions, ...command } = pasteCommand(fragment, { draft: studio.draft, at, what });
    const outer = new Set(command.blocks.map((block) => block.id));
    const box = around(
      positions.flatMap(([id, point]) => (outer.has(id) ? [point] : [])),
      pastedSize,
    );
    const [x, y] = canvas.roomAt([box.x, box.y], box);
    const moved = positions.map(([id, point]): Placed => [
      id,
      outer.has(id) ? [point[0] + x - box.x, point[1] + y - box.y] : point,
    ]);
    studio.perform({ ...command, positions: [...fixed, ...moved] });
    studio.select(command.blocks.map((block) => block.id));
  }

  async function pasteBlocks(document: JsonRecord): Promise<void> {
    try {
      const whole = { format: 'cotangent/1', ...document };
      const { problems } = await studio.client.request('model.read', { document: whole });
      const first = problems.find((problem) => problem.severity === 'error' && !isUnfinished(problem));
      const { draft } = readDraft(whole);
      if (first) refuse(`What was pasted is no model: ${problemText(first)}`);
      else if (draft.blocks.length === 0) refuse('What was pasted has no blocks.');
      else insert(draft, pointer(), 'Paste');
    } catch (error) {
      refuse(sentenceOf(error));
    }
  }

  /** Where a group stands that takes the place of these blocks. */
  function middleOf(ids: readonly string[]): Point {
    const all = ids.flatMap((id) => canvas.rectangles.get(id) ?? []);
    const middle = (starts: readonly number[], ends: readonly number[], half: number) =>
      all.length === 0 ? 0 : Math.round((Math.min(...starts) + Math.max(...ends)) / 2 - half);
    return [
      middle(
        all.map((r) => r.x),
        all.map((r) => r.x + r.width),
        groupSize[0] / 2,
      ),
      middle(
        all.map((r) => r.y),
        all.map((r) => r.y + r.height),
        groupSize[1] / 2,
      ),
    ];
  }

  function move(positions: readonly Placed[]): void {
    const [first] = positions;
    if (!first) return;
    studio.perform({ type: 'move', positions: [...new Map([...canvas.placesFor([first[0]]), ...positions])] });
  }

  return {
    copied,
    remove,
    isTable: (text: string) => readPasted(text).kind === 'table',

    paste(text: string): void {
      const pasted = readPasted(text);
      if (pasted.kind === 'fault') refuse(pasted.message);
      else if (pasted.kind === 'table') pasteTable(text);
      else void pasteBlocks(pasted.document);
    },

    duplicate(): void {
      const pasted = readPasted(copied());
      if (pasted.kind === 'blocks') insert(readDraft(pasted.document).draft, undefined, 'Duplicate');
    },

    selectAll(): void {
      studio.select(studio.draft.blocks.map((block) => block.id));
    },

    align: (alignment: Alignment) => move(aligned(rectangles(), alignment)),
    distribute: (distribution: Distribution) => move(distributed(rectangles(), distribution)),

    /** Arrow keys: a run of them is one step back. */
    nudge([dx, dy]: Point): void {
      const positions = canvas.placesFor(studio.selection);
      for (const id of studio.selection) {
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
      studio.perform({ type: 'pack', ids, id, at: middleOf(ids), positions: places(ids) });
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
