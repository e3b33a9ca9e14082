/** The list of runs of an open document, as it is shown and kept. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import type { Draft } from '../document/draft.ts';
import type { ParameterPoint } from '../document/point.ts';
import type { Action } from '../document/session.ts';
import type { Found, Run, RunEdit, Runs } from '../document/runs.ts';
import { edited, nextRun, noRuns, withRun } from '../document/runs.ts';
import { fitRun, studyRun } from './found-runs.ts';
import { mergedRuns } from './merged-runs.ts';

export interface ResultsHost {
  /** What stands. */
  readonly draft: () => Draft;
  /** A run is in the report that it is of, too: by itself it begins no journal. */
  readonly also: (action: Action) => void;
  readonly did: (action: Action) => void;
  /** The list is another: it is kept of the file, too. */
  readonly changed: () => void;
}

export class Results {
  all = $state.raw<Runs>(noRuns);
  readonly #host: ResultsHost;

  constructor(all: Runs, host: ResultsHost) {
    this.all = all;
    this.#host = host;
  }

  /** With what another window, `there`, did to the list since both had it as `before`. */
  merge(before: Runs, there: Runs): void {
    this.all = mergedRuns(before, this.all, there);
  }

  get runs(): readonly Run[] {
    return this.all.list;
  }

  get compared(): readonly number[] {
    return this.all.compared;
  }

  /** What was removed last. */
  get removed(): Run | undefined {
    return this.all.removed.at(-1);
  }

  /** Each once. */
  readonly addFit = (report: FitReport, draft: Draft): void => this.#add(fitRun(report, draft));
  readonly addStudy = (report: StudyReport, draft: Draft, point: ParameterPoint): void =>
    this.#add(studyRun(report, draft, point));

  #add(found: Found): void {
    const run = nextRun(this.all, found);
    if (!run) return;
    this.all = withRun(this.all, run);
    const { draft, ...data } = run;
    this.#host.also({ type: 'run.add', run: data, draft: draft === this.#host.draft() ? null : draft });
    this.#host.changed();
  }

  rename(number: number, name: string): void {
    this.#edit({ edit: 'rename', number, name });
  }

  pin(number: number, pinned: boolean): void {
    this.#edit({ edit: 'pin', number, pinned });
  }

  remove(number: number): void {
    this.#edit({ edit: 'remove', number });
  }

  bringBack(number: number): void {
    this.#edit({ edit: 'bring-back', number });
  }

  compare(number: number, wanted: boolean): void {
    this.#edit({ edit: 'compare', number, wanted });
  }

  #edit(edit: RunEdit): void {
    this.all = edited(this.all, edit);
    this.#host.did({ type: 'run.edit', edit });
    this.#host.changed();
  }
}
