/** One fit: from the button to its report. While it runs, the best point so far is what the window shows. */
import type { Client, FitReport, Location } from '../../../src-main/contract/contract.ts';
import type { Draft } from '../document/draft.ts';
import { changedBetween, inOrder } from '../document/draft.ts';
import type { ParameterPoint } from '../document/point.ts';
import type { Action, BestPoint } from '../document/session.ts';
import { pointOfEstimates, pointOfFit, pointRecord } from '../document/point.ts';
import { formatNumber } from '../words/number-format.ts';
import type { Checked } from '../document/staleness.ts';
import { aboutOf, changedSince } from '../document/staleness.ts';
import type { HistoryPoint, Work } from '../window/work.ts';
import { extended, resumed } from '../window/work.ts';
import type { ProgressOf } from '../window/job.svelte.ts';
import { ShownJob } from '../window/shown-job.svelte.ts';

export interface Progress extends Work {
  readonly history: readonly HistoryPoint[];
  readonly point: ParameterPoint;
}

const keepMilliseconds = 1000;

/** Fits to come back to. */
const mostKnown = 20;

/** Eyes follow no more than this; every showing costs an evaluation and several plots. */
const paceMilliseconds = 80;

function stageOf({ iteration, objective, starts }: ProgressOf<'fit'>): string {
  const many = starts ? `${starts.done} of ${starts.all} starts ended` : `iteration ${iteration}`;
  return `${many}, objective ${formatNumber(objective, 'fine')}`;
}

export class Fitting extends ShownJob<'fit', Progress> {
  report = $state.raw<FitReport | null>(null);
  /** The draft that the report is about; null where the report was stored with another version of the document. */
  fitted = $state.raw<Draft | null>(null);
  /** Of the fit that runs, or of one that was ended from without: by a crash, or the death of its engine. */
  best = $state.raw<BestPoint | null>(null);
  #draft: Draft | null = null;
  /** By what was fitted: fits that ended here, and those that lie or lay beside the file. Who undoes an edit comes back to them. */
  readonly #known = new Map<string, FitReport>();
  /** When progress is shown again. */
  #nextShown = 0;
  readonly #location: () => Location;
  readonly #moved: () => void;
  readonly #finished: (report: FitReport, draft: Draft) => void;
  readonly #did: (action: Action) => void;
  /** When the best point is kept again. */
  #nextKept = 0;

  constructor(
    client: Client,
    location: () => Location,
    moved: () => void,
    finished: (report: FitReport, draft: Draft) => void,
    did: (action: Action) => void = () => undefined,
  ) {
    super(client);
    this.#finished = finished;
    this.#did = did;
    this.#location = location;
    this.#moved = moved;
  }

  /** Why it was refused is of the model as it was. */
  nowIs(draft: Draft): void {
    if (this.refused.length > 0 && this.#draft && changedBetween(this.#draft, draft).length > 0) this.refused = [];
  }

  protected override done(ended: FitReport): void {
    this.report = ended;
    this.remember(ended);
    this.fitted = this.#draft;
    this.best = null;
    this.#did({ type: 'fit.end', report: ended });
    if (this.#draft) this.#finished(ended, this.#draft);
    this.#end();
  }

  /** Of one that had begun the best point stays, to go on from. */
  protected override fell(): void {
    this.#end((this.best?.iteration ?? 0) > 0);
  }

  protected override reached(reached: ProgressOf<'fit'>, paused: boolean): void {
    if (!this.progress) return;
    this.#keep(reached, paused);
    if (!paused && performance.now() < this.#nextShown) return;
    this.#nextShown = performance.now() + paceMilliseconds;
    const { iteration, objective, parameters, starts } = reached;
    const before = paused ? this.progress : resumed(this.progress, Date.now());
    this.progress = {
      stage: stageOf(reached),
      share: starts && starts.done / starts.all,
      history: extended(before.history, { x: iteration, y: objective }),
      point: new Map(Object.entries(parameters)),
      startedAt: before.startedAt,
      pausedAt: paused ? (before.pausedAt ?? Date.now()) : undefined,
    };
    this.#moved();
  }

  /**
   * Takes the fit of a document that has just been opened. Whether one that is stored beside it is of this document,
   * checking it tells.
   */
  take(report: FitReport | null, fitted: Draft | null = null, best: BestPoint | null = null): void {
    this.report = report;
    if (report) this.remember(report);
    this.fitted = fitted;
    this.refused = [];
    // A fit that had not come to a point yet is as if it had not begun.
    this.best = best && Object.keys(best.parameters).length > 0 ? best : null;
  }

  /** One to come back to, where the document means again what it meant. */
  remember(report: FitReport): void {
    if (report.meaning === '') return;
    this.#known.delete(report.meaning);
    this.#known.set(report.meaning, report);
    const [oldest] = this.#known.keys();
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
  }

  /** A stored fit turns out to be of this draft; or the draft means again what another fit was of, which is then shown. */
  recognise(draft: Draft, checked: Checked): boolean {
    if (this.report && changedSince(aboutOf(this.fitted, this.report), draft, checked).length === 0) {
      if (this.fitted) return false;
      this.fitted = draft;
      return true;
    }
    const meaning = checked.draft === draft ? checked.meaning?.objective : undefined;
    const known = meaning === undefined ? undefined : this.#known.get(meaning);
    if (!known || this.running || this.best) return false;
    this.report = known;
    this.fitted = draft;
    this.refused = [];
    this.#did({ type: 'fit.end', report: known });
    return true;
  }

  /** A crash costs no more than a second of the fit. */
  #keep({ iteration, objective, parameters }: ProgressOf<'fit'>, paused: boolean): void {
    if (!this.#draft || (!paused && performance.now() < this.#nextKept)) return;
    this.#nextKept = performance.now() + keepMilliseconds;
    this.best = { draft: this.#draft, iteration, objective, parameters };
    this.#did({ type: 'fit.best', iteration, objective, parameters });
  }

  /** `starts`: from how many points, where not as many as the document has; `from`: from which, if not `initial`. */
  async start(draft: Draft, starts?: number, from: ParameterPoint = new Map()): Promise<void> {
    if (this.running) return;
    this.refused = [];
    this.#draft = draft;
    const parameters = Object.fromEntries(from);
    this.best = { draft, iteration: 0, objective: NaN, parameters };
    this.#nextKept = 0;
    this.#did({ type: 'fit.begin', parameters });
    this.progress = { stage: 'starting', history: [], point: new Map(), startedAt: Date.now() };
    await this.job.start({
      document: inOrder(draft),
      location: this.#location(),
      parameters: pointRecord(draft, from),
      work: { kind: 'fit', ...(starts !== undefined && { starts }) },
    });
  }

  #end(keepsBest = false): void {
    if (this.best && !keepsBest) {
      this.best = null;
      this.#did({ type: 'fit.end', report: null });
    }
    this.progress = null;
    this.#moved();
  }

  /** What has changed since the fit; empty while it stands. */
  staleSince(draft: Draft, checked: Checked): readonly string[] {
    // A document that has just been opened is taken to be that of its fit until it is checked.
    if (!this.report || !checked.draft) return [];
    return changedSince(aboutOf(this.fitted, this.report), draft, checked);
  }

  /** The fitted values, as long as they belong to the draft. */
  pointFor(draft: Draft, checked: Checked): ParameterPoint | undefined {
    if (this.progress) return this.progress.point;
    // Of a fit that was ended from without.
    if (this.best && changedBetween(this.best.draft, draft).length === 0)
      return new Map(Object.entries(this.best.parameters));
    if (!this.report || this.staleSince(draft, checked).length > 0) return undefined;
    const finite = this.report.estimates.every((estimate) => Number.isFinite(estimate.value));
    return finite ? pointOfEstimates(this.report.estimates) : undefined;
  }

  /**
   * The modes of random effects, and what was found of their distributions, where a fit that has ended is what is shown;
   * elsewhere effects are 0, and their deviations as the document has them.
   */
  effectsFor(draft: Draft, checked: Checked): ParameterPoint {
    const ended = !this.progress && !this.best && this.pointFor(draft, checked);
    if (!ended || !this.report) return new Map();
    const blocks = new Set(draft.blocks.map(({ id }) => id));
    return new Map([...pointOfFit(this.report)].filter(([id]) => !blocks.has(id)));
  }
}
