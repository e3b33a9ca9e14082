/** A problem from its YAML file and those beside it. Throws a refusal for what is not understood. */
import * as v from 'valibot';
import { parse } from 'yaml';
import { refuse } from '../sbml/refusal.ts';
import { decodeText } from '../tables/csv.ts';
import { pathFault } from '../tables/path.ts';
import type { ReadFile } from '../tables/read-tables.ts';
import { demandColumns, type TableKind } from './columns.ts';
import type { PetabProblem, SubProblem } from './problem.ts';
import { readParameter } from './rows.ts';
import { readTsv, type PetabTable } from './tsv.ts';
import { readPart1 } from './version-1.ts';
import { readParts2 } from './version-2.ts';

const files = v.optional(v.nullish(v.array(v.string()), []), []);
const fileOrFiles = v.union([v.string(), v.array(v.string())]);

const problem1 = v.object({
  sbml_files: v.array(v.string()),
  measurement_files: v.array(v.string()),
  condition_files: files,
  observable_files: v.array(v.string()),
});

const version1 = v.object({
  format_version: v.union([v.number(), v.string()]),
  parameter_file: fileOrFiles,
  problems: v.array(problem1),
});

const version2 = v.object({
  format_version: v.union([v.number(), v.string()]),
  parameter_files: v.array(v.string()),
  model_files: v.record(v.string(), v.object({ location: v.string(), language: v.string() })),
  measurement_files: v.array(v.string()),
  condition_files: files,
  experiment_files: files,
  observable_files: v.array(v.string()),
  mapping_files: files,
  extensions: v.optional(v.nullish(v.record(v.string(), v.looseObject({ required: v.optional(v.boolean()) })), {}), {}),
});

/** Whether text is the YAML of a PEtab problem. */
export const isPetab = (text: string): boolean => /^\s*['"]?format_version['"]?\s*:/m.test(text);

export async function readProblem(yaml: string, readFile: ReadFile): Promise<PetabProblem> {
  const json = yamlOf(yaml);
  const version = String((json as { format_version?: unknown } | null)?.format_version ?? '');
  const text = async (file: string): Promise<string> => decodeText(await bytesOf(file, readFile));
  const warnings: string[] = [];
  const tablesOf =
    (of: 1 | 2) =>
    async (kind: TableKind, names: readonly string[]): Promise<PetabTable[]> => {
      const twice = names.find((name, i) => names.indexOf(name) < i);
      if (twice !== undefined) refuse(`the problem's file names "${twice}" twice among its ${kind}`);
      return Promise.all(
        names.map(async (name) => {
          const table = readTsv(name, await bytesOf(name, readFile));
          demandColumns(of, kind, name, table, warnings);
          return table;
        }),
      );
    };
  if (/^1(\.|$)/.test(version)) {
    const { parameter_file: parameters, problems } = checked(version1, json);
    const tables = tablesOf(1);
    const parts: SubProblem[] = [];
    let first = 0;
    for (const [i, part] of problems.entries()) {
      const [model, ...more] = part.sbml_files;
      if (model === undefined || more.length > 0)
        return refuse(`a problem has ${part.sbml_files.length} SBML files, and one is meant`);
      const id = `model_${i}`;
      const read = readPart1(
        {
          id,
          model: await text(model),
          conditions: await tables('conditions', part.condition_files),
          observables: await tables('observables', part.observable_files),
          measurements: await tables('measurements', part.measurement_files),
        },
        first,
      );
      first += read.measurements.length;
      parts.push(read);
    }
    return problemOf(1, await tables('parameters', [parameters].flat()), new Map(), parts, warnings);
  }
  if (!/^2(\.|$)/.test(version)) return refuse(`the format_version "${version}" of PEtab is not known: 1 and 2 are`);
  const given = checked(version2, json);
  for (const [name, { required }] of Object.entries(given.extensions))
    if (required === true) refuse(`the extension "${name}" is required, and not known`);
  const models = new Map<string, string>();
  for (const [id, { location, language }] of Object.entries(given.model_files)) {
    if (language !== 'sbml') return refuse(`the model "${id}" is written in ${language}, and SBML alone is read`);
    models.set(id, await text(location));
  }
  const tables = tablesOf(2);
  const mapping = new Map<string, string>();
  for (const row of (await tables('mapping', given.mapping_files)).flatMap(({ rows }) => rows)) {
    const [id, inModel] = [row.demand('petabEntityId'), row.cell('modelEntityId')];
    if (inModel === '') continue;
    if (mapping.has(id)) refuse(`${row.where}: "${id}" is mapped twice`);
    mapping.set(id, inModel);
  }
  const parts = readParts2({
    models,
    conditions: await tables('conditions', given.condition_files),
    experiments: await tables('experiments', given.experiment_files),
    observables: await tables('observables', given.observable_files),
    measurements: await tables('measurements', given.measurement_files),
  });
  return problemOf(2, await tables('parameters', given.parameter_files), mapping, parts, warnings);
}

function problemOf(
  version: 1 | 2,
  tables: readonly PetabTable[],
  mapping: ReadonlyMap<string, string>,
  parts: readonly SubProblem[],
  warnings: readonly string[],
): PetabProblem {
  const rows = tables.flatMap((table) => table.rows);
  const parameters = rows.map((row) => readParameter(row, version));
  const seen = new Set<string>();
  for (const [i, { id }] of parameters.entries()) {
    if (seen.has(id)) refuse(`${rows[i]?.where}: the parameter "${id}" is there twice`);
    seen.add(id);
  }
  if (parts.every(({ measurements }) => measurements.length === 0)) refuse('it has no measurement');
  return { version, parameters, mapping, parts, warnings };
}

function yamlOf(text: string): unknown {
  try {
    return parse(text, { maxAliasCount: 100, logLevel: 'error' });
  } catch (error) {
    return refuse(`the file is no YAML: ${(error instanceof Error ? error.message : String(error)).split('\n')[0]}`);
  }
}

function checked<S extends v.GenericSchema>(schema: S, json: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const place = v.getDotPath(issue) ?? '';
  if (issue.received === 'undefined') return refuse(`the problem's file does not say "${place}"`);
  return refuse(`the problem's file is not understood at "${place}": wanted ${issue.expected}, got ${issue.received}`);
}

async function bytesOf(file: string, readFile: ReadFile): Promise<Uint8Array> {
  if (/^[a-z]+:\/\//i.test(file)) return refuse(`"${file}" lies elsewhere: files are read beside the problem's alone`);
  const fault = pathFault(file);
  if (fault !== undefined) return refuse(fault);
  try {
    return await readFile(file);
  } catch (error) {
    return refuse(`"${file}" cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}
