/** What the Fit and Residuals panels show, as tables to be taken away. */
import type { FitReport } from '../../../src-main/contract/contract.ts';
import type { Draft } from '../document/draft.ts';
import type { PlotGroup } from '../../../src-main/contract/plots.ts';
import type { Plotted } from './plot-data.ts';
import { unitOf } from './plot-data.ts';
import type { Cell, ExportTable } from '../window/table-export.ts';

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
    ...(report.quantities
      ? [
          {
            name: 'quantities',
            columns: ['quantity', 'value', 'standardError', 'lower95', 'upper95', 'unit'],
            rows: report.quantities.map(({ name, block, value, standardError, lower95, upper95 }) => [
              ...[name, value, standardError, lower95, upper95],
              unitOf(draft, block),
            ]),
          },
        ]
      : []),
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

type Points = PlotGroup['points'];

/** What was observed and what is predicted there, row by row; with bands where they are at these very rows. */
export function observedTable({ plot, residuals }: Plotted): ExportTable {
  const grouped = plot.groups.length > 1;
  const errors = plot.groups.some(({ points }) => points.error !== undefined);
  const rowed = plot.groups.map(({ curve, band }) => (curve ? undefined : band));
  const banded = rowed.some((band) => band !== undefined);
  const numbered = plot.groups.some(({ points }) => points.rows !== undefined);
  const left = plot.groups.some(({ points }) => points.excluded !== undefined);
  const limited = plot.groups.some(({ points }) => points.censored !== undefined);
  return {
    name: `${plot.of} fitted`,
    columns: [
      ...(grouped ? ['group'] : []),
      ...(numbered ? ['row'] : []),
      ...[plot.x.id ?? plot.x.label, plot.y.label, 'predicted', 'residual'],
      ...(errors ? ['sigma'] : []),
      ...(left ? ['excluded'] : []),
      ...(limited ? ['censored'] : []),
      ...(banded ? bandColumns : []),
    ],
    rows: plot.groups.flatMap(({ key, points }, k) => {
      const residualAt = residualsBy(points, residuals.groups[k]?.points);
      return points.x.map((x, i): Cell[] => [
        ...(grouped ? [key] : []),
        ...(numbered ? [points.rows?.[i] ?? null] : []),
        ...[x, points.y[i]!, points.predicted?.[i] ?? null, residualAt(i)],
        ...(errors ? [points.error?.[i] ?? null] : []),
        ...(left ? [points.excluded?.[i] ?? false] : []),
        ...(limited ? [points.censored?.[i] ?? null] : []),
        ...(banded ? bandCells(rowed[k], i) : []),
      ]);
    }),
  };
}

/** A residual that is no number is not among them, so they are found by their rows; those of bins are all there. */
function residualsBy(points: Points, residuals: Points | undefined): (i: number) => number | null {
  if (!points.rows || !residuals?.rows) return (i) => residuals?.y[i] ?? null;
  const known = new Map(residuals.rows.map((row, i) => [row, residuals.y[i]!]));
  return (i) => known.get(points.rows![i]!) ?? null;
}

const bandColumns = ['lower', 'upper', 'predictionLower', 'predictionUpper'] as const;

function bandCells(band: PlotGroup['band'], i: number): Cell[] {
  const [sure, next] = [band?.confidence, band?.prediction];
  return [sure?.lower[i], sure?.upper[i], next?.lower[i], next?.upper[i]].map((value) => value ?? null);
}

/** The curves as they are drawn, point by point, with their bands; undefined where there are none. */
export function curveTable({ plot }: Plotted): ExportTable | undefined {
  const drawn = plot.groups.filter(({ curve }) => curve !== undefined);
  if (drawn.length === 0) return undefined;
  const grouped = plot.groups.length > 1;
  const effected = drawn.some(({ population }) => population !== undefined);
  const banded = drawn.some(({ band }) => band !== undefined);
  return {
    name: `${plot.of} curve`,
    columns: [
      ...(grouped ? ['group'] : []),
      ...[plot.x.id ?? plot.x.label, 'predicted'],
      ...(effected ? ['population'] : []),
      ...(banded ? bandColumns : []),
    ],
    rows: drawn.flatMap(({ key, curve, population, band }) =>
      (curve?.x ?? []).map((x, i): Cell[] => [
        ...(grouped ? [key] : []),
        ...[x, curve?.y[i] ?? null],
        ...(effected ? [population?.y[population.x.indexOf(x)] ?? null] : []),
        ...(banded ? bandCells(band, i) : []),
      ]),
    ),
  };
}

/** `plots`: one for each objective that is drawn. */
export function fitTables(report: FitReport | null, plots: readonly Plotted[], draft: Draft): ExportTable[] {
  const curves = plots.flatMap((plotted) => curveTable(plotted) ?? []);
  return [...(report ? reportTables(report, draft) : []), ...plots.map(observedTable), ...curves];
}
