/** A document as a PEtab problem: several files. */
import type { Device } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import { exportPetab as written, referencesFor } from '../../models/petab/export/export.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { createEvaluator } from '../compute/evaluate.ts';
import { asRefused } from '../compute/running/refusals.ts';
import { Refused } from '../refused.ts';

/** Name of a file → its text. Throws `Refused`. */
export async function exportPetab(
  model: Model,
  device: Device,
  version: Parameters<typeof written>[2],
): Promise<ReadonlyMap<string, string>> {
  try {
    const evaluator = await createEvaluator(model, referencesFor(model.document), device);
    const values = await evaluator.at({}).finally(() => evaluator.release());
    return written(model.document, values, version);
  } catch (error) {
    throw error instanceof SbmlRefusal ? new Refused(error.message) : asRefused(error);
  }
}
