/** A sensitivity study as the contract of the command line has it, and as a table. */
import { brokenBounds, saidOfBounds } from '../../contract/bounds.ts';
import { intervalEnding, plainTitle } from '../../../models/facts/figures.ts';
import type { SensitivityFacts } from '../../../models/facts/method.ts';
import { sensitivityFacts, type SensitivityMethod } from '../../../models/facts/methods.ts';
import { nestNumbers } from '../../../models/notation/numbers.ts';
import type { SensitivityReport } from '../../contract/studies.ts';
import { byBlock, nestedElements, orNull } from './elements.ts';
import { printColumns, record, shown, shownNested } from './output.ts';

type Row = SensitivityReport['indices'][number];

/** Over the elements of an array output: what the local method gives of one, and Sobol's beside the indices of the whole. */
const isCourse = (key: string, { method }: SensitivityReport): boolean => method === 'local' || key.endsWith('Course');

/** A time course is nested as the output is. */
function figure(row: Row, key: string, report: SensitivityReport): unknown {
  const value = row.figures[key]!;
  return orNull(isCourse(key, report) && typeof value !== 'number' ? nestNumbers(value, report.shape) : value);
}

function nested(rows: readonly Row[], report: SensitivityReport): object {
  const keys = Object.keys(rows[0]?.figures ?? {});
  const parameters = [...byBlock(rows)].map(([id, elements]) => {
    const figures = keys.map((key) => [key, nestedElements(elements, (row) => figure(row, key, report))] as const);
    return [id, record(figures)] as const;
  });
  return record(parameters);
}

export function sensitivityJson(report: SensitivityReport): object {
  const { method, of, indices, samples, failed, runs, failures, seed, device, precision } = report;
  const { directions, eigenvalues, convergence, mean, variance, cancelled } = report;
  const names = indices.map(({ name }) => name);
  return {
    method,
    of,
    indices: nested(indices, report),
    ...(directions && { parameters: names, directions: orNull(directions), eigenvalues: orNull(eigenvalues) }),
    samples,
    failed,
    runs,
    failures: failures.map(({ point, reason }) => ({
      parameters: record(names.map((name, i) => [name, point[i]] as const)),
      reason,
    })),
    ...(mean !== undefined && { mean: orNull(mean), variance: orNull(variance) }),
    ...(convergence && {
      convergence: convergence.map((step) => ({
        samples: step.samples,
        indices: nested(
          step.indices.map((figures, i) => ({ ...indices[i]!, figures })),
          report,
        ),
      })),
    }),
    ...(brokenBounds(report) !== '' && { warnings: [brokenBounds(report)] }),
    seed,
    cancelled,
    device,
    precision,
  };
}

const heading = (key: string): string => (key.endsWith(intervalEnding) ? '95 %' : plainTitle(key));

function cell(value: unknown): string {
  const known = orNull(value);
  if (known === null) return '–';
  if (Array.isArray(known)) return shownNested(known.map((item: unknown) => item ?? '–'));
  return shown(value as number);
}

export function printSensitivity(report: SensitivityReport): void {
  const { method, of, shape, indices, samples, runs, failed, failures } = report;
  const { eigenvalues, directions, cancelled } = report;
  // A line is too short for a course: it is in the JSON.
  const keys = Object.keys(indices[0]?.figures ?? {}).filter((key) => !key.endsWith('Course'));
  const what = method === 'local' ? 'at the parameters’ values' : `${samples} samples, ${runs} runs`;
  process.stdout.write(`${cancelled ? 'Stopped: ' : ''}${method} sensitivity of ${of}, ${what}, ${failed} failed\n\n`);
  const order = [...indices].sort((a, b) => rank(b, method) - rank(a, method));
  printColumns(
    [
      ['parameter', ...keys.map((key) => heading(key))],
      ...order.map(({ name, figures }) => [name, ...keys.map((key) => cell(figures[key]))]),
    ],
    new Set(keys.map((_, column) => column + 1)),
  );
  if (directions && eigenvalues) {
    process.stdout.write('\n');
    printColumns(
      [
        ['eigenvalue', ...indices.map(({ name }) => name)],
        ...directions.map((direction, j) => [shown(eigenvalues[j]!), ...direction.map(cell)]),
      ],
      new Set([0, ...indices.map((_, i) => i + 1)]),
    );
  }
  if (method === 'sobol' && shape.length > 0)
    process.stdout.write('\nOf the array as a whole; --json has the indices of each element.\n');
  const said = saidOfBounds(report);
  if (said !== '') process.stdout.write(`\n${said}\n`);
  const [first] = failures;
  if (!first) return;
  const where = indices.map(({ name }, i) => `${name} = ${shown(first.point[i]!)}`).join(', ');
  process.stdout.write(
    `\nOf ${runs} runs ${failed} failed and enter no index. The first: ${first.reason} at ${where}.\n`,
  );
}

/** The most influential first: by what the method ranks by. What was not sampled keeps its order. */
function rank({ figures }: Row, method: SensitivityMethod): number {
  const { samples, ranksBy }: SensitivityFacts = sensitivityFacts[method];
  const value = samples === undefined ? 0 : (figures[ranksBy] as number);
  return Number.isNaN(value) ? -Infinity : value;
}
