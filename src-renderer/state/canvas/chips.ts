/**
 * A parameter is one number, and its wire says nothing that its place does not: it is drawn as a chip on the block that
 * uses it, and so are constants and ranges. One that several blocks use lives on the first, and is named on the others.
 * What is a vector, what nobody uses, and what was given a place by hand keeps a block of its own.
 */
import type { BlockDraft } from '../document/draft.ts';
import { flatNumbers } from '../document/draft.ts';
import { readNumbers } from '../document/fields/number-fields.ts';
import type { PortsView } from '../document/ports.ts';
import { isSource } from '../document/ports.ts';
import type { Rectangle } from '../document/rectangle.ts';
import { blockOfReference } from '../document/wiring.ts';
import { furtherDigits } from '../words/number-format.ts';

/** The block that a chip stands on, and the port of it that takes its value. */
export interface ChipHome {
  readonly host: string;
  readonly port: string;
}

export const headerHeight = 26;
const chipHeight = 22;
const rowPitch = 26;
const inset = 9;
const between = 6;

/** Every use of each, the one where it lives first; host by host, in the order of the ports. */
export function chipsOf(
  blocks: readonly BlockDraft[],
  ports: ReadonlyMap<string, PortsView>,
  hasPlace: (id: string) => boolean,
): ReadonlyMap<string, readonly ChipHome[]> {
  const uses = new Map<string, ChipHome[]>();
  for (const [host, { inputs }] of ports)
    for (const { name, source } of inputs) {
      if (source === undefined) continue;
      const id = blockOfReference(source);
      uses.set(id, [...(uses.get(id) ?? []), { host, port: name }]);
    }
  const known = new Map(blocks.map((block) => [block.id, block]));
  const isHost = (id: string) => {
    const kind = known.get(id)?.kind ?? '';
    return !isInline(kind) && kind !== 'column';
  };
  const chips = new Map<string, readonly ChipHome[]>();
  for (const [id, homes] of uses) {
    const block = known.get(id);
    if (block && isOneNumber(block, ports.get(id)) && homes.every(({ host }) => isHost(host)) && !hasPlace(id))
      chips.set(id, homes);
  }
  return chips;
}

/** Every block is followed by the chips on it, as they are read. */
export function inReadingOrder(
  blocks: readonly BlockDraft[],
  chips: ReadonlyMap<string, ChipHome>,
): readonly BlockDraft[] {
  if (chips.size === 0) return blocks;
  const known = new Map(blocks.map((block) => [block.id, block]));
  const on = new Map<string, BlockDraft[]>();
  for (const [id, { host }] of chips) on.set(host, [...(on.get(host) ?? []), known.get(id)!]);
  return blocks.flatMap((block) => (chips.has(block.id) ? [] : [block, ...(on.get(block.id) ?? [])]));
}

/** From a block down to the chips on it, from chip to chip, and back; undefined where the way leaves the block. */
export function chipTowards(
  from: string,
  direction: 'left' | 'right' | 'up' | 'down',
  chips: ReadonlyMap<string, ChipHome>,
): string | undefined {
  const host = chips.get(from)?.host ?? from;
  const on = [host, ...[...chips].flatMap(([id, home]) => (home.host === host ? [id] : []))];
  const step = { left: undefined, right: undefined, up: -1, down: 1 }[direction];
  return step === undefined ? undefined : on[on.indexOf(from) + step];
}

/** The element that holds what a chip is called, and its value. */
export function chipName(id: string): string {
  return `chip-${id}`;
}

/** A range is one number, too: how long it is. */
function isInline(kind: string): boolean {
  return isSource(kind) || kind === 'range';
}

function isOneNumber(block: BlockDraft, ports: PortsView | undefined): boolean {
  if (!isInline(block.kind) || ports?.inputs.length !== 0 || block['like'] !== undefined) return false;
  if (block.kind === 'range') return true;
  const value = flatNumbers(block[block.kind === 'parameter' ? 'initial' : 'value']);
  return ports.outputs[0]?.rank === 0 || (ports.outputs[0]?.rank === undefined && value?.length === 1);
}

/** Whether its number can be typed where it stands: that of a range follows from its length. */
export function isTypable(block: BlockDraft | undefined): boolean {
  return block?.kind === 'parameter' || (block?.kind === 'constant' && typeof block['value'] === 'number');
}

/** What was typed as the number of a chip, or why it cannot be. */
export function typedNumber(
  block: BlockDraft,
  text: string,
): { readonly value: number } | { readonly message: string } {
  const read = readNumbers(text);
  if (!read.ok) return { message: read.message };
  const { value } = read;
  if (typeof value !== 'number') return { message: `Wanted a number, got ${text.trim() || 'nothing'}.` };
  const [[lower = -Infinity] = [], [upper = Infinity] = []] = [
    flatNumbers(block['lower']),
    flatNumbers(block['upper']),
  ];
  if (value >= lower && value <= upper) return { value };
  return { message: `${value} lies ${value < lower ? `below ${lower}` : `above ${upper}`}, a bound of ${block.id}.` };
}

/** What stands on a chip beside its value. */
export interface ChipWords {
  readonly name: string;
  readonly unit: string;
}

/** A name of words, a value, a unit, and enough of a track to be dragged. */
function leastWidth(chips: readonly ChipWords[]): number {
  const beyond = (text: string, usual: number): number => Math.max(0, text.length - usual);
  const widest = Math.max(0, ...chips.map(({ name, unit }) => beyond(name, 4) + beyond(unit, 1)));
  return 148 + 7 * (widest + furtherDigits());
}

/** Many stand side by side: a block as high as the canvas could not be read with the others. */
function leastColumns(count: number): number {
  return count > 8 ? 3 : count > 3 ? 2 : 1;
}

/** As many as a block of this width has room for: its formula may make it wider than its chips need. */
function columnsOf(chips: readonly ChipWords[], hostWidth: number): number {
  const room = Math.floor((hostWidth - 2 * inset + between) / (leastWidth(chips) + between));
  return Math.max(leastColumns(chips.length), Math.min(chips.length, room), 1);
}

/** What chips of these words take below the name of their block. */
export function chipsHeight(chips: readonly ChipWords[], hostWidth: number): number {
  return chips.length === 0 ? 0 : Math.ceil(chips.length / columnsOf(chips, hostWidth)) * rowPitch + 2;
}

/** What they need at least from edge to edge. */
export function chipsWidth(chips: readonly ChipWords[]): number {
  return chips.length === 0 ? 0 : leastColumns(chips.length) * (leastWidth(chips) + between) - between + 2 * inset;
}

/** Where a chip stands, from the top left corner of its block. */
export function chipRectangle(index: number, chips: readonly ChipWords[], hostWidth: number): Rectangle {
  const columns = columnsOf(chips, hostWidth);
  const width = Math.max(0, (hostWidth - 2 * inset - (columns - 1) * between) / columns);
  return {
    x: inset + (index % columns) * (width + between),
    y: headerHeight + Math.floor(index / columns) * rowPitch,
    width,
    height: chipHeight,
  };
}
