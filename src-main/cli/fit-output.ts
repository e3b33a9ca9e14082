/** A fit's report as the contract of the command line has it, and as a table. */
import type { FitReport } from '../contract.ts';
import { bestVerdicts, determinedSentence } from '../verdicts.ts';
import { byBlock, nestedElements } from './elements.ts';
import { printColumns, record, shown } from './output.ts';
import { odeErrorJson, printSolverErrors } from './solver-errors.ts';

type Estimate = FitReport['estimates'][number];

const figures = ['value', 'standardError', 'lower95', 'upper95'] as const;

/** Null where a figure is undefined; a value itself is always a number. */
function figure(estimate: Estimate, key: (typeof figures)[number]): number | null {
  return key !== 'value' && Number.isNaN(estimate[key]) ? null : estimate[key];
}

export function fitJson(report: FitReport): object {
  const parameters = [...byBlock(report.estimates)].map(
    ([id, elements]) =>
      [
        id,
        record(figures.map((key) => [key, nestedElements(elements, (estimate) => figure(estimate, key))] as const)),
      ] as const,
  );
  return {
    status: report.status,
    reason: report.reason,
    objective: report.objective,
    ...(report.posterior !== undefined && { posterior: report.posterior }),
    parameters: record(parameters),
    correlation: {
      parameters: report.correlationNames,
      matrix: report.correlation.map((row) => row.map((entry) => (Number.isNaN(entry) ? null : entry))),
    },
    ...odeErrorJson(report.odeErrors ?? []),
    ...(report.starts && { starts: report.starts }),
    decrement: report.decrement === undefined || Number.isNaN(report.decrement) ? null : report.decrement,
    solved: report.solved ?? [],
    iterations: report.iterations,
    evaluations: report.evaluations,
    device: report.device,
    precision: report.precision,
    meaning: report.meaning,
  };
}

const headlines: Readonly<Record<FitReport['status'], string>> = {
  converged: 'Converged',
  'not-converged': 'Not converged',
  failed: 'Failed',
  cancelled: 'Stopped',
};

/** The waterfall in a line. */
function printStarts({ atBest, ends, ended = ends.length }: NonNullable<FitReport['starts']>): void {
  const lowest = ends.slice(0, 8).map(({ objective }) => shown(objective));
  const more = ended > lowest.length ? ', …' : '';
  process.stdout.write(`${atBest} of ${ended} starts converged to the lowest: ${lowest.join(', ')}${more}\n\n`);
}

export function printFit(report: FitReport): void {
  const { status, reason, objective, posterior, iterations, evaluations, device, precision } = report;
  process.stdout.write(`${headlines[status]}: ${reason}.\n`);
  process.stdout.write(
    `objective ${shown(objective)}, ${posterior === undefined ? '' : `posterior ${shown(posterior)}, `}${iterations} iterations, ${evaluations} evaluations, ${device} ${precision}\n\n`,
  );
  const solved = report.solved ?? [];
  if (solved.length > 0)
    process.stdout.write(`${solved.join(', ')} ${solved.length === 1 ? 'is' : 'are'} solved for, not searched\n\n`);
  if (report.starts) printStarts(report.starts);
  const rows = report.estimates.map((estimate) => [
    estimate.name,
    shown(estimate.value),
    ...(['standardError', 'lower95', 'upper95'] as const).map((key) =>
      Number.isNaN(estimate[key]) ? '–' : shown(estimate[key]),
    ),
    estimate.verdict.reason,
  ]);
  printColumns(
    [['parameter', 'value', 'standard error', 'lower 95 %', 'upper 95 %', 'verdict'], ...rows],
    new Set([1, 2, 3, 4]),
  );
  if (status === 'converged') process.stdout.write(`\n${determinedSentence(bestVerdicts(report, []))}\n`);
  printSolverErrors(report.odeErrors ?? []);
}
