/** A sum over rows, asked of batches of them: each row once in an epoch, in an order drawn anew for each. */
import type { Device } from '../5-runtime/device.ts';
import type { Coordinate } from './coordinates.ts';
import { randomFrom, type Random } from './ensembles/random.ts';
import type { FitProblem } from './problem.ts';
import { slopeOf, sweepOptions } from './questions.ts';
import type { RowSums } from './row-sums.ts';
import type { Slope } from './stationary/stationary.ts';

export interface RowBatches {
  /** In an epoch; the rows that are left over sit it out. */
  readonly batches: number;
  /** The energy, estimated from the next batch, and its gradient by u. Throws `Cancelled`. */
  next(u: Float64Array): Promise<Slope>;
  release(): void;
}

interface Column {
  readonly name: string;
  readonly values: ArrayLike<number>;
  /** Numbers of a row. */
  readonly width: number;
  readonly batch: Float64Array;
}

export async function openRowBatches(
  problem: FitProblem,
  sums: RowSums,
  device: Device,
  all: readonly Coordinate[],
  { size, seed, cancel }: { readonly size: number; readonly seed: number; readonly cancel?: Int32Array | undefined },
): Promise<RowBatches> {
  const { program, symbol, rows } = sums;
  const question = slopeOf({ ...problem, program }, all, problem.energy, sweepOptions(problem, device));
  const names = new Set(question.program.parameters.map(({ name }) => name));
  const varying = new Set([...question.inputs.map(({ name }) => name), ...sums.columns]);
  const executable = await device.load(question.program, { varying });
  const instance = await executable.bind({ ...problem.sizes, [symbol]: size });
  const columns: Column[] = [];
  for (const [name, values] of problem.data) {
    if (!names.has(name)) continue;
    if (!sums.columns.has(name)) {
      instance.write(name, values);
      continue;
    }
    const width = values.length / rows;
    columns.push({ name, values, width, batch: new Float64Array(size * width) });
  }
  for (const { name, initial, fixed } of problem.parameters)
    if (fixed && names.has(name)) instance.write(name, initial);
  instance.write(sums.weight, [rows / size]);

  const random = randomFrom(seed);
  const order = Int32Array.from({ length: rows }, (_, row) => row);
  const batches = Math.floor(rows / size);
  const written = new Float64Array(all.length);
  let batch = batches;
  return {
    batches,
    async next(u) {
      if (batch === batches) {
        shuffle(order, random);
        batch = 0;
      }
      const from = size * batch++;
      for (const column of columns) {
        take(column, order, from, size);
        instance.write(column.name, column.batch);
      }
      question.write(u, written, 0);
      let offset = 0;
      for (const { name, initial } of question.inputs) {
        if (names.has(name)) instance.write(name, written.subarray(offset, offset + initial.length));
        offset += initial.length;
      }
      await instance.run(cancel ? { cancel } : {});
      const found = new Map<string, Float64Array>();
      for (const { name } of question.program.results) found.set(name, Float64Array.from(await instance.read(name)));
      return question.read((name) => found.get(name)!, u);
    },
    release() {
      instance.release();
      executable.release();
    },
  };
}

/** Fisher and Yates. */
function shuffle(order: Int32Array, random: Random): void {
  for (let last = order.length - 1; last > 0; last--) {
    const other = random.integer(last + 1);
    const kept = order[last]!;
    order[last] = order[other]!;
    order[other] = kept;
  }
}

function take({ values, width, batch }: Column, order: Int32Array, from: number, size: number): void {
  for (let i = 0; i < size; i++) {
    const row = order[from + i]!;
    for (let k = 0; k < width; k++) batch[i * width + k] = values[row * width + k]!;
  }
}
