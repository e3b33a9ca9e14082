/**
 * Values of the model at the point that is shown. What the plots need follows every movement of a slider; everything
 * else (ranges in blocks, values in the inspector) follows when the hand rests.
 */
import type { ArrayValue, CheckReport, Client, Location, Problem } from '../../src-main/contract.ts';
import type { CurveDraft } from './curve-draft.ts';
import { curveDraft, denseCurves } from './curve-draft.ts';
import type { Draft } from './draft.ts';
import { inOrder, objectivesOf } from './draft.ts';
import { deferred, latest } from './latest.ts';
import type { DenseCurves, PlotRequest } from './plot-data.ts';
import { referencesOf } from './plot-data.ts';
import { problemsOf } from './refusal.ts';

export interface Wanted {
  /** The same object as long as only start values change: the engine keeps what it compiled for it. */
  readonly draft: Draft;
  readonly report: CheckReport;
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
  /** Curves on a grid finer than the data, by objective. */
  curves = $state.raw<ReadonlyMap<string, DenseCurves>>(new Map());
  readonly #fast: (wanted: Wanted) => void;
  readonly #smooth: (wanted: Wanted) => void;
  readonly #whole: (wanted: Wanted) => void;
  readonly #rest = deferred(restMilliseconds, () => this.#wanted && this.#whole(this.#wanted));
  #wanted: Wanted | undefined;
  /** Prepared once for each document. */
  #curveDrafts: { of: Draft; report: CheckReport; byObjective: ReadonlyMap<string, CurveDraft> } | undefined;

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
    this.#smooth = latest(
      async (wanted: Wanted) => {
        const found = [...this.#curvesOf(wanted)].map(async ([objective, curve]) => {
          const { values } = await client.request('model.evaluate', {
            document: inOrder(curve.draft),
            location: location(),
            outputs: [curve.prediction],
            parameters: wanted.parameters,
          });
          const value = values[curve.prediction];
          return value ? [[objective, denseCurves(curve, value.values)] as const] : [];
        });
        return new Map((await Promise.all(found)).flat());
      },
      (curves) => {
        this.curves = curves;
      },
      failed,
    );
    this.#fast = latest(
      (wanted: Wanted) => ask(wanted, [...wanted.plots.flatMap(referencesOf), ...objectivesOf(wanted.draft)]),
      ({ values, faults, milliseconds }) => {
        this.values = new Map([...this.values, ...Object.entries(values)]);
        this.faults = faults;
        this.milliseconds = milliseconds;
        if (faults.length === 0 && this.#wanted) this.#smooth(this.#wanted);
      },
      failed,
    );
    this.#whole = latest(
      (wanted: Wanted) => ask(wanted, wanted.others),
      ({ values, faults }, wanted) => {
        // A newer position has begun: its own rest will follow.
        if (wanted !== this.#wanted) return;
        // What a model at fault cannot give stays as it was.
        this.values = new Map([...(faults.length > 0 ? this.values : []), ...Object.entries(values)]);
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

  #curvesOf({ draft, report, plots }: Wanted): ReadonlyMap<string, CurveDraft> {
    const known = this.#curveDrafts;
    if (known?.of === draft && known.report === report) return known.byObjective;
    const byObjective = new Map<string, CurveDraft>();
    for (const request of plots) {
      const curve = curveDraft(draft, report, request, this.values);
      if (curve) byObjective.set(request.objective, curve);
    }
    this.#curveDrafts = { of: draft, report, byObjective };
    return byObjective;
  }

  close(): void {
    this.#rest.cancel();
  }
}
