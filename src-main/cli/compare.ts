/** `compare`: models of the same data, each fitted first, ranked and tested against each other. */
import { dirname, resolve } from 'node:path';
import { prepareGpuEnvironment } from '../../engine/index.ts';
import { printDocument } from '../../models/format/print.ts';
import type { Model } from '../../models/load/model.ts';
import { type Compared, comparisonOf, type Comparison, demandSameData } from '../compute/fit/comparison.ts';
import { demandModel, load } from '../compute/running/load.ts';
import { followers } from '../compute/fit/nested.ts';
import { documentName } from '../files/documents.ts';
import { Refused } from '../refused.ts';
import { byBlock, orNull } from './output/elements.ts';
import { exitStatus } from './failure.ts';
import type { ModelOptions } from './options.ts';
import { printColumns, printJson, printWarnings, shown } from './output/output.ts';
import { readJob, runInWorker } from './run-in-worker.ts';
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
  await demandSameData(subjects);
  if (options.device === 'webgpu' || options.device === 'auto') prepareGpuEnvironment();
  const compared: Compared[] = [];
  for (const subject of subjects) {
    const report = await runStudy(subject.path, options, { kind: 'uncertainty', method: 'covariance' });
    if (report?.kind !== 'uncertainty') return;
    if (report.cancelled) return void (process.exitCode = exitStatus.stopped);
    compared.push({ name: subject.name, model: subject.model, report });
  }
  const jobs = new Map(subjects.map(({ name, job }) => [name, job]));
  const comparison = await comparisonOf(compared, (small, large) => isCase(small, large, jobs.get(large.name)!));
  if (compared.some(({ report }) => report.fit.status !== 'converged')) process.exitCode = exitStatus.notConverged;
  if (options.json) printJson(comparisonJson(comparison));
  else print(comparison);
  printWarnings(comparison.warnings);
}

async function subjectOf(path: string, options: ModelOptions): Promise<Subject> {
  const job = await readJob(path, options);
  const model = demandModel(await load(job.document, dirname(resolve(path))));
  return { name: model.document.name ?? documentName(path), path, job, model };
}

/** Documents of one name are told apart by their paths. */
function named(subjects: readonly Subject[]): Subject[] {
  return subjects.map((subject) =>
    subjects.filter(({ name }) => name === subject.name).length > 1 ? { ...subject, name: subject.path } : subject,
  );
}

/** By a fit at each point, the last found first; from several starts where one does not follow. */
async function isCase(small: Compared, large: Compared, job: Subject['job']): Promise<boolean> {
  const asked = await followers(small.model, large.model, valuesOf(small));
  if (!asked) return false;
  for (const { document, tolerance } of asked) {
    const plain = JSON.parse(printDocument(document)) as Record<string, unknown>;
    const fit = { ...job, document: plain, parameters: valuesOf(large), method: 'levenberg-marquardt', seed: 0 };
    const follows = async (starts: number): Promise<boolean> => {
      const { objective } = await runInWorker({ kind: 'fit', job: { ...fit, starts } }, () => undefined);
      return objective <= tolerance;
    };
    if (!(await follows(1)) && !(await follows(16))) return false;
  }
  return true;
}

function valuesOf({ report }: Compared): Record<string, number[]> {
  return Object.fromEntries(
    [...byBlock(report.parameters)].map(([id, rows]) => [id, rows.map(({ value }) => value)] as const),
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
      ['model', 'parameters', 'objective', 'AICc', 'ΔAICc', 'weight', 'BIC', ''],
      ...models.map((row) => [
        row.name,
        String(row.parameters),
        ...[row.objective, row.aicc, row.delta].map(cell),
        Number.isNaN(row.weight) ? '–' : row.weight.toPrecision(3),
        cell(row.bic),
        row.status === 'converged' ? '' : row.status,
      ]),
    ],
    new Set([1, 2, 3, 4, 5, 6]),
  );
  for (const { small, large, test, p } of nested) {
    const by = test === 'F' ? 'F test' : 'likelihood-ratio test';
    const said = p < 0.05 ? 'what it adds is in the data' : 'what it adds is not needed by these data';
    process.stdout.write(`\n${large} has ${small} as a case: ${by}, p = ${p.toPrecision(3)}: ${said}\n`);
  }
}
