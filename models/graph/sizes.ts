/**
 * Sizes as symbols. Every size but the literal 1 gets a symbol; sizes of equal value share one, since tables of equal
 * length go together. Its value is bound when the program runs, so new data of another length recompiles nothing.
 */
import { growingPrefix, type Size } from '../../engine/index.ts';
import type { AxisSize } from '../blocks/kind.ts';
import { stretches } from '../blocks/parts/sizes.ts';

export class SizeTable {
  private readonly symbols = new Map<number, string>();
  private readonly own = new Map<string, number>();
  private readonly taken = new Set<string>();

  /** `plain`: each symbol says its value, not where it comes from. */
  constructor(private readonly plain = false) {}

  size(size: AxisSize): Size {
    if (stretches(size)) return 1;
    const known = this.symbols.get(size.value);
    if (known !== undefined) return known;
    const symbol = this.plain ? `n_${size.value}` : this.fresh(size.name ?? 'n');
    this.symbols.set(size.value, symbol);
    return symbol;
  }

  /** A symbol that shares its value with no other: a device makes it larger where a run finds it too small. */
  growing(name: string, value: number): Size {
    const symbol = this.fresh(name, growingPrefix);
    this.own.set(symbol, value);
    return symbol;
  }

  /** Symbol → its value. */
  binding(): Record<string, number> {
    return Object.fromEntries([...[...this.symbols].map(([value, symbol]) => [symbol, value] as const), ...this.own]);
  }

  /** A name as an identifier of sizes; `ceil` and what is on every object's prototype are kept clear of. */
  private fresh(name: string, prefix = 'n_'): string {
    const base = `${prefix}${name.replace(/[^A-Za-z0-9_]/g, '_')}`;
    let symbol = base;
    for (let i = 2; this.taken.has(symbol); i++) symbol = `${base}_${i}`;
    this.taken.add(symbol);
    return symbol;
  }
}
