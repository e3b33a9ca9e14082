/** What a panel shows, as tables to be taken away. */
import { intervalEnding } from '../../../models/facts/figures.ts';
import type {
  ComparisonReport,
  DesignReport,
  SensitivityReport,
  UncertaintyReport,
} from '../../../src-main/contract/studies.ts';
import type { Draft } from '../document/draft.ts';
import type { Run } from '../document/runs.ts';
import { unitOf } from '../fit/plot-data.ts';
import { tableKeys } from './sensitivity-view.ts';
import type { Cell, ExportTable } from '../window/table-export.ts';
import { figureColumns, figureOf } from './uncertainty-view.ts';

type Figures = SensitivityReport['indices'][number]['figures'];

/** An interval has a column for each of its ends; a time course stands in one cell. */
function columnsOf(keys: readonly string[]): { readonly title: string; readonly cell: (figures: Figures) => Cell }[] {
  return keys.flatMap((key) => {
    const stem = key.endsWith(intervalEnding) ? key.slice(0, -intervalEnding.length) : undefined;
    if (stem === undefined) return [{ title: key, cell: (figures: Figures) => cellOf(figures[key]) }];
    return ['Lower', 'Upper'].map((end, i) => ({
      title: `${stem}${end}`,
      cell: (figures: Figures) => cellOf((figures[key] as readonly number[] | undefined)?.[i]),
    }));
  });
}

function cellOf(value: number | readonly number[] | undefined): Cell {
  if (value === undefined) return null;
  return typeof value === 'number' ? value : value.join(' ');
}

/** Units are those of the draft's blocks. */
export function uncertaintyTables(report: UncertaintyReport, draft: Draft): ExportTable[] {
  const extra = figureColumns(report);
  const {
    names,
    correlation,
    profiles = [],
    bands = [],
    draws = [],
    divergent,
    statistics,
    diagnostics,
    loo = {},
    level,
  } = report;
  const tables: ExportTable[] = [
    {
      name: 'parameters',
      columns: [
        ...['parameter', 'value', 'unit', 'lower', 'upper', 'level'],
        ...extra.map(({ key }) => key),
        ...['verdict', 'reason'],
      ],
      rows: report.parameters.map((row) => [
        ...[row.name, row.value, unitOf(draft, row.block), row.lower, row.upper, level],
        ...extra.map(({ key }) => figureOf(row, key)),
        row.verdict.status,
        row.verdict.reason,
      ]),
    },
    ...quantityTables(report.quantities ?? [], level, draft),
    {
      name: 'statistics',
      columns: ['name', 'value'],
      rows: Object.entries({ ...statistics, ...diagnostics, ...loo }),
    },
  ];
  if (correlation)
    tables.push({
      name: 'correlation',
      columns: ['parameter', ...names],
      rows: correlation.map((row, i) => [names[i] ?? '', ...row]),
    });
  if (profiles.length > 0)
    tables.push({
      name: 'profiles',
      columns: ['parameter', 'value', 'root'],
      rows: profiles.flatMap(({ name, values, roots }) => values.map((value, i) => [name, value, roots[i] ?? NaN])),
    });
  if (bands.length > 0)
    tables.push({
      name: 'bands',
      columns: ['output', 'row', 'value', 'lower', 'upper', 'predictionLower', 'predictionUpper', 'level'],
      rows: bands.flatMap((band) =>
        band.value.map((value, i) => [
          band.output,
          i,
          value,
          band.lower[i] ?? NaN,
          band.upper[i] ?? NaN,
          band.predictionLower[i] ?? NaN,
          band.predictionUpper[i] ?? NaN,
          level,
        ]),
      ),
    });
  if (draws.length > 0) {
    const chains = draws[0]?.chains ?? [];
    const flagged = divergent?.map((own) => new Set(own));
    // As the command line writes them.
    tables.push({
      name: 'draws',
      columns: ['chain', 'draw', ...draws.map(({ name }) => name), ...(flagged ? ['divergent'] : [])],
      rows: chains.flatMap((chain, c) =>
        Array.from(chain, (_, k) => [
          ...[c + 1, k + 1, ...draws.map((of) => of.chains[c]?.[k] ?? NaN)],
          ...(flagged ? [flagged[c]?.has(k) ? 1 : 0] : []),
        ]),
      ),
    });
  }
  return tables;
}

export function sensitivityTables(report: SensitivityReport): ExportTable[] {
  const columns = columnsOf(tableKeys(report));
  const titles = columns.map(({ title }) => title);
  const { indices, failures, convergence = [], directions, eigenvalues = [] } = report;
  const names = indices.map(({ name }) => name);
  const tables: ExportTable[] = [
    {
      name: 'indices',
      columns: ['parameter', ...titles],
      rows: indices.map(({ name, figures }) => [name, ...columns.map(({ cell }) => cell(figures))]),
    },
  ];
  if (convergence.length > 0)
    tables.push({
      name: 'convergence',
      columns: ['rows', 'parameter', ...titles],
      rows: convergence.flatMap(({ samples, indices: figures }) =>
        figures.map((own, i) => [samples, names[i] ?? '', ...columns.map(({ cell }) => cell(own))]),
      ),
    });
  if (directions)
    tables.push({
      name: 'directions',
      columns: ['eigenvalue', ...names],
      rows: directions.map((direction, i) => [eigenvalues[i] ?? NaN, ...direction]),
    });
  if (failures.length > 0)
    tables.push({
      name: 'failures',
      columns: ['reason', ...names],
      rows: failures.map(({ point, reason }) => [reason, ...point]),
    });
  return tables;
}

export function runTable(runs: readonly Run[]): ExportTable {
  const names = [...new Set(runs.flatMap(({ values }) => values.map(({ name }) => name)))];
  const byName = runs.map(({ values }) => new Map(values.map(({ name, value }) => [name, value])));
  return {
    name: 'runs',
    columns: [
      'run',
      'name',
      'kind',
      'method',
      'outcome',
      'objective',
      ...names,
      'device',
      'precision',
      'milliseconds',
      'finishedAt',
    ],
    rows: runs.map((run, i) => [
      run.number,
      run.name,
      run.kind,
      run.method,
      run.outcome,
      run.objective,
      ...names.map((name) => byName[i]!.get(name) ?? null),
      run.device,
      run.precision,
      run.milliseconds,
      run.finishedAt,
    ]),
  };
}

function quantityTables(
  rows: NonNullable<UncertaintyReport['quantities']>,
  level: number,
  draft: Draft,
): ExportTable[] {
  if (rows.length === 0) return [];
  return [
    {
      name: 'quantities',
      columns: ['quantity', 'value', 'unit', 'standardError', 'lower', 'upper', 'level', 'verdict', 'reason'],
      rows: rows.map(({ name, block, value, standardError, lower, upper, verdict }) => [
        ...[name, value, unitOf(draft, block), standardError, lower, upper, level],
        ...[verdict.status, verdict.reason],
      ]),
    },
  ];
}

export function designTables({ points, curves, method }: DesignReport): ExportTable[] {
  const columns = [...new Set(points.flatMap(({ x }) => Object.keys(x)))];
  return [
    {
      name: 'samples',
      columns: ['sample', ...columns, method],
      rows: points.map(({ x, after }, i) => [i + 1, ...columns.map((column) => x[column] ?? null), after]),
    },
    {
      name: 'curve',
      columns: ['of', 'group', 'column', 'x', method],
      rows: curves.flatMap(({ of, group = '', column, x, after }) =>
        x.map((at, i) => [of, group, column, at, after[i] ?? NaN]),
      ),
    },
  ];
}

export function comparedTables({ models, nested }: ComparisonReport): ExportTable[] {
  return [
    {
      name: 'models',
      columns: [
        'model',
        'status',
        'parameters',
        'objective',
        'logLikelihood',
        'aicc',
        'delta',
        'weight',
        'bic',
        'elpdLoo',
        'same as',
      ],
      rows: models.map(({ name, status, parameters, objective, logLikelihood, aicc, delta, weight, bic, ...row }) => [
        ...[name, status, parameters, objective, logLikelihood, aicc, delta, weight, bic],
        ...[row.elpdLoo ?? NaN, row.same ?? null],
      ]),
    },
    {
      name: 'nested',
      columns: ['small', 'large', 'test', 'p'],
      rows: nested.map(({ small, large, test, p }) => [small, large, test, p]),
    },
  ];
}
