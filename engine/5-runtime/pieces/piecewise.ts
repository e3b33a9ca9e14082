/** One run of a program in pieces: pass by pass, piece by piece, and then what is left of it when the totals are known. */
import type { Program } from '../../0-ir/program.ts';
import type { HostArray, Instance, RunOptions } from '../device.ts';
import { rowsBefore, type Pass } from './passes.ts';

export interface BoundPass {
  readonly pass: Pass;
  readonly piece: Instance;
  /** The last piece, which may be shorter. */
  readonly remainder: Instance;
  readonly combine: Instance;
}

interface Bound {
  readonly passes: readonly BoundPass[];
  readonly last: Instance;
  readonly lastProgram: Program;
  /** Of all pieces together, and of each but the last. */
  readonly all: number;
  readonly rows: number;
  readonly count: number;
  readonly release: () => void;
}

/**
 * The arrays that are written are kept, not copied: what has rows is read again in every run. They must not change
 * before they are written anew.
 */
export function piecewise({ passes, last, lastProgram, all, rows, count, release }: Bound): Instance {
  const columns = new Map<string, ArrayLike<number>>();
  /** Into each of the programs that has the input and has it whole. */
  const spread = (name: string, values: ArrayLike<number>, from = 0): void => {
    for (const { pass, piece, remainder } of passes.slice(from)) {
      if (!has(pass.program, name)) continue;
      piece.write(name, values);
      if (remainder !== piece) remainder.write(name, values);
    }
    if (has(lastProgram, name)) last.write(name, values);
  };
  const isColumn = (name: string): boolean => passes.some(({ pass }) => pass.columns.includes(name));

  async function contributions(
    { pass, piece, remainder }: BoundPass,
    options?: RunOptions,
  ): Promise<Map<string, HostArray[]>> {
    const found = new Map<string, HostArray[]>(pass.program.results.map(({ name }) => [name, []]));
    for (let k = 0; k < count; k++) {
      const one = k === count - 1 ? remainder : piece;
      for (const name of pass.columns)
        one.write(name, rowsOf(columns.get(name) ?? [], k * rows, Math.min((k + 1) * rows, all), all));
      if (has(pass.program, rowsBefore)) one.write(rowsBefore, [k * rows]);
      await one.run(options);
      for (const [name, parts] of found) parts.push(await one.read(name));
    }
    return found;
  }

  return {
    write(name, values) {
      if (isColumn(name)) columns.set(name, values);
      else spread(name, values);
    },
    async run(options) {
      for (const [at, bound] of passes.entries()) {
        for (const [name, parts] of await contributions(bound, options)) bound.combine.write(name, joined(parts));
        await bound.combine.run(options);
        for (const { name } of bound.pass.combine.results) spread(name, await bound.combine.read(name), at + 1);
      }
      await last.run(options);
    },
    read: (name) => last.read(name),
    release,
  };
}

const has = ({ parameters }: Program, name: string): boolean => parameters.some((parameter) => parameter.name === name);

/** Rows `from` to `to` of so many, each of which may be several numbers. */
function rowsOf(values: ArrayLike<number>, from: number, to: number, all: number): ArrayLike<number> {
  const width = values.length / all;
  return ArrayBuffer.isView(values)
    ? (values as Float64Array).subarray(from * width, to * width)
    : Array.prototype.slice.call(values, from * width, to * width);
}

function joined(parts: readonly HostArray[]): Float64Array {
  const all = new Float64Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const values of parts) {
    all.set(values, at);
    at += values.length;
  }
  return all;
}
