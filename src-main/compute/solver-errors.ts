/** How far solutions of differential equations may be off, by step doubling. */
import type { Device } from '../../engine/index.ts';
import { lowerModel, solvedBlock, type LowerRequest } from '../../models/lower/lower.ts';
import type { Model } from '../../models/load/model.ts';
import { writeParameters, type ParameterValues } from './evaluate.ts';
import { startInstance } from './run.ts';

export interface SolverError {
  readonly block: string;
  /** The largest estimated error of its states, in their units. */
  readonly error: number;
  /** Of its states where they are largest: an error as large leaves nothing of the solution. */
  readonly size: number;
}

/** Of every ode block that the request reads; empty where it reads none. */
export async function solverErrors(
  model: Model,
  device: Device,
  request: Pick<LowerRequest, 'outputs' | 'objective'>,
  parameters: ParameterValues,
): Promise<SolverError[]> {
  if (![...model.blocks.values()].some(({ node }) => node.block.kind === 'ode')) return [];
  const lowered = lowerModel(model, { ...request, solverErrors: true });
  const found = lowered.program.results.flatMap(({ name }) => {
    const block = solvedBlock(name);
    return block === undefined ? [] : [{ name, block }];
  });
  if (found.length === 0) return [];
  const instance = await startInstance(device, lowered);
  try {
    writeParameters(instance, lowered, parameters);
    await instance.run();
    const errors: SolverError[] = [];
    for (const { name, block } of found) {
      const [error = NaN, size = NaN] = await instance.read(name);
      errors.push({ block, error, size });
    }
    return errors;
  } finally {
    instance.release();
  }
}
