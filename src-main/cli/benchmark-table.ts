/** A table whose rows are printed one by one, as they are measured. */
import type { Column, Measurement } from '../../benchmark/suite.ts';

/** Wide enough for every figure; a longer text pushes the rest of its row along. */
const widths = { number: 10, text: 30 };

/** Prints the headings, and returns what prints a row. */
export function rowPrinter(columns: readonly Column<Measurement>[]): (row: Measurement) => void {
  const line = (cells: readonly string[]): void => {
    const padded = cells.map((cell, i) =>
      columns[i]?.text
        ? cell.padEnd(widths.text)
        : cell.padStart(Math.max(widths.number, columns[i]?.heading.length ?? 0)),
    );
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  };
  line(columns.map(({ heading }) => heading));
  return (row) => line(columns.map((column) => column.cell(row)));
}
