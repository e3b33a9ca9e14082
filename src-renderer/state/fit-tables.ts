/** What the Fit and Residuals panels show, as tables to be taken away. */
import type { FitReport } from '../../src-main/contract.ts';
import type { Draft } from './draft.ts';
import type { PlotData } from './plot-data.ts';
import { unitOf } from './plot-data.ts';
import type { Cell, ExportTable } from './table-export.ts';

function reportTables(report: FitReport, draft: Draft): ExportTable[] {
  const { estimates, correlation, correlationNames: names, history, starts } = report;
  const tables: ExportTable[] = [
    {
      name: 'estimates',
      columns: ['parameter', 'value', 'standardError', 'lower95', 'upper95', 'unit', 'fixed', 'atBound'],
      rows: estimates.map((estimate) => [
        estimate.name,
        estimate.value,
        estimate.standardError,
        estimate.lower95,
        estimate.upper95,
        unitOf(draft, estimate.block),
        estimate.fixed,
        estimate.atBound ?? null,
      ]),
    },
    { name: 'history', columns: ['iteration', 'objective'], rows: history.map((value, i) => [i, value]) },
  ];
  if (names.length > 1)
    tables.push({
      name: 'correlation',
      columns: ['parameter', ...names],
      rows: correlation.map((row, i) => [names[i] ?? '', ...row]),
    });
  if (starts)
    tables.push({
      name: 'starts',
      columns: ['start', 'objective', 'status'],
      rows: starts.ends.map(({ start, objective, status }) => [start, objective, status]),
    });
  return tables;
}

/** What was observed and what is predicted there, row by row; with bands where there are some for these very rows. */
export function observedTable({ objective, x, observed, series }: PlotData): ExportTable {
  const grouped = series.length > 1;
  const banded = series.some(({ band, points }) => band.length > 0 && band.length === points.length);
  const bandKeys = ['lower', 'upper', 'predictionLower', 'predictionUpper'] as const;
  return {
    name: `${objective} fitted`,
    columns: [
      ...(grouped ? ['group'] : []),
      ...[x ?? 'row', observed, 'predicted', 'residual', 'sigma'],
      ...(banded ? bandKeys : []),
    ],
    rows: series.flatMap(({ label, points, band }) => {
      const bandAt = new Map(band.map((point) => [point.x, point]));
      return points.map((mark): Cell[] => [
        ...(grouped ? [label] : []),
        ...[mark.x, mark.y, mark.predicted, mark.y - mark.predicted, mark.error ?? null],
        ...(banded ? bandKeys.map((key) => bandAt.get(mark.x)?.[key] ?? null) : []),
      ]);
    }),
  };
}

/** `plots`: one for each objective that is drawn. */
export function fitTables(report: FitReport | null, plots: readonly PlotData[], draft: Draft): ExportTable[] {
  return [...(report ? reportTables(report, draft) : []), ...plots.map(observedTable)];
}
