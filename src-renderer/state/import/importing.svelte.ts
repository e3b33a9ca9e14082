/** A table on its way in: its bytes sent, what was found in them shown, every choice open until it is taken. */
import type { Client, Location } from '../../../src-main/contract/contract.ts';
import type {
  ColumnRole,
  ImportChoices,
  ImportColumn,
  ImportPreview,
  ImportSuggestion,
  ImportSuggestions,
} from '../../../src-main/contract/import.ts';
import type { Incoming } from './data-import.ts';
import { send, stemOf } from './data-import.ts';
import type { JsonRecord } from '../document/draft.ts';
import type { TakenColumn } from './first-model.ts';
import { changeRole, possibleRoles, sigmaOf } from './import-roles.ts';
import { sentenceOf } from '../window/refusal.ts';

export type TablePreview = Extract<ImportPreview, { outcome: 'table' }>;

/** What is under way, and how much of it is done; null where nothing is. */
export type ImportWork = { readonly doing: 'sending' | 'reading' | 'taking'; readonly share: number } | null;

export class Importing {
  readonly name: string;
  readonly stem: string;
  readonly size: number;
  work = $state.raw<ImportWork>({ doing: 'sending', share: 0 });
  choices = $state.raw<ImportChoices>({});
  preview = $state.raw<ImportPreview | null>(null);
  /** Why the engine could not answer at all. */
  failure = $state<string | null>(null);
  /** By the y's place. */
  suggestions = $state.raw<ReadonlyMap<number, ImportSuggestions>>(new Map());
  /** What the user has changed of columns; the rest is as found. */
  #roles = $state.raw<readonly ColumnRole[] | null>(null);
  #units = $state.raw<ReadonlyMap<number, string>>(new Map());
  #names = '';
  #suggesting = Promise.resolve();
  #shapes = $state.raw<ReadonlyMap<number, string>>(new Map());
  readonly table: TablePreview | null = $derived(this.preview?.outcome === 'table' ? this.preview : null);
  readonly roles: readonly ColumnRole[] = $derived(
    this.#roles ?? this.table?.columns.map((column) => column.role) ?? [],
  );
  readonly #client: Client;
  readonly #stopListening: () => void;
  /** Of the newest request of its kind: answers to those before it come too late. */
  #reads = 0;
  #suggests = 0;
  #ended = false;

  constructor(client: Client, incoming: Incoming) {
    this.#client = client;
    this.name = incoming.name;
    this.stem = stemOf(incoming.name);
    this.size = incoming.data.size;
    this.#stopListening = client.on('import.progress', ({ share }) => {
      if (this.work) this.work = { ...this.work, share };
    });
    void this.#begin(incoming);
  }

  async #begin(incoming: Incoming): Promise<void> {
    try {
      const sent = await send(
        this.#client,
        incoming,
        () => !this.#ended,
        (share) => (this.work = { doing: 'sending', share }),
      );
      if (sent) await this.#read();
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error: unknown): void {
    if (this.#ended) return;
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
    this.#suggesting = this.#suggest();
  }

  unitOf(column: number): string {
    return this.#units.get(column) ?? this.table?.columns[column]?.unit ?? '';
  }

  chooseUnit(column: number, unit: string): void {
    this.#units = new Map(this.#units).set(column, unit);
  }

  shapeOf(y: number): ImportSuggestion | undefined {
    const shapes = this.suggestions.get(y)?.shapes;
    return shapes?.find(({ name }) => name === this.#shapes.get(y)) ?? shapes?.[0];
  }

  chooseShape(y: number, name: string): void {
    this.#shapes = new Map(this.#shapes).set(y, name);
  }

  async #read(): Promise<void> {
    const asked = ++this.#reads;
    this.work = { doing: 'reading', share: 0 };
    try {
      const preview = await this.#client.request('import.preview', { choices: this.choices });
      if (asked !== this.#reads || this.#ended) return;
      this.#show(preview);
      this.#suggesting = this.#suggest();
    } catch (error) {
      if (asked === this.#reads) this.#fail(error);
    }
  }

  /** What was said of columns holds as long as they are the same ones. */
  #show(preview: ImportPreview): void {
    const columns = preview.outcome === 'table' ? preview.columns : [];
    const names = columns.map(({ name }) => name).join('\n');
    if (names !== this.#names) {
      this.#names = names;
      this.#roles = null;
      this.#units = new Map();
    }
    // A column that has become labels is no longer what only numbers can be.
    this.#roles = this.#roles?.map((role, j) => (possibleRoles(columns[j]!).includes(role) ? role : 'keep')) ?? null;
    this.preview = preview;
    this.failure = null;
    this.work = null;
  }

  async #suggest(): Promise<void> {
    const asked = ++this.#suggests;
    const { roles } = this;
    const at = (role: ColumnRole) => roles.flatMap((each, j) => (each === role ? [j] : []));
    const [x] = at('x');
    const found = new Map<number, ImportSuggestions>();
    try {
      for (const y of at('y')) {
        const sigma = sigmaOf(roles, y);
        const suggestions = await this.#client.request('import.suggest', {
          choices: this.choices,
          y,
          ...(x !== undefined && { x }),
          ...(sigma !== undefined && { sigma }),
        });
        if (asked !== this.#suggests || this.#ended) return;
        found.set(y, suggestions);
      }
      this.suggestions = found;
    } catch (error) {
      if (asked === this.#suggests) this.#fail(error);
    }
  }

  /** The table as an entry of a document at `location`, and its columns; null where that failed. */
  async take(location: Location): Promise<{ entry: JsonRecord; columns: readonly TakenColumn[] } | null> {
    const { table, roles } = this;
    if (!table) return null;
    this.work = { doing: 'taking', share: 0 };
    // Enter may come before the curves.
    await this.#suggesting;
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
        shape: roles[j] === 'y' ? this.shapeOf(j) : undefined,
      }));
      return { entry, columns };
    } catch (error) {
      this.#fail(error);
      return null;
    }
  }

  /** Stops what is being read, and forgets the file. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#stopListening();
    this.#client.request('import.end', {}).catch(() => undefined);
  }
}
