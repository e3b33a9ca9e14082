/** What a model can be written as. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { exportCsv } from './csv.ts';
import { exportFuthark } from './futhark.ts';
import { exportJax } from './jax.ts';
import { exportSbml } from './sbml.ts';
import { exportWgsl } from './wgsl.ts';
import type { ExportTarget } from '../contract/export-targets.ts';

/** Only values need a device. */
type Write = (model: Model, version: string, device: Device) => string | Promise<string>;

const writers: { [T in ExportTarget]: Write } = {
  jax: exportJax,
  futhark: exportFuthark,
  wgsl: exportWgsl,
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
