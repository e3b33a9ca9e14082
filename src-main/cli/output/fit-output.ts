/** A fit's report as the contract of the command line has it, and as a table. */
import { nestNumbers } from '../../../models/notation/numbers.ts';
import type { FitReport } from '../../contract/contract.ts';
import { convergedSentence, minimaSentence } from '../../contract/starts.ts';
import { bestVerdicts, determinedSentence, missedSentence, solvedSentence } from '../../contract/verdicts.ts';
import { byBlock, nestedElements, orNull } from './elements.ts';
import { digitsWithin, printColumns, record, shown, shownTo } from './output.ts';
import { odeErrorJson, printSolverErrors } from './solver-errors.ts';

type Estimate = FitReport['estimates'][number];

const figures = ['value', 'standardError', 'lower95', 'upper95'] as const;

function cellsOf(row: Readonly<Record<(typeof figures)[number], number>>): string[] {
  const digits = digitsWithin(row.lower95, row.upper95);
  return figures.map((key) =>
    Number.isNaN(row[key]) ? '–' : key === 'standardError' ? shown(row[key]) : shownTo(row[key], digits),
  );
}

/** Null where a figure is undefined; a value itself is always a number. */
function figure(estimate: Estimate, key: (typeof figures)[number]): number | null {
  return key !== 'value' && Number.isNaN(estimate[key]) ? null : estimate[key];
}

/** Of the document, and of where the fit ended. */
const warningsOf = ({ warnings = [], doubt }: FitReport): string[] => [
  ...warnings,
  ...(doubt === undefined ? [] : [doubt]),
];

export function fitJson(report: FitReport): object {
  const warned = warningsOf(report);
  const correlations = new Map<string, NonNullable<FitReport['random']>[string]['correlation']>(
    Object.entries(report.random ?? {}).map(([id, { correlation }]) => [`${id}.correlation`, correlation]),
  );
  const parameters = [...byBlock(report.estimates)].map(([id, elements]) => {
    const correlation = correlations.get(id);
    const told = (key: (typeof figures)[number]): unknown =>
      correlation ? orNull(correlation[key]) : nestedElements(elements, (estimate) => figure(estimate, key));
    return [id, record(figures.map((key) => [key, told(key)] as const))] as const;
  });
  const empty = (report.empty ?? []).map(({ block, shape }) => {
    const none = nestNumbers([], shape);
    return [block, record(figures.map((key) => [key, none] as const))] as const;
  });
  return {
    status: report.status,
    reason: report.reason,
    objective: report.objective,
    ...(report.posterior !== undefined && { posterior: report.posterior }),
    parameters: record([...parameters, ...empty]),
    ...(report.quantities && {
      quantities: record(
        [...byBlock(report.quantities)].map(
          ([id, elements]) =>
            [
              id,
              record(figures.map((key) => [key, nestedElements(elements, (row) => orNull(row[key]))] as const)),
            ] as const,
        ),
      ),
    }),
    correlation: {
      parameters: report.correlationNames,
      matrix: report.correlation.map((row) => row.map((entry) => (Number.isNaN(entry) ? null : entry))),
    },
    ...(report.misfits && { misfits: report.misfits }),
    ...(warned.length > 0 && { warnings: warned }),
    ...odeErrorJson(report.odeErrors ?? []),
    ...(report.random && { random: randomJson(report.random) }),
    ...(report.starts && { starts: report.starts }),
    ...(report.basins && { basins: basinsJson(report, report.basins) }),
    ...(report.symmetries && { symmetries: report.symmetries }),
    decrement: report.decrement === undefined || Number.isNaN(report.decrement) ? null : report.decrement,
    solved: report.solved ?? [],
    iterations: report.iterations,
    evaluations: report.evaluations,
    device: report.device,
    precision: report.precision,
    meaning: report.meaning,
  };
}

/** Of each block its groups, and what is told of each effect. */
export function randomJson(random: NonNullable<FitReport['random']>): object {
  return record(Object.entries(random).map(([id, { groups, effects }]) => [id, { groups, ...effects }] as const));
}

type Basins = NonNullable<FitReport['basins']>;

/** Values in the shapes of the parameters. */
function basinsJson({ estimates }: FitReport, basins: Basins): object[] {
  return basins.map(({ objective, starts, parameters }) => ({
    objective,
    starts,
    parameters: record(
      [...byBlock(estimates)].map(([id, elements]) => {
        const values = parameters[id];
        const nested = nestedElements(elements, (estimate) => values?.[elements.indexOf(estimate)] ?? estimate.value);
        return [id, nested] as const;
      }),
    ),
  }));
}

const headlines: Readonly<Record<FitReport['status'], string>> = {
  converged: 'Converged',
  'not-converged': 'Not converged',
  failed: 'Failed',
  cancelled: 'Stopped',
};

/** The waterfall in a line. */
function printStarts(starts: NonNullable<FitReport['starts']>, report: FitReport): void {
  const above = starts.ends.slice(Math.max(1, starts.atBest)).filter(({ objective }) => Number.isFinite(objective));
  const others = [
    ...above.slice(0, 7).map(({ objective }) => shown(objective)),
    ...(above.length > 7 ? ['…'] : []),
  ].join(', ');
  process.stdout.write(`${convergedSentence(starts, shown)}${others && `; then ${others}`}\n\n`);
  const minima = minimaSentence(report);
  if (minima !== undefined) process.stdout.write(`${minima}\n\n`);
}

export function printFit(report: FitReport): void {
  const { status, reason, objective, posterior, iterations, evaluations, device, precision } = report;
  process.stdout.write(
    `${[`${headlines[status]}: ${reason}.`, missedSentence(report.misfits)].filter(Boolean).join(' ')}\n`,
  );
  process.stdout.write(
    `objective ${shown(objective)}, ${posterior === undefined ? '' : `posterior ${shown(posterior)}, `}${iterations} iterations, ${evaluations} evaluations, ${device} ${precision}\n\n`,
  );
  const solved = solvedSentence(report.solved ?? []);
  if (solved !== '') process.stdout.write(`${solved}\n\n`);
  if (report.starts) printStarts(report.starts, report);
  const rows = report.estimates.map((estimate) => [estimate.name, ...cellsOf(estimate), estimate.verdict.reason]);
  printColumns(
    [['parameter', 'value', 'standard error', 'lower 95 %', 'upper 95 %', 'verdict'], ...rows],
    new Set([1, 2, 3, 4]),
  );
  if (report.quantities && report.quantities.length > 0) {
    process.stdout.write('\n');
    printColumns(
      [
        ['quantity', 'value', 'standard error', 'lower 95 %', 'upper 95 %', 'verdict'],
        ...report.quantities.map((row) => [row.name, ...cellsOf(row), row.verdict.reason]),
      ],
      new Set([1, 2, 3, 4]),
    );
  }
  if (status === 'converged') process.stdout.write(`\n${determinedSentence(bestVerdicts(report, []))}\n`);
  printSolverErrors(report.odeErrors ?? []);
  for (const warning of warningsOf(report)) process.stdout.write(`warning: ${warning}\n`);
}
