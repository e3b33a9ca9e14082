/** A list of pairs of whole numbers that grows in place: tables have millions of cells, and boxed ones would not fit. */
export class GrowingPairs {
  #words = new Uint32Array(2048);
  /** How many; fewer drops the last. */
  pairs = 0;

  push(first: number, second: number): void {
    const at = 2 * this.pairs++;
    if (at === this.#words.length) {
      const wider = new Uint32Array(2 * at);
      wider.set(this.#words);
      this.#words = wider;
    }
    this.#words[at] = first;
    this.#words[at + 1] = second;
  }

  first(index: number): number {
    return this.#words[2 * index]!;
  }

  second(index: number): number {
    return this.#words[2 * index + 1]!;
  }
}
