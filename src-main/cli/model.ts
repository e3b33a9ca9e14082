/** How every command gets its model, and a device for it. */
import type { Device } from '../../engine/index.ts';
import { parseOverride, type Override } from '../../models/format/override.ts';
import type { Model } from '../../models/load/model.ts';
import { createDevices } from '../compute/running/devices.ts';
import { demandModel, load, type Loaded } from '../compute/running/load.ts';
import { refusedFor } from '../compute/running/refusals.ts';
import { elementsOf } from '../compute/running/run.ts';
import { readDocument } from '../files/documents.ts';
import { documentFolder } from '../files/locations.ts';
import type { ModelOptions } from './options.ts';

export function parseOverrides(texts: readonly string[]): Override[] {
  return texts.map((text) => {
    const parsed = parseOverride(text);
    if ('message' in parsed) throw refusedFor([parsed]);
    return parsed;
  });
}

export async function loadFile(path: string, { set }: ModelOptions, asked: readonly string[] = []): Promise<Loaded> {
  return load(await readDocument(path), documentFolder(path), parseOverrides(set), asked);
}

/** Runs `work` on the model in the file, on the device that the options name. `asked`: as `load`. Throws `Refused`. */
export async function withModel<T>(
  path: string,
  options: ModelOptions,
  work: (model: Model, device: Device) => Promise<T>,
  asked: readonly string[] = [],
): Promise<T> {
  const model = demandModel(await loadFile(path, options, asked));
  const devices = createDevices();
  try {
    return await work(model, await devices.choose(options, elementsOf(model)));
  } finally {
    devices.close();
  }
}
