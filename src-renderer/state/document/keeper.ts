import type { Client, Location } from '../../../src-main/contract/contract.ts';
import type { Draft } from './draft.ts';
import type { Runs } from './runs.ts';
import { noRuns, readRuns, runsIn, runsText } from './runs.ts';

/**
 * Sends a journal's entries to the host that keeps them: the first at once, those that follow a fifth of a second later
 * at the latest, however many more come. One batch is under way at a time. Where the host lacks what came before (it was
 * started again, or its disk was full), all of it is sent anew. Times are those of a clock that nobody sets.
 */
export interface KeeperHost {
  /** The session as it now is, as one entry. */
  readonly whole: () => string;
  /** False where the host does not have the entries before `from`. */
  readonly send: (from: number, entries: readonly string[]) => Promise<boolean>;
  readonly kept: () => void;
  readonly failed: (error: unknown) => void;
}

const paceMilliseconds = 200;
const retryMilliseconds = 1000;
/** A host that has not answered for so long is told of: what it was sent may be nowhere. */
const patienceMilliseconds = 3000;

/** A journal this much longer than its first entry begins anew: reading it back takes no longer than an edit. */
const mostCharacters = 4_000_000;

export class Keeper {
  readonly #host: KeeperHost;
  /** Whether the next batch is the whole session. */
  #whole = false;
  #begun = false;
  #ended = false;
  #entries: string[] = [];
  /** How many entries the host has. */
  #count = 0;
  /** How many it has once it has taken what is under way. */
  #sent = 0;
  #length = 0;
  #sending: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When the next batch may go. */
  #next = 0;
  #failing = false;

  constructor(host: KeeperHost) {
    this.#host = host;
  }

  get begun(): boolean {
    return this.#begun;
  }

  /** Whether there is anything that the host does not have yet. */
  get pending(): boolean {
    return this.behind || this.#sending !== null;
  }

  /** Whether something has not been sent yet. */
  get behind(): boolean {
    return this.#whole || this.#entries.length > 0;
  }

  /** What has just been done. Before the first, the session as a whole is kept, which holds it already. */
  add(entry: () => string): void {
    if (this.#ended) return;
    if (!this.#begun) {
      this.renew();
      return;
    }
    if (this.#whole) {
      this.#soon();
      return;
    }
    const text = entry();
    this.#entries.push(text);
    this.#length += text.length;
    if (this.#length > mostCharacters) this.renew();
    else this.#soon();
  }

  /** Begins the journal anew with the session as it is when it is sent. */
  renew(): void {
    if (this.#ended) return;
    this.#begun = true;
    this.#whole = true;
    this.#entries = [];
    this.#length = 0;
    this.#soon();
  }

  /** Resolves to whether the host now has everything; it waits for no pace, and tries once. */
  async flush(): Promise<boolean> {
    while (this.pending) {
      await (this.#sending ?? this.#go());
      if (this.#failing) return false;
    }
    return true;
  }

  /** As `flush`, for as long as a host may be silent: what does not answer holds up nothing else. */
  async flushWithPatience(): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const silent = new Promise<false>((resolve) => (timer = setTimeout(() => resolve(false), patienceMilliseconds)));
    return Promise.race([this.flush(), silent]).finally(() => clearTimeout(timer));
  }

  /**
   * As `flush`, where the page may go before anything is answered: what waits goes at once, behind what is under way. Should
   * the page stay it is sent again, and the host has it but once.
   */
  async flushLast(): Promise<boolean> {
    if (this.#sending && this.behind && !this.#ended) {
      const entries = this.#whole ? [this.#host.whole()] : this.#entries;
      void this.#host.send(this.#whole ? 0 : this.#sent, entries).catch(() => undefined);
    }
    return this.flush();
  }

  /** No more is sent. Resolves when nothing is under way any more. */
  async end(): Promise<void> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.#whole = false;
    this.#entries = [];
    await this.#sending;
  }

  #soon(): void {
    if (this.#sending || this.#timer !== undefined) return;
    this.#after(this.#next - performance.now());
  }

  #after(milliseconds: number): void {
    if (milliseconds <= 0) void this.#go();
    else this.#timer = setTimeout(() => void this.#go(), milliseconds);
  }

  #go(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#sending = this.#send().then(() => {
      this.#sending = null;
      if (this.#ended || !this.pending) return;
      this.#after(this.#next - performance.now());
    });
    return this.#sending;
  }

  async #send(): Promise<void> {
    this.#next = performance.now() + paceMilliseconds;
    const silent = new Error('nothing answers');
    const patience = setTimeout(() => this.#ended || this.#host.failed(silent), patienceMilliseconds);
    try {
      const from = this.#whole ? 0 : this.#count;
      const entries = this.#whole ? [this.#host.whole()] : this.#entries;
      this.#whole = false;
      this.#entries = [];
      this.#sent = from + entries.length;
      const kept = await this.#host.send(from, entries);
      this.#failing = false;
      if (this.#ended) return;
      if (kept) {
        this.#count = from + entries.length;
        this.#host.kept();
      } else this.renew();
    } catch (error) {
      this.#failing = true;
      if (this.#ended) return;
      this.#whole = true;
      this.#entries = [];
      this.#next = performance.now() + retryMilliseconds;
      this.#host.failed(error);
    } finally {
      clearTimeout(patience);
    }
  }
}

export interface RunKeeperHost {
  readonly client: Client;
  readonly location: () => Location;
  readonly draft: () => Draft;
  readonly runs: () => Runs;
  /** Both had the list `before`, and another window has made it `there`: from now on that is in it, too. */
  readonly merge: (before: Runs, there: Runs) => void;
  /** Null once all is kept. */
  readonly failed: (error: unknown) => void;
}

/** What the host had when it was heard of last. */
interface KnownRuns {
  /** Whose list it is; null of what lies in no file. */
  readonly path: string | null;
  /** Null where nothing is known of it. */
  readonly hash: string | null;
  readonly runs: Runs;
}

const pathOf = (location: Location): string | null => (location.kind === 'file' ? location.path : null);

/**
 * Sends the list at each change, one at a time, and of several changes meanwhile the last. What another window has written since
 * is merged with it first. A document that goes to another file takes the place of what was there, and its list of that one's.
 */
export class RunKeeper {
  readonly #host: RunKeeperHost;
  #known: KnownRuns;
  #wanted = false;
  #sending: Promise<void> | null = null;

  constructor(host: RunKeeperHost) {
    this.#host = host;
    this.#known = { path: pathOf(host.location()), hash: null, runs: noRuns };
  }

  get pending(): boolean {
    return this.#sending !== null;
  }

  /** What was kept of the file as it was opened. */
  found(hash: string, runs: Runs): void {
    this.#known = { ...this.#known, hash, runs };
  }

  /** Of what lies in no file the kept edits have the runs, until it is saved to one. */
  keep(): void {
    if (this.#host.location().kind !== 'file') return;
    this.#wanted = true;
    this.#sending ??= this.#send();
  }

  /** Resolves once nothing is under way any more. */
  async flush(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#wanted) {
      this.#wanted = false;
      await this.#sendOnce().then(
        () => this.#host.failed(null),
        (error: unknown) => this.#host.failed(error),
      );
    }
    this.#sending = null;
  }

  async #sendOnce(): Promise<void> {
    const { client, location: where, draft, runs, merge } = this.#host;
    const location = where();
    const path = pathOf(location);
    const text = runsText(runs());
    const over = this.#known.path === path ? { over: this.#known.hash } : {};
    const answer = await client.request('files.keepRuns', { location, runs: text, ...over });
    if ('hash' in answer) {
      this.#known = { path, hash: answer.hash, runs: readRuns(text, draft()) };
      return;
    }
    const { hash, text: there } = answer.changed;
    // What cannot be read is written over.
    const others = runsIn(there, draft());
    if (others) merge(this.#known.runs, others);
    this.#known = { path, hash, runs: others ?? this.#known.runs };
    this.#wanted = true;
  }
}
