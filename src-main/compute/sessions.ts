/**
 * What has been loaded lately, so that a slider's next value costs a run and nothing else. A session belongs to one
 * content of a document and of the files that it names.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Device, hashText, LeastRecentlyUsed } from '../../engine/index.ts';
import type { Model } from '../../models/load/model.ts';
import type { Location } from '../contract/contract.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { folderOf } from '../files/locations.ts';
import { filesOf } from '../files/table-files.ts';
import { createSweep, type Sweep } from './derivatives/adjoints.ts';
import { createEvaluator, type Evaluator } from './evaluate.ts';
import { load, type Loaded } from './running/load.ts';
import { refusedFor } from './running/refusals.ts';
import { soundPart } from './sound-part.ts';
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
  /** What of the document is right, and needs nothing that is not: all of it where there is no error. Undefined where nothing is. */
  readonly sound: Model | undefined;
  /** Whether the objective and how it is fitted are of what is right; of a document that has none, whether anything is. */
  readonly isWhole: boolean;
  /** Of what is right; throws `Refused` where nothing is. */
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

/** What of a document is right; throws `Refused` with everything that is wrong where nothing is. */
export function demandSound({ sound, problems }: Session): Model {
  if (sound) return sound;
  throw refusedFor(problems);
}

/** The same for whoever wants the objective: it is refused where that is at fault. */
export function demandWhole(session: Session): Model {
  if (session.sound && session.isWhole) return session.sound;
  throw refusedFor(session.problems);
}

type Json = Readonly<Record<string, unknown>>;

async function createSession(document: Json, folder: string | undefined, handle: string): Promise<Session> {
  const again = (part: Json): Promise<Loaded> => load(part, folder);
  const loaded = await again(document);
  const part = await soundPart(document, loaded, again);
  const evaluators = new LeastRecentlyUsed<Promise<Evaluator>>(mostEvaluators, release);
  const plotters = new LeastRecentlyUsed<Promise<Plotter>>(1, release);
  const sweeps = new LeastRecentlyUsed<Promise<Sweep>>(mostSweeps, release);
  const explanations = new LeastRecentlyUsed<Promise<Explanation>>(mostSweeps);
  const model = (): Model => demandSound(session);
  const session: Session = {
    ...loaded,
    // A key of the document at fault hides what is known of its blocks.
    ...(!loaded.document && part && { blocks: part.loaded.blocks, tables: part.loaded.tables }),
    sound: part?.model,
    isWhole: part?.isWhole ?? false,
    evaluator(outputs, device) {
      const key = JSON.stringify([numberOf(device), ...outputs]);
      return evaluators.get(key, async () => createEvaluator(model(), outputs, device));
    },
    handle,
    plotter(device) {
      const key = JSON.stringify([numberOf(device), device.precision]);
      return plotters.get(key, async () => createPlotter(model(), device));
    },
    sweep(of, device) {
      const key = JSON.stringify([numberOf(device), of]);
      return sweeps.get(key, async () => createSweep(model(), device, of));
    },
    explanation(of, { kind }) {
      return explanations.get(JSON.stringify([kind, of]), async () => {
        const sound = model();
        return { rules: rulesOf(sound, kind), program: adjointText(sound, kind, undefined, of) };
      });
    },
    release() {
      evaluators.clear();
      plotters.clear();
      sweeps.clear();
    },
  };
  return session;
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
      const session = sessions.get(key, () => createSession(document, folder, key));
      // A fault of ours must not be remembered as the answer.
      session.catch(() => sessions.forget(key));
      return session;
    },
    find: (handle) => sessions.find(handle),
  };
}
