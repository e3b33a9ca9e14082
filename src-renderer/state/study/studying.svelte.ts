/** The studies of one kind: one runs at a time, and each method keeps its last report until it has another. */
import type { Client, Location } from '../../../src-main/contract/contract.ts';
import type { StudyReport, StudyRequest } from '../../../src-main/contract/studies.ts';
import type { Draft } from '../document/draft.ts';
import { changedBetween, inOrder } from '../document/draft.ts';
import type { ParameterPoint } from '../document/point.ts';
import { pointRecord, sameValues } from '../document/point.ts';
import { aboutRun, pointOfRun, type Run } from '../document/runs.ts';
import type { Checked } from '../document/staleness.ts';
import { aboutOf, changedSince } from '../document/staleness.ts';
import type { ProgressOf } from '../window/job.svelte.ts';
import { ShownJob } from '../window/shown-job.svelte.ts';
import { advanced, type Work } from '../window/work.ts';

export type StudyKind = StudyRequest['kind'];
export type RequestOf<K extends StudyKind> = Extract<StudyRequest, { kind: K }>;
export type MethodOf<K extends StudyKind> = { [J in StudyKind]: RequestOf<J>['method'] }[K];
export type ReportOf<K extends StudyKind> = Extract<StudyReport, { readonly kind: K }>;

/** A report, and what it is about. */
export interface Finding<K extends StudyKind> {
  readonly report: ReportOf<K>;
  /** Null where it was read beside a document, and this is not known to be one of the same meaning. */
  readonly draft: Draft | null;
  readonly point: ParameterPoint;
}

export type AnyFinding = { [K in StudyKind]: Finding<K> }[StudyKind];

export interface StudyHost {
  readonly client: Client;
  readonly location: () => Location;
  readonly finished: (finding: AnyFinding) => void;
}

/** Means the same to every method, as a number of samples does not. */
const common: ReadonlySet<string> = new Set(['of', 'seed', 'level', 'logUniform', 'add']);

export class Studying<K extends StudyKind> extends ShownJob<'study', Work> {
  /** The method that its panel shows: the one asked for last, unless another is chosen. */
  method = $state<MethodOf<K> | null>(null);
  /** By method. */
  findings = $state.raw<ReadonlyMap<string, Finding<K>>>(new Map());
  /** By method: what it was asked last, and what has been chosen since. */
  #asks = $state.raw<ReadonlyMap<string, RequestOf<K>>>(new Map());
  /** What has been chosen that goes for methods that were asked nothing yet too. */
  #chosen = $state.raw<Partial<RequestOf<K>>>({});
  /** What runs. */
  request = $state.raw<RequestOf<K> | null>(null);
  readonly kind: K;
  #about: { readonly draft: Draft; readonly point: ParameterPoint } | null = null;
  readonly #host: StudyHost;

  constructor(kind: K, host: StudyHost) {
    super(host.client);
    this.kind = kind;
    this.#host = host;
  }

  protected override reached({ stage, share }: ProgressOf<'study'>, paused: boolean): void {
    this.progress = advanced(this.progress, { stage, share }, paused, Date.now());
  }

  protected override done(report: StudyReport): void {
    // A report is of the kind that was asked for.
    if (report.kind === this.kind && this.#about) {
      const finding = { report: report as ReportOf<K>, ...this.#about };
      this.#keep(finding);
      this.#host.finished(finding as AnyFinding);
    }
    this.#end();
  }

  /** What was found before the page was loaded again; of any other kind it is left alone. */
  take({ report, draft, point }: AnyFinding): void {
    if (report.kind !== this.kind) return;
    this.#keep({ report: report as ReportOf<K>, draft, point });
    this.method = report.method as MethodOf<K>;
    // What is not said may have been lost on the way: it was asked of the objective.
    if ('asked' in report && report.asked) this.#ask({ of: undefined, ...report.asked } as unknown as RequestOf<K>);
  }

  /** Of what was read, what `draft` turns out to mean is of it. Of models that were compared the others are not known. */
  recognise(draft: Draft, checked: Checked): AnyFinding[] {
    return [...this.findings.values()].flatMap((finding) => {
      if (finding.draft || finding.report.kind === 'comparison') return [];
      if (changedSince(aboutOf(null, finding.report), draft, checked).length > 0) return [];
      const known = { ...finding, draft };
      this.#keep(known);
      return [known as AnyFinding];
    });
  }

  #keep(finding: Finding<K>): void {
    this.findings = new Map([...this.findings, [finding.report.method, finding]]);
  }

  /** What a method is asked when it next runs. */
  askOf(method: MethodOf<K>): RequestOf<K> {
    const { kind } = this;
    return this.#asks.get(method) ?? ({ kind, method, ...this.#chosen } as unknown as RequestOf<K>);
  }

  /** `part` of what is asked was chosen. */
  choose(request: RequestOf<K>, part: Partial<RequestOf<K>>): void {
    this.#ask({ ...request, ...part });
    const goesForAll = Object.entries(part).filter(([key]) => common.has(key));
    this.#chosen = { ...this.#chosen, ...(Object.fromEntries(goesForAll) as Partial<RequestOf<K>>) };
  }

  #ask(request: RequestOf<K>): void {
    this.#asks = new Map([...this.#asks, [request.method, request]]);
  }

  /** Why it was refused is of the model as it was. */
  nowIs(draft: Draft): void {
    if (this.refused.length > 0 && this.#about && changedBetween(this.#about.draft, draft).length > 0)
      this.refused = [];
  }

  protected override fell(): void {
    this.#end();
  }

  async start(request: RequestOf<K>, draft: Draft, point: ParameterPoint): Promise<void> {
    if (this.running) return;
    this.request = request;
    this.method = request.method as MethodOf<K>;
    this.#ask(request);
    this.refused = [];
    this.#about = { draft, point };
    this.progress = { stage: 'starting', share: 0, startedAt: Date.now() };
    await this.job.start({
      document: inOrder(draft),
      location: this.#host.location(),
      parameters: pointRecord(draft, point),
      work: { kind: 'study', study: request },
    });
  }

  #end(): void {
    this.request = null;
    this.progress = null;
  }
}

/**
 * What has changed since a study; empty while it stands. What is taken at the parameters' values (`local`) also ends
 * when these move; a study of uncertainty fits first, and a sample has its own points.
 */
export function staleSince(
  { report, draft, point }: AnyFinding,
  now: Draft,
  at: ParameterPoint,
  checked: Checked,
): readonly string[] {
  // What has just been read is taken to be of its document until that is checked.
  if (!draft && !checked.draft) return [];
  const changed = changedSince(aboutOf(draft, report), now, checked);
  if (!draft && report.kind === 'comparison' && changed.length === 0) return ['the document'];
  return report.method === 'local' && changed.length === 0 ? movedSince(point, at) : changed;
}

/** The same of a run, whose study may be shown nowhere any more. Those of before runs kept their point have none. */
export function runStaleSince(run: Run, now: Draft, at: ParameterPoint, checked: Checked): readonly string[] {
  const changed = changedSince(aboutRun(run), now, checked);
  const point = pointOfRun(run);
  const isAtPoint = run.kind === 'sensitivity' && run.method === 'local' && point.size > 0;
  return isAtPoint && changed.length === 0 ? movedSince(point, at) : changed;
}

const movedSince = (point: ParameterPoint, at: ParameterPoint): string[] =>
  [...at].filter(([id, values]) => !sameValues(point.get(id), values)).map(([id]) => `the value of ${id}`);

/** What differs between what a report was asked and what would be asked now, as `staleSince` says it. */
export function askedOtherwise(report: StudyReport | undefined, now: StudyRequest): readonly string[] {
  const asked = report && 'asked' in report ? report.asked : undefined;
  return asked === undefined || written(asked) === written(now) ? [] : ['what is asked'];
}

/** What is not said and what is switched off are the same. */
function written(request: StudyRequest): string {
  const said = Object.entries(request).filter(([, value]) => value !== undefined && value !== false);
  return JSON.stringify(said.sort(([a], [b]) => (a < b ? -1 : 1)));
}
