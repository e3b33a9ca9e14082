/** Lengths about a minimum that may have no Hessian, by how the energy rises there. */
import type { Bounds } from '../coordinates.ts';
import type { Slope } from './stationary.ts';

export type SlopeAt = (u: Float64Array) => Promise<Slope>;

/** How far the coordinates go, each by itself, until the energy has risen by about a half. */
export async function rises(
  slopeAt: SlopeAt,
  point: Float64Array,
  free: readonly number[],
  all: readonly Bounds[],
): Promise<number[] | undefined> {
  const { value: here } = await slopeAt(point);
  const widths: number[] = [];
  for (const j of free) {
    let [width, least, most] = [1e-3 * (Math.abs(point[j]!) || 1), 0, Infinity];
    let isFound = false;
    for (let k = 0; k < 100 && !isFound; k++) {
      const [low, high] = [await at(j, -width), await at(j, width)];
      const rise = (low + high) / 2 - here;
      isFound = rise >= 0.25 && rise <= 1;
      if (isFound) break;
      if (rise < 0.25) least = width;
      else most = width;
      width = most === Infinity ? 4 * width : least === 0 ? width / 4 : Math.sqrt(least * most);
    }
    if (!isFound) return undefined;
    widths.push(width);
  }
  return widths;

  async function at(j: number, step: number): Promise<number> {
    const u = point.slice();
    const { lower, upper } = all[j]!;
    u[j] = Math.min(Math.max(u[j]! + step, lower), upper);
    return (await slopeAt(u)).value;
  }
}
