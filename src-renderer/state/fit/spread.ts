/** Texts that stand beside points of a chart: moved up or down until none stands on another. */
export interface Standing {
  readonly left: number;
  readonly right: number;
  readonly y: number;
}

const rounds = 100;

/**
 * The heights at which they no longer touch, each as near to its own as the others let it; `height` is that of a line, and
 * none leaves the range between `top` and `bottom` unless it began outside.
 */
export function spreadApart(texts: readonly Standing[], height: number, top: number, bottom: number): number[] {
  const heights = texts.map(({ y }) => y);
  for (let round = 0; round < rounds; round++) {
    let moved = false;
    for (const [i, one] of texts.entries())
      for (const [j, other] of texts.entries()) {
        if (j <= i || one.left > other.right || other.left > one.right) continue;
        // Which began above stays above; of two at one height, the first.
        const way = other.y < one.y ? -1 : 1;
        const missing = height - way * (heights[j]! - heights[i]!);
        if (missing < 0.01) continue;
        heights[i] = within(heights[i]! - (way * missing) / 2, one.y, top, bottom);
        heights[j] = within(heights[j]! + (way * missing) / 2, other.y, top, bottom);
        moved = true;
      }
    if (!moved) break;
  }
  return heights;
}

function within(y: number, own: number, top: number, bottom: number): number {
  return Math.min(Math.max(y, Math.min(top, own)), Math.max(bottom, own));
}
