/** The studies of one kind: one runs at a time, and each method keeps its last report until it has another. */
import type { Client, Location, Problem, RequestInput } from '../../../src-main/contract/contract.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import type { Draft } from '../document/draft.ts';
import { inOrder } from '../document/draft.ts';
import type { ParameterPoint } from '../document/point.ts';
import { pointRecord, sameValues } from '../document/point.ts';
import { problemsOf } from '../window/refusal.ts';
import type { Checked } from '../document/staleness.ts';
import { aboutOf, changedSince } from '../document/staleness.ts';
import type { Work } from '../window/work.ts';

type StudyRequest = RequestInput<'study.start'>['study'];
export type StudyKind = StudyRequest['kind'];
export type RequestOf<K extends StudyKind> = Extract<StudyRequest, { kind: K }>;
export type MethodOf<K extends StudyKind> = { [J in StudyKind]: RequestOf<J>['method'] }[K];
export type ReportOf<K extends StudyKind> = Extract<StudyReport, { readonly kind: K }>;

/** A report, and what it is about. */
export interface Finding<K extends StudyKind> {
  readonly report: ReportOf<K>;
  readonly draft: Draft;
  readonly point: ParameterPoint;
}

export interface StudyHost {
  readonly client: Client;
  readonly location: () => Location;
  readonly finished: (report: StudyReport, draft: Draft) => void;
}

export class Studying<K extends StudyKind> {
  /** The method that its panel shows: the one asked for last, unless another is chosen. */
  method = $state<MethodOf<K> | null>(null);
  /** By method. */
  findings = $state.raw<ReadonlyMap<string, Finding<K>>>(new Map());
  progress = $state.raw<Work | null>(null);
  /** What runs. */
  request = $state.raw<RequestOf<K> | null>(null);
  stopping = $state(false);
  /** Why the last one could not start. */
  refused = $state.raw<readonly Problem[]>([]);
  readonly kind: K;
  #id: string | null = null;
  #about: Omit<Finding<K>, 'report'> | null = null;
  readonly #host: StudyHost;
  readonly #unsubscribe: readonly (() => void)[];

  constructor(kind: K, host: StudyHost) {
    this.kind = kind;
    this.#host = host;
    // The engine names a study before it runs it: no event comes earlier.
    const ours = (study: string) => this.running && this.#id === study;
    const { client } = host;
    this.#unsubscribe = [
      client.on('study.progress', ({ study, stage, share }) => {
        if (ours(study)) this.progress = { stage, share, startedAt: this.progress?.startedAt ?? Date.now() };
      }),
      client.on('study.done', ({ study, report }) => {
        if (!ours(study) || report.kind !== this.kind || !this.#about) return;
        const finding = { report: report as ReportOf<K>, ...this.#about };
        this.findings = new Map([...this.findings, [report.method, finding]]);
        this.#host.finished(report, finding.draft);
        this.#end();
      }),
      client.on('study.refused', ({ study, problems }) => {
        if (ours(study)) this.#refuse(problems);
      }),
      client.on('engine.restarted', ({ reason }) => {
        if (this.running) this.#refuse([{ severity: 'error', message: reason }]);
      }),
    ];
  }

  get running(): boolean {
    return this.request !== null;
  }

  async start(request: RequestOf<K>, draft: Draft, point: ParameterPoint): Promise<void> {
    if (this.running) return;
    this.request = request;
    this.method = request.method as MethodOf<K>;
    this.stopping = false;
    this.refused = [];
    this.#id = null;
    this.#about = { draft, point };
    this.progress = { stage: 'starting', share: 0, startedAt: Date.now() };
    const { client, location } = this.#host;
    try {
      const { study } = await client.request('study.start', {
        document: inOrder(draft),
        location: location(),
        parameters: pointRecord(draft, point),
        study: request,
      });
      this.#id = study;
      if (this.stopping) await client.request('study.stop', { study });
    } catch (error) {
      this.#refuse(problemsOf(error));
    }
  }

  async stop(): Promise<void> {
    if (!this.running || this.stopping) return;
    this.stopping = true;
    if (this.#id !== null) await this.#host.client.request('study.stop', { study: this.#id });
  }

  #refuse(problems: readonly Problem[]): void {
    this.refused = problems;
    this.#end();
  }

  #end(): void {
    this.request = null;
    this.stopping = false;
    this.progress = null;
    this.#id = null;
  }

  close(): void {
    for (const unsubscribe of this.#unsubscribe) unsubscribe();
    void this.stop();
  }
}

/**
 * What has changed since a study; empty while it stands. What is taken at the parameters' values (`local`) also ends
 * when these move; a study of uncertainty fits first, and a sample has its own points.
 */
export function staleSince(
  { report, draft, point }: { [K in StudyKind]: Finding<K> }[StudyKind],
  now: Draft,
  at: ParameterPoint,
  checked: Checked,
): readonly string[] {
  const changed = changedSince(aboutOf(draft, report), now, checked);
  if (report.method !== 'local' || changed.length > 0) return changed;
  return [...at].filter(([id, values]) => !sameValues(point.get(id), values)).map(([id]) => `the value of ${id}`);
}
