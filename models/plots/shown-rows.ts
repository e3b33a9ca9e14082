/** Of a million rows a plot shows few thousand: those in which something happens, found without touching the others twice. */

/** Fewer than these are all shown. */
const mostRows = 20_000;
/** Of more, first, last, lowest and highest of so many runs of rows: as many as a plot has columns of pixels. */
const runs = 1000;

/** The rows to draw of these values, in their order; no peak among them is lost. */
export function shownRows(values: ArrayLike<number>): Iterable<number> {
  const rows = values.length;
  return rows <= mostRows ? Array.from({ length: rows }, (_, row) => row) : outstanding(values, rows);
}

function* outstanding(values: ArrayLike<number>, rows: number): Iterable<number> {
  for (let run = 0; run < runs; run++) {
    const [from, to] = [Math.floor((run * rows) / runs), Math.floor(((run + 1) * rows) / runs)];
    let [low, high] = [from, from];
    for (let row = from; row < to; row++) {
      if (values[row]! < values[low]! || Number.isNaN(values[low])) low = row;
      if (values[row]! > values[high]! || Number.isNaN(values[high])) high = row;
    }
    yield* [...new Set([from, low, high, to - 1])].sort((a, b) => a - b);
  }
}
