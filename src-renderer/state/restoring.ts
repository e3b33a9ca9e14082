/** Edits that were not saved come back: those that a crash left, and those of a page that is loaded again. */
import type { Client, Location, Opened } from '../../src-main/contract/contract.ts';
import { readDraft } from './document/draft.ts';
import { replay } from './document/session.ts';
import type { Notice } from './overlay.ts';
import { Studio } from './studio.svelte.ts';
import { forgetCopy, recallCopy } from './window/remembered.ts';
import { formatMoment } from './words/number-format.ts';

export interface RestoringHost {
  readonly client: Client;
  message: string | null;
  show(studio: Studio, left: readonly string[]): void;
  notice(kind: Notice['kind'], text: string, actions?: Notice['actions']): void;
  dismiss(kind: Notice['kind']): void;
  reload(): Promise<void>;
}

/**
 * How often a page asks for what it had open: one that was loaded again until the host has noticed the end of the one before,
 * which takes seconds on a busy machine; a tab that is the double of another that lives soon does without.
 */
const resumeTries = (): number =>
  performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload') ? 150 : 5;
/** Between two tries. */
const resumeMilliseconds = 200;

/** Goes on with what this window had open before its page was loaded again; false where there is nothing. */
export async function resume(host: RestoringHost): Promise<boolean> {
  const copy = recallCopy();
  if (copy === null) return false;
  for (let left = resumeTries(); left > 0; left--) {
    try {
      const outcome = await restored(host, copy);
      if (outcome === true) return true;
      host.message = outcome;
      break;
    } catch {
      // That the page which was here has ended may be noticed a moment later.
      await new Promise((next) => setTimeout(next, resumeMilliseconds));
    }
  }
  forgetCopy(copy);
  return false;
}

/** What is to be known of a copy of which nothing can be read. */
export const unreadable = (name: string, keptAt: string, file: string): string =>
  `The unsaved edits of ${name}, of ${formatMoment(keptAt)}, cannot be read: their copy, ${file}, is damaged and stays there.`;

/**
 * Else why they cannot be read, or null where they are no longer kept. `known`: the document as its file has it, where that has
 * been read.
 */
export async function restored(host: RestoringHost, copy: string, known?: Opened): Promise<true | string | null> {
  const taken = await host.client.request('files.restore', { copy });
  if (!taken) return null;
  const { copy: own, name, location, keptAt, entries, file, aside } = taken;
  const { session, lost } = replay(entries);
  if (!session) return unreadable(name, keptAt, file);
  const studio = new Studio(host.client, session, location, own);
  host.show(studio, []);
  const opened = known ?? (await fileAt(host.client, location));
  if (opened?.stamp) {
    const { draft } = readDraft(opened.document);
    studio.saving.found(draft, opened.stamp, opened.fit, opened.studies);
    if (opened.fit) studio.fitting.remember(opened.fit);
    if (opened.studies) studio.takeStudies(opened.studies, draft);
  } else if (location.kind === 'file') studio.saving.lost();
  studio.saving.keep();
  studio.saving.watch(opened?.stamp ?? null);
  if (aside !== undefined)
    host.notice(
      'damaged',
      `The copy of the unsaved edits of ${name} is damaged: what can be read of it is shown. It stays as ${aside}.`,
    );
  if (!studio.saving.unsaved) return true;
  const { best } = session;
  const { lacking } = studio.saving;
  const parts = [
    `Restored: ${lacking} of ${formatMoment(keptAt)}, which ${lacking === 'the fit' ? 'was' : 'were'} not saved.`,
    ...(lost > 0 ? ['What was done last could not be read.'] : []),
    ...(best ? [`The fit that ran was at iteration ${best.iteration}; its best point is shown.`] : []),
    ...(opened?.stamp && studio.saving.stamp && opened.stamp.hash !== studio.saving.stamp.hash
      ? ['The file has been changed since they were begun; saving asks first.']
      : []),
    ...(location.kind === 'file' && !opened ? ['Their file is not there or cannot be read; saving writes it.'] : []),
  ];
  const fit = {
    label: 'Go on with the fit',
    run: () => {
      host.dismiss('restored');
      studio.fitFromBest();
    },
  };
  const discard = { label: 'Discard them', run: () => void host.reload() };
  host.notice('restored', parts.join(' '), [...(best ? [fit] : []), discard]);
  return true;
}

/** What the file of restored edits holds: it may be the very same, if the crash came in the middle of a save, or something new. */
async function fileAt(client: Client, location: Location): Promise<Opened | null> {
  if (location.kind === 'unsaved') return null;
  return client.request('files.open', { location }).catch(() => null);
}
