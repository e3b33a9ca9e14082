/**
 * Values of the model at the point that is shown. What the plots need follows every movement of a slider, for which the
 * handle of the checked model and the parameters are sent and nothing else; everything else (ranges in blocks, values in
 * the inspector) follows when the hand rests.
 */
import { factsOf } from '../../../models/facts/kinds.ts';
import type {
  ArrayValue,
  BlockReport,
  Client,
  Location,
  Problem,
  RequestInput,
} from '../../../src-main/contract/contract.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';
import type { BlockDraft, Draft } from './draft.ts';
import { blockOf, inOrder, objectivesOf, same } from './draft.ts';
import { referencesOf } from './references.ts';
import { sameCells } from './table-edits.ts';
import { deferred, latest } from '../window/latest.ts';
import { problemsOf } from '../window/refusal.ts';

export interface Wanted {
  /** The same object as long as only start values change: the engine keeps what it compiled for it. */
  readonly draft: Draft;
  /** Of the draft but for its start values; undefined until it has been checked, or where it has errors. */
  readonly handle: string | undefined;
  readonly parameters: Record<string, number | number[]>;
  /** Bands are of a fit, where that is what is shown. */
  readonly bands: RequestInput<'model.plots'>['bands'];
  /** All outputs small enough to be looked at. */
  readonly others: readonly string[];
}

const restMilliseconds = 150;

/** Of what `earlier` names. */
export const ofBefore = 'of before the model was at fault';

/** Elements that are fetched in all; an output that is longer than what is left hides no other. */
const mostElements = 2_000_000;

export function outputsLookedAt(blocks: readonly BlockReport[], room = mostElements): string[] {
  let left = room;
  return blocks.flatMap(({ id, outputs }) =>
    outputs.flatMap(({ name, sizes }) => {
      const size = sizes.reduce((product, each) => product * each, 1);
      if (size > left) return [];
      left -= size;
      return [outputs.length === 1 ? id : `${id}.${name}`];
    }),
  );
}

export class Evaluation {
  values = $state.raw<ReadonlyMap<string, ArrayValue>>(new Map());
  /** Whose values stand though the model that is at fault has none: those of before. */
  earlier = $state.raw<ReadonlySet<string>>(new Set());
  /** What is compared with data; while the model has errors, what was. */
  plots = $state.raw<readonly Plot[]>([]);
  /** The plots are of before: at the point that is shown there are none. */
  plotsEarlier = $state(false);
  /** Whether the engine has told once what is plotted. */
  told = $state(false);
  faults = $state.raw<readonly Problem[]>([]);
  milliseconds = $state.raw(0);
  readonly #fast: (wanted: Wanted) => void;
  readonly #whole: (wanted: Wanted) => void;
  readonly #rest = deferred(restMilliseconds, () => this.#wanted && this.#whole(this.#wanted));
  #wanted: Wanted | undefined;
  /** What the values were computed for. */
  #of: Wanted | undefined;

  /** `lost`: the engine knows the model no more, and has to check it again. */
  constructor(client: Client, location: () => Location, lost: () => void) {
    const ask = (wanted: Wanted, outputs: readonly string[]) =>
      client.request('model.evaluate', {
        document: inOrder(wanted.draft),
        location: location(),
        outputs: [...new Set(outputs)],
        parameters: wanted.parameters,
      });
    const failed = (error: unknown) => {
      this.faults = problemsOf(error);
      this.earlier = new Set([...this.values.keys()].filter((name) => !this.#stands(name)));
    };
    this.#fast = latest(
      ({ draft, handle = '', parameters, bands }: Wanted) =>
        client.request('model.plots', { handle, parameters, outputs: [...new Set(objectivesOf(draft))], bands }),
      (answer) => {
        if (!answer) {
          lost();
          return;
        }
        const { values, plots, faults, milliseconds } = answer;
        this.values = new Map([...this.values, ...Object.entries(values)]);
        if (this.earlier.size > 0)
          this.earlier = new Set([...this.earlier].filter((name) => !Object.hasOwn(values, name)));
        if (faults.length === 0) this.plots = plots;
        this.plotsEarlier = faults.length > 0;
        this.told = true;
        this.faults = faults;
        this.milliseconds = milliseconds;
      },
      (error) => {
        failed(error);
        this.plotsEarlier = true;
      },
    );
    this.#whole = latest(
      (wanted: Wanted) => ask(wanted, wanted.others),
      ({ values, faults }, wanted) => {
        // A newer position has begun: its own rest will follow.
        if (wanted !== this.#wanted) return;
        this.#of = wanted;
        // What a model at fault cannot give stays as it was, and is shown to be of before.
        const kept = faults.length > 0 ? [...this.values] : [];
        this.earlier = new Set(kept.flatMap(([name]) => (Object.hasOwn(values, name) ? [] : [name])));
        this.values = new Map([...kept, ...Object.entries(values)]);
        this.faults = faults;
      },
      failed,
    );
  }

  evaluate(wanted: Wanted): void {
    this.#wanted = wanted;
    if (wanted.handle !== undefined) this.#fast(wanted);
    this.#rest();
  }

  close(): void {
    this.#rest.cancel();
  }

  /** What has its value from itself, and is as it was when that was computed. */
  #stands(name: string): boolean {
    const [before, now] = [this.#of, this.#wanted];
    const [was, is] = [before && blockOf(before.draft, name), now && blockOf(now.draft, name)];
    if (!before || !now || !was || !is || factsOf(is.kind)?.group !== 'sources') return false;
    if (is.kind === 'parameter') return same(before.parameters[name], now.parameters[name]);
    return (
      same(was, is) && (is.kind === 'column' ? sameColumn(before.draft, now.draft, is) : referencesOf(is).length === 0)
    );
  }
}

function sameColumn(a: Draft, b: Draft, { table, column }: BlockDraft): boolean {
  return sameCells(a, b, String(table), String(column));
}
