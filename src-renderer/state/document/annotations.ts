/**
 * What lies on the canvas beside blocks and wires, kept in the document's `view`: frames around blocks, notes, and probes
 * pinned to wires. An entry that cannot be read is not drawn and stays in the document.
 */
import type { Draft, JsonRecord, Point } from './draft.ts';
import { isRecord, own } from './draft.ts';
import type { Rectangle } from './rectangle.ts';

export const frameColors = ['grey', 'blue', 'teal', 'amber', 'rose'] as const;
export type FrameColor = (typeof frameColors)[number];

export interface Frame {
  readonly title: string;
  readonly at: Point;
  readonly size: Point;
  readonly color: FrameColor;
}

export interface Note {
  readonly text: string;
  readonly at: Point;
}

export interface Probe {
  readonly block: string;
  readonly port: string;
  /** Where its card stands. */
  readonly at: Point;
}

export interface Annotations {
  readonly frames: Frame;
  readonly notes: Note;
  readonly probes: Probe;
}
export type AnnotationKey = keyof Annotations;

/** An entry and its place in the document's list, by which it is changed. */
export interface Placed<T> {
  readonly index: number;
  readonly entry: T;
}

export const smallestFrame: Point = [80, 48];

function pointOf(value: unknown): Point | undefined {
  if (!Array.isArray(value) || value.length !== 2) return undefined;
  const [x, y] = value as unknown[];
  return typeof x === 'number' && typeof y === 'number' && Number.isFinite(x + y) ? [x, y] : undefined;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const readers: { readonly [K in AnnotationKey]: (entry: JsonRecord, at: Point) => Annotations[K] | undefined } = {
  frames(entry, at) {
    const size = pointOf(entry['size']);
    const color = frameColors.find((name) => name === entry['color']) ?? 'grey';
    return size && { title: textOf(entry['title']), at, size, color };
  },
  notes: (entry, at) => ({ text: textOf(entry['text']), at }),
  probes(entry, at) {
    const { block, port } = entry;
    return typeof block === 'string' && typeof port === 'string' ? { block, port, at } : undefined;
  },
};

function listOf(draft: Draft, key: AnnotationKey): readonly unknown[] {
  const list = own(draft['view'], key);
  return Array.isArray(list) ? list : [];
}

export function annotationsOf<K extends AnnotationKey>(draft: Draft, key: K): readonly Placed<Annotations[K]>[] {
  return listOf(draft, key).flatMap((entry, index) => {
    const at = isRecord(entry) ? pointOf(entry['at']) : undefined;
    const read = isRecord(entry) && at ? readers[key](entry, at) : undefined;
    return read ? [{ index, entry: read }] : [];
  });
}

/** The list with one entry changed, added (at an index beyond its end) or, where `entry` is null, taken away. */
export function withAnnotation<K extends AnnotationKey>(
  draft: Draft,
  key: K,
  index: number,
  entry: Partial<Annotations[K]> | null,
): readonly unknown[] {
  const list = listOf(draft, key);
  if (entry === null) return list.filter((_, i) => i !== index);
  if (index >= list.length) return [...list, entry];
  return list.map((old, i) => (i === index ? { ...(isRecord(old) ? old : {}), ...entry } : old));
}

/** The blocks that a frame moves: those that lie wholly in it. */
export function blocksWithin({ at, size }: Frame, rectangles: ReadonlyMap<string, Rectangle>): readonly string[] {
  return [...rectangles].flatMap(([id, r]) =>
    r.x >= at[0] && r.y >= at[1] && r.x + r.width <= at[0] + size[0] && r.y + r.height <= at[1] + size[1] ? [id] : [],
  );
}

/** A frame with a margin around these rectangles, and room for its title above. */
export function frameAround(rectangles: readonly Rectangle[]): Pick<Frame, 'at' | 'size'> | undefined {
  if (rectangles.length === 0) return undefined;
  const margin = 16;
  const title = 24;
  const left = Math.min(...rectangles.map((r) => r.x)) - margin;
  const top = Math.min(...rectangles.map((r) => r.y)) - margin - title;
  const right = Math.max(...rectangles.map((r) => r.x + r.width)) + margin;
  const bottom = Math.max(...rectangles.map((r) => r.y + r.height)) + margin;
  return { at: [left, top], size: [right - left, bottom - top] };
}
