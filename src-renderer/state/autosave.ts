/**
 * Saves the document to its file as it is edited: within a second of the first edit that the file lacks, however many more
 * follow. What could not be saved is tried again, ever more rarely.
 */
export interface AutosaveHost {
  /** Whether there is something that is to be saved, and may be now. */
  readonly wanted: () => boolean;
  /** Resolves to whether it was. */
  readonly save: () => Promise<boolean>;
}

const paceMilliseconds = 500;
const firstRetryMilliseconds = 2000;
const longestRetryMilliseconds = 60_000;

export class Autosave {
  readonly #host: AutosaveHost;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving = false;
  #retry = firstRetryMilliseconds;

  constructor(host: AutosaveHost) {
    this.#host = host;
  }

  /** After whatever may have changed what is wanted. */
  look(): void {
    if (!this.#saving && this.#timer === undefined && this.#host.wanted()) this.#after(paceMilliseconds);
  }

  #after(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#go(), milliseconds);
  }

  async #go(): Promise<void> {
    this.#timer = undefined;
    if (!this.#host.wanted()) return;
    const begun = performance.now();
    this.#saving = true;
    const saved = await this.#host.save().catch(() => false);
    this.#saving = false;
    if (!this.#host.wanted()) {
      this.#retry = firstRetryMilliseconds;
    } else if (saved) {
      this.#retry = firstRetryMilliseconds;
      // It was edited meanwhile.
      this.#after(Math.max(0, begun + paceMilliseconds - performance.now()));
    } else {
      this.#after(this.#retry);
      this.#retry = Math.min(2 * this.#retry, longestRetryMilliseconds);
    }
  }
}
