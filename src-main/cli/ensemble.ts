/** `ensemble prepare | run | collect`: one study in shards, on a cluster. */
import { basename, dirname, join, resolve } from 'node:path';
import { defaultSamples, type Device, shardPart } from '../../engine/index.ts';
import { hashDocument } from '../../models/format/hash.ts';
import { printDocument } from '../../models/format/print.ts';
import type { Model } from '../../models/load/model.ts';
import { nodeFiles } from '../../models/tables/node-files.ts';
import { collectParts, missingShards, runPart } from '../compute/ensemble.ts';
import type { Description, Manifest } from '../files/ensemble-manifest.ts';
import { readDocument } from '../files/documents.ts';
import {
  type FolderFile,
  hasResult,
  readEnsemble,
  readResults,
  writeEnsemble,
  writeResult,
} from '../files/ensembles.ts';
import { Refused } from '../refused.ts';
import { ensembleStudies } from '../study-methods.ts';
import { exitStatus } from './failure.ts';
import { fitStatuses } from './fit.ts';
import { fitJson, printFit } from './fit-output.ts';
import { withModel } from './model.ts';
import type { ModelOptions } from './options.ts';
import { printJson, printWarnings } from './output.ts';
import { readJob } from './run-in-worker.ts';
import { printSensitivity, sensitivityJson } from './sensitivity-output.ts';
import { readVersion } from './version.ts';

export interface PrepareOptions extends Pick<ModelOptions, 'set' | 'json' | 'precision'> {
  readonly device: Description['device'];
  readonly study: string;
  readonly of?: string;
  readonly method?: string;
  readonly samples?: number;
  readonly starts?: number;
  readonly shards?: number;
  readonly seed?: number;
  readonly out: string;
}

/** Shards where nobody says how many. */
const usualShards = 16;

type Asked = Pick<Description, 'study' | 'of' | 'method' | 'samples' | 'seed'>;

/** What the options ask for, the document's own wishes and the usual numbers filled in. */
function asked(model: Model, { study: name, of, method, samples, starts, seed, device }: PrepareOptions): Asked {
  const study = ensembleStudies.find((known) => known === name);
  if (!study)
    throw new Refused(
      `${name} is not run in shards: ensembles are of ${ensembleStudies.join(', ')}; on one machine it is run as one batch`,
    );
  if (study !== 'multistart') {
    if (starts !== undefined || method !== undefined)
      throw new Refused(
        `--${starts === undefined ? 'method' : 'starts'} is of multistart: ${study} has --samples and --of`,
      );
    return { study, samples: samples ?? defaultSamples[study], seed: seed ?? 0, ...(of !== undefined && { of }) };
  }
  if (samples !== undefined || of !== undefined)
    throw new Refused(
      `--${of === undefined ? 'samples' : 'of'} is of sobol and morris: multistart has --starts and --method`,
    );
  if (device === 'webgpu') throw new Refused('starts are run in shards on the cpu, in f64 unless said: --device cpu');
  const { fit } = model.document;
  const count = starts ?? fit?.starts ?? 1;
  if (count < 2) throw new Refused('one start is no ensemble: --starts wants at least 2');
  return { study, samples: count, seed: seed ?? fit?.seed ?? 0, ...(method !== undefined && { method }) };
}

export async function prepareEnsemble(path: string, options: PrepareOptions): Promise<void> {
  const { shards, precision, device, out } = options;
  const { document } = await readJob(path, options);
  const { ensemble, tables } = await withModel(path, { ...options, device: 'cpu' }, async (model, cpu) => {
    const ensemble = asked(model, options);
    await runPart(model, cpu, ensemble, { from: 0, to: 0 });
    return { ensemble, tables: await tablesOf(model, dirname(resolve(path))) };
  });
  const count = shards ?? Math.min(usualShards, ensemble.samples);
  if (count > ensemble.samples)
    throw new Refused(`--shards ${count} are more than there is to share: ${ensemble.samples} rows or starts`);
  const about = { ...ensemble, version: readVersion(), shards: count, device, precision };
  const text: FolderFile = { path: basename(path), bytes: printDocument(document) };
  const manifest = await writeEnsemble(out, about, [text, ...tables]);
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
  const { samples, hash } = manifest;
  if (count > samples)
    throw new Refused(`--shard ${index}/${count} is of more shards than there is to share: ${samples} rows or starts`);
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
  const documentHash = hashDocument(await readDocument(join(folder, manifest.document)));
  const report = await withEnsemble(folder, manifest, (model, device) =>
    collectParts(model, device, manifest, results, documentHash),
  );
  if ('kind' in report) {
    if (json) printJson({ ...sensitivityJson(report), ensemble });
    else printSensitivity(report);
    return;
  }
  if (missing.length === 0) process.exitCode = fitStatuses[report.status];
  if (json) printJson({ ...fitJson(report), ensemble });
  else printFit(report);
}
