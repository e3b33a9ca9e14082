/** When the solutions jump of which a curve is made: doses move states in no time, and a line across one would be a slope. */
import { outputAt, type Link } from '../graph/checked.ts';
import { computeOutput } from '../graph/data.ts';
import type { Model } from '../load/model.ts';
import { isDocumentNumber, toNumber } from '../notation/numbers.ts';
import { upstreamOf } from './comparisons.ts';

/** Of a curve's length: so near a jump that the eye takes it for the jump. */
const beside = 1e-6;
/** Of all groups together: of more doses those that the eye tells apart. */
const pointsInAll = 40_000;

export interface Jumps {
  /** By the solver's clock, ascending, each once: the doses whose times are data. */
  readonly doses: readonly number[];
  /** Whether that is all: neither a condition nor a parameter says when. */
  readonly foretold: boolean;
  /** What the solutions take for their times. */
  readonly clocks: readonly Link[];
}

/** Of all solutions upstream of `links`. */
export function jumpsOf(model: Model, links: readonly Link[]): Jumps {
  const doses = new Set<number>();
  const clocks: Link[] = [];
  let foretold = true;
  for (const id of upstreamOf(model, links)) {
    const { node, links: wires } = model.blocks.get(id)!;
    const { block } = node;
    if (block.kind !== 'ode' || !block.events?.length) continue;
    clocks.push(wires.get('times')!);
    block.events.forEach((event, i) => {
      const wire = wires.get(`events.${i}.times`);
      const times = 'times' in event && isDocumentNumber(event.times) ? [toNumber(event.times)] : dataAt(model, wire);
      if (times) for (const time of Array.from(times)) doses.add(time);
      else foretold = false;
    });
  }
  return { doses: [...doses].filter(Number.isFinite).sort((a, b) => a - b), foretold, clocks };
}

/** Undefined where a parameter tells. */
export function dataAt(model: Model, link: Link | undefined): ArrayLike<number> | undefined {
  if (!link) return undefined;
  const { data, computed } = outputAt(model, link);
  return data ?? (computed ? undefined : computeOutput(model.blocks, link));
}

/** How many doses a curve of so many groups has room for. */
const mostDoses = (groups: number): number => Math.max(1, Math.floor(pointsInAll / (2 * Math.max(1, groups))));

/** `grid`, ascending, and both sides of each of these places within it. */
export function withBothSides(grid: Float64Array, places: readonly number[], groups: number): Float64Array {
  const [first, last] = [grid[0]!, grid.at(-1)!];
  const inside = places.filter((place) => place > first && place <= last).sort((a, b) => a - b);
  const apart = inside.length > mostDoses(groups) ? (last - first) / mostDoses(groups) : 0;
  let kept = -Infinity;
  const sides = inside.flatMap((place) => {
    if (place - kept < apart) return [];
    kept = place;
    return [Math.max(first, place - beside * (last - first)), place];
  });
  return sides.length === 0 ? grid : Float64Array.from(new Set([...grid, ...sides])).sort();
}

/**
 * Where on an abscissa `x` such times lie: each after the jump, where it stands beside it. `clock` is the solver's time at each
 * place of x, whole rounds of it one for each group. Undefined where a clock is no straight line that goes forward.
 */
export function placesOf(times: readonly number[], x: Float64Array, clock: ArrayLike<number>): number[] | undefined {
  const places = new Set<number>();
  const length = x.at(-1)! - x[0]!;
  for (let start = 0; start < clock.length; start += x.length) {
    const [from, to] = [clock[start]!, clock[start + x.length - 1]!];
    const rate = (to - from) / length;
    const straight = x.every((at, i) => Math.abs(clock[start + i]! - from - rate * (at - x[0]!)) <= 1e-9 * (to - from));
    if (!(rate > 0) || !straight) return undefined;
    const same = x.every((at, i) => clock[start + i] === at);
    // A clock that is computed is not inverted to the last bit.
    for (const time of times) places.add(same ? time : x[0]! + (time - from) / rate + (beside / 2) * length);
  }
  return [...places];
}
