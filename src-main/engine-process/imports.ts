/** Answers what the window asks while a table is imported, in a worker thread of its own. */
import { findRoles } from '../../models/experiment/find-roles.ts';
import { beginImport, firstRows, type Import, type ImportedTable } from '../../models/tables/import/import.ts';
import { columnsInside, csvChunks, fitsInside, plainCsv, wholeRows } from '../../models/tables/import/write.ts';
import { TableError } from '../../models/tables/table.ts';
import { library } from '../../models/library/index.ts';
import type { Location } from '../contract/contract.ts';
import type { ContestProgress, ImportPreview, importRequests } from '../contract/import.ts';
import type { ImportedModel } from '../../models/sbml/import.ts';
import { isXml, petabModel, sbmlModel } from '../compute/model-import.ts';
import { createExperiments } from './experiments.ts';
import { folderOf } from '../files/locations.ts';
import { isInside, withTableBeside, type PlainDocument } from '../files/imported-documents.ts';
import { archived, beginsAsArchive } from '../files/petab.ts';
import { writeTable } from '../files/table-files.ts';
import { Refused } from '../refused.ts';
import type { Handlers } from '../router.ts';

type ImportRequest = Exclude<keyof typeof importRequests, 'import.stop' | 'import.end'>;

/** Rows of a preview. */
const shownRows = 50;
/** Of a file that holds no table: so much of it is shown. */
const shownBytes = 4000;
const shownLines = 14;

export interface ImportSettings {
  readonly catalogue: string;
  /** Where the tables of documents lie that were never saved. */
  readonly imports: string | undefined;
  readonly onProgress: (share: number) => void;
  readonly onContest?: (progress: ContestProgress) => void;
  /** Rules the request that is being answered (job-control.ts). */
  readonly control?: () => Int32Array | undefined;
}

interface Incoming {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** How many have come. */
  filled: number;
  import?: Import;
}

export function importHandlers({
  catalogue,
  imports,
  onProgress,
  onContest,
  control,
}: ImportSettings): Handlers<ImportRequest> {
  let incoming: Incoming | undefined;
  const experiments = createExperiments();

  function begun(): Incoming {
    if (!incoming) throw new Refused('No table is being imported.');
    return incoming;
  }

  async function read(choices: Parameters<Import['read']>[0]): Promise<ImportedTable> {
    const { name, bytes, filled } = begun();
    if (filled < bytes.length) throw new Refused('The file has not come whole.');
    return (begun().import ??= beginImport(name, bytes)).read(choices, onProgress);
  }

  /** For requests that come after a preview has shown a table. */
  async function demand(choices: Parameters<Import['read']>[0]): Promise<ImportedTable> {
    try {
      return await read(choices);
    } catch (error) {
      throw error instanceof TableError ? new Refused(`The table cannot be read: ${error.message}.`) : error;
    }
  }

  return {
    'import.begin'({ name, size }) {
      incoming = { name, bytes: room(size), filled: 0 };
      return {};
    },

    'import.bytes'({ bytes }) {
      const into = begun();
      if (into.filled + bytes.length > into.bytes.length) throw new Refused('The file has grown while it was read.');
      into.bytes.set(bytes, into.filled);
      into.filled += bytes.length;
      return {};
    },

    async 'import.preview'({ choices }) {
      try {
        return (await modelIn(begun())) ?? shown(await read(choices));
      } catch (error) {
        if (!(error instanceof TableError)) throw error;
        return { outcome: 'fault', message: error.message, lines: firstLines(begun().bytes) };
      }
    },

    async 'import.contest'({ asked, ...experiment }) {
      return experiments.contest(await demand(experiment.choices), experiment, {
        cancel: control?.(),
        ...(asked !== undefined && onContest && { onProgress: (progress) => onContest({ asked, ...progress }) }),
      });
    },

    async 'import.make'({ experiment, name, location }) {
      return placed(await experiments.make(await demand(experiment.choices), experiment, name), name, location);
    },

    async 'import.readings'({ experiment, name, location }) {
      return placed(experiments.readings(await demand(experiment.choices), experiment, name), name, location);
    },

    'import.library': () =>
      library.map(({ name, title, field, formula, use, reference }) => ({
        ...{ name, title, field, formula, use, reference },
      })),

    async 'import.take'({ choices, columns, whole, location }) {
      const table = await demand(choices);
      const at = (places: readonly number[]) => places.flatMap((j) => table.columns[j] ?? []);
      const { columns: taken, rows } = wholeRows(at(columns), at(whole), table.rows);
      if (taken.length === 0) throw new Refused('No column of the table is to be taken.');
      if (rows === 0) throw new Refused('No row of the table has all that the model needs.');
      if (fitsInside(taken, rows)) return { entry: columnsInside(taken, rows) };
      const stem = begun().name.replace(/\.[^.]*$/, '');
      const file = await writeTable(folderFor(location), stem, csvChunks(taken, rows));
      return { entry: { file, ...plainCsv } };
    },
  };

  /** With a large table in a file of its own. */
  async function placed(
    document: PlainDocument,
    name: string,
    location: Location,
  ): Promise<{ document: PlainDocument }> {
    if (isInside(document)) return { document };
    return { document: await withTableBeside(document, folderFor(location), name) };
  }

  function folderFor(location: Location): string {
    if (location.kind === 'example')
      throw new Refused(
        'So large a table lies in a file beside its document: save the example under a name of your own first.',
      );
    const folder = folderOf(location, catalogue, imports);
    if (folder === undefined) throw new Refused('There is no folder for the table: save the document first.');
    return folder;
  }
}

function room(size: number): Uint8Array {
  try {
    return new Uint8Array(size);
  } catch {
    throw new Refused(`The file has ${(size / 2 ** 30).toFixed(1)} GiB, for which there is no memory.`);
  }
}

function shown(table: ImportedTable): ImportPreview {
  const { source, columns, rows, notes } = table;
  const { columns: roles, together, controls } = findRoles(columns, rows);
  return {
    outcome: 'table',
    format: source.format,
    dialect: source.dialect ?? null,
    parts: source.parts,
    part: source.part ?? null,
    columns: columns.map(({ name, unit, type, missing, strays, firstStrays, labels }, j) => ({
      name,
      unit: unit ?? null,
      type,
      role: roles[j] ?? 'keep',
      missing,
      strays,
      firstStrays: firstStrays.map(({ row, cell }) => ({ row, line: source.line?.(row) ?? null, cell })),
      labels: labels ?? null,
    })),
    together,
    controls: controls ? { full: controls.full, zero: controls.zero } : null,
    cells: firstRows(table, shownRows),
    rows,
    notes,
  };
}

/** A model of another program; undefined where the bytes are none. */
async function modelIn({ name, bytes, filled }: Incoming): Promise<ImportPreview | undefined> {
  if (filled < bytes.length) return undefined;
  const found = (format: 'sbml' | 'petab', { document, warnings }: ImportedModel): ImportPreview => ({
    ...{ outcome: 'model', format, document, notes: warnings },
  });
  const problem = beginsAsArchive(bytes) ? archived(name, bytes) : undefined;
  if (problem) return found('petab', await petabModel(problem, name, name));
  return isXml(bytes) ? found('sbml', await sbmlModel(bytes, name)) : undefined;
}

function firstLines(bytes: Uint8Array): string[] {
  const head = bytes.subarray(0, shownBytes);
  if (head.includes(0)) return [];
  return new TextDecoder().decode(head).split(/\r\n|\r|\n/, shownLines);
}
