/**
 * Long axes in tiles. A tile is so many neighbours along an axis; its length follows from the sizes alone, never from the
 * number of threads, so that results do not depend on that. An axis that is short, or one of many items, is one tile.
 */
import { sizeMultiply, type Size } from '../../0-ir/sizes.ts';

/** An axis of `axis` elements in `count` tiles of `length`, the last of which may be shorter. */
export interface Tiling {
  readonly axis: Size;
  readonly length: Size;
  readonly count: Size;
}

/** From what the length of a tile is decided. */
export interface TileRule {
  readonly axis: Size;
  /** Independent items, and how many of them a kernel advances together. */
  readonly items: Size;
  readonly together: number;
  /** Elements in a tile, at best, and how many it must have to be worth it; how many tiles there may be. */
  readonly elements: number;
  readonly least?: Size;
  readonly most?: number;
}

/** A rule whose sizes are known only when they are bound: the symbols that stand for its results. */
export interface DerivedTiling {
  readonly rule: TileRule;
  readonly length: string;
  readonly count: string;
}

/** So many items (or stretches of items that go together) keep every thread busy without tiles. */
const ENOUGH_ITEMS = 64;
const SHORTEST = 64;

/** `elements`: in place of the rule's own, for tests. */
export function tileSizes(
  { axis, items, together, elements, least = 1, most = Infinity }: TileRule,
  value: (size: Size) => number,
  chosen?: number,
): { length: number; count: number } {
  const [n, m] = [value(axis), value(items)];
  const wanted = Math.floor(elements / Math.max(1, Math.min(m, together)));
  const length = chosen ?? Math.max(SHORTEST, wanted, value(least), Math.ceil(n / most));
  if (n < 2 * length || m >= ENOUGH_ITEMS * together) return { length: n, count: 1 };
  return { length, count: Math.ceil(n / length) };
}

/** The tilings of a module. */
export class TileTable {
  readonly derived: DerivedTiling[] = [];

  /** `taken`: symbols that mean something else. */
  constructor(private readonly taken: readonly string[]) {}

  tiling(rule: TileRule): Tiling {
    const { axis, items } = rule;
    if ([axis, items, rule.least ?? 1].every((size) => typeof size === 'number'))
      return { axis, ...tileSizes(rule, Number) };
    // A literal axis too short for two tiles, whatever the items are.
    if (typeof axis === 'number' && axis < 2 * SHORTEST) return { axis, length: axis, count: 1 };
    const number = this.derived.length;
    const [length, count] = [this.fresh(`tile${number}`), this.fresh(`tiles${number}`)];
    this.derived.push({ rule, length, count });
    return { axis, length, count };
  }

  private fresh(name: string): string {
    return this.taken.includes(name) ? this.fresh(`${name}_`) : name;
  }
}

/** Elements from one tile's first to the next one's, for a stride along the axis. */
export function tileStride({ length, count }: Tiling, stride: Size): Size {
  return count === 1 ? 0 : sizeMultiply(length, stride);
}
