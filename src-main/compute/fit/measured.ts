/** What a model says of its observations: the terms of its objective, and the values that come to their ports. */
import { cpuDevice } from '../../../engine/index.ts';
import type { LeastSquaresBlock } from '../../../models/blocks/least-squares.ts';
import type { LikelihoodBlock } from '../../../models/blocks/likelihood.ts';
import { outputAt } from '../../../models/graph/checked.ts';
import type { Model } from '../../../models/load/model.ts';
import { lowerModel, wireName } from '../../../models/lower/lower.ts';
import { Refused } from '../../refused.ts';
import { writeParameters, type ParameterValues } from '../running/run.ts';
import { asRefused } from '../running/refusals.ts';
import { startInstance } from '../running/run.ts';

/** A block of the objective that measures misfit. */
export interface Term {
  /** `l`, or `g/l` in a group. */
  readonly id: string;
  readonly block: LeastSquaresBlock | LikelihoodBlock;
}

export interface Measured {
  readonly shape: readonly number[];
  readonly values: Float64Array;
}

/** Throws `Refused` where the objective has a block that compares nothing with data. */
export function termsOf({ objective, blocks }: Model): Term[] {
  return objective.map((link) => {
    const block = blocks.get(link.block)?.node.block;
    if (block?.kind === 'least-squares' || block?.kind === 'likelihood') return { id: link.block, block };
    throw new Refused(
      `its objective "${link.block}" is no least-squares or likelihood block: it has no data to compare`,
    );
  });
}

/** By term and port, what comes to it along a wire. A port whose argument is written as a number has none. */
export async function measuredBy(
  model: Model,
  parameters: ParameterValues = {},
): Promise<ReadonlyMap<string, ReadonlyMap<string, Measured>>> {
  const device = cpuDevice();
  const lowered = lowerModel(model, { objective: 'value', wires: true });
  const instance = await startInstance(device, lowered);
  try {
    writeParameters(instance, lowered, parameters);
    await instance.run();
    const found = new Map<string, Map<string, Measured>>();
    for (const { id } of termsOf(model)) {
      const ports = new Map<string, Measured>();
      for (const [port, link] of model.blocks.get(id)?.links ?? []) {
        const { sizes } = outputAt(model, link);
        const values = Float64Array.from(await instance.read(wireName(id, port)));
        ports.set(port, { shape: sizes.map(({ value }) => value), values });
      }
      found.set(id, ports);
    }
    return found;
  } catch (error) {
    throw asRefused(error);
  } finally {
    instance.release();
    device.close();
  }
}
