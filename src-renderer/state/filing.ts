/** The open document goes to a file: the place is asked for where it has none, and nothing of another program is written over. */
import type { Client, Location, RequestInput, RequestOutput } from '../../src-main/contract/contract.ts';
import type { Stamp } from '../../src-main/contract/keeping.ts';
import { draftName, inOrder } from './document/draft.ts';
import type { Notice, Overlay } from './overlay.ts';
import type { Studio } from './studio.svelte.ts';
import { sentenceOf } from './window/refusal.ts';
import { fileStem } from './window/table-export.ts';
import { download, printPage } from './window/take-away.ts';

export type ExportForm = RequestInput<'model.export'>['to'];

const exportForms: Readonly<Record<ExportForm, { readonly extension: string; readonly type: string }>> = {
  jax: { extension: 'py', type: 'text/x-python' },
  futhark: { extension: 'fut', type: 'text/plain' },
  wgsl: { extension: 'wgsl', type: 'text/plain' },
  sbml: { extension: 'xml', type: 'application/sbml+xml' },
  csv: { extension: 'csv', type: 'text/csv' },
  html: { extension: 'html', type: 'text/html' },
};

export interface FilingHost {
  readonly client: Client;
  readonly info: RequestOutput<'app.info'> | null;
  readonly studio: Studio | null;
  overlay: Overlay | null;
  message: string | null;
  dismiss(kind: Notice['kind']): void;
}

export class Filing {
  readonly #host: FilingHost;
  /** The save that was begun last. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(host: FilingHost) {
    this.#host = host;
  }

  /** Resolves to whether the document is safe in a file. */
  save(): Promise<boolean> {
    // One after the other: a save that is begun before the last has ended would take what that wrote for another program's.
    const turn = this.#last.then(() => this.#save());
    this.#last = turn.catch(() => false);
    return turn;
  }

  async #save(): Promise<boolean> {
    const studio = this.#host.studio;
    if (!studio) return true;
    if (studio.saving.location.kind !== 'file') return this.saveAs();
    return this.saveTo(studio.saving.location, studio.saving.stamp);
  }

  async saveAs(): Promise<boolean> {
    const studio = this.#host.studio;
    if (!studio) return true;
    if (this.#host.info?.host === 'browser') {
      this.#host.overlay = { kind: 'save-as' };
      return false;
    }
    return this.saveUnder(studio.saving.suggestion);
  }

  /** In a browser this is the name that was asked for in the window; elsewhere the system asks, and `suggestion` is what it shows. */
  async saveUnder(suggestion: string): Promise<boolean> {
    const studio = this.#host.studio;
    if (!studio) return true;
    const place = await this.#host.client.request('files.chooseSave', { suggestion }).catch((error: unknown) => {
      this.#host.message = sentenceOf(error);
      return null;
    });
    if (!place) return false;
    // Of its own file the window knows best what it may write over.
    return this.saveTo(place.location, studio.saving.isAt(place.location) ? studio.saving.stamp : place.over);
  }

  /** Writes the open document for elsewhere, or as a report, and hands the file over. */
  async exportAs(to: ExportForm): Promise<void> {
    const studio = this.#host.studio;
    if (!studio) return;
    try {
      const { text } = await this.#host.client.request('model.export', {
        document: inOrder(studio.draft),
        location: studio.saving.location,
        to,
        fit: studio.stale.length === 0 ? studio.fitting.report : null,
        ...(to === 'html' && { studies: studio.studies() }),
        version: this.#host.info?.version ?? '',
      });
      const { extension, type } = exportForms[to];
      await this.handOver(`${fileStem(draftName(studio.draft))}.${extension}`, new Blob([text], { type }));
    } catch (error) {
      this.#host.message = sentenceOf(error);
    }
  }

  /** A browser tells of its downloads itself; elsewhere what cannot be written is said. */
  async handOver(name: string, content: Blob): Promise<void> {
    if (this.#host.info?.host !== 'desktop') {
      download(name, content);
      return;
    }
    try {
      const bytes = new Uint8Array(await content.arrayBuffer());
      await this.#host.client.request('files.handOver', { name, content: bytes });
    } catch (error) {
      this.#host.message = sentenceOf(error);
    }
  }

  /** A PDF of what `onPaper` shows there. A browser asks for its place, or for a printer, itself (take-away.ts). */
  async print(name: string, onPaper: <T>(print: () => Promise<T>) => Promise<T>): Promise<void> {
    if (this.#host.info?.host !== 'desktop') {
      await onPaper(() => printPage(name));
      return;
    }
    const { content } = await onPaper(() => this.#host.client.request('files.print', {}));
    await this.handOver(name, new Blob([new Uint8Array(content)], { type: 'application/pdf' }));
  }

  /** Hands the open document over, where no host is there to write it. */
  takeAway(): void {
    const { studio } = this.#host;
    if (!studio) return;
    const text = `${JSON.stringify(inOrder(studio.draft), null, 2)}\n`;
    download(studio.saving.suggestion, new Blob([text], { type: 'application/json' }));
  }

  /** `over`: what the file may hold that is written over; undefined where it does not matter. */
  async saveTo(location: Location, over: Stamp | null | undefined): Promise<boolean> {
    const { studio } = this.#host;
    if (!studio) return true;
    const fit = studio.stale.length === 0 ? studio.fitting.report : null;
    const before = studio.saving.lastSave;
    const outcome = await studio.saving.save(location, { fit, meaning: studio.meaning }, over, studio.storedStudies());
    if (outcome === 'saved') {
      // That a save failed holds no more; that it is without its fit is to be known.
      if (this.#host.overlay?.kind === 'save-as') this.#host.overlay = null;
      const { lastSave } = studio.saving;
      if (lastSave !== null || this.#host.message === before) this.#host.message = lastSave;
      this.#host.dismiss('restored');
      this.#host.dismiss('changed');
      return lastSave === null;
    }
    if (outcome === 'failed') this.#host.message = studio.saving.lastSave;
    else this.#host.overlay = { kind: 'changed', location, stamp: outcome.changed };
    return false;
  }
}
