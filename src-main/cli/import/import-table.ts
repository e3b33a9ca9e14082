/** `import` of a table: the first model, as the window makes it. */
import { basename, resolve } from 'node:path';
import { findRoles, unreadAmong } from '../../../models/experiment/find-roles.ts';
import { noiseFault } from '../../../models/experiment/noise.ts';
import { readingsOf, whyNoShape, type Readings } from '../../../models/experiment/readings.ts';
import type { Roles } from '../../../models/experiment/roles.ts';
import { RoleError, rolesByName, withSaidRoles } from '../../../models/experiment/said-roles.ts';
import { didYouMean } from '../../../models/notation/names.ts';
import { library, shapeNamed } from '../../../models/library/index.ts';
import type { Shape } from '../../../models/library/shape.ts';
import { beginImport, type ImportChoices, type ImportedTable } from '../../../models/tables/import/import.ts';
import { dosesNote, hasDoseRecords } from '../../../models/tables/import/dose-records.ts';
import { usualMissing } from '../../../models/tables/import/dialect.ts';
import { populationOf, populationShapes } from '../../../models/experiment/population/model.ts';
import { recordsOf } from '../../../models/experiment/population/records.ts';
import { TableError } from '../../../models/tables/table.ts';
import { sharings, type SaidSharing, type Sharing } from '../../../models/experiment/sharing.ts';
import { parseOption } from '../../compute/derivatives/sources.ts';
import { writeDocument } from '../../files/documents.ts';
import { documentFolder } from '../../files/locations.ts';
import { withTableBeside } from '../../files/imported-documents.ts';
import { Refused } from '../../refused.ts';
import { exitStatus } from '../failure.ts';
import { contestInThread, type Fought } from './contest-in-thread.ts';
import type { ContestJob, Found } from './contest-job.ts';
import { printColumns, printJson, printWarnings, shown } from '../output/output.ts';
import { progressLine } from '../output/progress.ts';

export interface TableOptions {
  readonly roles?: string;
  readonly shape?: string;
  readonly parameters?: string;
  readonly out?: string;
  readonly json: boolean;
}

export async function importTable(path: string, bytes: Uint8Array, options: TableOptions): Promise<void> {
  const said = saidRoles(options.roles);
  const table = await readTable(path, bytes);
  const { columns, rows } = table;
  if (options.roles === undefined && hasDoseRecords(columns)) {
    // Its shapes, and the names of their parameters, are its own.
    await importPopulation(path, bytes, options, saidSharing(options.parameters, undefined));
    return;
  }
  const shape = shapeOf(options.shape);
  const sharing = saidSharing(options.parameters, shape);
  const roles = asRefusals(() => withSaidRoles(findRoles(columns, rows), said, columns, rows));
  const unread = roles.columns.includes('y') ? [] : unreadAmong(columns, rows).map((column) => column.name);
  if (unread.length > 0)
    throw new Refused(`${path}: nothing was observed: every cell of ${unread.join(', ')} is missing`);
  if (!roles.columns.includes('y'))
    throw new Refused(`${path} has no column of numbers that could be y: say which by --roles '{"y": "…"}'`);
  const readings = readingsOf(columns, rows, roles);
  const fault = roles.noise && noiseFault(readings, roles.noise);
  if (fault !== undefined) throw new Refused(`--roles: "noise": "${roles.noise}" ${fault}`);
  const name = basename(path).replace(/\.[^.]*$/, '');
  if (sharing && !readings.group)
    throw new Refused(
      `--parameters says what groups share, and ${path} has none: say which column tells them apart by --roles '{"group": "…"}'`,
    );
  const { contestants, stopped } = await ranked({ name, readings, shape: shape?.name, sharing }, path);
  if (stopped) process.exitCode = exitStatus.stopped;
  if (contestants.length === 0) return;
  const documents = contestants.map(({ document }) => document);
  if (options.out !== undefined) {
    const out = resolve(options.out);
    const document = await withTableBeside(documents[0]!, documentFolder(out), name);
    await writeDocument(out, document, null);
    documents[0] = document;
  }
  if (options.json) printJson(reportOf(contestants, documents, roles, readings, columns));
  else print(contestants, roles, readings, table, options.out);
  printWarnings(table.notes);
}

/** Of a NONMEM table: of each reading the doses behind it, and the subjects as a population. */
async function importPopulation(
  path: string,
  bytes: Uint8Array,
  { shape: asked, out, json }: TableOptions,
  sharing: SaidSharing | undefined,
): Promise<void> {
  const shape = populationShapes.find((each) => each === asked);
  if (asked !== undefined && shape === undefined)
    throw new Refused(
      `${path} is a NONMEM table, of which the shapes are ${populationShapes.join(', ')}; by --roles it is read as any other table, without its doses`,
    );
  const { columns, rows, notes } = await readTable(path, bytes, { missing: [...usualMissing, '.'] });
  printWarnings(notes.filter((note) => note !== dosesNote));
  const name = basename(path).replace(/\.[^.]*$/, '');
  const [records, population] = asTableRefusals(path, () => {
    const read = recordsOf(columns, rows);
    return [read, populationOf(name, read, sharing, shape)] as const;
  });
  const folder = out === undefined ? undefined : documentFolder(out);
  const document =
    folder === undefined ? population.document : await withTableBeside(population.document, folder, name);
  if (out !== undefined) await writeDocument(resolve(out), document, null);
  const { readings, doses, dropped } = records;
  if (json) {
    const roles = { x: 'TIME', y: 'DV', group: 'ID', dose: 'AMT' };
    const candidates = [{ shape: population.shape, aicc: null, objective: null, document }];
    printJson({ kind: 'table', document, roles, candidates, dropped });
    return;
  }
  const subjects = new Set(readings.map(({ subject }) => subject)).size;
  process.stdout.write(
    `${rows} rows of a NONMEM table: ${readings.length} readings of ${subjects} subjects, ${doses.length} rows of doses: ${population.shape}\n`,
  );
  for (const [why, count] of counted(dropped.map(({ why }) => why)))
    process.stdout.write(`${count} left out: ${why}\n`);
  if (out !== undefined) process.stdout.write(`written to ${out}\n`);
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function asTableRefusals<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof TableError ? new Refused(`${path}: ${error.message}`) : error;
  }
}

async function readTable(path: string, bytes: Uint8Array, choices: ImportChoices = {}): Promise<ImportedTable> {
  try {
    return await beginImport(basename(path), bytes).read(choices);
  } catch (error) {
    throw error instanceof TableError ? new Refused(`${path} has no table that can be read: ${error.message}`) : error;
  }
}

async function ranked(job: Omit<ContestJob, 'cancel'>, path: string): Promise<Fought> {
  const { shape } = job;
  const line = progressLine();
  const { contestants, stopped } = await contestInThread(job, (share) =>
    line.show('fitting the shapes that it could have', share),
  ).finally(() => line.end());
  if (stopped && contestants.length === 0) process.stderr.write('cotangent: stopped before a shape was fitted\n');
  if (contestants.length > 0 || stopped) return { contestants, stopped };
  const which = shape === undefined ? 'no shape can be fitted to it' : `the shape ${shape} cannot be fitted to it`;
  const { trials } = job.readings;
  const parted = trials?.alone ? '; where x parts 0 from 1 without exception, no slope is the likeliest' : '';
  throw new Refused(`${path}: ${which}: ${whyNoShape(job.readings)}${parted}`);
}

function shapeOf(name: string | undefined): Shape | undefined {
  if (name === undefined) return undefined;
  const shape = shapeNamed(name);
  if (shape) return shape;
  const names = library.map((each) => each.name);
  const fix = didYouMean(name, names);
  throw new Refused(
    `there is no shape "${name}"${fix === undefined ? `: there are ${names.join(', ')}` : ` (${fix})`}`,
  );
}

function saidRoles(text: string | undefined): Record<string, unknown> {
  const said = text === undefined ? {} : parseOption(text, '--roles');
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    throw new Refused(`--roles wants an object of roles, as in '{"x": "time", "y": ["s1", "s2"]}'`);
  return said;
}

function saidSharing(text: string | undefined, shape: Shape | undefined): SaidSharing | undefined {
  if (text === undefined) return undefined;
  const said = parseOption(text, '--parameters');
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    throw new Refused(`--parameters wants an object, as in '{"k": "hierarchical", "*": "shared"}'`);
  const known = shape ? Object.keys(shape.parameters) : undefined;
  return new Map(
    Object.entries(said).map(([name, value]): [string, Sharing] => {
      const sharing = sharings.find((each) => each === value);
      if (!sharing)
        throw new Refused(`--parameters: "${name}" is ${JSON.stringify(value)}; there are ${sharings.join(', ')}`);
      if (name !== '*' && known && !known.includes(name))
        throw new Refused(`--parameters: ${shape!.name} has no parameter "${name}": it has ${known.join(', ')}`);
      return [name, sharing];
    }),
  );
}

function asRefusals<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof RoleError ? new Refused(`--roles: ${error.message}`) : error;
  }
}

function reportOf(
  contestants: readonly Found[],
  documents: readonly Readonly<Record<string, unknown>>[],
  roles: Roles,
  { dropped }: Readings,
  columns: ImportedTable['columns'],
): object {
  return {
    kind: 'table',
    document: documents[0],
    roles: rolesByName(roles, columns, contestants[0]?.noise),
    candidates: contestants.map(({ shape, aicc, objective }, i) => ({
      ...{ shape, aicc: Number.isNaN(aicc) ? null : aicc, objective, document: documents[i] },
    })),
    dropped,
  };
}

function print(
  contestants: readonly Found[],
  roles: Roles,
  readings: Readings,
  { columns, rows }: ImportedTable,
  out: string | undefined,
): void {
  const said = Object.entries(rolesByName(roles, columns, contestants[0]?.noise)).flatMap(([role, names]) =>
    typeof names === 'string' || Array.isArray(names) ? [`${role} ${[names].flat().join(', ')}`] : [],
  );
  process.stdout.write(`${rows} rows, ${readings.y.values.length} readings: ${said.join('; ')}\n`);
  if (readings.dropped.length > 0) process.stdout.write(`${readings.dropped.length} left out (--json says why)\n`);
  const [best] = contestants;
  printColumns(
    [
      ['shape', 'parameters', 'objective', 'AICc', 'ΔAICc', ''],
      ...contestants.map(({ shape, count, objective, aicc }, i) => [
        shape,
        String(count),
        shown(objective),
        Number.isNaN(aicc) ? '–' : shown(aicc),
        Number.isNaN(aicc) ? '–' : (aicc - (best?.aicc ?? NaN)).toFixed(1),
        i === 0 ? 'taken' : '',
      ]),
    ],
    new Set([1, 2, 3, 4]),
  );
  if (out !== undefined) process.stdout.write(`written to ${out}\n`);
}
