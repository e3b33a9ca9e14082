/** What ran since the document was opened, so that runs can be compared. */
import type { FitReport } from '../../src-main/contract.ts';
import type { StudyReport } from '../../src-main/contract-studies.ts';
import type { Draft } from './draft.ts';
import { own } from './draft.ts';
import { statusWord } from './outcome.ts';
import type { ParameterPoint } from './point.ts';
import { pointOfEstimates } from './point.ts';

export interface Run {
  readonly number: number;
  readonly kind: 'fit' | StudyReport['kind'];
  readonly method: string;
  readonly outcome: string;
  /** NaN where the run has none. */
  readonly objective: number;
  /** Of the elements, by name. */
  readonly values: ReadonlyMap<string, number>;
  readonly point: ParameterPoint;
  readonly device: string;
  readonly precision: string;
  readonly milliseconds: number;
  readonly finishedAt: string;
  readonly draft: Draft;
}

type Unnumbered = Omit<Run, 'number'>;

const valuesOf = (rows: readonly { readonly name: string; readonly value: number }[]) =>
  new Map(rows.map(({ name, value }) => [name, value]));

function fitRun(report: FitReport, draft: Draft): Unnumbered {
  const { objective, device, precision, milliseconds, finishedAt } = report;
  const method = own(draft['fit'], 'method');
  return {
    kind: 'fit',
    method: typeof method === 'string' ? method : 'chosen by the objective',
    outcome: statusWord[report.status],
    objective,
    values: valuesOf(report.estimates),
    point: pointOfEstimates(report.estimates),
    device,
    precision,
    milliseconds,
    finishedAt,
    draft,
  };
}

function studyRun(report: StudyReport, draft: Draft): Unnumbered {
  const { kind, method, device, precision, milliseconds, finishedAt } = report;
  const shared = { kind, method, device, precision, milliseconds, finishedAt, draft };
  if (kind === 'sensitivity') {
    const outcome = report.cancelled ? 'Stopped' : report.failed > 0 ? `${report.failed} runs failed` : 'Done';
    return { ...shared, outcome: `${outcome}, of ${report.of}`, objective: NaN, values: new Map(), point: new Map() };
  }
  const rows = report.parameters;
  return {
    ...shared,
    outcome: report.cancelled ? 'Stopped' : report.fit.status === 'converged' ? 'Done' : statusWord[report.fit.status],
    objective: report.fit.objective,
    values: valuesOf(rows),
    point: pointOfEstimates(rows),
  };
}

export class Results {
  /** Newest first. */
  runs = $state.raw<readonly Run[]>([]);

  readonly addFit = (report: FitReport, draft: Draft): void => this.#add(fitRun(report, draft));
  readonly addStudy = (report: StudyReport, draft: Draft): void => this.#add(studyRun(report, draft));

  #add(run: Unnumbered): void {
    this.runs = [{ number: this.runs.length + 1, ...run }, ...this.runs];
  }
}
