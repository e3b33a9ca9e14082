/** Draws of Markov chains as a table: one row for each draw, chain after chain. */
import { csvRow } from '../../models/notation/csv.ts';
import type { UncertaintyReport } from '../contract/studies.ts';
import { writeWhole } from './durable.ts';

/** `chain` and `draw` from 1, the elements of all parameters, and whether the trajectory of the draw diverged. */
export function* drawsLines({ draws = [], divergent = [] }: Pick<UncertaintyReport, 'draws' | 'divergent'>) {
  const line = (cells: readonly unknown[]): string => `${csvRow(cells)}\n`;
  yield line(['chain', 'draw', ...draws.map(({ name }) => name), 'divergent']);
  for (const [c, own] of (draws[0]?.chains ?? []).entries()) {
    const flagged = new Set(divergent[c]);
    for (let k = 0; k < own.length; k++)
      yield line([c + 1, k + 1, ...draws.map(({ chains }) => chains[c]?.[k]), flagged.has(k) ? 1 : 0]);
  }
}

export function writeDraws(path: string, report: UncertaintyReport): Promise<void> {
  return writeWhole(path, drawsLines(report), { chosen: true });
}
