/** A fit or a study that has ended, as a row of the list of runs. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { StudyReport } from '../../../src-main/contract/studies.ts';
import type { Draft } from '../document/draft.ts';
import { own } from '../document/draft.ts';
import { pointOfEstimates, pointOfFit, type ParameterPoint } from '../document/point.ts';
import type { Found, Run } from '../document/runs.ts';
import { aboutOf } from '../document/staleness.ts';
import { statusWord } from '../fit/outcome.ts';

type Row = FitReport['estimates'][number] | Extract<StudyReport, { kind: 'uncertainty' }>['parameters'][number];

function valuesOf(rows: readonly Row[]): Run['values'] {
  return rows.map((row) => {
    const [lower, upper] = 'lower95' in row ? [row.lower95, row.upper95] : [row.lower, row.upper];
    return { name: row.name, value: row.value, interval: row.fixed ? null : [lower, upper] };
  });
}

export function fitRun(report: FitReport, draft: Draft): Found {
  const { objective, device, precision, milliseconds, finishedAt } = report;
  const method = own(draft['fit'], 'method');
  const { of, meaning } = aboutOf(draft, report);
  return {
    kind: 'fit',
    method: typeof method === 'string' ? method : 'chosen by the objective',
    outcome: statusWord[report.status],
    objective,
    values: valuesOf(report.estimates),
    statistics: {},
    parameters: Object.fromEntries(pointOfFit(report)),
    ...{ device, precision, milliseconds, finishedAt, draft, of: [...of], meaning },
    ...(report.labels && { labels: report.labels }),
  };
}

/** `point`: the parameters' values as it began, which are what a study at these alone is of. */
export function studyRun(report: StudyReport, draft: Draft, point: ParameterPoint = new Map()): Found {
  const { kind, method, device, precision, milliseconds, finishedAt, cancelled } = report;
  const { of, meaning } = aboutOf(draft, report);
  const shared = {
    ...{ kind, method, device, precision, milliseconds, finishedAt, draft, of: [...of], meaning },
    ...(report.labels && { labels: report.labels }),
  };
  const nothing = { objective: NaN, values: [], statistics: {}, parameters: {} };
  const done = (outcome: string) => (cancelled ? 'Stopped' : outcome);
  switch (report.kind) {
    case 'sensitivity': {
      const outcome = done(report.failed > 0 ? `${report.failed} runs failed` : 'Done');
      const parameters = report.method === 'local' ? Object.fromEntries(point) : {};
      return { ...shared, ...nothing, parameters, outcome: `${outcome}, of ${report.of}` };
    }
    case 'comparison':
      return { ...shared, ...nothing, outcome: done(`${report.models.length} models`) };
    case 'design': {
      const { status, objective } = report.fit;
      return { ...shared, ...nothing, outcome: done(statusWord[status]), objective };
    }
    case 'uncertainty': {
      const { status, objective } = report.fit;
      return {
        ...shared,
        outcome: done(status === 'converged' ? 'Done' : statusWord[status]),
        objective,
        values: valuesOf(report.parameters),
        statistics: report.statistics,
        parameters: Object.fromEntries(pointOfEstimates(report.parameters)),
      };
    }
  }
}
