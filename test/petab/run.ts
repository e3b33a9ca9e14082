/** A case of the PEtab Test Suite by import and evaluation, as the command line does them. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { cpuDevice, type Device } from '../../engine/index.ts';
import { importPetab } from '../../models/petab/import.ts';
import { readTsv } from '../../models/petab/tsv.ts';
import { SbmlRefusal } from '../../models/sbml/refusal.ts';
import { createEvaluator } from '../../src-main/compute/evaluate.ts';
import { demandModel, load } from '../../src-main/compute/running/load.ts';
import { withStiffMethods } from '../../src-main/compute/running/stiff.ts';
import { asRefused } from '../../src-main/compute/running/refusals.ts';
import { petabAt } from '../../src-main/files/petab.ts';
import { Refused, Unsolved } from '../../src-main/refused.ts';

export interface Outcome {
  readonly kind: 'right' | 'refused' | 'unsolved' | 'wrong';
  readonly why: string;
}

export const openDevice = (): Device => cpuDevice({ threads: 1 });

interface Solution {
  readonly llh: number;
  readonly tol_llh: number;
  readonly tol_simulations: number;
  readonly simulation_files: readonly string[];
}

export async function documentOf(path: string): Promise<Record<string, unknown>> {
  const files = await petabAt(path);
  if (!files) throw new Error(`${path} is no PEtab problem`);
  const { document } = await withStiffMethods(await importPetab(files.yaml, files.readFile, 'case'));
  return JSON.parse(JSON.stringify(document)) as Record<string, unknown>;
}

export interface ProblemValues {
  readonly objective: number;
  readonly simulation: readonly number[];
}

/** `objective` and `simulation` at the nominal values. */
export async function valuesOfDocument(document: unknown, device: Device): Promise<ProblemValues> {
  const model = demandModel(await load(document, undefined));
  const evaluator = await createEvaluator(model, ['objective', 'simulation'], device);
  const values = await evaluator.at({}).finally(() => evaluator.release());
  return {
    objective: values.get('objective')?.values[0] ?? NaN,
    simulation: [...(values.get('simulation')?.values ?? [])].map(Number),
  };
}

export async function outcomeOf(folder: string, device: Device): Promise<Outcome> {
  const names = await readdir(folder);
  const find = (end: RegExp): string => join(folder, names.find((name) => end.test(name)) ?? '');
  const solution = parse(await readFile(find(/_solution\.yaml$/), 'utf8')) as Solution;
  const tables = await Promise.all(
    solution.simulation_files.map(async (name) => readTsv(name, await readFile(join(folder, name)))),
  );
  const wanted = tables.flatMap(({ rows }) => rows.map((row) => row.number('simulation') ?? NaN));
  try {
    const { objective, simulation } = await valuesOfDocument(await documentOf(find(/^_\d+\.yaml$/)), device);
    if (!(Math.abs(objective + solution.llh) <= solution.tol_llh))
      return { kind: 'wrong', why: `llh ${-objective} for ${solution.llh}` };
    for (const [row, reference] of wanted.entries()) {
      const value = simulation[row] ?? NaN;
      if (!(Math.abs(value - reference) <= solution.tol_simulations))
        return { kind: 'wrong', why: `simulation ${row}: ${value} for ${reference}` };
    }
    return { kind: simulation.length === wanted.length ? 'right' : 'wrong', why: '' };
  } catch (caught) {
    const error = asRefused(caught);
    if (error instanceof Unsolved) return { kind: 'unsolved', why: error.message };
    if (error instanceof SbmlRefusal || error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}
