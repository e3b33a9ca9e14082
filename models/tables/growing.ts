/** A list of whole numbers that grows in place: tables have millions of cells, and boxed ones would not fit. */
export class Growing {
  #words = new Uint32Array(1024);
  length = 0;

  push(word: number): void {
    if (this.length === this.#words.length) {
      const wider = new Uint32Array(2 * this.length);
      wider.set(this.#words);
      this.#words = wider;
    }
    this.#words[this.length++] = word;
  }

  at(index: number): number {
    return this.#words[index] as number;
  }
}
