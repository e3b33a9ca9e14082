/** Where a probe's card stands: near its wire, on no block where there is room. */
import type { Point } from '../document/draft.ts';
import type { Rectangle } from '../document/rectangle.ts';

/** About as large as a card with plots is. */
export const cardSize: Point = [250, 116];
const margin = 10;

function overlap(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

/** The place nearest to `at` that covers least of what is in `taken`; `scale` is how much larger the card is drawn. */
export function placeCard(at: Point, taken: readonly Rectangle[], scale = 1): Point {
  const [width, height] = [cardSize[0] * scale, cardSize[1] * scale];
  let best: { place: Point; cost: number } | undefined;
  for (const dy of [26, 60, 110, 180, -26 - height, -60 - height, -110 - height, -180 - height]) {
    for (const dx of [18, -width / 2, -width - 18, 80, -width - 80]) {
      const place: Point = [Math.round(at[0] + dx), Math.round(at[1] + dy)];
      const card = {
        x: place[0] - margin,
        y: place[1] - margin,
        width: width + 2 * margin,
        height: height + 2 * margin,
      };
      const covered = taken.reduce((sum, other) => sum + overlap(card, other), 0);
      const away = Math.hypot(dx + width / 2, dy + height / 2);
      const cost = covered * 100 + away;
      if (!best || cost < best.cost) best = { place, cost };
    }
  }
  return best!.place;
}
