/** One open document: its draft and history, what is selected, and what is known of it. */
import type { Client, FitReport, Held, Location } from '../../src-main/contract/contract.ts';
import { spoken, type ElementLabels } from '../../src-main/contract/element-labels.ts';
import { studyKey, withoutDraws } from '../../src-main/contract/stored-studies.ts';
import type { HeldStudies, StoredStudies } from '../../src-main/contract/stored-studies.ts';
import type { StudyReport } from '../../src-main/contract/studies.ts';
import type { Known } from '../../src-main/contract/verdicts.ts';
import { bestVerdicts } from '../../src-main/contract/verdicts.ts';
import { Adjoints } from './adjoints/adjoints.svelte.ts';
import { Checking } from './document/checking.svelte.ts';
import type { CommandLog } from './document/command-log.ts';
import { openLog, perform, redo, undo } from './document/command-log.ts';
import type { Command } from './document/commands.ts';
import { describe } from './document/commands.ts';
import type { BlockDraft, Draft, Numbers } from './document/draft.ts';
import { blockOf, draftName, inOrder, readDraft, sameButStart, sameDraft } from './document/draft.ts';
import { candidatesOf, thisModel } from './document/fields/candidates.ts';
import { elementLabels } from './document/element-name.ts';
import { Evaluation, ofBefore, outputsLookedAt } from './document/evaluation.svelte.ts';
import { Diagnosing } from './fit/diagnosing.svelte.ts';
import { Fitting } from './fit/fitting.svelte.ts';
import type { Picture } from './fit/pictures.ts';
import { pictures } from './fit/pictures.ts';
import { Panels } from './window/panels.svelte.ts';
import { Results } from './study/results.svelte.ts';
import type { AnyFinding, RequestOf } from './study/studying.svelte.ts';
import { staleSince, Studying } from './study/studying.svelte.ts';
import { keptStudies, laterStudies, storedStudies } from './study/stored-studies.ts';
import { deferred } from './window/latest.ts';
import type { ParameterPoint } from './document/point.ts';
import { likeInitial, overlay, placedByLabels, pointRecord, sameValues, startPoint } from './document/point.ts';
import type { Open } from './document/saving.svelte.ts';
import { Saving } from './document/saving.svelte.ts';
import type { Action, KeptStudy, Session } from './document/session.ts';

export interface WireKey {
  readonly id: string;
  readonly port: string;
}

function keptStudy({ report, draft, point }: AnyFinding): KeptStudy {
  return { report, draft, parameters: Object.fromEntries(point) };
}

/** As it comes back after a crash: draws may be large, and are drawn again. */
function journalStudy(finding: AnyFinding): KeptStudy {
  return { ...keptStudy(finding), report: withoutDraws(finding.report) };
}

const none: NonNullable<FitReport['misfits']> = [];
const checkAfter = 120;
/** As everywhere unless said. */
const bandLevel = 0.95;

export class Studio {
  log = $state.raw<CommandLog>(openLog({ format: 'cotangent/1', blocks: [] }));
  selection = $state.raw<readonly string[]>([]);
  selectedWire = $state.raw<WireKey | null>(null);
  /** How often the files of its tables were written while it was open. */
  tableReadings = $state(0);
  readonly checking: Checking;
  readonly evaluation: Evaluation;
  readonly adjoints: Adjoints;
  readonly fitting: Fitting;
  readonly uncertainty: Studying<'uncertainty'>;
  readonly sensitivity: Studying<'sensitivity'>;
  readonly design: Studying<'design'>;
  readonly comparison: Studying<'comparison'>;
  /** All that ran of the document here. */
  readonly results: Results;
  readonly panels = new Panels();
  readonly saving: Saving;
  readonly client: Client;

  readonly draft: Draft = $derived(this.log.draft);
  readonly point: ParameterPoint = $derived.by(() => {
    const start = this.#start();
    const fitted = this.fitting.pointFor(this.draft, this.checking.checked);
    return fitted ? overlay(start, fitted) : start;
  });
  /** Which pictures of the fit stand side by side, where there are more. */
  front = $state<number[]>([0, 1]);
  readonly diagnosing: Diagnosing;
  /** Whether bands are wanted around what is plotted: they stand there as long as a fit does. */
  banded = $state(false);
  readonly stale: readonly string[] = $derived.by(() => this.fitting.staleSince(this.draft, this.checking.checked));
  readonly #name: string = $derived(draftName(this.draft));
  /** The same list as long as the same fit is shown, so that what is drawn of it is not drawn anew with each new start value. */
  readonly #misfits = $derived.by(() => {
    const { report, running } = this.fitting;
    return (running || this.stale.length > 0 ? undefined : report?.misfits) ?? none;
  });
  /** What the Fit and Residuals panels draw. */
  readonly pictures: readonly Picture[] = $derived.by(() =>
    pictures({ plots: this.evaluation.plots, misfits: this.#misfits, name: this.#name }),
  );
  /** Of which values plots are, where they are not those of the fit. */
  readonly plottedAt: string = $derived.by(() => {
    if (this.checking.atFault) return ofBefore;
    if (this.evaluation.plotsEarlier !== '') return this.evaluation.plotsEarlier;
    return this.fitting.pointFor(this.draft, this.checking.checked) ? '' : 'at the start values';
  });
  #lastLabels: ElementLabels = new Map();
  /** The same map as long as the labels are, so that a slider draws no chart anew that they are written on. */
  readonly labels: ElementLabels = $derived.by(
    () => (this.#lastLabels = elementLabels(this.draft, this.checking.blocks, this.#lastLabels)),
  );
  /** What is known of the fit's parameters, each by the best of the studies that still hold. */
  readonly known: readonly Known[] = $derived.by(() => {
    const { report } = this.fitting;
    return report ? bestVerdicts(report, this.stale.length === 0 ? this.studies() : []) : [];
  });
  readonly selected: BlockDraft | undefined = $derived(
    this.selection.length === 1 ? blockOf(this.draft, this.selection[0]!) : undefined,
  );
  readonly dirty: boolean = $derived.by(() => this.saving.dirty);
  readonly undoText: string | undefined = $derived(
    this.log.past.length > 0 ? describe(this.log.past.at(-1)!.command) : undefined,
  );
  readonly redoText: string | undefined = $derived(
    this.log.future.length > 0 ? describe(this.log.future[0]!.command) : undefined,
  );

  /** What evaluations are asked of while only sliders move: parameters travel beside it. */
  #basis: Draft | undefined;
  /** The model that is plotted, and how the engine calls it. */
  #plotted: { readonly draft: Draft; readonly handle: string } | undefined;
  readonly #check = deferred(checkAfter, () => this.checking.check(this.draft));

  /** `copy`: under what the host keeps the session, where it has been restored. */
  constructor(client: Client, session: Session, location: Location, copy: string | null = null) {
    this.client = client;
    this.log = session.log;
    const { draft } = this.log;
    const known = new Set(draft.blocks.map((block) => block.id));
    this.selection = session.selection.filter((id) => known.has(id));
    this.saving = new Saving(
      client,
      location,
      session,
      () => this.#open(),
      copy,
      (before, there) => this.results.merge(before, there),
    );
    const where = () => this.saving.location;
    this.results = new Results(session.runs, {
      draft: () => this.draft,
      also: (action) => this.saving.also(action),
      did: (action) => this.saving.did(action),
      changed: () => this.saving.keepRuns(),
    });
    this.checking = new Checking(client, where, () => {
      const { report, checked, of } = this.checking;
      this.saving.watchTables();
      if (of) for (const job of [this.fitting, ...this.#studying()]) job.nowIs(of);
      if (of && this.fitting.recognise(of, checked)) this.results.addFit(this.fitting.report!, of);
      if (of)
        for (const { report, point } of this.#studying().flatMap((kind) => kind.recognise(of, checked)))
          this.results.addStudy(report, of, point);
      // What is compiled for one start serves all others.
      if (of && report?.handle !== undefined && !(this.#plotted && sameButStart(this.#plotted.draft, of)))
        this.#plotted = { draft: of, handle: report.handle };
      this.#evaluate();
    });
    this.evaluation = new Evaluation(client, where, () => {
      this.#plotted = undefined;
      this.checking.check(this.draft);
    });
    this.adjoints = new Adjoints(client, where);
    this.fitting = new Fitting(
      client,
      where,
      () => this.#evaluate(),
      (report, of) => this.results.addFit(report, of),
      (action) => this.saving.did(action),
    );
    const host = {
      client,
      location: where,
      finished: (finding: AnyFinding) => {
        const kept = journalStudy(finding);
        const draft = kept.draft === this.draft ? null : kept.draft;
        this.saving.did({ type: 'study.end', ...kept, draft });
        if (finding.draft) this.results.addStudy(finding.report, finding.draft, finding.point);
      },
    };
    this.diagnosing = new Diagnosing(client);
    this.uncertainty = new Studying('uncertainty', host);
    this.sensitivity = new Studying('sensitivity', host);
    this.design = new Studying('design', host);
    this.comparison = new Studying('comparison', host);
    this.fitting.take(session.report, session.fitted, session.best);
    if (session.report && session.fitted) this.results.addFit(session.report, session.fitted);
    for (const study of session.studies) this.#takeStudy(study);
    this.checking.check(draft);
  }

  /** What comes back after a crash, but for what the file holds. */
  #open(): Open {
    const { report, fitted, best } = this.fitting;
    const studies = this.#findings().map(journalStudy);
    return { log: this.log, selection: this.selection, report, fitted, best, studies, runs: this.results.all };
  }

  /** Another program has written them: what was computed of what they held is shown no more as if it were of them. */
  readTablesAgain(): void {
    this.tableReadings++;
    this.#plotted = undefined;
    this.checking.check(this.draft);
  }

  perform(command: Command, merge: string | null = null): void {
    const at = Date.now();
    this.#take(perform(this.log, command, merge, at), { type: 'perform', command, merge, at });
  }

  /** What the file holds takes the place of what is shown, as one step that can be undone. A fit of before is in the results. */
  takeHeld({ document, fit, studies, stamp }: Held, what: string): readonly string[] {
    const { draft, left } = readDraft(document);
    if (!sameDraft(draft, this.draft)) this.perform({ type: 'replace', what, draft });
    // One that runs goes on with what it began with.
    if (!this.fitting.running) this.fitting.take(fit);
    if (studies) this.takeStudies(studies, this.draft);
    this.saving.holds(stamp, fit, studies);
    return left;
  }

  /** What is shown and was found later stays. `draft`: what the file holds beside which they lie. */
  takeStudies(studies: HeldStudies, draft: Draft): void {
    const later = laterStudies(this.#findings().map(keptStudy), keptStudies(studies, draft));
    for (const study of later) this.#takeStudy(study);
  }

  #takeStudy(study: KeptStudy): void {
    const finding = { ...study, point: new Map(Object.entries(study.parameters)) } as AnyFinding;
    const known = this.#findings().some(({ report }) => studyKey(report) === studyKey(study.report));
    for (const kind of this.#studying()) kind.take(finding);
    if (study.draft && !known) this.results.addStudy(study.report, study.draft, finding.point);
  }

  /** As they are written beside the document that is open. */
  storedStudies(): StoredStudies {
    const checked = this.checking.checked.draft === this.draft;
    const found = this.#findings().map((finding) => ({
      ...keptStudy(finding),
      // Of compared models the others must be the same, too.
      stands: checked && finding.report.kind !== 'comparison' && this.staleSince(finding).length === 0,
    }));
    return storedStudies(found, this.draft);
  }

  undo(): void {
    this.#take(undo(this.log), { type: 'undo' });
  }

  redo(): void {
    this.#take(redo(this.log), { type: 'redo' });
  }

  #take(log: CommandLog, action: Action): void {
    if (log === this.log) return;
    this.log = log;
    const known = new Set(log.draft.blocks.map((block) => block.id));
    if (this.selection.some((id) => !known.has(id))) this.selection = this.selection.filter((id) => known.has(id));
    this.selectedWire = null;
    this.saving.did(action);
    this.#check();
    this.#evaluate();
  }

  select(ids: readonly string[]): void {
    this.selection = ids;
    this.selectedWire = null;
    this.saving.also({ type: 'select', ids });
  }

  selectWire(wire: WireKey | null): void {
    this.selectedWire = wire;
    if (wire) this.selection = [];
  }

  deleteSelection(): void {
    if (this.selectedWire)
      this.perform({ type: 'wire', id: this.selectedWire.id, port: this.selectedWire.port, source: null });
    else if (this.selection.length > 0) this.perform({ type: 'remove', ids: this.selection });
  }

  /**
   * Moves one parameter (or one element of it). The others become start values where they now stand: after a fit they
   * stay at the fitted values instead of falling back. What merges is one step to undo.
   */
  setParameter(id: string, index: number, value: number, merge: string | null = `parameter ${id} ${index}`): void {
    const start = this.#start();
    const values: [string, Numbers][] = [];
    for (const [name, shown] of this.point) {
      const next = name === id ? shown.map((x, i) => (i === index ? value : x)) : shown;
      if (sameValues(next, start.get(name))) continue;
      values.push([name, likeInitial(blockOf(this.draft, name)?.['initial'], next)]);
    }
    if (values.length > 0) this.perform({ type: 'start-values', values }, merge);
  }

  useFittedValues(): void {
    const values = [...this.point].map(([id, x]): [string, Numbers] => [
      id,
      likeInitial(blockOf(this.draft, id)?.['initial'], x),
    ]);
    this.perform({ type: 'start-values', values });
  }

  fit(starts?: number): void {
    void this.fitting.start(this.draft, starts);
  }

  /** Goes on with a fit that was ended from without, from its best point. */
  fitFromBest(): void {
    const { best } = this.fitting;
    if (!best) return;
    void this.fitting.start(best.draft, undefined, new Map(Object.entries(best.parameters)));
  }

  /** Studies of uncertainty fit first, from the values that are shown. */
  studyUncertainty(request: RequestOf<'uncertainty'>): void {
    void this.uncertainty.start(request, this.draft, this.point);
  }

  studySensitivity(request: RequestOf<'sensitivity'>): void {
    void this.sensitivity.start(request, this.draft, this.point);
  }

  studyDesign(request: RequestOf<'design'>): void {
    void this.design.start(request, this.draft, this.point);
  }

  /** The model as it stands beside those that were kept. */
  compareCandidates(): void {
    const others = candidatesOf(this.draft).map(({ name, draft }) => ({ name, document: inOrder(draft) }));
    const request = { kind: 'comparison', method: 'aicc', name: thisModel, others } as const;
    void this.comparison.start(request, this.draft, this.point);
  }

  /** A text that is read, its elements of parameters by their labels. Not for what is looked up by its name. */
  spoken(text: string): string {
    return spoken(text, this.labels);
  }

  /** What has changed since a study. */
  staleSince(finding: AnyFinding): readonly string[] {
    return staleSince(finding, this.draft, this.point, this.checking.checked);
  }

  /** What the objective means; null where that is not known yet, or there is none. */
  get meaning(): string | null {
    const { draft, meaning } = this.checking.checked;
    return (draft === this.draft && meaning?.objective) || null;
  }

  /** What has been found and still holds; without the samples, of which no report tells. */
  studies(): StudyReport[] {
    return this.#findings()
      .filter((finding) => this.staleSince(finding).length === 0)
      .map(({ report }) => withoutDraws(report));
  }

  #studying() {
    return [this.uncertainty, this.sensitivity, this.design, this.comparison] as const;
  }

  #findings(): AnyFinding[] {
    return this.#studying().flatMap(({ findings }): AnyFinding[] => [...findings.values()]);
  }

  /** Values that a run ended with become start values, of elements by the labels that they were found with. */
  startAt(point: ParameterPoint, labels: ElementLabels): void {
    const start = this.#start();
    const values = [...point].flatMap(([id, found]): [string, Numbers][] => {
      const now = start.get(id);
      const placed = now && placedByLabels(found, now, labels.get(id), this.labels.get(id));
      return placed ? [[id, likeInitial(blockOf(this.draft, id)?.['initial'], placed)]] : [];
    });
    if (values.length > 0) this.perform({ type: 'start-values', values });
  }

  #start(): ParameterPoint {
    const { blocks } = this.checking;
    return startPoint(this.draft, (id) =>
      blocks.get(id)?.outputs[0]?.sizes.reduce((product, size) => product * size, 1),
    );
  }

  /** Around a fit that stands, where its values are what is shown. */
  #bands(): { fit: FitReport; level: number } | undefined {
    const { report, running } = this.fitting;
    const fitted = this.banded && report && !running && this.stale.length === 0 ? report : undefined;
    return fitted && { fit: fitted, level: bandLevel };
  }

  diagnose(): void {
    const { report } = this.fitting;
    if (report) void this.diagnosing.start({ draft: this.draft, location: this.saving.location, report });
  }

  showBands(banded: boolean): void {
    this.banded = banded;
    this.#evaluate();
  }

  #evaluate(): void {
    const { report } = this.checking;
    if (!report) return;
    const others = outputsLookedAt(report.blocks);
    if (!this.#basis || !sameButStart(this.#basis, this.draft)) this.#basis = this.draft;
    const effects = this.fitting.effectsFor(this.draft, this.checking.checked);
    const parameters = pointRecord(this.draft, new Map([...this.point, ...effects]));
    this.adjoints.follow({ draft: this.#basis, parameters, scalars: this.checking.scalars });
    const handle = this.#plotted && sameButStart(this.#plotted.draft, this.draft) ? this.#plotted.handle : undefined;
    const { tableReadings: readings } = this;
    this.evaluation.evaluate({ draft: this.#basis, handle, parameters, readings, bands: this.#bands(), others });
  }

  close(): void {
    this.#check.cancel();
    this.evaluation.close();
    this.adjoints.close();
    this.fitting.close();
    this.diagnosing.close();
    this.uncertainty.close();
    this.sensitivity.close();
    this.design.close();
    this.comparison.close();
    this.saving.close();
  }
}
