/** Aligning and distributing blocks: where each goes, from where all of them are. */
import type { Placed } from '../document/commands.ts';
import type { Point } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';

export const alignments = ['left', 'center', 'right', 'top', 'middle', 'bottom'] as const;
export type Alignment = (typeof alignments)[number];

export const distributions = ['across', 'down'] as const;
export type Distribution = (typeof distributions)[number];

type Rectangles = readonly (readonly [id: string, rectangle: Rectangle])[];

/** The edges (or the middle) of all come to that of their common box. */
export function aligned(blocks: Rectangles, alignment: Alignment): Placed[] {
  const left = Math.min(...blocks.map(([, r]) => r.x));
  const right = Math.max(...blocks.map(([, r]) => r.x + r.width));
  const top = Math.min(...blocks.map(([, r]) => r.y));
  const bottom = Math.max(...blocks.map(([, r]) => r.y + r.height));
  const place: { readonly [A in Alignment]: (r: Rectangle) => Point } = {
    left: ({ y }) => [left, y],
    center: ({ y, width }) => [(left + right - width) / 2, y],
    right: ({ y, width }) => [right - width, y],
    top: ({ x }) => [x, top],
    middle: ({ x, height }) => [x, (top + bottom - height) / 2],
    bottom: ({ x, height }) => [x, bottom - height],
  };
  return blocks.map(([id, r]) => [id, whole(place[alignment](r))]);
}

/** The gaps between neighbours become equal; the outermost two stay. */
export function distributed(blocks: Rectangles, distribution: Distribution): Placed[] {
  const across = distribution === 'across';
  const start = (r: Rectangle) => (across ? r.x : r.y);
  const length = (r: Rectangle) => (across ? r.width : r.height);
  const sorted = [...blocks].sort(([, a], [, b]) => start(a) - start(b));
  const [first, last] = [sorted[0], sorted.at(-1)];
  if (!first || !last || sorted.length < 3) return [];
  const free = start(last[1]) + length(last[1]) - start(first[1]) - sorted.reduce((sum, [, r]) => sum + length(r), 0);
  const gap = free / (sorted.length - 1);
  let next = start(first[1]);
  return sorted.map(([id, r]): Placed => {
    const at = next;
    next += length(r) + gap;
    return [id, whole(across ? [at, r.y] : [r.x, at])];
  });
}

function whole([x, y]: Point): Point {
  return [Math.round(x), Math.round(y)];
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/**
 * The nearest block in a direction, for the keyboard: of those that lie that way, the one least far along, where what
 * lies off to the side counts twice, and twice again what does not lie wholly beyond. Undefined where there is none.
 */
export function neighbour(
  from: Rectangle,
  others: ReadonlyMap<string, Rectangle>,
  direction: Direction,
): string | undefined {
  const middle = (r: Rectangle): Point => [r.x + r.width / 2, r.y + r.height / 2];
  const [x, y] = middle(from);
  let best: { id: string; away: number } | undefined;
  for (const [id, rectangle] of others) {
    const [dx, dy] = [middle(rectangle)[0] - x, middle(rectangle)[1] - y];
    const along = { left: -dx, right: dx, up: -dy, down: dy }[direction];
    const aside = Math.abs(direction === 'left' || direction === 'right' ? dy : dx);
    if (along <= 0 || aside > 2 * along + 40) continue;
    const beyond = {
      left: rectangle.x + rectangle.width <= from.x,
      right: rectangle.x >= from.x + from.width,
      up: rectangle.y + rectangle.height <= from.y,
      down: rectangle.y >= from.y + from.height,
    }[direction];
    const away = (along + 2 * aside) * (beyond ? 1 : 2);
    if (away < (best?.away ?? Infinity)) best = { id, away };
  }
  return best?.id;
}
