/** A table on its way in: its bytes sent, what was found in them shown, every choice open until it is taken. */
import type { Client, Location } from '../../../src-main/contract/contract.ts';
import type {
  ColumnRole,
  ImportChoices,
  ImportColumn,
  ImportContest,
  ImportContestant,
  ImportExperiment,
  ImportPreview,
  LibraryShape,
  Noise,
  Sharing,
  Together,
} from '../../../src-main/contract/import.ts';
import { applyCommand } from '../document/commands.ts';
import type { Draft, JsonRecord } from '../document/draft.ts';
import { sentenceOf } from '../window/refusal.ts';
import type { TakenColumn } from './added-table.ts';
import { addedTable } from './added-table.ts';
import type { Incoming } from './data-import.ts';
import { send, stemOf } from './data-import.ts';
import { changeRole, possibleRoles, rearranges } from './import-roles.ts';

export type TablePreview = Extract<ImportPreview, { outcome: 'table' }>;
/** A model of another program: a document as it is. */
export type ModelPreview = Extract<ImportPreview, { outcome: 'model' }>;

/** What is under way, and how much of it is done; null where nothing is. */
export type ImportWork = {
  readonly doing: 'sending' | 'reading' | 'fitting' | 'taking';
  readonly share: number;
} | null;

export class Importing {
  readonly name: string;
  readonly stem: string;
  readonly size: number;
  work = $state.raw<ImportWork>({ doing: 'sending', share: 0 });
  choices = $state.raw<ImportChoices>({});
  preview = $state.raw<ImportPreview | null>(null);
  /** Why the engine could not answer at all. */
  failure = $state<string | null>(null);
  /** The shapes that were fitted, the best first, while others are still being; null while there is nothing to show. */
  contest = $state.raw<ImportContest | null>(null);
  /** While shapes are being fitted, and the share of them that have been. */
  fighting = $state(false);
  fought = $state(0);
  /** What is shown is of other roles than the columns have by now. */
  stale = $state(false);
  /** The shapes that can be looked for; empty until the library is opened. */
  library = $state.raw<readonly LibraryShape[]>([]);
  /** What the user has changed of columns; the rest is as found. */
  #roles = $state.raw<readonly ColumnRole[] | null>(null);
  #together = $state.raw<Together | null>(null);
  #units = $state.raw<ReadonlyMap<number, string>>(new Map());
  useControls = $state(true);
  #noise = $state.raw<Noise | null>(null);
  #names = '';
  #contesting = Promise.resolve();
  #shape = $state.raw<string | null>(null);
  readonly table: TablePreview | null = $derived(this.preview?.outcome === 'table' ? this.preview : null);
  readonly model: ModelPreview | null = $derived(this.preview?.outcome === 'model' ? this.preview : null);
  readonly roles: readonly ColumnRole[] = $derived(
    this.#roles ?? this.table?.columns.map((column) => column.role) ?? [],
  );
  readonly together: Together = $derived(this.#together ?? this.table?.together ?? 'replicates');
  /** The shape that the model will have. */
  readonly chosen: ImportContestant | null = $derived(
    this.contest?.contestants.find(({ shape }) => shape === this.#shape) ?? this.contest?.contestants[0] ?? null,
  );
  readonly #client: Client;
  readonly #stopListening: readonly (() => void)[];
  /** What has been found meanwhile, until it is shown. */
  #found: ImportContest | null = null;
  #showsFrom = 0;
  /** The newest request of which something is shown. */
  #shown = 0;
  /** Of the newest request of its kind: answers to those before it come too late. */
  #reads = 0;
  #contests = 0;
  /** The file has been forgotten: what was asked of it comes too late. */
  ended = false;

  constructor(client: Client, incoming: Incoming) {
    this.#client = client;
    this.name = incoming.name;
    this.stem = stemOf(incoming.name);
    this.size = incoming.data.size;
    this.#stopListening = [
      client.on('import.progress', ({ share }) => {
        if (this.work) this.work = { ...this.work, share };
      }),
      client.on('import.contest', ({ asked, share, contest }) => {
        if (asked !== this.#contests || !this.fighting) return;
        this.fought = share;
        if (this.work?.doing === 'fitting') this.work = { ...this.work, share };
        if (contest) this.#found = contest;
        // A short contest shows its end alone, so that nothing flickers.
        if (performance.now() < this.#showsFrom || !this.#found) return;
        this.#show(this.#found, asked);
        this.#found = null;
      }),
    ];
    void this.#begin(incoming);
  }

  async #begin(incoming: Incoming): Promise<void> {
    try {
      const sent = await send(
        this.#client,
        incoming,
        () => !this.ended,
        (share) => (this.work = { doing: 'sending', share }),
      );
      if (sent) await this.#read();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.ended) return;
    this.work = null;
    this.failure = sentenceOf(error);
  }

  /** What the user says of how the file is written; `undefined` leaves a key to be found. */
  choose(changed: { [K in keyof ImportChoices]?: ImportChoices[K] | undefined }): void {
    // Types belong to columns: others of another table would be taken for what they are not.
    const others = 'delimiter' in changed || 'skip' in changed || 'part' in changed;
    const kept = others ? { ...this.choices, types: undefined } : this.choices;
    const entries = Object.entries({ ...kept, ...changed }).filter(([, value]) => value !== undefined);
    this.choices = Object.fromEntries(entries);
    void this.#read();
  }

  chooseType(column: number, type: ImportColumn['type'] | null): void {
    const types = this.table?.columns.map((_, j) => (j === column ? type : (this.choices.types?.[j] ?? null)));
    if (types) this.choose({ types });
  }

  chooseRole(column: number, role: ColumnRole): void {
    if (!this.table) return;
    this.#roles = changeRole(this.roles, this.table.columns, column, role);
    this.#noise = null;
    this.#contesting = this.#fight();
  }

  chooseTogether(together: Together): void {
    this.#together = together;
    this.#noise = null;
    this.#contesting = this.#fight();
  }

  chooseControls(use: boolean): void {
    this.useControls = use;
    this.#noise = null;
    this.#contesting = this.#fight();
  }

  /** How readings scatter: as they say themselves, unless it is chosen. */
  get noise(): Noise {
    return this.#noise ?? this.contest?.noise ?? 'constant';
  }

  chooseNoise(noise: Noise): void {
    this.#noise = noise;
    this.#contesting = this.#fight();
  }

  unitOf(column: number): string {
    return this.#units.get(column) ?? this.table?.columns[column]?.unit ?? '';
  }

  chooseUnit(column: number, unit: string): void {
    this.#units = new Map(this.#units).set(column, unit);
    this.#contesting = this.#fight();
  }

  /** One of those that were fitted by now. */
  chooseShape(shape: string): void {
    this.#shape = shape;
  }

  /** A shape that was chosen while others were fitted stays, however these come out. */
  #show(contest: ImportContest, asked: number): void {
    const before = this.#shown === asked ? (this.contest?.contestants ?? []) : [];
    const missing = !contest.contestants.some(({ shape }) => shape === this.#shape);
    const chosen = missing ? before.filter(({ shape }) => shape === this.#shape) : [];
    this.contest = { ...contest, contestants: [...contest.contestants, ...chosen] };
    this.#shown = asked;
    this.stale = false;
  }

  async openLibrary(): Promise<void> {
    if (this.library.length > 0) return;
    try {
      this.library = await this.#client.request('import.library', {});
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Fits a shape of the library beside the others, or one of them with other parameters for each group. */
  tryShape(shape: string, sharing?: Readonly<Record<string, Sharing>>): void {
    this.#contesting = this.#try(shape, sharing);
  }

  async #try(shape: string, sharing: Readonly<Record<string, Sharing>> | undefined): Promise<void> {
    const asked = ++this.#contests;
    const experiment = this.#experiment();
    if (!experiment) return;
    this.fighting = true;
    this.fought = 0;
    try {
      const request = { ...experiment, noise: this.noise, shape, ...(sharing && { sharing: { ...sharing } }) };
      const { contestants } = await this.#client.request('import.contest', request);
      if (asked !== this.#contests || this.ended || !this.contest) return;
      const [tried] = contestants;
      this.failure = tried ? null : 'That shape could not be fitted to these readings.';
      if (!tried) return;
      const others = this.contest.contestants.filter((each) => each.shape !== shape);
      this.contest = { ...this.contest, contestants: [...others, tried].sort((a, b) => order(a) - order(b)) };
      this.#shape = shape;
    } catch (error) {
      if (asked === this.#contests) this.#fail(error);
    } finally {
      if (asked === this.#contests) this.fighting = false;
    }
  }

  /** Undefined where there is nothing to explain. */
  #experiment(): ImportExperiment | undefined {
    const { table, roles, choices, together } = this;
    if (!table || !roles.includes('y')) return undefined;
    return {
      ...{ choices, together, roles: [...roles], controls: this.useControls },
      units: table.columns.map((_, j) => this.#units.get(j) ?? null),
      ...(this.#noise && { noise: this.#noise }),
    };
  }

  async #read(): Promise<void> {
    const asked = ++this.#reads;
    this.work = { doing: 'reading', share: 0 };
    try {
      const preview = await this.#client.request('import.preview', { choices: this.choices });
      if (asked !== this.#reads || this.ended) return;
      this.#showTable(preview);
      this.#contesting = this.#fight();
    } catch (error) {
      if (asked === this.#reads) this.#fail(error);
    }
  }

  /** What was said of columns holds as long as they are the same ones. */
  #showTable(preview: ImportPreview): void {
    const columns = preview.outcome === 'table' ? preview.columns : [];
    const names = columns.map(({ name }) => name).join('\n');
    if (names !== this.#names) {
      this.#names = names;
      this.#roles = null;
      this.#together = null;
      this.#shape = null;
      this.#noise = null;
      this.#units = new Map();
    }
    // A column that has become labels is no longer what only numbers can be.
    this.#roles = this.#roles?.map((role, j) => (possibleRoles(columns[j]!).includes(role) ? role : 'keep')) ?? null;
    this.preview = preview;
    this.failure = null;
    this.work = null;
  }

  /** Ends the contest: what was fitted by then is shown. */
  stopContest(): void {
    this.#client.request('import.stop', {}).catch((error: unknown) => this.#fail(error));
  }

  async #fight(): Promise<void> {
    const asked = ++this.#contests;
    const experiment = this.#experiment();
    if (!experiment) {
      this.contest = null;
      this.fighting = false;
      return;
    }
    this.fighting = true;
    this.fought = 0;
    this.stale = true;
    this.#found = null;
    this.#showsFrom = performance.now() + shortContest;
    try {
      const contest = await this.#client.request('import.contest', { ...experiment, asked });
      if (asked !== this.#contests || this.ended) return;
      this.#show(contest, asked);
      this.failure = null;
    } catch (error) {
      if (asked === this.#contests) this.#fail(error);
    } finally {
      if (asked === this.#contests) this.fighting = false;
    }
  }

  /** The document of the shape that was chosen; null where there is none, or that failed. */
  async make(location: Location): Promise<Draft | null> {
    // Enter may come before the shapes, and need not wait for more where one of them was chosen.
    if (this.fighting) {
      this.work = { doing: 'fitting', share: this.fought };
      if (this.#shape !== null && this.#shown === this.#contests) this.stopContest();
    }
    await this.#contesting;
    this.work = { doing: 'taking', share: 0 };
    const [experiment, chosen] = [this.#experiment(), this.chosen];
    if (!experiment || !chosen) {
      this.work = null;
      return null;
    }
    const sharing = Object.fromEntries(chosen.parameters.map((each) => [each.name, each.sharing]));
    try {
      const asked = { ...experiment, noise: this.noise, shape: chosen.shape, sharing };
      const { document } = await this.#client.request('import.make', { experiment: asked, name: this.stem, location });
      return document as unknown as Draft;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** The table's columns as blocks of a document at `location`, which has no model of them; null where that failed. */
  async columns(location: Location): Promise<Draft | null> {
    const experiment = this.#experiment();
    if (!experiment || !rearranges(this.roles, this.useControls && this.table?.controls != null)) {
      const taken = await this.#take(location);
      const empty: Draft = { format: 'cotangent/1', name: this.stem, blocks: [] };
      return taken && applyCommand(empty, addedTable(empty, 'data', taken.entry, taken.columns));
    }
    if (this.fighting) this.stopContest();
    this.work = { doing: 'taking', share: 0 };
    try {
      const { document } = await this.#client.request('import.readings', { experiment, name: this.stem, location });
      return document as unknown as Draft;
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** The table as an entry of a document at `location`, and its columns; null where that failed. */
  async #take(location: Location): Promise<{ entry: JsonRecord; columns: readonly TakenColumn[] } | null> {
    const { table, roles } = this;
    if (!table) return null;
    // Columns alone need no shape: they do not wait until the rest are fitted.
    if (this.fighting) this.stopContest();
    this.work = { doing: 'taking', share: 0 };
    const taken = roles.flatMap((role, j) => (role === 'ignore' ? [] : [j]));
    try {
      const { entry } = await this.#client.request('import.take', {
        choices: this.choices,
        columns: taken,
        whole: taken.filter((j) => roles[j] === 'x' || roles[j] === 'sigma' || roles[j] === 'group'),
        location,
      });
      const columns = taken.map((j): TakenColumn => ({
        name: table.columns[j]!.name,
        type: table.columns[j]!.type,
        unit: this.unitOf(j),
        role: roles[j]!,
      }));
      return { entry, columns };
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** Stops what is being read, and forgets the file. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    for (const stop of this.#stopListening) stop();
    this.#client.request('import.end', {}).catch(() => undefined);
  }
}

/** In milliseconds: of a contest that takes no longer nothing is shown before its end. */
const shortContest = 400;

/** Where AICc is not to be had the shape stands last. */
const order = ({ aicc }: ImportContestant): number => (Number.isNaN(aicc) ? Infinity : aicc);
