/** Finds what lies near a place among things that have a place, by the cells of a grid. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** About the size of a block: what is asked for reaches into few cells, and a cell holds few things. */
const cellSize = 128;

interface Entry<T> {
  readonly item: T;
  /** The last search that has found it: a thing in several cells is visited once. */
  found: number;
}

export class SpatialIndex<T> {
  readonly #cells = new Map<number, Entry<T>[]>();
  #searches = 0;

  add(box: Box, item: T): void {
    const entry: Entry<T> = { item, found: 0 };
    forCells(box, (cell) => {
      const there = this.#cells.get(cell);
      if (there) there.push(entry);
      else this.#cells.set(cell, [entry]);
    });
  }

  /** Everything in the cells that the box reaches into, and so everything that it touches. */
  visit(box: Box, act: (item: T) => void): void {
    const search = ++this.#searches;
    forCells(box, (cell) => {
      for (const entry of this.#cells.get(cell) ?? []) {
        if (entry.found === search) continue;
        entry.found = search;
        act(entry.item);
      }
    });
  }
}

function forCells({ left, top, right, bottom }: Box, act: (cell: number) => void): void {
  const [i0, i1] = [Math.floor(left / cellSize), Math.floor(right / cellSize)];
  const [j0, j1] = [Math.floor(top / cellSize), Math.floor(bottom / cellSize)];
  // One number for two coordinates: a canvas is less than 2¹⁶ cells wide.
  for (let i = i0; i <= i1; i++) for (let j = j0; j <= j1; j++) act(i * 65536 + j);
}
