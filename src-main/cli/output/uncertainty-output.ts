/** A study of uncertainty as the contract of the command line has it, and as a table. */
import { nestNumbers } from '../../../models/notation/numbers.ts';
import { misfitSentence } from '../../contract/verdicts.ts';
import type { UncertaintyReport } from '../../contract/studies.ts';
import { byBlock, nestedElements, orNull } from './elements.ts';
import { digitsWithin, printColumns, record, shown, shownTo } from './output.ts';

type Row = UncertaintyReport['parameters'][number];
type Band = NonNullable<UncertaintyReport['bands']>[number];

const bandKeys = ['value', 'lower', 'upper', 'predictionLower', 'predictionUpper'] as const;

function parameterJson(rows: readonly Row[]): object {
  const keys = Object.keys(rows[0]?.figures ?? {}).filter((key) => !mixingKeys.some((other) => other === key));
  return {
    value: nestedElements(rows, ({ value }) => value),
    lower: nestedElements(rows, ({ lower }) => orNull(lower)),
    upper: nestedElements(rows, ({ upper }) => orNull(upper)),
    verdict: nestedElements(rows, ({ verdict }) => verdict),
    ...Object.fromEntries(keys.map((key) => [key, nestedElements(rows, ({ figures }) => orNull(figures[key]))])),
  };
}

function emptyJson(shape: readonly number[]): object {
  const none = nestNumbers([], shape);
  return { value: none, lower: none, upper: none, verdict: none };
}

const mixingKeys = ['rHat', 'essBulk', 'essTail', 'divergences'] as const;

/** Of chains, by parameter: the number of all divergences gives way to where they were. */
function mixingJson(rows: readonly Row[]): object {
  const free = [...byBlock(rows.filter(({ fixed }) => !fixed))];
  return Object.fromEntries(
    mixingKeys.map((key) => [
      key,
      record(
        free.map(([id, elements]) => [id, nestedElements(elements, ({ figures }) => orNull(figures[key]))] as const),
      ),
    ]),
  );
}

function bandJson(band: Band): object {
  const nested = (key: (typeof bandKeys)[number]) => nestNumbers(band[key], band.shape);
  return Object.fromEntries(bandKeys.map((key) => [key, key === 'value' ? nested(key) : orNull(nested(key))]));
}

const nullable = (figures: Readonly<Record<string, number>>): object =>
  Object.fromEntries(Object.entries(figures).map(([key, value]) => [key, orNull(value)]));

type Quantities = NonNullable<UncertaintyReport['quantities']>;

function quantityJson(rows: Quantities): object {
  const keys = Object.keys(rows[0]?.figures ?? {});
  return {
    value: nestedElements(rows, ({ value }) => orNull(value)),
    ...Object.fromEntries(
      (['lower', 'upper', 'standardError'] as const).map((key) => [
        key,
        nestedElements(rows, (row) => orNull(row[key])),
      ]),
    ),
    verdict: nestedElements(rows, ({ verdict }) => verdict),
    ...Object.fromEntries(keys.map((key) => [key, nestedElements(rows, ({ figures }) => orNull(figures[key]))])),
  };
}

export function uncertaintyJson(report: UncertaintyReport): object {
  const {
    method,
    level,
    fit,
    parameters,
    quantities = [],
    names,
    correlation,
    conditionNumber,
    profiles,
    bands,
  } = report;
  return {
    method,
    level,
    parameters: record([
      ...[...byBlock(parameters)].map(([id, rows]) => [id, parameterJson(rows)] as const),
      ...(report.empty ?? []).map(({ block, shape }) => [block, emptyJson(shape)] as const),
    ]),
    ...(quantities.length > 0 && {
      quantities: record([...byBlock(quantities)].map(([id, rows]) => [id, quantityJson(rows)] as const)),
    }),
    fit,
    ...(correlation && { correlation: { parameters: names, matrix: orNull(correlation) }, conditionNumber }),
    sloppy: report.sloppy,
    statistics: nullable(report.statistics),
    diagnostics: { ...nullable(report.diagnostics), ...(method === 'hmc' && mixingJson(parameters)) },
    ...(report.loo && { loo: nullable(report.loo) }),
    ...(report.predictive && {
      predictive: record(report.predictive.map(({ block, checks }) => [block, nullable(checks)] as const)),
    }),
    warnings: report.warnings,
    ...(profiles && {
      profiles: record(profiles.map(({ name, values, roots }) => [name, { values, roots }] as const)),
    }),
    ...(bands && { bands: record(bands.map((band) => [band.output, bandJson(band)] as const)) }),
    seed: report.seed,
    cancelled: report.cancelled,
    device: report.device,
    precision: report.precision,
  };
}

const cell = (value: number): string => cellOf(value, shown);

function cellOf(value: number, written: (value: number) => string): string {
  if (Number.isNaN(value)) return '–';
  return Number.isFinite(value) ? written(value) : value > 0 ? '∞' : '−∞';
}

/** A value and its ends. */
function cellsWithin(value: number, lower: number, upper: number): string[] {
  const digits = digitsWithin(lower, upper);
  return [value, lower, upper].map((each) => cellOf(each, (x) => shownTo(x, digits)));
}

const listFigures = (figures: Readonly<Record<string, number>>): string =>
  Object.entries(figures)
    .map(([key, value]) => `${key} ${cell(value)}`)
    .join(', ');

export function printUncertainty(report: UncertaintyReport): void {
  const { method, level, fit, parameters, statistics, diagnostics, sloppy, warnings, cancelled } = report;
  const percent = `${Number((100 * level).toPrecision(6))} %`;
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  write(`${cancelled ? 'Stopped: ' : ''}${method} intervals at ${percent}; the fit ${fit.status}: ${fit.reason}.`);
  const misfit = misfitSentence(statistics);
  if (misfit !== undefined) write(misfit);
  write(`objective ${shown(fit.objective)}\n`);
  printColumns(
    [
      ['parameter', 'value', `lower ${percent}`, `upper ${percent}`, ''],
      ...parameters.map(({ name, value, lower, upper, verdict }) => [
        name,
        ...cellsWithin(value, lower, upper),
        verdict.reason,
      ]),
    ],
    new Set([1, 2, 3]),
  );
  if (report.quantities && report.quantities.length > 0) {
    write('');
    printColumns(
      [
        ['quantity', 'value', 'standard error', `lower ${percent}`, `upper ${percent}`, ''],
        ...report.quantities.map(({ name, value, standardError, lower, upper, verdict }) => {
          const [at, ...ends] = cellsWithin(value, lower, upper);
          return [name, at!, cell(standardError), ...ends, verdict.reason];
        }),
      ],
      new Set([1, 2, 3, 4]),
    );
  }
  const notes = [
    ...(report.conditionNumber === undefined ? [] : [`condition number ${cell(report.conditionNumber)}`]),
    ...(Object.keys(statistics).length > 0 ? [listFigures(statistics)] : []),
    ...(Object.keys(diagnostics).length > 0 ? [listFigures(diagnostics)] : []),
    ...(report.loo ? [listFigures(report.loo)] : []),
    ...(report.predictive ?? []).map(
      ({ block, checks }) =>
        `data drawn again for ${block}, share at or above what was observed: ${listFigures(checks)}`,
    ),
    ...sloppy,
    ...warnings.map((warning) => `warning: ${warning}`),
  ];
  if (notes.length > 0) write(`\n${notes.join('\n')}`);
  for (const band of report.bands ?? []) {
    write(`\n${band.output}`);
    const rows = band.value.map((_, i) => bandKeys.map((key) => cell(band[key][i]!)));
    printColumns(
      [['value', 'lower', 'upper', 'lower of a new one', 'upper of a new one'], ...rows],
      new Set([0, 1, 2, 3, 4]),
    );
    if (band.predictionLower.every(Number.isNaN) && !band.lower.every(Number.isNaN))
      write('The noise of a new one is not a least-squares block’s: plot --bands has its limits.');
  }
}
