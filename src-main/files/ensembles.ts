/**
 * The folder of an ensemble: `ensemble.json`, `job.sh`, the document and its tables in `model/`, and in `results/` one
 * file for each shard that was run. Every file is written whole or not at all; the manifest comes last.
 */
import { readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { pathFault } from '../../models/tables/path.ts';
import { reviveNumbers, stringify } from '../json.ts';
import { Refused } from '../refused.ts';
import { makeFolder, removeFile, writeWhole } from './durable.ts';
import {
  type Description,
  hashOf,
  type Manifest,
  manifest as manifestSchema,
  manifestName,
  resultsName,
  sha256,
  shardResult,
  type ShardResult,
} from './ensemble-manifest.ts';

const modelName = 'model';

export interface FolderFile {
  /** In the folder of the document. */
  readonly path: string;
  readonly bytes: string | Uint8Array;
}

/** Writes a folder that is not there yet, or is empty. `model`: the document first, then its tables; `of`: where the document lies. */
export async function writeEnsemble(
  folder: string,
  about: Omit<Description, 'schema' | 'document' | 'files'>,
  model: readonly [FolderFile, ...FolderFile[]],
  of: string,
): Promise<Manifest> {
  const there = await readdir(folder).catch(() => undefined);
  if (there !== undefined && there.length > 0)
    throw new Refused(`${folder} is not empty: an ensemble wants a folder of its own`);
  const files = model.map(({ path, bytes }) => ({ path: `${modelName}/${path}`, bytes }));
  const described: Description = {
    ...about,
    schema: 'cotangent-ensemble/1',
    document: `${modelName}/${model[0].path}`,
    files: files.map(({ path, bytes }) => ({ path, sha256: sha256(bytes) })),
  };
  const manifest = { ...described, hash: hashOf(described) };
  try {
    await makeFolder(join(folder, resultsName));
    for (const { path, bytes } of files) {
      await makeFolder(dirname(join(folder, path)));
      await writeWhole(join(folder, path), bytes, { of });
    }
    await writeWhole(join(folder, 'job.sh'), jobScript(manifest), { mode: 0o777, of });
    await writeWhole(join(folder, manifestName), `${JSON.stringify(v.parse(manifestSchema, manifest), null, 2)}\n`, {
      of,
    });
  } catch (error) {
    await takeBack(folder, there !== undefined).catch(() => undefined);
    throw error;
  }
  return manifest;
}

/** What of an ensemble was written before it was refused, so that the same command can be given again; the manifest first, without which it is none. */
async function takeBack(folder: string, wasThere: boolean): Promise<void> {
  await removeFile(join(folder, manifestName));
  for (const name of ['job.sh', modelName, resultsName]) await rm(join(folder, name), { recursive: true, force: true });
  if (!wasThere) await rmdir(folder);
}

/** A Slurm array job: one task for each shard. Where the results lie is where it was submitted. */
function jobScript({ study, document, shards }: Manifest): string {
  const name = basename(document)
    .replace(/(\.cot)?\.json$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-');
  return `#!/bin/sh
# In this folder: sbatch job.sh, and afterwards: cotangent ensemble collect .
# Time, memory and cores are the cluster's to ask for: sbatch --time=1:00:00 --cpus-per-task=4 job.sh
# Shards that failed, alone: sbatch --array=3,7 job.sh
#SBATCH --job-name=${study}-${name}
#SBATCH --array=0-${shards - 1}
exec \${COTANGENT:-cotangent} ensemble run . --shard "$SLURM_ARRAY_TASK_ID/${shards}"
`;
}

/** Throws `Refused` where it is no such folder, or anything that the results depend on has changed since. */
export async function readEnsemble(folder: string): Promise<Manifest> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(join(folder, manifestName), 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? `its ${manifestName} is no JSON` : `there is no ${manifestName} to read`;
    throw new Refused(`${folder} is no ensemble: ${why}`);
  }
  const parsed = v.safeParse(manifestSchema, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new Refused(`${folder} is no ensemble: ${v.getDotPath(issue) ?? manifestName}: ${issue.message}`);
  }
  const { hash, ...described } = parsed.output;
  if (hashOf(described) !== hash)
    throw new Refused(`${join(folder, manifestName)} was changed after it was written: its hash is another`);
  for (const { path, sha256: wanted } of described.files) {
    const bytes = pathFault(path) === undefined ? await readFile(join(folder, path)).catch(() => undefined) : undefined;
    if (!bytes) throw new Refused(`${join(folder, path)} cannot be read, and the ensemble is of it`);
    if (sha256(bytes) !== wanted)
      throw new Refused(`${join(folder, path)} was changed after the ensemble was prepared: its hash is another`);
  }
  if (!described.files.some(({ path }) => path === described.document))
    throw new Refused(`${folder} is no ensemble: ${described.document} is none of its files`);
  return parsed.output;
}

const resultPath = (folder: string, index: number, count: number): string =>
  join(folder, resultsName, `${index}-of-${count}.json`);

/** Undefined where there is none, or one that is broken or of another ensemble. */
async function readResultAt(path: string, { hash, samples }: Manifest): Promise<ShardResult | undefined> {
  try {
    const parsed = v.safeParse(shardResult, reviveNumbers(JSON.parse(await readFile(path, 'utf8'))));
    if (!parsed.success || parsed.output.ensemble !== hash) return undefined;
    const { from, to } = parsed.output;
    return from <= to && to <= samples ? parsed.output : undefined;
  } catch {
    return undefined;
  }
}

export async function hasResult(folder: string, manifest: Manifest, index: number, count: number): Promise<boolean> {
  return (await readResultAt(resultPath(folder, index, count), manifest)) !== undefined;
}

export async function writeResult(folder: string, index: number, count: number, result: ShardResult): Promise<void> {
  const path = resultPath(folder, index, count);
  await makeFolder(dirname(path));
  await writeWhole(path, `${stringify(result)}\n`, { of: join(folder, manifestName) });
}

/** All that can be used, and the names of the files that cannot. */
export async function readResults(
  folder: string,
  manifest: Manifest,
): Promise<{ readonly results: ShardResult[]; readonly unusable: string[] }> {
  const names = await readdir(join(folder, resultsName)).catch(() => []);
  const results: ShardResult[] = [];
  const unusable: string[] = [];
  for (const name of names.filter((file) => file.endsWith('.json')).sort()) {
    const result = await readResultAt(join(folder, resultsName, name), manifest);
    if (result) results.push(result);
    else unusable.push(name);
  }
  return { results, unusable };
}
