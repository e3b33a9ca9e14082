/** Runs side by side: each value beside that of the first run, and how far it is from it. */
import type { Client, Location } from '../../../src-main/contract/contract.ts';
import { spoken, type ElementLabels } from '../../../src-main/contract/element-labels.ts';
import type { Plot } from '../../../src-main/contract/plots.ts';
import { inOrder } from '../document/draft.ts';
import { formatNumber, formatPercent } from '../words/number-format.ts';
import { pointRecord } from '../document/point.ts';
import type { Run } from '../document/runs.ts';
import { pointOfRun } from '../document/runs.ts';
import type { ExportTable } from '../window/table-export.ts';

export interface ComparedValue {
  readonly value: number;
  readonly interval: readonly [number, number] | undefined;
  /** From the first run's value; NaN for that one itself, and where either is missing. */
  readonly difference: number;
  readonly share: number;
}

export interface ComparedRow {
  readonly name: string;
  readonly values: readonly ComparedValue[];
}

/** Criteria by which models are compared: less is better. */
const criteria: readonly (readonly [key: string, name: string])[] = [
  ['aic', 'AIC'],
  ['aicc', 'AICc'],
  ['bic', 'BIC'],
];

function compared(values: readonly number[], intervals: readonly (readonly [number, number] | undefined)[] = []) {
  const [first = NaN] = values;
  return values.map((value, i): ComparedValue => {
    const difference = i === 0 ? NaN : value - first;
    return { value, interval: intervals[i], difference, share: difference / Math.abs(first) };
  });
}

/** Elements by their labels: in another run the same may have another place. */
export function toldRun(run: Run, labels: ElementLabels): Run {
  return { ...run, values: run.values.map((row) => ({ ...row, name: spoken(row.name, labels) })) };
}

export function comparedParameters(runs: readonly Run[]): ComparedRow[] {
  const names = [...new Set(runs.flatMap(({ values }) => values.map(({ name }) => name)))];
  const byName = runs.map(({ values }) => new Map(values.map((row) => [row.name, row])));
  return names.map((name) => ({
    name,
    values: compared(
      byName.map((rows) => rows.get(name)?.value ?? NaN),
      byName.map((rows) => rows.get(name)?.interval ?? undefined),
    ),
  }));
}

export function comparedCriteria(runs: readonly Run[]): ComparedRow[] {
  const known = criteria.filter(([key]) => runs.some(({ statistics }) => Number.isFinite(statistics[key])));
  return [
    { name: 'objective', values: compared(runs.map(({ objective }) => objective)) },
    ...known.map(([key, name]) => ({ name, values: compared(runs.map(({ statistics }) => statistics[key] ?? NaN)) })),
  ];
}

/** Two fits of one problem end where it is flat to rounding: what differs less is the same. */
const sameBelow = 1e-6;

/** `+0.3 (+2 %)`; empty for the first run. */
export function differenceText({ difference, share }: ComparedValue): string {
  if (Number.isNaN(difference)) return '';
  if (difference === 0 || Math.abs(share) < sameBelow) return 'the same';
  const sign = difference > 0 ? '+' : '−';
  const relative = Number.isFinite(share) ? ` (${sign}${formatPercent(Math.abs(share))})` : '';
  return `${sign}${formatNumber(Math.abs(difference), 'rough')}${relative}`;
}

export function runName({ name, number, kind }: Run): string {
  return name === '' ? `${kind} ${number}` : name;
}

export function comparisonTable(runs: readonly Run[]): ExportTable {
  const rows = [...comparedCriteria(runs), ...comparedParameters(runs)];
  const parts = ['', ' lower', ' upper'];
  return {
    name: 'comparison',
    columns: ['quantity', ...runs.flatMap((run) => parts.map((part) => `${runName(run)}${part}`))],
    rows: rows.map(({ name, values }) => [
      name,
      ...values.flatMap(({ value, interval }) => [value, interval?.[0] ?? null, interval?.[1] ?? null]),
    ]),
  };
}

/** What a run predicts, where there is a plot of it: by the document as it was then. */
export async function curvesOf(client: Client, location: Location, run: Run): Promise<Plot | null> {
  const point = pointOfRun(run);
  if (point.size === 0) return null;
  const { handle } = await client.request('model.check', { document: inOrder(run.draft), location });
  if (handle === undefined) return null;
  const parameters = pointRecord(run.draft, point);
  const found = await client.request('model.plots', { handle, parameters, outputs: [] });
  return found?.plots[0] ?? null;
}
