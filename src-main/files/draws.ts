/** Draws of Markov chains as a table: one row for each draw, chain after chain. */
import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { csvRow } from '../../models/notation/csv.ts';
import type { UncertaintyReport } from '../contract/studies.ts';
import { Refused } from '../refused.ts';
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

/** Before hours of sampling: throws `Refused` where no file can be written. */
export async function demandWritable(path: string): Promise<void> {
  const folder = dirname(path);
  const there = await stat(path).catch(() => undefined);
  if (there?.isDirectory()) throw new Refused(`${path} cannot be written: it is a folder`);
  try {
    await access(folder, constants.W_OK);
  } catch {
    throw new Refused(`${path} cannot be written: there is no folder ${folder} that may be written to`);
  }
}

export function writeDraws(path: string, report: UncertaintyReport): Promise<void> {
  return writeWhole(path, drawsLines(report), { chosen: true });
}
