/** A fit's report as the contract of the command line has it, and as a table. */
import type { FitReport } from '../contract.ts';
import { printColumns, record, shown } from './output.ts';

type Estimate = FitReport['estimates'][number];

const figures = ['value', 'standardError', 'lower95', 'upper95'] as const;

/** Null where a figure is undefined; a value itself is always a number. */
function figure(estimate: Estimate, key: (typeof figures)[number]): number | null {
  return key !== 'value' && Number.isNaN(estimate[key]) ? null : estimate[key];
}

/** The indices of an element's name: `K[0,1]` → [0, 1]; [] for `k`. */
function indicesOf({ name, block }: Estimate): number[] {
  const inner = name.slice(block.length + 1, -1);
  return inner === '' ? [] : inner.split(',').map(Number);
}

/** One figure of all elements of a block, nested as the parameter is. */
function nestedFigure(elements: readonly Estimate[], key: (typeof figures)[number]): unknown {
  const top: unknown[] = [];
  for (const element of elements) {
    const indices = indicesOf(element);
    if (indices.length === 0) return figure(element, key);
    let array = top;
    for (const index of indices.slice(0, -1)) array = (array[index] ??= []) as unknown[];
    array[indices.at(-1) as number] = figure(element, key);
  }
  return top;
}

export function fitJson(report: FitReport): object {
  const blocks = new Map<string, Estimate[]>();
  for (const estimate of report.estimates)
    blocks.set(estimate.block, [...(blocks.get(estimate.block) ?? []), estimate]);
  const parameters = [...blocks].map(
    ([id, elements]) => [id, record(figures.map((key) => [key, nestedFigure(elements, key)] as const))] as const,
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
    iterations: report.iterations,
    evaluations: report.evaluations,
    device: report.device,
    precision: report.precision,
  };
}

const headlines: Readonly<Record<FitReport['status'], string>> = {
  converged: 'Converged',
  'not-converged': 'Not converged',
  failed: 'Failed',
  cancelled: 'Stopped',
};

export function printFit(report: FitReport): void {
  const { status, reason, objective, posterior, iterations, evaluations, device, precision } = report;
  process.stdout.write(`${headlines[status]}: ${reason}.\n`);
  process.stdout.write(
    `objective ${shown(objective)}, ${posterior === undefined ? '' : `posterior ${shown(posterior)}, `}${iterations} iterations, ${evaluations} evaluations, ${device} ${precision}\n\n`,
  );
  const rows = report.estimates.map((estimate) => [
    estimate.name,
    shown(estimate.value),
    ...(['standardError', 'lower95', 'upper95'] as const).map((key) =>
      Number.isNaN(estimate[key]) ? '–' : shown(estimate[key]),
    ),
    estimate.fixed ? 'fixed' : estimate.atBound === undefined ? '' : `at its ${estimate.atBound} bound`,
  ]);
  printColumns(
    [['parameter', 'value', 'standard error', 'lower 95 %', 'upper 95 %', ''], ...rows],
    new Set([1, 2, 3, 4]),
  );
}
