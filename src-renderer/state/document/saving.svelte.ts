/** Where the document lives, and what of it is safe: written to its file, or kept with the host. */
import { inAscii } from '../../../models/formula/names.ts';
import type { Client, FitReport, Location, RequestOutput } from '../../../src-main/contract/contract.ts';
import type { Stamp } from '../../../src-main/contract/keeping.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import { studyKey } from '../../../src-main/contract/stored-studies.ts';
import type { HeldStudies, StoredStudies } from '../../../src-main/contract/stored-studies.ts';
import { draftsOf } from './command-log.ts';
import type { Draft } from './draft.ts';
import { changedBetween, draftName, inOrder, sameDraft } from './draft.ts';
import { Keeper, RunKeeper } from './keeper.ts';
import { sentenceOf } from '../window/refusal.ts';
import { forgetCopy, rememberCopy } from '../window/remembered.ts';
import type { Runs } from './runs.ts';
import type { Action, Session } from './session.ts';
import { actionEntry, sessionEntry, tableFiles } from './session.ts';

/** What of a session is the studio's to know. */
export type Open = Pick<Session, 'log' | 'selection' | 'report' | 'fitted' | 'best' | 'studies' | 'runs'>;

/** `changed`: another program has written the file meanwhile, and nothing has been saved. */
export type SaveOutcome = 'saved' | 'failed' | { readonly changed: Stamp };

type Written = Exclude<RequestOutput<'files.save'>, { changed: Stamp }>;

const keysOf = (studies: readonly { readonly report: StudyReport }[] = []): ReadonlySet<string> =>
  new Set(studies.map(({ report }) => studyKey(report)));

function withoutText({ without, withoutStudies, withoutBackup }: Written): string | null {
  const parts = [
    ...(without === undefined ? [] : [`Saved without its fit: ${without}`]),
    ...(withoutStudies === undefined ? [] : [`Saved without its studies: ${withoutStudies}`]),
    ...(withoutBackup === undefined ? [] : [`Saved, but not among the earlier saves: ${withoutBackup}`]),
  ];
  return parts.length > 0 ? parts.join(' ') : null;
}

/** What is to be known of the last save: of what is not beside the file, or why there is none, here or where it was to go. */
interface LastSave {
  readonly text: string;
  readonly outcome: 'saved' | 'not saved' | 'not saved there';
}

export class Saving {
  location = $state.raw<Location>({ kind: 'unsaved' });
  /** What the file holds. */
  saved = $state.raw<Draft | null>(null);
  keptAt = $state<number | null>(null);
  /** Whether all that was done is kept; `keptAt` says when that was so last. */
  allKept = $state(true);
  savedAt = $state<number | null>(null);
  #lastSave = $state.raw<LastSave | null>(null);
  #keepFailure = $state<string | null>(null);
  /** There is no file any more. */
  #missing = $state(false);
  saving = $state(false);
  /** What the file held when it was read or written last. */
  stamp = $state.raw<Stamp | null>(null);
  /** What studies found lies beside the file and cannot be read: it stays there until there is something to write. */
  unread = false;
  /** The window goes on to something else. */
  #left = false;
  /** What `watchTables` has asked for. */
  #tablesWatched = '';
  readonly #client: Client;
  readonly #order: readonly string[];
  readonly #open: () => Open;
  /** The fit that was there as the file was last read or saved: nobody's work is lost with it. */
  #savedFit = $state.raw<FitReport | null>(null);
  /** The fit that lies beside the file. */
  #beside = $state.raw<FitReport | null>(null);
  /** The studies that lie beside the file. */
  #studiesBeside = $state.raw<ReadonlySet<string>>(new Set());
  /** What the file held before it was changed or removed. */
  #before: Draft | null = null;
  /** The name under which the host keeps what is edited here. */
  #copy: string;
  readonly #keeper: Keeper;
  readonly #runs: RunKeeper;
  #runsFailure = $state<string | null>(null);

  constructor(
    client: Client,
    location: Location,
    session: Session,
    open: () => Open,
    copy: string | null,
    mergeRuns: (before: Runs, there: Runs) => void,
  ) {
    this.#client = client;
    this.location = location;
    this.saved = session.saved;
    this.stamp = session.stamp;
    this.#order = session.order;
    this.#open = open;
    this.#copy = copy ?? crypto.randomUUID();
    // What was found in a copy may be in none of the files.
    this.#savedFit = this.#beside = copy === null ? session.report : null;
    if (copy === null) this.#studiesBeside = keysOf(session.studies);
    this.#runs = new RunKeeper({
      client,
      location: () => this.location,
      draft: () => this.#draft,
      runs: () => this.#open().runs,
      merge: (before, there) => {
        mergeRuns(before, there);
        if (this.#keeper.begun) this.keep();
      },
      failed: (error) => {
        this.#runsFailure = error === null ? null : `The list of runs is not kept: ${sentenceOf(error)}`;
      },
    });
    this.#keeper = new Keeper({
      whole: () => sessionEntry(this.#session()),
      send: (from, entries) => this.#send(from, entries),
      kept: () => {
        this.allKept = !this.#keeper.behind;
        this.keptAt = Date.now();
        this.#keepFailure = null;
      },
      failed: (error) => {
        // What the file holds needs no copy.
        if (this.unsaved) this.#keepFailure = `The last edits are not kept: ${sentenceOf(error)}`;
      },
    });
  }

  /** Why what is here is not kept, and not saved or not wholly. */
  get failure(): string | null {
    const parts = [this.#keepFailure, this.#lastSaveHolds ? this.lastSave : null, this.#runsFailure];
    const said = parts.filter((part) => part !== null);
    return said.length > 0
      ? said.map((part) => (/[.!?]$/.test(part) || said.length === 1 ? part : `${part}.`)).join(' ')
      : null;
  }

  /** What was to be said of the last save as it ended; null where it was whole. */
  get lastSave(): string | null {
    return this.#lastSave?.text ?? null;
  }

  /** Whether the last save is about what is here: edited since it is saved no more, and undone it may be. */
  get #lastSaveHolds(): boolean {
    const outcome = this.#lastSave?.outcome;
    return outcome === 'saved' ? !this.dirty : outcome === 'not saved' ? this.#unwritten : true;
  }

  get dirty(): boolean {
    return this.saved === null || !sameDraft(this.saved, this.#draft);
  }

  isAt(location: Location): boolean {
    const own = this.location;
    return own.kind === 'file' && location.kind === 'file' && own.path === location.path;
  }

  get fileName(): string {
    const { location } = this;
    if (location.kind === 'file') return location.path.split(/[\\/]/).at(-1) ?? location.path;
    return location.kind === 'example' ? 'example' : 'not saved yet';
  }

  /** Whether the fit that is shown does not lie beside the file. */
  get #withoutFit(): boolean {
    const { report } = this.#open();
    return this.location.kind === 'file' && report !== null && report !== this.#beside;
  }

  /** Whether there is what studies found that does not lie beside the file. */
  get #withoutStudies(): boolean {
    return this.#open().studies.some(({ report }) => !this.#studiesBeside.has(studyKey(report)));
  }

  /** What is not on the disk though the document is. */
  get without(): string | null {
    const parts = [...(this.#withoutFit ? ['its fit'] : []), ...(this.#withoutStudies ? ['its studies'] : [])];
    return parts.length > 0 ? `saved without ${parts.join(' and ')}` : null;
  }

  /** What is said beside the name. Saved is what lies on the disk. */
  get standing(): string {
    return this.location.kind === 'unsaved' ? this.word : `${this.fileName}, ${this.word}`;
  }

  /** Whether the file has been removed or changed by another program: the user is to decide before it is written. */
  get astray(): boolean {
    return this.location.kind === 'file' && this.saved === null;
  }

  /** Of its standing, what is left where there is no room for the name of the file. */
  get word(): string {
    if (this.location.kind === 'unsaved') return 'not saved yet';
    if (this.saving) return 'saving';
    if (this.#missing) return 'removed from the disk';
    if (this.dirty) return 'edited';
    if (this.location.kind === 'example') return 'read-only';
    return this.without ?? 'saved';
  }

  /** The name to offer when a place is asked for. */
  get suggestion(): string {
    if (this.location.kind === 'file') return this.fileName;
    const stem = inAscii(draftName(this.#draft))
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    return `${stem || 'model'}.cot.json`;
  }

  get #draft(): Draft {
    return this.#open().log.draft;
  }

  #session(): Session {
    return { ...this.#open(), saved: this.saved, stamp: this.stamp, order: this.#order };
  }

  /** What has just been done is kept. */
  did(action: Action): void {
    this.#keeper.add(() => actionEntry(action));
    this.allKept = !this.#keeper.pending;
  }

  /** The same, where it is worth nothing by itself: it begins no journal. */
  also(action: Action): void {
    if (this.#keeper.begun) this.did(action);
  }

  /** Whether there is anything here that its file does not hold. */
  get unsaved(): boolean {
    return this.#open().best !== null || this.#unwritten;
  }

  /** The same but for the best point of a fit that runs. */
  get #unwritten(): boolean {
    return this.dirty || this.#open().report !== this.#savedFit || this.#withoutStudies;
  }

  /** What is here and not in the file, in words. */
  get lacking(): string {
    const { report } = this.#open();
    const studies = this.#withoutStudies;
    if (this.dirty) return 'the edits';
    if (report === this.#savedFit) return studies ? 'the studies' : 'the fit';
    return studies ? 'the fit and the studies' : 'the fit';
  }

  /** What the file of a restored document has been found to hold: it may have been saved as the crash came. */
  found(draft: Draft, stamp: Stamp, fit: FitReport | null, studies?: HeldStudies): void {
    const { report, fitted, log } = this.#open();
    this.#studiesBeside = keysOf(studies?.studies);
    this.#savedFit = this.#beside = report?.finishedAt === fit?.finishedAt ? report : fit;
    this.#missing = false;
    // It may have been edited since: what its history holds is no other program's, and not lost when it is written over.
    const known = this.stamp?.hash === stamp.hash ? [log.draft, this.#before] : draftsOf(log);
    let own: Draft | undefined;
    for (const each of known) if (!own && each && sameDraft(draft, each)) own = each;
    if (this.stamp?.hash !== stamp.hash && !own) this.lost();
    else {
      if (own) this.saved = own;
      // As after a save: a fit of another draft is not what the file lacks.
      if (own && fitted && changedBetween(fitted, own).length > 0) this.#savedFit = report;
      this.stamp = stamp;
    }
  }

  /** The file holds no more what it was last read or written with: nothing that is here is on the disk, whatever is undone. */
  lost({ missing = false } = {}): void {
    this.#before = this.saved ?? this.#before;
    this.saved = null;
    this.#beside = null;
    if (missing) this.#studiesBeside = new Set();
    this.#missing = missing;
    this.keep();
  }

  /** Another program has removed what lay beside the file: the next save writes it again. */
  besideIs({ fit, studies }: { readonly fit: boolean; readonly studies: boolean }): void {
    // A save that is under way says itself what it has written.
    if (this.saving) return;
    if (!fit) this.#beside = null;
    if (!studies) this.#studiesBeside = new Set();
  }

  /** The draft that is here now has been read from the file, and this fit and these studies beside it. */
  holds(stamp: Stamp | null, fit: FitReport | null, studies?: HeldStudies): void {
    this.#studiesBeside = keysOf(studies?.studies);
    this.saved = this.#draft;
    this.stamp = stamp;
    this.#savedFit = this.#beside = fit;
    this.#missing = false;
    this.#lastSave = null;
    if (this.#keeper.begun) this.keep();
  }

  /**
   * From now on the host tells when another program writes the file, and what has been written since it held `known`. Asked
   * for by who has the document open already: what is told of another is not heard.
   */
  watch(known: Stamp | null = this.stamp): void {
    const { location } = this;
    if (location.kind !== 'file') return;
    void this.#client.request('files.watch', { location, stamp: known }).catch(() => undefined);
    this.#tablesWatched = '';
    this.watchTables();
  }

  /** The same of the tables that the document names. */
  watchTables(): void {
    const { location } = this;
    if (location.kind !== 'file') return;
    const files = tableFiles(this.#draft);
    const asked = JSON.stringify([location.path, files]);
    if (asked === this.#tablesWatched) return;
    this.#tablesWatched = asked;
    void this.#client.request('files.watchTables', { location, files }).catch(() => undefined);
  }

  /** Keeps the session as it is. */
  keep(): void {
    this.#keeper.renew();
  }

  /** The list of runs that was kept of the file, as it was opened. */
  foundRuns(hash: string, runs: Runs): void {
    this.#runs.found(hash, runs);
  }

  /** The runs are kept of the file at once, whether or not anything is saved. */
  keepRuns(): void {
    this.#runs.keep();
  }

  /** Resolves to whether all that was done is kept. */
  flush(): Promise<boolean> {
    return this.#keeper.flush();
  }

  /** The same, where the page may be gone before the host answers. */
  async flushLast(): Promise<boolean> {
    const [kept] = await Promise.all([this.#keeper.flushLast(), this.#runs.flush()]);
    return kept;
  }

  /** Whether the window may not go without a word: what was done last is with nobody yet. */
  get unkept(): boolean {
    return this.#keeper.pending || this.#runs.pending;
  }

  /**
   * `over`: what may be written over; undefined where it does not matter. `meaning`: of the objective, where it is known. A fit
   * beside the file that may be of this document stays there.
   */
  async save(
    to: Location,
    { fit, meaning }: { readonly fit: FitReport | null; readonly meaning: string | null },
    over: Stamp | null | undefined,
    studies?: StoredStudies,
  ): Promise<SaveOutcome> {
    const draft = this.#draft;
    const { report } = this.#open();
    const from = this.location;
    this.saving = true;
    try {
      const document = inOrder(draft, this.#order);
      // A journal behind its file would bring back, after a kill, what is older than what was saved.
      await this.#keeper.flushWithPatience();
      const outcome = await this.#client.request('files.save', {
        document,
        location: to,
        fit,
        meaning,
        ...(studies && (!this.unread || studies.studies.length > 0 || !this.isAt(to)) && { studies }),
        from,
        ...(over !== undefined && { over }),
      });
      if ('changed' in outcome) {
        if (this.isAt(to)) this.lost();
        return outcome;
      }
      const moved = !this.isAt(outcome.location);
      this.location = outcome.location;
      if (moved) this.keepRuns();
      this.saved = draft;
      this.stamp = outcome.stamp;
      this.savedAt = Date.parse(outcome.savedAt);
      this.#missing = false;
      this.#beside = outcome.without === undefined ? fit : null;
      // One that holds no more is not written, and is not to be: it belongs to another draft.
      if (outcome.without === undefined || fit === null) this.#savedFit = report;
      if (studies) this.#studiesBeside = keysOf(outcome.withoutStudies === undefined ? studies.studies : []);
      const text = withoutText(outcome);
      this.#lastSave = text === null ? null : { text, outcome: 'saved' };
      this.#keepFailure = null;
      if (this.#keeper.begun) this.#keeper.renew();
      this.watch();
      return 'saved';
    } catch (error) {
      const isHere = this.isAt(to);
      this.#lastSave = {
        text: `${isHere ? 'Not saved' : 'Not saved there'}: ${sentenceOf(error)}`,
        outcome: isHere ? 'not saved' : 'not saved there',
      };
      return 'failed';
    } finally {
      this.saving = false;
    }
  }

  async #send(from: number, entries: readonly string[]): Promise<boolean> {
    const about = {
      name: draftName(this.#draft),
      location: this.location,
      edited: this.unsaved,
      files: tableFiles(this.#draft),
    };
    const { kept } = await this.#client.request('files.keep', { copy: this.#copy, about, from, entries: [...entries] });
    if (kept && from === 0 && !this.#left) rememberCopy(this.#copy);
    return kept;
  }

  /** Throws the kept edits away, when the user does not want them. */
  async forget(): Promise<void> {
    await this.#keeper.end();
    if (!this.#keeper.begun) return;
    forgetCopy(this.#copy);
    await this.#client.request('files.forget', { copy: this.#copy });
  }

  /** Whether leaving needs a question. A fit of an example, which is nobody's work, is done again. */
  get atStake(): boolean {
    return this.location.kind === 'file' ? this.unsaved : this.dirty;
  }

  /** An empty model that was nothing else before is nobody's work either. */
  get worthless(): boolean {
    const { log } = this.#open();
    return !this.atStake || (log.draft.blocks.length === 0 && log.past.length === 0 && log.future.length === 0);
  }

  /**
   * The window goes on to something else, also where its page is loaded again. What is saved needs no copy any more, and a fit that
   * runs is left with the document; anything else stays kept.
   */
  close(): void {
    this.#left = true;
    forgetCopy(this.#copy);
    if (this.worthless || (this.location.kind === 'file' && !this.#unwritten))
      void this.forget().catch(() => undefined);
    else void this.#leaveCopy().catch(() => undefined);
  }

  /** What is kept is free for whoever opens the document next, in this window too. */
  async #leaveCopy(): Promise<void> {
    await this.#keeper.flush();
    await this.#keeper.end();
    if (this.#keeper.begun) await this.#client.request('files.release', { copy: this.#copy });
  }
}
