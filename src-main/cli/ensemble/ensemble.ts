/** `ensemble prepare | run | collect`: one study in shards, on a cluster. */
import { shardFacts } from '../../../models/facts/methods.ts';
import { basename, join } from 'node:path';
import { type Device, shardPart } from '../../../engine/index.ts';
import { printDocument } from '../../../models/format/print.ts';
import type { Model } from '../../../models/load/model.ts';
import { nodeFiles } from '../../../models/tables/node-files.ts';
import { collectParts, missingShards, runPart } from '../../compute/study/ensemble.ts';
import { labelsOf } from '../../compute/fit/labels.ts';
import { allSpoken } from '../../contract/element-labels.ts';
import type { FitReport } from '../../contract/contract.ts';
import type { StudyReport } from '../../contract/studies.ts';
import type { Manifest } from '../../files/ensemble-manifest.ts';
import { documentFolder } from '../../files/locations.ts';
import {
  type FolderFile,
  hasResult,
  readEnsemble,
  readResults,
  writeEnsemble,
  writeResult,
} from '../../files/ensembles.ts';
import { Refused } from '../../refused.ts';
import { ensembleAsked, type PrepareOptions } from './ensemble-asked.ts';
import { exitStatus } from '../failure.ts';
import { fitStatuses } from '../fit/fit.ts';
import { fitJson, printFit } from '../output/fit-output.ts';
import { withModel } from '../model.ts';
import type { ModelOptions } from '../options.ts';
import { printJson, printWarnings } from '../output/output.ts';
import { readJob } from '../run-in-worker.ts';
import { printSensitivity, sensitivityJson } from '../output/sensitivity-output.ts';
import { uncertaintyStatus } from '../study/uncertainty.ts';
import { printUncertainty, uncertaintyJson } from '../output/uncertainty-output.ts';
import { readVersion } from '../version.ts';

/** Shards where nobody says how many. */
const usualShards = 16;

export async function prepareEnsemble(path: string, options: PrepareOptions): Promise<void> {
  const { shards, precision, device, out } = options;
  const { document } = await readJob(path, options);
  const { ensemble, tables } = await withModel(path, { ...options, device: 'cpu' }, async (model, cpu) => {
    const ensemble = await ensembleAsked(model, cpu, options);
    await runPart(model, cpu, ensemble, { from: 0, to: 0 });
    return { ensemble, tables: await tablesOf(model, documentFolder(path)) };
  });
  const count = shards ?? Math.min(usualShards, ensemble.samples);
  if (count > ensemble.samples)
    throw new Refused(
      `--shards ${count} are more than there is to share: ${ensemble.samples} ${shardFacts[ensemble.study].shards}`,
    );
  const about = { ...ensemble, version: readVersion(), shards: count, device, precision };
  const text: FolderFile = { path: basename(path), bytes: printDocument(document) };
  const manifest = await writeEnsemble(out, about, [text, ...tables], path);
  if (options.json) printJson(manifest);
  else
    process.stdout.write(
      `${out}: ${ensemble.study} of ${ensemble.samples} in ${count} shards; submit ${join(out, 'job.sh')}\n`,
    );
}

/** The files of its tables, each once. */
async function tablesOf({ document }: Model, folder: string): Promise<FolderFile[]> {
  const read = nodeFiles(folder);
  const paths = Object.values(document.tables ?? {}).flatMap((entry) => ('file' in entry ? [entry.file] : []));
  return Promise.all([...new Set(paths)].map(async (path) => ({ path, bytes: await read(path) })));
}

const withEnsemble = <T>(
  folder: string,
  { document, device, precision }: Manifest,
  work: (model: Model, device: Device) => Promise<T>,
): Promise<T> => withModel(join(folder, document), { device, precision, set: [], json: false }, work);

export interface ShardOptions {
  readonly shard: readonly [index: number, count: number];
  readonly again: boolean;
}

/** A shard that is done stays as it is, unless it is wanted again: a job that was stopped is submitted as it was. */
export async function runShard(folder: string, { shard: [index, count], again }: ShardOptions): Promise<void> {
  const manifest = await readEnsemble(folder);
  const { study, samples, hash } = manifest;
  if (count > samples)
    throw new Refused(
      `--shard ${index}/${count} is of more shards than there is to share: ${samples} ${shardFacts[study].shards}`,
    );
  if (!again && (await hasResult(folder, manifest, index, count))) {
    process.stdout.write(`shard ${index}/${count} is done already; --again runs it once more\n`);
    return;
  }
  const part = shardPart(index, count, samples);
  const found = await withEnsemble(folder, manifest, (model, device) => runPart(model, device, manifest, part));
  await writeResult(folder, index, count, { ...found, schema: 'cotangent-ensemble-result/1', ensemble: hash });
  process.stdout.write(`shard ${index}/${count}: ${part.to - part.from} of ${samples} done\n`);
}

/** Prints what the shards that are there say together. */
export async function collectEnsemble(folder: string, { json }: Pick<ModelOptions, 'json'>): Promise<void> {
  const manifest = await readEnsemble(folder);
  const { study, shards } = manifest;
  const { results, unusable } = await readResults(folder, manifest);
  const missing = missingShards(manifest, results);
  printWarnings(
    unusable.map((name) => `${join(folder, 'results', name)} is broken or of another ensemble: passed over`),
  );
  const ensemble = { study, shards, missing };
  if (missing.length > 0) {
    process.exitCode = exitStatus.incomplete;
    const which =
      missing.length === 1 ? `shard ${missing[0]} of ${shards} is` : `shards ${missing.join(', ')} of ${shards} are`;
    process.stderr.write(`cotangent: ${which} missing\n`);
  }
  if (results.every(({ from, to }) => from === to)) {
    if (json) printJson({ ensemble });
    return;
  }
  const { report, labels } = await withEnsemble(folder, manifest, async (model, device) => ({
    report: await collectParts(model, device, manifest, results),
    labels: labelsOf(model),
  }));
  const { status, asJson } = outputOf(report);
  if (missing.length === 0) process.exitCode = status;
  if (json) printJson({ ...asJson(), ensemble });
  else outputOf(allSpoken(report, labels)).print();
}

interface Output {
  /** The exit status where no shard is missing. */
  readonly status: number;
  readonly asJson: () => object;
  readonly print: () => void;
}

function outputOf(report: StudyReport | FitReport): Output {
  if (!('kind' in report))
    return { status: fitStatuses[report.status], asJson: () => fitJson(report), print: () => printFit(report) };
  if (report.kind === 'sensitivity')
    return {
      status: exitStatus.done,
      asJson: () => sensitivityJson(report),
      print: () => printSensitivity(report),
    };
  if (report.kind === 'design' || report.kind === 'comparison') throw new Error(`a ${report.kind} is run in one piece`);
  return {
    status: uncertaintyStatus(report),
    asJson: () => uncertaintyJson(report),
    print: () => printUncertainty(report),
  };
}
