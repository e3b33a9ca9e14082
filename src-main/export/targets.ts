/** What a model can be written as. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { exportCsv } from './csv.ts';
import { exportFuthark } from './futhark.ts';
import { grownSizes } from './grown-sizes.ts';
import { exportJax } from './jax.ts';
import { exportSbml } from './sbml.ts';
import { exportWgsl } from './wgsl.ts';
import type { ExportTarget } from '../contract/export-targets.ts';

/** Values need a device, and so does what is written of a solver: how much room its steps take. */
type Write = (model: Model, version: string, device: Device) => string | Promise<string>;

const writers: { [T in ExportTarget]: Write } = {
  jax: async (model, version, device) => exportJax(model, version, await grownSizes(model, device)),
  futhark: async (model, version, device) => exportFuthark(model, version, await grownSizes(model, device)),
  wgsl: async (model, version, device) => exportWgsl(model, version, await grownSizes(model, device)),
  sbml: exportSbml,
  csv: (model, _, device) => exportCsv(model, device),
};

/** Throws `Refused`. */
export async function exportModel(
  model: Model,
  target: ExportTarget,
  version: string,
  device: Device,
): Promise<string> {
  try {
    return await writers[target](model, version, device);
  } catch (error) {
    throw asRefused(error);
  }
}
