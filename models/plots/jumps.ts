/** When the solutions jump of which a curve is made: doses move states in no time, and a line across one would be a slope. */
import { outputAt, type Link } from '../graph/checked.ts';
import type { Model } from '../load/model.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { upstreamOf } from './comparisons.ts';

/** Of a curve's length: so near before a jump that the eye takes it for the jump. */
const before = 1e-6;
/** Each is two places more in every group. */
const mostJumps = 200;

/** The times of doses that are data, of all solutions upstream of `links`; what a parameter moves is not among them. */
function dosesOf(model: Model, links: readonly Link[]): number[] {
  return upstreamOf(model, links).flatMap((id) => {
    const { node, links: wires } = model.blocks.get(id)!;
    const { block } = node;
    if (block.kind !== 'ode') return [];
    return (block.events ?? []).flatMap((event, i): number[] => {
      if (!('times' in event)) return [];
      if (isDocumentNumber(event.times)) return [toNumber(event.times)];
      const wire = wires.get(`events.${i}.times`);
      return Array.from((wire && outputAt(model, wire).data) ?? []);
    });
  });
}

/** `grid`, ascending, and both sides of each dose within it. */
export function withBothSides(model: Model, links: readonly Link[], grid: Float64Array): Float64Array {
  const [first, last] = [grid[0]!, grid.at(-1)!];
  const inside = new Set(dosesOf(model, links).filter((time) => time > first && time <= last));
  if (inside.size === 0 || inside.size > mostJumps) return grid;
  const sides = [...inside].flatMap((time) => [Math.max(first, time - before * (last - first)), time]);
  return Float64Array.from(new Set([...grid, ...sides])).sort();
}
