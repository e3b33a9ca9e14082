/**
 * What has been loaded lately, so that a slider's next value costs a run and nothing else. A session belongs to one
 * content of a document and of the files that it names.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Device, hashText, LeastRecentlyUsed } from '../../engine/index.ts';
import type { Location } from '../contract/contract.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { folderOf } from '../files/locations.ts';
import { filesOf } from '../files/table-files.ts';
import { createSweep, type Sweep } from './derivatives/adjoints.ts';
import { createEvaluator, type Evaluator } from './evaluate.ts';
import { demandModel, load, type Loaded } from './running/load.ts';
import { createPlotter, type Plotter } from './plots/plots.ts';
import { adjointText, rulesOf, type ExplainedRule } from './derivatives/rules.ts';

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

interface Releasable {
  release(): void;
}

const release = (made: Promise<Releasable>): void =>
  void made.then(
    (instance) => instance.release(),
    () => undefined,
  );

function createSession(loaded: Loaded, handle: string): Session {
  const evaluators = new LeastRecentlyUsed<Promise<Evaluator>>(mostEvaluators, release);
  const plotters = new LeastRecentlyUsed<Promise<Plotter>>(1, release);
  const sweeps = new LeastRecentlyUsed<Promise<Sweep>>(mostSweeps, release);
  const explanations = new LeastRecentlyUsed<Promise<Explanation>>(mostSweeps);
  return {
    ...loaded,
    evaluator(outputs, device) {
      const key = JSON.stringify([numberOf(device), ...outputs]);
      return evaluators.get(key, async () => createEvaluator(demandModel(loaded), outputs, device));
    },
    handle,
    plotter(device) {
      const key = JSON.stringify([numberOf(device), device.precision]);
      return plotters.get(key, async () => createPlotter(demandModel(loaded), device));
    },
    sweep(of, device) {
      const key = JSON.stringify([numberOf(device), of]);
      return sweeps.get(key, async () => createSweep(demandModel(loaded), device, of));
    },
    explanation(of, { kind }) {
      return explanations.get(JSON.stringify([kind, of]), async () => {
        const model = demandModel(loaded);
        return { rules: rulesOf(model, kind), program: adjointText(model, kind, undefined, of) };
      });
    },
    release() {
      evaluators.clear();
      plotters.clear();
      sweeps.clear();
    },
  };
}

/** Size and time of change of every file that the document names. */
async function fileStates(document: Readonly<Record<string, unknown>>, folder: string | undefined): Promise<string> {
  if (folder === undefined) return '';
  const states = await Promise.all(
    filesOf(document).map((file) =>
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
  const sessions = new LeastRecentlyUsed<Promise<Session>>(mostSessions, release);
  return {
    async get(document, location) {
      const folder = folderOf(location, catalogue, imports);
      // How plots look is a part of `view` that the engine draws by.
      const looks = (document['view'] as { plots?: unknown } | null | undefined)?.plots;
      const key = hashText(JSON.stringify([hashDocument(document), looks, folder, await fileStates(document, folder)]));
      const session = sessions.get(key, async () => createSession(await load(document, folder), key));
      // A fault of ours must not be remembered as the answer.
      session.catch(() => sessions.forget(key));
      return session;
    },
    find: (handle) => sessions.find(handle),
  };
}
