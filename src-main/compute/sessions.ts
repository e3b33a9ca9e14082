/**
 * What has been loaded lately, so that a slider's next value costs a run and nothing else. A session belongs to one
 * content of a document and of the files that it names.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Device } from '../../engine/index.ts';
import type { Location } from '../contract.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { folderOf } from '../files/locations.ts';
import { createEvaluator, type Evaluator } from './evaluate.ts';
import { demandModel, load, type Loaded } from './load.ts';

const mostSessions = 4;
const mostEvaluators = 16;

export interface Session extends Loaded {
  /** Throws `Refused` where the document has errors. */
  evaluator(outputs: readonly string[], device: Device): Promise<Evaluator>;
  release(): void;
}

export interface Sessions {
  get(document: Readonly<Record<string, unknown>>, location: Location): Promise<Session>;
}

/** The entry, as the last used; the least recently used beyond `most` goes. */
function remembered<T>(entries: Map<string, T>, key: string, most: number, make: () => T, drop: (entry: T) => void): T {
  const entry = entries.get(key) ?? make();
  entries.delete(key);
  entries.set(key, entry);
  for (const [oldest, dropped] of entries) {
    if (entries.size <= most) break;
    entries.delete(oldest);
    drop(dropped);
  }
  return entry;
}

function createSession(loaded: Loaded): Session {
  const evaluators = new Map<string, Promise<Evaluator>>();
  const release = (evaluator: Promise<Evaluator>): void =>
    void evaluator.then(
      (made) => made.release(),
      () => undefined,
    );
  return {
    ...loaded,
    evaluator(outputs, device) {
      const key = JSON.stringify([device.kind, device.precision, ...outputs]);
      const make = async (): Promise<Evaluator> => createEvaluator(demandModel(loaded), outputs, device);
      return remembered(evaluators, key, mostEvaluators, make, release);
    },
    release() {
      for (const evaluator of evaluators.values()) release(evaluator);
      evaluators.clear();
    },
  };
}

/** Size and time of change of every file that the document names. */
async function fileStates(document: Readonly<Record<string, unknown>>, folder: string | undefined): Promise<string> {
  const tables: unknown = document['tables'];
  if (folder === undefined || typeof tables !== 'object' || tables === null) return '';
  const files = Object.values(tables).flatMap((table: { file?: unknown } | null) =>
    typeof table?.file === 'string' ? [table.file] : [],
  );
  const states = await Promise.all(
    files.map((file) =>
      stat(join(folder, file)).then(
        ({ size, mtimeMs }) => `${size}@${mtimeMs}`,
        () => 'absent',
      ),
    ),
  );
  return states.join(' ');
}

export function createSessions(catalogue: string): Sessions {
  const sessions = new Map<string, Promise<Session>>();
  return {
    async get(document, location) {
      const folder = folderOf(location, catalogue);
      const key = JSON.stringify([hashDocument(document), folder, await fileStates(document, folder)]);
      const make = async (): Promise<Session> => createSession(await load(document, folder));
      const session = remembered(
        sessions,
        key,
        mostSessions,
        make,
        (dropped) =>
          void dropped.then(
            (made) => made.release(),
            () => undefined,
          ),
      );
      // A fault of ours must not be remembered as the answer.
      session.catch(() => sessions.delete(key));
      return session;
    },
  };
}
