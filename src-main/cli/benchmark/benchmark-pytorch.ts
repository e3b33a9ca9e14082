/** Reads what build/benchmarks/pytorch.py has printed. */
import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import type { PyTorchTime } from '../../benchmark/suite.ts';
import { Refused } from '../../refused.ts';

const milliseconds = v.pipe(v.number(), v.gtValue(0));
const schema = v.array(
  v.object({ row: v.string(), n: v.pipe(v.number(), v.integer()), forwardMs: milliseconds, totalMs: milliseconds }),
);

export async function readPyTorch(path: string): Promise<PyTorchTime[]> {
  try {
    return v.parse(schema, JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    throw new Refused(
      `${path} does not hold what build/benchmarks/pytorch.py prints: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
