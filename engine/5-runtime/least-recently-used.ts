/** A map of limited size that forgets what has not been asked for longest. */
export class LeastRecentlyUsed<V> {
  private readonly entries = new Map<string, V>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  /** The value of a key; made, and kept, where it is missing. */
  get(key: string, make: () => V): V {
    const value = this.entries.has(key) ? (this.entries.get(key) as V) : make();
    // A Map keeps the order of insertion: the first entry is the oldest.
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size > this.limit) this.entries.delete(this.entries.keys().next().value as string);
    return value;
  }

  clear(): void {
    this.entries.clear();
  }
}
