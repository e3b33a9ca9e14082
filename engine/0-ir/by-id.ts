/** Maps and sets by ids, which are small whole numbers and come close together: arrays, since functions of a hundred thousand variables are looked through often. */

export class ById<T> {
  private items = new Array<T | undefined>(64);

  get(id: number): T | undefined {
    return this.items[id];
  }

  set(id: number, item: T): void {
    if (id >= this.items.length) {
      const before = this.items;
      this.items = new Array<T | undefined>(Math.max(2 * before.length, id + 1));
      for (let i = 0; i < before.length; i++) this.items[i] = before[i];
    }
    this.items[id] = item;
  }
}

export class IdSet {
  private flags = new Uint8Array(64);

  has(id: number): boolean {
    return this.flags[id] === 1;
  }

  add(id: number): void {
    if (id >= this.flags.length) {
      const before = this.flags;
      this.flags = new Uint8Array(Math.max(2 * before.length, id + 1));
      this.flags.set(before);
    }
    this.flags[id] = 1;
  }
}
