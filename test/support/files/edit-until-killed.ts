/**
 * Run until it is killed: edits a document as a window does, without a pause, and writes to standard output a line for each
 * edit once it is made: its number, the time, and the last edit that the host then had. Its arguments: the app's folder,
 * the document's path, the number of the first edit.
 */
import { writeSync } from 'node:fs';
import { createDesk } from '../../../src-main/files/desk.ts';
import { createStore } from '../../../src-main/files/store.ts';
import { readDraft } from '../../../src-renderer/state/document/draft.ts';
import { Keeper } from '../../../src-renderer/state/document/keeper.ts';
import {
  actionEntry,
  advance,
  openSession,
  replay,
  sessionEntry,
} from '../../../src-renderer/state/document/session.ts';
import type { Session } from '../../../src-renderer/state/document/session.ts';

const [folder = '', path = '', first = '0'] = process.argv.slice(2);
const location = { kind: 'file' as const, path };
const page = { emit: () => undefined, onEnd: () => undefined };
const { handlers, open } = createDesk({ store: createStore(folder), page, mayHave: () => true });

const { document, stamp, kept } = await open(location, path);
const taken = kept && (await handlers['files.restore']({ copy: kept.copy }));
const copy = taken?.copy ?? crypto.randomUUID();
let session: Session =
  (taken && replay(taken.entries).session) ?? openSession(readDraft(document).draft, { saved: true, stamp });

const about = { name: 'A', location, edited: true, files: [] };
let edit = Number(first);
/** The last edit, and the last that is kept. */
let [made, had] = [0, 0];
const keeper = new Keeper({
  whole: () => sessionEntry(session),
  async send(from, entries) {
    const sent = made;
    const { kept } = await handlers['files.keep']({ copy, about, from, entries: [...entries] });
    if (kept) had = sent;
    return kept;
  },
  kept: () => undefined,
  failed: (error) => {
    throw error;
  },
});
if (taken) keeper.renew();

setInterval(() => {
  edit += 1;
  const command = { type: 'set' as const, id: 'k', key: 'initial', value: edit };
  const action = { type: 'perform' as const, command, merge: edit % 3 === 0 ? null : 'drag', at: Date.now() };
  session = advance(session, action);
  made = edit;
  keeper.add(() => actionEntry(action));
  // In one call: whoever reads it has heard of every edit that was made.
  writeSync(1, `${edit} ${Date.now()} ${had}\n`);
}, 7);
