/**
 * Draws of Markov chains as a table: one row for each draw, chain after chain. Its columns are `chain` and `draw` from 1, the
 * elements of all parameters, and whether the trajectory of the draw diverged.
 */
import { parquetWriteBuffer } from 'hyparquet-writer';
import { csvRow } from '../../models/notation/csv.ts';
import type { UncertaintyReport } from '../contract/studies.ts';
import { Refused } from '../refused.ts';
import { writeWhole } from './durable.ts';

type Draws = Pick<UncertaintyReport, 'draws' | 'divergent'>;

export function* drawsLines({ draws = [], divergent = [] }: Draws) {
  const line = (cells: readonly unknown[]): string => `${csvRow(cells)}\n`;
  yield line(['chain', 'draw', ...draws.map(({ name }) => name), 'divergent']);
  for (const [c, own] of (draws[0]?.chains ?? []).entries()) {
    const flagged = new Set(divergent[c]);
    for (let k = 0; k < own.length; k++)
      yield line([c + 1, k + 1, ...draws.map(({ chains }) => chains[c]?.[k]), flagged.has(k) ? 1 : 0]);
  }
}

function drawsParquet({ draws = [], divergent = [] }: Draws): Uint8Array {
  const chains = draws[0]?.chains ?? [];
  const rows = <T>(of: (chain: number, draw: number) => T): T[] =>
    chains.flatMap((own, c) => Array.from(own, (_, k) => of(c, k)));
  const flagged = chains.map((_, c) => new Set(divergent[c]));
  const columnData = [
    { name: 'chain', data: Int32Array.from(rows((c) => c + 1)), type: 'INT32' as const, nullable: false },
    { name: 'draw', data: Int32Array.from(rows((_, k) => k + 1)), type: 'INT32' as const, nullable: false },
    ...draws.map(({ name, chains: own }) => ({
      name,
      data: Float64Array.from(rows((c, k) => own[c]?.[k] ?? NaN)),
      type: 'DOUBLE' as const,
      nullable: false,
    })),
    { name: 'divergent', data: rows((c, k) => flagged[c]!.has(k)), type: 'BOOLEAN' as const, nullable: false },
  ];
  return new Uint8Array(parquetWriteBuffer({ columnData }));
}

/** Throws `Refused` for the name of a form in which draws are not written. */
export function demandDrawsForm(path: string): void {
  const [form] = /\.(?:arrow|feather|ipc|npy|npz|h5|hdf5|json|nc|xlsx)$/i.exec(path) ?? [];
  if (form !== undefined)
    throw new Refused(
      `${path} cannot be written: draws are not written as ${form}; choose a name in .csv or .parquet.`,
    );
}

/** Parquet where the name says so, else comma-separated values. */
export function writeDraws(path: string, report: Draws): Promise<void> {
  const content = /\.parquet$/i.test(path) ? drawsParquet(report) : drawsLines(report);
  return writeWhole(path, content, { chosen: true });
}
