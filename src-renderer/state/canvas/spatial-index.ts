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
    const { i0, i1, j0, j1 } = cellsOf(box);
    for (let i = i0; i <= i1; i++)
      for (let j = j0; j <= j1; j++) {
        const there = this.#cells.get(cell(i, j));
        if (there) there.push(entry);
        else this.#cells.set(cell(i, j), [entry]);
      }
  }

  /** Everything in the cells that the box reaches into, and so everything that it touches, until `act` has seen enough. */
  visit(box: Box, act: (item: T) => boolean): void {
    const search = ++this.#searches;
    const { i0, i1, j0, j1 } = cellsOf(box);
    for (let i = i0; i <= i1; i++)
      for (let j = j0; j <= j1; j++) {
        const there = this.#cells.get(cell(i, j));
        if (!there) continue;
        for (const entry of there) {
          if (entry.found === search) continue;
          entry.found = search;
          if (act(entry.item)) return;
        }
      }
  }
}

/** The columns and the rows of cells that a box reaches into. */
function cellsOf({ left, top, right, bottom }: Box) {
  return {
    i0: Math.floor(left / cellSize),
    i1: Math.floor(right / cellSize),
    j0: Math.floor(top / cellSize),
    j1: Math.floor(bottom / cellSize),
  };
}

/** One number for two coordinates: a canvas is less than 2¹⁶ cells wide. */
function cell(i: number, j: number): number {
  return i * 65536 + j;
}
