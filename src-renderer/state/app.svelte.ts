/** The window as a whole: which document is open, the theme, what floats above. */
import type { Client, Held, Location, Opened, RequestOutput } from '../../src-main/contract/contract.ts';
import { usualSettings } from '../../src-main/contract/app.ts';
import type { Settings } from '../../src-main/contract/app.ts';
import type { KeptCopy, Stamp } from '../../src-main/contract/keeping.ts';
import type { Draft } from './document/draft.ts';
import { emptyDraft, readDraft } from './document/draft.ts';
import { setUsualDigits } from './words/number-format.ts';
import { recall, remember } from './window/remembered.ts';
import { sentenceOf } from './window/refusal.ts';
import { readRuns } from './document/runs.ts';
import { openSession } from './document/session.ts';
import { keptStudies } from './study/stored-studies.ts';
import { Autosave } from './autosave.ts';
import { Filing } from './filing.ts';
import type { Notice, Overlay } from './overlay.ts';
import { restored, resume, unreadable } from './restoring.ts';
import { Studio } from './studio.svelte.ts';
import { Tour } from './tour.svelte.ts';

export type Info = RequestOutput<'app.info'>;
export type Example = RequestOutput<'files.examples'>[number];
export type RecentFile = RequestOutput<'files.recent'>[number];
export type Device = RequestOutput<'devices.list'>[number];

export type Theme = 'system' | 'light' | 'dark';

/** The example on which the app opens the first time. */
const welcome = 'theophylline-oral';

function themeOf(kept: string | null): Theme {
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

const example = (name: string): Location => ({ kind: 'example', name });

export class App {
  readonly client: Client;
  info = $state.raw<Info | null>(null);
  examples = $state.raw<readonly Example[]>([]);
  recent = $state.raw<readonly RecentFile[]>([]);
  devices = $state.raw<readonly Device[]>([]);
  kept = $state.raw<readonly KeptCopy[]>([]);
  studio = $state.raw<Studio | null>(null);
  overlay = $state.raw<Overlay | null>(null);
  readonly tour = new Tour();
  readonly filing = new Filing(this);
  readonly autosave = new Autosave({ wanted: () => this.savesItself, save: () => this.filing.save() });
  /** Whether there is a host that keeps and saves. */
  connected = $state(true);
  theme = $state<Theme>(themeOf(recall('theme')));
  systemDark = $state(matchMedia('(prefers-color-scheme: dark)').matches);
  /** One sentence that something failed; null when it was dismissed. */
  message = $state<string | null>(null);
  notices = $state.raw<readonly Notice[]>([]);
  opening = $state(false);
  settings = $state.raw<Settings>(usualSettings);
  readonly dark: boolean = $derived(this.theme === 'dark' || (this.theme === 'system' && this.systemDark));

  constructor(client: Client) {
    this.client = client;
    client.on('files.asked', ({ location }) => {
      // What is open already is only looked at.
      if (!this.#isOpen(location)) this.leave(() => this.open(location));
    });
    client.on('files.changed', ({ location, stamp }) => {
      if (this.#isOpen(location)) void this.#changedOutside(location, stamp);
    });
    client.on('files.beside', ({ location, ...there }) => {
      if (this.#isOpen(location)) this.studio?.saving.besideIs(there);
    });
    client.on('files.tables', ({ location }) => {
      if (this.#isOpen(location)) this.studio?.readTablesAgain();
    });
    client.on('host.connected', ({ connected }) => this.#hostConnected(connected));
    client.on('files.flush', () => void this.settle().then(() => client.request('files.flushed', {})));
    client.on('engine.notice', ({ message }) => {
      this.message = message;
      void this.#learnDevices();
    });
    client.on('engine.restarted', ({ reason }) => {
      if (reason !== undefined) this.message = `The engine was started again: ${reason}`;
      this.studio?.checking.check(this.studio.draft);
    });
  }

  async begin(): Promise<void> {
    try {
      const [info, settings] = await Promise.all([
        this.client.request('app.info', {}),
        this.client.request('app.settings', {}),
      ]);
      this.info = info;
      this.#goBy(settings);
      const resumed = await resume(this);
      if (!resumed && info.initial) await this.open(info.initial);
      await this.refreshStart();
      // Who has nothing of their own yet meets a finished, fitted model rather than an empty one.
      const newcomer = !resumed && !info.initial && this.recent.length === 0 && this.kept.length === 0;
      if (newcomer && this.examples.some(({ name }) => name === welcome)) {
        await this.open(example(welcome));
        this.tour.offer();
      }
      if (info.told !== undefined) this.message = info.told;
    } catch (error) {
      this.message = sentenceOf(error);
    }
    // A GPU takes its time to be found: no document waits for that.
    await this.#learnDevices();
  }

  #goBy(settings: Settings): void {
    setUsualDigits(settings.digits);
    this.settings = settings;
  }

  /** At once here: the next change may be made before the host has answered. */
  async change(changed: Partial<Settings>): Promise<void> {
    this.#goBy({ ...this.settings, ...changed });
    try {
      await this.client.request('app.set', { changed });
    } catch (error) {
      this.message = sentenceOf(error);
    }
  }

  chooseTheme(theme: Theme): void {
    this.theme = theme;
    remember('theme', theme);
  }

  /** An error that nobody caught: it is noted down with the host, and the window goes on. */
  fault(error: unknown): void {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    void this.client.request('app.fault', { text }).catch(() => undefined);
    const short = error instanceof Error ? error.message : String(error);
    this.message = `Something went wrong in the window (${short}). Your edits are kept; Collect logs has the details.`;
  }

  async collectLogs(): Promise<void> {
    try {
      const { text } = await this.client.request('app.logs', {});
      await this.filing.handOver('cotangent-logs.txt', new Blob([text], { type: 'text/plain' }));
    } catch (error) {
      this.message = sentenceOf(error);
    }
  }

  /** The lists of the start panel. */
  async refreshStart(): Promise<void> {
    const [examples, recent, kept] = await Promise.all([
      this.client.request('files.examples', {}),
      this.client.request('files.recent', {}),
      this.client.request('files.kept', {}),
    ]);
    this.examples = examples;
    this.recent = recent;
    this.kept = kept;
  }

  #isOpen(location: Location): boolean {
    return this.studio?.saving.isAt(location) ?? false;
  }

  /** With the edits that a crash left behind, if there are any: they would be written over otherwise. */
  async open(location: Location): Promise<void> {
    this.opening = true;
    try {
      const opened = await this.client.request('files.open', { location });
      const outcome = opened.kept && (await restored(this, opened.kept.copy, opened));
      if (outcome !== true) this.#showSaved(opened);
      if (typeof outcome === 'string') this.message ??= outcome;
      const { damaged: copy } = opened;
      if (copy?.damaged)
        this.notice('damaged', unreadable(copy.name, copy.keptAt, copy.damaged.file), [
          { label: 'Remove it', run: () => void this.#removeDamaged(copy) },
        ]);
      if (opened.elsewhere)
        this.notice('elsewhere', 'This document is also open in another window. Whoever saves second is asked.');
    } catch (error) {
      this.message = sentenceOf(error);
    } finally {
      this.opening = false;
    }
  }

  /** Opens what a crash left behind. It stays unsaved until it is saved. */
  async restore({ copy }: KeptCopy): Promise<void> {
    try {
      const outcome = await restored(this, copy);
      if (outcome !== true)
        this.message ??= outcome ?? 'These edits are no longer kept: they were saved or discarded in another window.';
      this.kept = this.kept.filter((other) => other.copy !== copy);
    } catch (error) {
      this.message = sentenceOf(error);
    }
  }

  /** Back to what the file holds, which can be undone; to the start panel where there never was one. */
  async reload(): Promise<void> {
    const { studio } = this;
    this.overlay = null;
    if (!studio) return;
    const { location } = studio.saving;
    if (location.kind === 'unsaved') await this.abandon(() => this.#toStart());
    else this.#takeHeld(studio, await this.#held(location), 'Revert to what was saved');
  }

  /** Null where it cannot be read, which is said. */
  #held(location: Location): Promise<Held | null> {
    return this.client.request('files.read', { location }).catch((error: unknown) => {
      this.message = sentenceOf(error);
      return null;
    });
  }

  #takeHeld(studio: Studio, held: Held | null, what: string): boolean {
    if (!held || studio !== this.studio) return false;
    const left = studio.takeHeld(held, what);
    this.notices = this.notices.filter(({ kind }) => kind === 'cut-off');
    this.message = left.length > 0 ? `Not everything can be drawn: ${left.join('; ')}.` : null;
    return true;
  }

  /** What is open is left unsaved. Its kept edits go once it has been left: where nothing else can be opened it stays, with them. */
  async abandon(then: () => void | Promise<void>): Promise<void> {
    const { studio } = this;
    this.overlay = null;
    await then();
    if (this.studio !== studio) await studio?.saving.forget().catch(() => undefined);
  }

  async discard(copy: KeptCopy): Promise<void> {
    this.kept = this.kept.filter((other) => other !== copy);
    await this.client.request('files.forget', { copy: copy.copy });
  }

  async #removeDamaged(copy: KeptCopy): Promise<void> {
    this.dismiss('damaged');
    await this.discard(copy).catch((error: unknown) => {
      this.message = sentenceOf(error);
    });
  }

  notice(kind: Notice['kind'], text: string, actions: Notice['actions'] = []): void {
    this.notices = [...this.notices.filter((other) => other.kind !== kind), { kind, text, actions }];
  }

  dismiss(kind: Notice['kind']): void {
    this.notices = this.notices.filter((other) => other.kind !== kind);
  }

  /** A host that was cut off has given this page up: it is told anew what is open here. */
  #hostConnected(connected: boolean): void {
    this.connected = connected;
    if (!connected) {
      const { filing } = this;
      this.notice(
        'cut-off',
        'Cotangent does not answer: until it does, edits are kept nowhere and nothing can be saved.',
        [{ label: 'Download a copy', run: () => filing.takeAway() }],
      );
      return;
    }
    this.dismiss('cut-off');
    const saving = this.studio?.saving;
    if (!saving) return;
    if (saving.unsaved) saving.keep();
    saving.watch();
  }

  /** Whether the document is to be written to its file now, as the user has chosen in the settings. */
  get savesItself(): boolean {
    const saving = this.studio?.saving;
    // What the user is being asked about is not decided meanwhile.
    const asking = ['changed', 'leave', 'revert', 'save-as'].includes(this.overlay?.kind ?? '');
    if (!this.settings.autosave || !this.connected || asking || !saving) return false;
    // A fit that runs is saved with its end; edits do not wait for it.
    const some = saving.dirty || (saving.unsaved && !this.studio?.fitting.running);
    return some && saving.location.kind === 'file' && !saving.astray;
  }

  /** Whether edits would be lost if the window went now: a host that does not answer has not kept them. */
  get atRisk(): boolean {
    const saving = this.studio?.saving;
    return !!saving && saving.unkept && (saving.failure !== null || !this.connected);
  }

  /** The window is about to go: what stands in a field is taken, and everything kept. */
  async settle(): Promise<void> {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    await this.studio?.saving.flushLast();
  }

  /** Another program has written the open file. Without unsaved edits its content is taken; nothing is lost by that. */
  async #changedOutside(location: Location, stamp: Stamp | null): Promise<void> {
    const { studio } = this;
    if (!studio) return;
    const { saving } = studio;
    const name = saving.fileName;
    const decide = (): void =>
      this.notice('changed', `${name} was changed by another program. Saving asks before it writes over that.`, [
        { label: 'Decide', run: () => stamp && (this.overlay = { kind: 'changed', location, stamp }) },
      ]);
    if (stamp === null) {
      saving.lost({ missing: true });
      this.notice('changed', `${name} was removed or renamed by another program. Saving writes it again.`);
      return;
    }
    // It is there again, or was only touched.
    if (stamp.hash === saving.stamp?.hash) {
      const held = saving.saved ? null : await this.#held(location);
      if (held?.stamp) saving.found(readDraft(held.document).draft, held.stamp, held.fit, held.studies);
      if (held) this.dismiss('changed');
      return;
    }
    const clean = !saving.unsaved;
    const held = clean ? await this.#held(location) : null;
    // Reading takes its time, and the user may have gone on.
    if (held && !saving.unsaved && this.#takeHeld(studio, held, 'Take what another program wrote'))
      this.notice('changed', `${name} was changed by another program and has been read again; that can be undone.`);
    else if (studio === this.studio) {
      saving.lost();
      decide();
    }
  }

  create(draft: Draft = emptyDraft): void {
    const studio = new Studio(this.client, openSession(draft), { kind: 'unsaved' });
    this.show(studio, []);
    // What was pasted or made of data is nowhere else yet.
    if (draft.blocks.length > 0) studio.saving.keep();
  }

  #showSaved({ document, location, fit, studies: held, runs: kept, unread, stamp }: Opened): void {
    const { draft, left } = readDraft(document);
    const studies = held && keptStudies(held, draft);
    const runs = readRuns(kept?.text, draft);
    const studio = new Studio(this.client, openSession(draft, { saved: true, stamp, fit, studies, runs }), location);
    if (kept) studio.saving.foundRuns(kept.hash, runs);
    this.show(studio, left);
    studio.saving.watch();
    if (unread === undefined) return;
    studio.saving.unread = true;
    this.message ??= unread;
  }

  show(studio: Studio, left: readonly string[]): void {
    this.studio?.close();
    this.studio = studio;
    this.overlay = null;
    this.notices = this.notices.filter(({ kind }) => kind === 'cut-off');
    this.message = left.length > 0 ? `Not everything can be drawn: ${left.join('; ')}.` : null;
  }

  /** Leaves the document, after asking when there are unsaved edits or an unsaved fit. */
  leave(then: () => void | Promise<void>): void {
    const studio = this.studio;
    const go = () => {
      this.overlay = null;
      return then();
    };
    if (!studio || studio.saving.worthless) void go();
    else this.overlay = { kind: 'leave', then: go };
  }

  toStart(): void {
    this.leave(() => this.#toStart());
  }

  #toStart(): void {
    this.studio?.close();
    this.studio = null;
    this.notices = this.notices.filter(({ kind }) => kind === 'cut-off');
    void this.refreshStart().catch((error: unknown) => {
      this.message = sentenceOf(error);
    });
  }

  async chooseOpen(): Promise<void> {
    if (this.info?.host === 'browser') {
      this.overlay = { kind: 'open' };
      return;
    }
    const location = await this.client.request('files.chooseOpen', {});
    if (location) this.leave(() => this.open(location));
  }

  async #learnDevices(): Promise<void> {
    this.devices = await this.client.request('devices.list', {}).catch(() => this.devices);
  }

  /** The tour goes through a fitted model: the open one, else the example. */
  async startTour(): Promise<void> {
    this.overlay = null;
    if (!this.studio?.fitting.report) await this.#openForTour();
    if (this.studio) this.tour.start();
  }

  #openForTour(): Promise<void> {
    return new Promise((done) => this.leave(() => this.open(example(welcome)).then(done)));
  }

  toggleTheme(): void {
    this.theme = this.dark ? 'light' : 'dark';
    remember('theme', this.theme);
  }
}
