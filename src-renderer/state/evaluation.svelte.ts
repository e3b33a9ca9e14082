/**
 * Values of the model at the point that is shown. What the plots need follows every movement of a slider; everything
 * else (ranges in blocks, values in the inspector) follows when the hand rests.
 */
import type { ArrayValue, Client, Location, Problem } from '../../src-main/contract.ts';
import type { Draft } from './draft.ts';
import { inOrder, objectivesOf } from './draft.ts';
import { deferred, latest } from './latest.ts';
import type { PlotRequest } from './plot-data.ts';
import { referencesOf } from './plot-data.ts';
import { problemsOf } from './refusal.ts';

export interface Wanted {
  readonly draft: Draft;
  readonly parameters: Record<string, number | number[]>;
  readonly plots: readonly PlotRequest[];
  /** All outputs small enough to be looked at. */
  readonly others: readonly string[];
}

const restMilliseconds = 150;

export class Evaluation {
  values = $state.raw<ReadonlyMap<string, ArrayValue>>(new Map());
  faults = $state.raw<readonly Problem[]>([]);
  milliseconds = $state.raw(0);
  readonly #fast: (wanted: Wanted) => void;
  readonly #whole: (wanted: Wanted) => void;
  readonly #rest = deferred(restMilliseconds, () => this.#wanted && this.#whole(this.#wanted));
  #wanted: Wanted | undefined;

  constructor(client: Client, location: () => Location) {
    const ask = (wanted: Wanted, outputs: readonly string[]) =>
      client.request('model.evaluate', {
        document: inOrder(wanted.draft),
        location: location(),
        outputs: [...new Set(outputs)],
        parameters: wanted.parameters,
      });
    const failed = (error: unknown) => {
      this.faults = problemsOf(error);
    };
    this.#fast = latest(
      (wanted: Wanted) => ask(wanted, [...wanted.plots.flatMap(referencesOf), ...objectivesOf(wanted.draft)]),
      ({ values, faults, milliseconds }) => {
        this.values = new Map([...this.values, ...Object.entries(values)]);
        this.faults = faults;
        this.milliseconds = milliseconds;
      },
      failed,
    );
    this.#whole = latest(
      (wanted: Wanted) => ask(wanted, wanted.others),
      ({ values, faults }, wanted) => {
        // A newer position has begun: its own rest will follow.
        if (wanted !== this.#wanted) return;
        this.values = new Map(Object.entries(values));
        this.faults = faults;
      },
      failed,
    );
  }

  evaluate(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#fast(wanted);
    this.#rest();
  }

  close(): void {
    this.#rest.cancel();
  }
}
