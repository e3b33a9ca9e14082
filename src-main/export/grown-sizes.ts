/** An exported text makes no room by itself: it has that which a run from the start values has come to need. */
import { type Device, growingPrefix, mostGrown } from '../../engine/index.ts';
import { parametersOf, type Model } from '../../models/load/model.ts';
import { lowerModel } from '../../models/lower/lower.ts';
import { writeParameters } from '../compute/running/run.ts';
import { computedOutputs, type ModelProgram } from './model-program.ts';

type Sizes = ModelProgram['sizes'];

const isGrowing = (symbol: string): boolean => symbol.startsWith(growingPrefix);

/** A run begins with so much less than the usual room, so that what it comes to is not far above what it needs. */
const less = 8;
/** Of that the text has so much: other roundings, as of a fused multiply-add, take other steps to an event. */
const spare = 2;

/** Of the sizes that grow, as of a solver's steps between two outputs, as much as suffices, and some to spare. */
export async function grownSizes(model: Model, device: Device): Promise<Sizes> {
  const lowered = lowerModel(model, {
    outputs: computedOutputs(model),
    sources: parametersOf(model).map(({ id }) => id),
    ...(model.objective.length > 0 && { objective: 'value' as const }),
  });
  const usual = Object.entries(lowered.sizes).filter(([symbol]) => isGrowing(symbol));
  if (usual.length === 0) return {};
  const small = Object.fromEntries(usual.map(([symbol, size]) => [symbol, Math.ceil(size / less)]));
  try {
    const executable = await device.load(lowered.program);
    const instance = await executable.bind({ ...lowered.sizes, ...small });
    try {
      for (const [name, { values }] of lowered.inputs) instance.write(name, values);
      writeParameters(instance, lowered, {});
      await instance.run();
    } finally {
      instance.release();
    }
    return Object.fromEntries(
      usual.map(([symbol, size]) => {
        const grown = executable.grown?.get(symbol) ?? 0;
        return [symbol, Math.max(size, Math.min(mostGrown, spare * grown))];
      }),
    );
  } catch {
    // What cannot be run from its start values, or on this device, is written with the usual room.
    return {};
  }
}

/** What is said of them where they are written; undefined where there are none. */
export function roomText(sizes: Sizes): string | undefined {
  const rooms = Object.keys(sizes).filter(isGrowing);
  return rooms.length === 0
    ? undefined
    : `${rooms.join(', ')}: room for steps that nobody knows before; where parameters need more, nothing is given: make it larger.`;
}
