/** Programs derived from a lowered model, run once. */
import type { Device, HostArray, Program } from '../../../engine/index.ts';
import { DocumentError } from '../../../models/notation/problem.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import { findOutput, namesObjective, type Model } from '../../../models/load/model.ts';
import type { Lowered } from '../../../models/lower/lower.ts';
import { Refused } from '../../refused.ts';
import { startInstance } from './run.ts';
import { demandSolved, readSolverErrors } from './solver-errors.ts';

export interface Numbers {
  readonly shape: readonly number[];
  readonly values: HostArray;
}

/** The sizes of a real output, or of the objective. Throws where there is none of the name, or it is not real. */
export function realOutput(model: Model, of: string): readonly number[] {
  if (namesObjective(model, of)) return [];
  const link = findOutput(model, of);
  if ('message' in link) throw new DocumentError([link]);
  const { element, sizes } = outputAt(model, link);
  if (element !== 'real') throw new Refused(`"${of}" is ${element}: only real values have derivatives`);
  return sizes.map((size) => size.value);
}

/**
 * Runs `program` (derived from the lowered one) with further inputs, and reads these results. Throws `Unsolved` where the
 * lowered one told how well its equations are solved, and they are not.
 */
export async function runDerived(
  model: Model,
  device: Device,
  lowered: Lowered,
  program: Program,
  inputs: ReadonlyMap<string, ArrayLike<number>>,
  results: readonly string[],
): Promise<HostArray[]> {
  const instance = await startInstance(device, lowered, program);
  try {
    for (const [name, values] of inputs) instance.write(name, values);
    await instance.run();
    demandSolved(await readSolverErrors(instance, program.results, model, {}, 'derivatives'));
    return await Promise.all(results.map(async (name) => instance.read(name)));
  } finally {
    instance.release();
  }
}
