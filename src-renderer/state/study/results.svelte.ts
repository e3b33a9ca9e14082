/** What ran since the document was opened, so that runs can be compared. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import type { Draft } from '../document/draft.ts';
import { own } from '../document/draft.ts';
import { statusWord } from '../fit/outcome.ts';
import type { ParameterPoint } from '../document/point.ts';
import { pointOfEstimates, pointOfFit } from '../document/point.ts';
import type { About } from '../document/staleness.ts';
import { aboutOf } from '../document/staleness.ts';

export interface Run {
  readonly number: number;
  /** As the user calls it; '' where it has no name. */
  readonly name: string;
  /** It stays on top. */
  readonly pinned: boolean;
  readonly kind: 'fit' | StudyReport['kind'];
  readonly method: string;
  readonly outcome: string;
  /** NaN where the run has none. */
  readonly objective: number;
  /** Of the elements, by name. */
  readonly values: ReadonlyMap<string, number>;
  /** The same elements' intervals, where they have one. */
  readonly intervals: ReadonlyMap<string, readonly [lower: number, upper: number]>;
  /** AIC, BIC and the like, which studies of uncertainty tell. */
  readonly statistics: Readonly<Record<string, number>>;
  readonly point: ParameterPoint;
  readonly device: string;
  readonly precision: string;
  readonly milliseconds: number;
  readonly finishedAt: string;
  readonly draft: Draft;
  readonly about: About;
}

type Unnumbered = Omit<Run, 'number' | 'name' | 'pinned'>;

const valuesOf = (rows: readonly { readonly name: string; readonly value: number }[]) =>
  new Map(rows.map(({ name, value }) => [name, value]));

function intervalsOf(
  rows: readonly { readonly name: string; readonly fixed: boolean; readonly lower: number; readonly upper: number }[],
): Run['intervals'] {
  return new Map(rows.flatMap(({ name, fixed, lower, upper }) => (fixed ? [] : [[name, [lower, upper] as const]])));
}

function fitRun(report: FitReport, draft: Draft): Unnumbered {
  const { objective, device, precision, milliseconds, finishedAt } = report;
  const method = own(draft['fit'], 'method');
  return {
    kind: 'fit',
    method: typeof method === 'string' ? method : 'chosen by the objective',
    outcome: statusWord[report.status],
    objective,
    values: valuesOf(report.estimates),
    intervals: intervalsOf(report.estimates.map((row) => ({ ...row, lower: row.lower95, upper: row.upper95 }))),
    statistics: {},
    point: pointOfFit(report),
    device,
    precision,
    milliseconds,
    finishedAt,
    draft,
    about: aboutOf(draft, report),
  };
}

const nothing = { values: new Map(), intervals: new Map(), statistics: {}, point: new Map() };

function studyRun(report: StudyReport, draft: Draft): Unnumbered {
  const { kind, method, device, precision, milliseconds, finishedAt } = report;
  const shared = { kind, method, device, precision, milliseconds, finishedAt, draft, about: aboutOf(draft, report) };
  if (kind === 'sensitivity') {
    const outcome = report.cancelled ? 'Stopped' : report.failed > 0 ? `${report.failed} runs failed` : 'Done';
    return { ...shared, outcome: `${outcome}, of ${report.of}`, objective: NaN, ...nothing };
  }
  if (kind === 'comparison') {
    const outcome = report.cancelled ? 'Stopped' : `${report.models.length} models`;
    return { ...shared, outcome, objective: NaN, ...nothing };
  }
  if (kind === 'design') {
    const outcome = report.cancelled ? 'Stopped' : statusWord[report.fit.status];
    return { ...shared, outcome, objective: report.fit.objective, ...nothing };
  }
  const rows = report.parameters;
  return {
    ...shared,
    outcome: report.cancelled ? 'Stopped' : report.fit.status === 'converged' ? 'Done' : statusWord[report.fit.status],
    objective: report.fit.objective,
    values: valuesOf(rows),
    intervals: intervalsOf(rows),
    statistics: report.statistics,
    point: pointOfEstimates(rows),
  };
}

export class Results {
  /** What is pinned first, then the newest. */
  runs = $state.raw<readonly Run[]>([]);
  /** The numbers of those that are compared, in the order in which they were chosen. */
  compared = $state.raw<readonly number[]>([]);
  #last = 0;

  /** Each once: one that is shown again was here before. */
  readonly addFit = (report: FitReport, draft: Draft): void => {
    const isHere = this.runs.some(
      ({ kind, finishedAt, about }) =>
        kind === 'fit' && finishedAt === report.finishedAt && about.meaning === report.meaning,
    );
    if (!isHere) this.#add(fitRun(report, draft));
  };
  readonly addStudy = (report: StudyReport, draft: Draft): void => this.#add(studyRun(report, draft));

  #add(run: Unnumbered): void {
    this.#last += 1;
    this.#show([{ number: this.#last, name: '', pinned: false, ...run }, ...this.runs]);
  }

  rename(number: number, name: string): void {
    this.#show(this.runs.map((run) => (run.number === number ? { ...run, name } : run)));
  }

  pin(number: number): void {
    this.#show(this.runs.map((run) => (run.number === number ? { ...run, pinned: !run.pinned } : run)));
  }

  remove(number: number): void {
    this.#show(this.runs.filter((run) => run.number !== number));
    this.compared = this.compared.filter((other) => other !== number);
  }

  compare(number: number, wanted: boolean): void {
    const others = this.compared.filter((other) => other !== number);
    this.compared = wanted ? [...others, number] : others;
  }

  #show(runs: readonly Run[]): void {
    this.runs = [...runs].sort((a, b) => Number(b.pinned) - Number(a.pinned) || b.number - a.number);
  }
}
