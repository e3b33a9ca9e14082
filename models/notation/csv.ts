/** Rows of CSV as RFC 4180 has them. What a line ends with is the writer's. */

export function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}

/** Cells are quoted where they would be read as something else: with a comma, a quote, a line break, white space at an end. */
export function csvRow(cells: readonly unknown[]): string {
  return cells
    .map(String)
    .map((cell) => (/[",\r\n]|^\s|\s$/.test(cell) ? quoted(cell) : cell))
    .join(',');
}
