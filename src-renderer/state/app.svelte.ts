/** The window as a whole: which document is open, the theme, what floats above. */
import type { Client, Location, RequestInput, RequestOutput } from '../../src-main/contract.ts';
import type { Draft, JsonRecord } from './draft.ts';
import { download } from '../parts/take-away.ts';
import { draftName, emptyDraft, inOrder, readDraft } from './draft.ts';
import { recall, remember } from './remembered.ts';
import { sentenceOf } from './refusal.ts';
import type { Summaries } from './help.ts';
import { Studio } from './studio.svelte.ts';
import { Tour } from './tour.svelte.ts';
import { fileStem } from './table-export.ts';

export type Info = RequestOutput<'app.info'>;
export type Example = RequestOutput<'files.examples'>[number];
export type RecentFile = RequestOutput<'files.recent'>[number];
export type Device = RequestOutput<'devices.list'>[number];
export type KeptCopy = RequestOutput<'files.kept'>[number];

export type ExportForm = RequestInput<'model.export'>['to'];

export type Theme = 'system' | 'light' | 'dark';

/** What floats above the view; one at a time. */
export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'open' }
  | { readonly kind: 'save-as' }
  /** `topic` as `help.ts` names it; none is the keys. */
  | { readonly kind: 'help'; readonly topic?: string }
  | { readonly kind: 'leave'; readonly then: () => void };

/** The example on which the app opens the first time. */
const welcome = 'theophylline-oral';

const exportForms: Readonly<Record<ExportForm, { readonly extension: string; readonly type: string }>> = {
  jax: { extension: 'py', type: 'text/x-python' },
  futhark: { extension: 'fut', type: 'text/plain' },
  wgsl: { extension: 'wgsl', type: 'text/plain' },
  csv: { extension: 'csv', type: 'text/csv' },
  html: { extension: 'html', type: 'text/html' },
};

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
  /** What each kind of block does, as the engine says it. */
  summaries = $state.raw<Summaries>(new Map());
  theme = $state<Theme>(themeOf(recall('theme')));
  systemDark = $state(matchMedia('(prefers-color-scheme: dark)').matches);
  /** One sentence that something failed; null when it was dismissed. */
  message = $state<string | null>(null);
  opening = $state(false);
  readonly dark: boolean = $derived(this.theme === 'dark' || (this.theme === 'system' && this.systemDark));

  constructor(client: Client) {
    this.client = client;
    client.on('files.asked', ({ location }) => this.leave(() => void this.open(location)));
    client.on('engine.notice', ({ message }) => {
      this.message = message;
      void this.#learnDevices();
    });
    client.on('engine.restarted', ({ reason }) => {
      this.message = `The engine was started again: ${reason}`;
      this.studio?.checking.check(this.studio.draft);
    });
  }

  async begin(): Promise<void> {
    try {
      const [info, devices] = await Promise.all([
        this.client.request('app.info', {}),
        this.client.request('devices.list', {}),
      ]);
      this.info = info;
      this.devices = devices;
      if (info.initial) await this.open(info.initial);
      await this.refreshStart();
      // Who has nothing of their own yet meets a finished, fitted model rather than an empty one.
      void this.#learnKinds();
      const newcomer = !info.initial && this.recent.length === 0 && this.kept.length === 0;
      if (newcomer && this.examples.some(({ name }) => name === welcome)) {
        await this.open(example(welcome));
        this.tour.offer();
      }
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

  async open(location: Location): Promise<void> {
    this.opening = true;
    try {
      const opened = await this.client.request('files.open', { location });
      this.#show(opened.document, opened.location, opened.fit, true);
    } catch (error) {
      this.message = sentenceOf(error);
    } finally {
      this.opening = false;
    }
  }

  /** Opens what a crash left behind. It stays unsaved until it is saved. */
  restore(copy: KeptCopy): void {
    this.#show(copy.document, copy.location, null, false);
    this.kept = this.kept.filter((other) => other !== copy);
  }

  async discard(copy: KeptCopy): Promise<void> {
    this.kept = this.kept.filter((other) => other !== copy);
    await this.client.request('files.keep', { location: copy.location, document: null });
  }

  create(draft: Draft = emptyDraft): void {
    this.#show(draft, { kind: 'unsaved' }, null, false);
  }

  #show(document: JsonRecord, location: Location, fit: RequestOutput<'files.open'>['fit'], saved: boolean): void {
    const { draft, left } = readDraft(document);
    this.studio?.close();
    const studio = new Studio(this.client, draft, location, fit);
    if (saved) studio.saving.saved = draft;
    // What was pasted or restored is nowhere else yet.
    else if (draft.blocks.length > 0) studio.saving.edited();
    this.studio = studio;
    this.overlay = null;
    this.message = left.length > 0 ? `Not everything can be drawn: ${left.join('; ')}.` : null;
  }

  /** Leaves the document, after asking when there are unsaved edits. */
  leave(then: () => void): void {
    const studio = this.studio;
    const go = () => {
      this.overlay = null;
      then();
    };
    const untouched = !studio || !studio.dirty || (studio.draft.blocks.length === 0 && studio.log.past.length === 0);
    if (untouched) go();
    else this.overlay = { kind: 'leave', then: go };
  }

  toStart(): void {
    this.leave(() => {
      this.studio?.close();
      this.studio = null;
      void this.refreshStart().catch((error: unknown) => {
        this.message = sentenceOf(error);
      });
    });
  }

  async chooseOpen(): Promise<void> {
    if (this.info?.host === 'browser') {
      this.overlay = { kind: 'open' };
      return;
    }
    const location = await this.client.request('files.chooseOpen', {});
    if (location) this.leave(() => void this.open(location));
  }

  /** Resolves to whether the document is safe in a file. */
  async save(): Promise<boolean> {
    const studio = this.studio;
    if (!studio) return true;
    if (studio.saving.location.kind !== 'file') return this.saveAs();
    return this.#saveTo(studio, studio.saving.location);
  }

  async saveAs(): Promise<boolean> {
    const studio = this.studio;
    if (!studio) return true;
    if (this.info?.host === 'browser') {
      this.overlay = { kind: 'save-as' };
      return false;
    }
    const location = await this.client.request('files.chooseSave', { suggestion: studio.saving.suggestion });
    return location ? this.#saveTo(studio, location) : false;
  }

  /** In a browser the name is asked for in the window. */
  async saveUnder(name: string): Promise<boolean> {
    const studio = this.studio;
    if (!studio) return true;
    const location = await this.client.request('files.chooseSave', { suggestion: name });
    return location ? this.#saveTo(studio, location) : false;
  }

  /** Writes the open document for elsewhere, or as a report, and hands the file over. */
  async exportAs(to: ExportForm): Promise<void> {
    const studio = this.studio;
    if (!studio) return;
    try {
      const { text } = await this.client.request('model.export', {
        document: inOrder(studio.draft),
        location: studio.saving.location,
        to,
        fit: studio.stale.length === 0 ? studio.fitting.report : null,
        ...(to === 'html' && { studies: studio.studies() }),
        version: this.info?.version ?? '',
      });
      const { extension, type } = exportForms[to];
      download(`${fileStem(draftName(studio.draft))}.${extension}`, new Blob([text], { type }));
    } catch (error) {
      this.message = sentenceOf(error);
    }
  }

  async #saveTo(studio: Studio, location: Location): Promise<boolean> {
    const fit = studio.stale.length === 0 ? studio.fitting.report : null;
    const saved = await studio.saving.save(location, fit);
    if (!saved) this.message = studio.saving.failure;
    return saved;
  }

  /** Without the engine's sentences help is shorter, and no fault. */
  async #learnDevices(): Promise<void> {
    this.devices = await this.client.request('devices.list', {}).catch(() => this.devices);
  }

  async #learnKinds(): Promise<void> {
    const kinds = await this.client.request('model.kinds', {}).catch(() => []);
    this.summaries = new Map(kinds.map(({ kind, summary }) => [kind, summary]));
  }

  /** The tour goes through a fitted model: the open one, else the example. */
  async startTour(): Promise<void> {
    this.overlay = null;
    if (!this.studio?.fitting.report) await this.#openForTour();
    if (this.studio) this.tour.start();
  }

  #openForTour(): Promise<void> {
    return new Promise((done) => this.leave(() => void this.open(example(welcome)).then(done)));
  }

  toggleTheme(): void {
    this.theme = this.dark ? 'light' : 'dark';
    remember('theme', this.theme);
  }
}
