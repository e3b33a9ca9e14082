/** Blocks that come from text, the clipboard's or their own: checked, named anew, and put where there is room. */
import type { Problem } from '../../../src-main/contract/contract.ts';
import type { CanvasState } from './canvas.svelte.ts';
import { around } from './free-place.ts';
import { pasteCommand, readPasted } from '../document/clipboard.ts';
import type { Placed } from '../document/commands.ts';
import type { Draft, JsonRecord, Point } from '../document/draft.ts';
import { readDraft } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';
import { problemText } from '../document/problem-text.ts';
import { sentenceOf } from '../window/refusal.ts';
import type { Studio } from '../studio.svelte.ts';

export interface EditingHost {
  readonly studio: Studio;
  readonly canvas: CanvasState;
  /** Where the pointer is on the canvas; undefined where it is elsewhere. */
  readonly pointer: () => Point | undefined;
  /** What of the canvas is in view. */
  readonly seen: () => Rectangle;
  /** One sentence for the user; what text holds rows of cells is the import's. */
  readonly refuse: (sentence: string) => void;
  readonly pasteTable: (text: string) => void;
}

/** About as large as a block is. */
const pastedSize = [148, 64] as const;

export function paste(host: EditingHost, text: string): void {
  const pasted = readPasted(text);
  if (pasted.kind === 'fault') host.refuse(pasted.message);
  else if (pasted.kind === 'table') host.pasteTable(text);
  else void pasteBlocks(host, pasted.document);
}

/** Of blocks as their text: another of each, beside it. */
export function duplicate(host: EditingHost, text: string): void {
  const pasted = readPasted(text);
  if (pasted.kind === 'blocks') insert(host, readDraft(pasted.document).draft, undefined, 'Duplicate');
}

/** A port that is not wired yet is as good on this canvas as it was on the other. */
function isUnfinished({ block, got }: Problem): boolean {
  return block !== undefined && (got === undefined || got === '""');
}

async function pasteBlocks(host: EditingHost, document: JsonRecord): Promise<void> {
  const { studio, pointer, refuse } = host;
  try {
    const whole = { format: 'cotangent/1', ...document };
    const { problems } = await studio.client.request('model.read', { document: whole });
    const first = problems.find((problem) => problem.severity === 'error' && !isUnfinished(problem));
    const { draft } = readDraft(whole);
    if (first) refuse(`What was pasted is no model: ${problemText(first)}`);
    else if (draft.blocks.length === 0) refuse('What was pasted has no blocks.');
    else insert(host, draft, pointer(), 'Paste');
  } catch (error) {
    refuse(sentenceOf(error));
  }
}

/** The blocks of a document that was checked, selected where they are put. */
export function insert(
  { studio, canvas, seen }: EditingHost,
  fragment: Draft,
  at: Point | undefined,
  what?: 'Paste' | 'Duplicate',
): void {
  // A model that was laid out automatically keeps its places: what comes must not move it.
  const fixed = [...canvas.placesFor([])];
  const { positions, ...command } = pasteCommand(fragment, { draft: studio.draft, at, what });
  const outer = new Set(command.blocks.map((block) => block.id));
  const box = around(
    positions.flatMap(([id, point]) => (outer.has(id) ? [point] : [])),
    pastedSize,
  );
  const [x, y] = canvas.roomAt([box.x, box.y], { size: box, within: seen() });
  const moved = positions.map(([id, point]): Placed => [
    id,
    outer.has(id) ? [point[0] + x - box.x, point[1] + y - box.y] : point,
  ]);
  // Before the first picture stands nothing has a place, and all is laid out together.
  const isLaidOut = studio.draft.blocks.every(({ id }) => canvas.isPlaced(id));
  studio.perform({ ...command, positions: isLaidOut ? [...fixed, ...moved] : [] });
  studio.select(command.blocks.map((block) => block.id));
}
