/**
 * Values of the model at the point that is shown. What the plots need follows every movement of a slider, for which the
 * handle of the checked model and the parameters are sent and nothing else; everything else (ranges in blocks, values in
 * the inspector) follows when the hand rests.
 */
import type {
  ArrayValue,
  BlockReport,
  Client,
  Location,
  Problem,
  RequestInput,
} from '../../../src-main/contract/contract.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';
import { inOrder, objectivesOf, own, same } from './draft.ts';
import type { ModelPoint } from './staleness.ts';
import { standing } from './staleness.ts';
import { deferred, latest, overdue } from '../window/latest.ts';
import { problemsOf } from '../window/refusal.ts';

export interface Wanted extends ModelPoint {
  /** Of the draft but for its start values; undefined until it has been checked, or where it has errors. */
  readonly handle: string | undefined;
  /** Bands are of a fit, where that is what is shown. */
  readonly bands: RequestInput<'model.plots'>['bands'];
  /** All outputs small enough to be looked at. */
  readonly others: readonly string[];
}

const restMilliseconds = 150;

/** No longer does anything stand unmarked that is not of the point that is shown. */
export const unmarkedMilliseconds = 300;

/** Of what stands though it is not of the point that is shown. */
export const ofBefore = 'of before the model was at fault';
export const beingComputed = 'of before, being computed';

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
  /** Whose values stand though they are of before: the model is at fault and has none, or they are being computed. */
  earlier = $state.raw<ReadonlySet<string>>(new Set());
  #whyEarlier = $state(ofBefore);
  /** What is compared with data; while the model has errors, what was. */
  plots = $state.raw<readonly Plot[]>([]);
  /** Why the plots are of before; empty where they are of the point that is shown. */
  plotsEarlier = $state('');
  /** Whether the engine has told once what is plotted. */
  told = $state(false);
  faults = $state.raw<readonly Problem[]>([]);
  milliseconds = $state.raw(0);
  readonly #fast: (wanted: Wanted) => void;
  readonly #whole: (wanted: Wanted) => void;
  readonly #rest = deferred(restMilliseconds, () => this.#wanted && this.#whole(this.#wanted));
  #wanted: Wanted | undefined;
  /** What each value was computed for, and what the plots were. */
  #of: ReadonlyMap<string, Wanted> = new Map();
  #plotsOf: Wanted | undefined;
  readonly #valuesAwaited = overdue(unmarkedMilliseconds, () => this.#markValues());
  readonly #plotsAwaited = overdue(unmarkedMilliseconds, () => {
    if (this.plotsEarlier === '' && !this.#plotsStand()) this.plotsEarlier = beingComputed;
  });

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
      this.#valuesAwaited.came();
      this.earlier = this.#changed();
      this.#whyEarlier = ofBefore;
    };
    this.#fast = latest(
      ({ draft, handle = '', parameters, bands }: Wanted) =>
        client.request('model.plots', { handle, parameters, outputs: [...new Set(objectivesOf(draft))], bands }),
      (answer, wanted) => {
        if (!answer) {
          lost();
          return;
        }
        const { values, plots, faults, milliseconds } = answer;
        // Of a position that the slider has left since they are late still, and are not said to be otherwise in between.
        const isLast = wanted === this.#wanted;
        this.#take(values, wanted);
        if (!isLast && this.#valuesAwaited.isOver()) this.#markValues();
        else if (this.earlier.size > 0)
          this.earlier = new Set([...this.earlier].filter((name) => !Object.hasOwn(values, name)));
        if (faults.length === 0) {
          this.plots = plots;
          this.#plotsOf = wanted;
        }
        if (isLast) this.#plotsAwaited.came();
        else this.#plotsAwaited.cameLate();
        if (faults.length > 0) this.plotsEarlier = ofBefore;
        else if (isLast || this.plotsEarlier !== beingComputed) this.plotsEarlier = '';
        this.told = true;
        this.faults = faults;
        this.milliseconds = milliseconds;
      },
      (error) => {
        failed(error);
        this.#plotsAwaited.came();
        this.plotsEarlier = ofBefore;
      },
    );
    this.#whole = latest(
      (wanted: Wanted) => ask(wanted, wanted.others),
      ({ values, faults }, wanted) => {
        // A newer position has begun: its own rest will follow.
        if (wanted !== this.#wanted) return;
        this.#valuesAwaited.came();
        // What a model at fault cannot give stays as it was, and is shown to be of before.
        const kept = faults.length > 0 ? [...this.values.keys()] : [];
        this.earlier = new Set(kept.filter((name) => !Object.hasOwn(values, name)));
        this.#whyEarlier = ofBefore;
        this.#take(values, wanted, kept);
        this.faults = faults;
      },
      failed,
    );
  }

  evaluate(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#valuesAwaited.begin();
    this.#plotsAwaited.begin();
    if (wanted.handle !== undefined) this.#fast(wanted);
    this.#rest();
  }

  /** Why a value is of before; empty where it is of the point that is shown. */
  whyEarlier(name: string): string {
    return this.earlier.has(name) ? this.#whyEarlier : '';
  }

  close(): void {
    this.#rest.cancel();
    this.#valuesAwaited.came();
    this.#plotsAwaited.came();
  }

  /** Those of `kept` stay, all unless said. */
  #take(
    values: Readonly<Record<string, ArrayValue>>,
    wanted: Wanted,
    kept: Iterable<string> = this.values.keys(),
  ): void {
    const names = [...kept];
    const entries = Object.entries(values);
    this.#of = new Map([
      ...names.map((name): [string, Wanted] => [name, this.#of.get(name) ?? wanted]),
      ...entries.map(([name]): [string, Wanted] => [name, wanted]),
    ]);
    this.values = new Map([...names.map((name): [string, ArrayValue] => [name, this.values.get(name)!]), ...entries]);
  }

  #markValues(): void {
    this.earlier = this.#changed();
    this.#whyEarlier = beingComputed;
  }

  /** Names whose values are no longer what they would be now. */
  #changed(): ReadonlySet<string> {
    const now = this.#wanted;
    if (!now) return new Set();
    const standings = new Map<Wanted, (name: string) => boolean>();
    const stands = (name: string): boolean => {
      const of = this.#of.get(name);
      if (!of) return false;
      const known = standings.get(of) ?? standing(of, now);
      standings.set(of, known);
      return known(name);
    };
    return new Set([...this.values.keys()].filter((name) => !stands(name)));
  }

  #plotsStand(): boolean {
    const [of, now] = [this.#plotsOf, this.#wanted];
    if (!of || !now) return true;
    const objectives = objectivesOf(now.draft);
    const alike =
      same(objectivesOf(of.draft), objectives) &&
      of.bands?.fit === now.bands?.fit &&
      of.bands?.level === now.bands?.level &&
      same(own(of.draft['view'], 'plots'), own(now.draft['view'], 'plots'));
    return alike && objectives.every(standing(of, now));
  }
}
