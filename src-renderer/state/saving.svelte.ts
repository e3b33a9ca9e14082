/** Where the document lives, and what of it is safe: written to its file, or in the shadow copy. */
import type { Client, FitReport, Location } from '../../src-main/contract.ts';
import type { Draft } from './draft.ts';
import { draftName, inOrder, sameDraft } from './draft.ts';
import { deferred } from './latest.ts';
import { sentenceOf } from './refusal.ts';

const keepMilliseconds = 700;

export class Saving {
  location = $state.raw<Location>({ kind: 'unsaved' });
  /** What the file holds. */
  saved = $state.raw<Draft | null>(null);
  keptAt = $state<number | null>(null);
  savedAt = $state<number | null>(null);
  /** Why the last save or shadow copy failed. */
  failure = $state<string | null>(null);
  saving = $state(false);
  readonly #client: Client;
  /** The keys of the document as it was opened, so that a file keeps the order that its writer chose. */
  readonly #order: readonly string[];
  readonly #draft: () => Draft;
  readonly #keep = deferred(keepMilliseconds, () => void this.#keepNow());

  constructor(client: Client, location: Location, draft: () => Draft) {
    this.#client = client;
    this.location = location;
    this.#draft = draft;
    this.#order = Object.keys(draft());
  }

  get dirty(): boolean {
    return this.saved === null || !sameDraft(this.saved, this.#draft());
  }

  get fileName(): string {
    const { location } = this;
    if (location.kind === 'file') return location.path.split(/[\\/]/).at(-1) ?? location.path;
    return location.kind === 'example' ? 'example' : 'not saved yet';
  }

  /** The name to offer when a place is asked for. */
  get suggestion(): string {
    if (this.location.kind === 'file') return this.fileName;
    const stem = draftName(this.#draft())
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    return `${stem || 'model'}.cot.json`;
  }

  edited(): void {
    this.#keep();
  }

  async save(to: Location, fit: FitReport | null): Promise<boolean> {
    const draft = this.#draft();
    const from = this.location;
    this.saving = true;
    try {
      const { location, savedAt } = await this.#client.request('files.save', {
        document: inOrder(draft, this.#order),
        location: to,
        fit,
        from,
      });
      this.#keep.cancel();
      this.location = location;
      this.saved = draft;
      this.savedAt = Date.parse(savedAt);
      this.failure = null;
      await this.#client.request('files.keep', { location: from, document: null });
      return true;
    } catch (error) {
      this.failure = `Not saved: ${sentenceOf(error)}`;
      return false;
    } finally {
      this.saving = false;
    }
  }

  async #keepNow(): Promise<void> {
    try {
      const document = this.dirty ? inOrder(this.#draft(), this.#order) : null;
      await this.#client.request('files.keep', { location: this.location, document });
      this.keptAt = Date.now();
      this.failure = null;
    } catch (error) {
      this.failure = `The last edits are not kept: ${sentenceOf(error)}`;
    }
  }

  /** Throws the unsaved edits' shadow copy away, when the user does not want them. */
  async forget(): Promise<void> {
    this.#keep.cancel();
    await this.#client.request('files.keep', { location: this.location, document: null });
  }

  close(): void {
    this.#keep.now();
  }
}
