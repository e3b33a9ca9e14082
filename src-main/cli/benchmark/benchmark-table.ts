/** A table whose rows are printed one by one, as they are measured. */
import type { Column, Measurement } from '../../benchmark/suite.ts';

/** Wide enough for every figure; what is longer pushes the rest of its row along. */
const figureWidth = 9;

/** Prints the headings, and returns what prints a row. */
export function rowPrinter(columns: readonly Column<Measurement>[]): (row: Measurement) => void {
  const line = (cells: readonly string[]): void => {
    const padded = cells.map((cell, i) => {
      const { text, heading = '' } = columns[i] ?? {};
      return text === undefined ? cell.padStart(Math.max(figureWidth, heading.length)) : cell.padEnd(text);
    });
    process.stdout.write(`${padded.join('  ').trimEnd()}\n`);
  };
  line(columns.map(({ heading }) => heading));
  return (row) => line(columns.map((column) => column.cell(row)));
}
