/** `compare`: models of the same data, each fitted first, ranked and tested against each other. */
import { prepareGpuEnvironment } from '../../../engine/index.ts';
import { elpdLooFact } from '../../../models/facts/figures.ts';
import type { Model } from '../../../models/load/model.ts';
import {
  asOneOfMany,
  type Compared,
  comparisonOf,
  type Comparison,
  demandComparable,
} from '../../compute/fit/comparison.ts';
import { demandModel, load } from '../../compute/running/load.ts';
import { documentName } from '../../files/documents.ts';
import { documentFolder } from '../../files/locations.ts';
import { Refused } from '../../refused.ts';
import { orNull } from '../output/elements.ts';
import { exitStatus } from '../failure.ts';
import type { ModelOptions } from '../options.ts';
import { printColumns, printJson, printWarnings, shown } from '../output/output.ts';
import { readJob, runInWorker } from '../run-in-worker.ts';
import { runStudy } from './run-study.ts';

interface Subject {
  readonly name: string;
  readonly path: string;
  readonly job: Awaited<ReturnType<typeof readJob>>;
  readonly model: Model;
}

export async function compare(paths: readonly string[], options: ModelOptions): Promise<void> {
  if (paths.length < 2) throw new Refused('compare wants two models or more');
  const subjects = named(await Promise.all(paths.map((path) => subjectOf(path, options))));
  await demandComparable(subjects);
  if (options.device === 'webgpu' || options.device === 'auto') prepareGpuEnvironment();
  const compared: Compared[] = [];
  for (const subject of subjects) {
    const report = await runStudy(subject.path, options, asOneOfMany);
    if (report?.kind !== 'uncertainty') return;
    if (report.cancelled) return void (process.exitCode = exitStatus.stopped);
    compared.push({ name: subject.name, model: subject.model, report });
  }
  const jobs = new Map(subjects.map(({ name, job }) => [name, job]));
  const comparison = await comparisonOf(compared, ({ name }) => async (document, request) => {
    const { parameters, ...asked } = request;
    const job = { ...jobs.get(name)!, document, parameters, work: { kind: 'fit', ...asked } } as const;
    return runInWorker(job, () => undefined);
  });
  if (compared.some(({ report }) => report.fit.status !== 'converged')) process.exitCode = exitStatus.notConverged;
  if (options.json) printJson(comparisonJson(comparison));
  else print(comparison);
  printWarnings(comparison.warnings);
}

async function subjectOf(path: string, options: ModelOptions): Promise<Subject> {
  const job = await readJob(path, options);
  const model = demandModel(await load(job.document, documentFolder(path)));
  return { name: model.document.name ?? documentName(path), path, job, model };
}

/** Documents of one name are told apart by their paths. */
function named(subjects: readonly Subject[]): Subject[] {
  return subjects.map((subject) =>
    subjects.filter(({ name }) => name === subject.name).length > 1 ? { ...subject, name: subject.path } : subject,
  );
}

function comparisonJson({ models, nested, warnings }: Comparison): object {
  const plain = (row: object): object =>
    Object.fromEntries(Object.entries(row).map(([key, value]: [string, unknown]) => [key, orNull(value)]));
  return { models: models.map(plain), nested: nested.map(plain), warnings };
}

const cell = (value: number): string => (Number.isNaN(value) ? '–' : shown(value));

function print({ models, nested }: Comparison): void {
  printColumns(
    [
      ['model', 'parameters', 'objective', 'AICc', 'ΔAICc', 'weight', 'BIC', elpdLooFact.title, ''],
      ...models.map((row) => [
        row.name,
        String(row.parameters),
        ...[row.objective, row.aicc, row.delta].map(cell),
        Number.isNaN(row.weight) ? '–' : row.weight.toPrecision(3),
        cell(row.bic),
        cell(row.elpdLoo ?? NaN),
        row.same === undefined ? (row.status === 'converged' ? '' : row.status) : `the same as ${row.same}`,
      ]),
    ],
    new Set([1, 2, 3, 4, 5, 6, 7]),
  );
  for (const { name, withoutLoo } of models)
    if (withoutLoo !== undefined) process.stdout.write(`\n${name} has no ${elpdLooFact.noun}: ${withoutLoo}\n`);
  for (const { small, large, test, p } of nested) {
    const by = test === 'F' ? 'F test' : 'likelihood-ratio test';
    const said = p < 0.05 ? 'what it adds is in the data' : 'what it adds is not needed by these data';
    process.stdout.write(`\n${large} has ${small} as a case: ${by}, p = ${p.toPrecision(3)}: ${said}\n`);
  }
}
