/** A case of the SBML Test Suite by import and simulation, as the command line does them. */
import { cpuDevice, type Device } from '../../engine/index.ts';
import { readLeniently } from '../../models/format/parse.ts';
import { exportSbml } from '../../models/sbml/export/export.ts';
import { importSbml } from '../../models/sbml/import.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { demandModel, loadDocument } from '../../src-main/compute/running/load.ts';
import { asRefused } from '../../src-main/compute/running/refusals.ts';
import { simulate, simulated, timesOf, type SimulationRequest } from '../../src-main/compute/simulate.ts';
import { Refused, Unsolved } from '../../src-main/refused.ts';
import { isWithin, type SemanticCase } from './cases.ts';

export type Outcome = { readonly kind: 'right' | 'refused' | 'unsolved' | 'wrong'; readonly why: string };

export const openDevice = (): Device => cpuDevice({ threads: 1 });

/** What is exported, in the words of a file. Throws `SbmlRefusal`. */
export function exported(document: unknown): string {
  const read = readLeniently(JSON.parse(JSON.stringify(document)));
  if (!read.document || read.broken.size > 0) throw new Error(read.problems.map(({ message }) => message).join('; '));
  return exportSbml(read.document);
}

/** The same case with the model that an export of its import is: to be held to the same results, under the same names. */
export const exportedCase = (each: SemanticCase): SemanticCase => ({
  ...each,
  model: exported(importSbml(each.model, each.others).document),
  others: new Map(),
});

export async function outcomeOf(each: SemanticCase, device: Device): Promise<Outcome> {
  try {
    const values = await valuesOf(each, device);
    for (const [row, references] of each.rows.entries())
      for (const [column, reference] of references.entries()) {
        const value = values.get(each.outputs[column]!)?.[row] ?? NaN;
        if (isWithin(value, reference, each)) continue;
        return { kind: 'wrong', why: `${each.outputs[column]} at ${each.times[row]}: ${value} for ${reference}` };
      }
    return { kind: 'right', why: '' };
  } catch (caught) {
    const error = asRefused(caught);
    if (error instanceof Unsolved) return { kind: 'unsolved', why: error.message };
    if (error instanceof SbmlRefusal || error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}

async function valuesOf(each: SemanticCase, device: Device): Promise<Map<string, number[]>> {
  const { document } = importSbml(each.model, each.others);
  const read = readLeniently(JSON.parse(JSON.stringify(document)));
  if (!read.document || read.broken.size > 0) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const request: SimulationRequest = {
    start: each.start,
    end: each.start + each.duration,
    steps: each.steps,
    outputs: each.outputs,
    relative: undefined,
    absolute: undefined,
  };
  const model = demandModel(await loadDocument(simulated(read.document, request), undefined));
  return simulate(model, each.outputs, timesOf(request), device);
}
