/** Long series as they can be seen: on a plot, thousands of points to a pixel are a smear of few. */
interface Placed {
  readonly x: number;
  readonly y: number;
}

/** Fewer than these are drawn as they are. */
export const mostPoints = 20_000;

const isPlaced = (point: unknown): point is Placed =>
  typeof point === 'object' && point !== null && 'x' in point && 'y' in point;

/**
 * First, last, lowest and highest point of each column of one pixel, in their order: nothing that stands out is lost.
 * `range` is the part of the abscissa that is looked at; a neighbour on either side stays, for lines that leave it.
 */
export function decimated<T>(
  points: readonly T[],
  range: { readonly min: number; readonly max: number } | undefined,
  columns: number,
): readonly T[] {
  if (points.length <= mostPoints || !isPlaced(points[0])) return points;
  const places = points as readonly (T & Placed)[];
  const { min, max } = range ?? extent(places);
  const width = (max - min) / Math.max(1, columns) || 1;
  const column = ({ x }: Placed) => Math.min(columns + 1, Math.max(-1, Math.floor((x - min) / width)));
  const kept = new Set<number>();
  const extremes = new Map<number, { first: number; last: number; low: number; high: number }>();
  places.forEach((point, i) => {
    const of = extremes.get(column(point));
    if (!of) {
      extremes.set(column(point), { first: i, last: i, low: i, high: i });
      return;
    }
    of.last = i;
    if (point.y < places[of.low]!.y) of.low = i;
    if (point.y > places[of.high]!.y) of.high = i;
  });
  for (const { first, last, low, high } of extremes.values()) for (const i of [first, last, low, high]) kept.add(i);
  return places.filter((_, i) => kept.has(i));
}

function extent(points: readonly Placed[]): { readonly min: number; readonly max: number } {
  let [min, max] = [Infinity, -Infinity];
  for (const { x } of points) {
    if (x < min) min = x;
    if (x > max) max = x;
  }
  return { min, max };
}
