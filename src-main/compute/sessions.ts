/**
 * What has been loaded lately, so that a slider's next value costs a run and nothing else. A session belongs to one
 * content of a document and of the files that it names.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Device, hashText } from '../../engine/index.ts';
import type { Location } from '../contract/contract.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { folderOf } from '../files/locations.ts';
import { createSweep, type Sweep } from './adjoints.ts';
import { createEvaluator, type Evaluator } from './evaluate.ts';
import { demandModel, load, type Loaded } from './load.ts';
import { createPlotter, type Plotter } from './plots.ts';
import { adjointText, rulesOf, type ExplainedRule } from './rules.ts';

/** Of a document that is edited, of examples that are looked at, of runs that are compared. */
const mostSessions = 12;
const mostEvaluators = 16;
const mostSweeps = 4;

/** How a model is differentiated, wherever its parameters stand. */
export interface Explanation {
  readonly rules: readonly ExplainedRule[];
  readonly program: string;
}

export interface Session extends Loaded {
  /** Throws `Refused` where the document has errors. */
  evaluator(outputs: readonly string[], device: Device): Promise<Evaluator>;
  /** By which the session is found again. */
  readonly handle: string;
  plotter(device: Device): Promise<Plotter>;
  /** Of the objective, or of the scalar output `of`; both throw `Refused` where there is none. */
  sweep(of: string | undefined, device: Device): Promise<Sweep>;
  explanation(of: string | undefined, device: Device): Promise<Explanation>;
  release(): void;
}

export interface Sessions {
  get(document: Readonly<Record<string, unknown>>, location: Location): Promise<Session>;
  /** One that is remembered. */
  find(handle: string): Promise<Session> | undefined;
}

/** A GPU that is opened again is another device: what was made for the lost one is of no use to it. */
const numbers = new WeakMap<Device, number>();
let devicesSeen = 0;
function numberOf(device: Device): number {
  const number = numbers.get(device) ?? ++devicesSeen;
  numbers.set(device, number);
  return number;
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

interface Releasable {
  release(): void;
}

const release = (made: Promise<Releasable>): void =>
  void made.then(
    (instance) => instance.release(),
    () => undefined,
  );

function createSession(loaded: Loaded, handle: string): Session {
  const evaluators = new Map<string, Promise<Evaluator>>();
  const plotters = new Map<string, Promise<Plotter>>();
  const sweeps = new Map<string, Promise<Sweep>>();
  const explanations = new Map<string, Promise<Explanation>>();
  return {
    ...loaded,
    evaluator(outputs, device) {
      const key = JSON.stringify([numberOf(device), ...outputs]);
      const make = async (): Promise<Evaluator> => createEvaluator(demandModel(loaded), outputs, device);
      return remembered(evaluators, key, mostEvaluators, make, release);
    },
    handle,
    plotter(device) {
      const make = async (): Promise<Plotter> => createPlotter(demandModel(loaded), device);
      return remembered(plotters, JSON.stringify([numberOf(device), device.precision]), 1, make, release);
    },
    sweep(of, device) {
      const key = JSON.stringify([numberOf(device), of]);
      const make = async (): Promise<Sweep> => createSweep(demandModel(loaded), device, of);
      return remembered(sweeps, key, mostSweeps, make, release);
    },
    explanation(of, { kind }) {
      const make = async (): Promise<Explanation> => {
        const model = demandModel(loaded);
        return { rules: rulesOf(model, kind), program: adjointText(model, kind, undefined, of) };
      };
      return remembered(explanations, JSON.stringify([kind, of]), mostSweeps, make, () => undefined);
    },
    release() {
      for (const made of [...evaluators.values(), ...sweeps.values(), ...plotters.values()]) release(made);
      evaluators.clear();
      plotters.clear();
      sweeps.clear();
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

/** `imports`: where the tables of documents lie that were never saved. */
export function createSessions(catalogue: string, imports?: string): Sessions {
  const sessions = new Map<string, Promise<Session>>();
  return {
    async get(document, location) {
      const folder = folderOf(location, catalogue, imports);
      const key = hashText(JSON.stringify([hashDocument(document), folder, await fileStates(document, folder)]));
      const make = async (): Promise<Session> => createSession(await load(document, folder), key);
      const session = remembered(sessions, key, mostSessions, make, release);
      // A fault of ours must not be remembered as the answer.
      session.catch(() => sessions.delete(key));
      return session;
    },
    find(handle) {
      const session = sessions.get(handle);
      return session && remembered(sessions, handle, mostSessions, () => session, release);
    },
  };
}
