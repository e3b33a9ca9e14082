/** A map of limited size that drops what has not been asked for longest. */
export class LeastRecentlyUsed<V> {
  private readonly entries = new Map<string, V>();
  private readonly limit: number;
  private readonly drop: (value: V) => void;

  constructor(limit: number, drop: (value: V) => void = () => undefined) {
    this.limit = limit;
    this.drop = drop;
  }

  /** The value of a key; made, and kept, where it is missing. */
  get(key: string, make: () => V): V {
    const value = this.entries.has(key) ? this.entries.get(key)! : make();
    // A Map keeps the order of insertion: the first entry is the oldest.
    this.entries.delete(key);
    this.entries.set(key, value);
    for (const [oldest, dropped] of this.entries) {
      if (this.entries.size <= this.limit) break;
      this.entries.delete(oldest);
      this.drop(dropped);
    }
    return value;
  }

  /** The value of a key, if it is kept: it is the last used now. */
  find(key: string): V | undefined {
    return this.entries.has(key) ? this.get(key, () => undefined as never) : undefined;
  }

  forget(key: string): void {
    this.entries.delete(key);
  }

  /** Drops everything. */
  clear(): void {
    for (const value of this.entries.values()) this.drop(value);
    this.entries.clear();
  }
}
