/** What an ensemble's folder says of itself and of its shards' results. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { namesOf, shardFacts } from '../../models/facts/methods.ts';
import { count, number, text } from '../contract/fields.ts';
import { resamplings } from '../contract/study-choices.ts';

export const manifestName = 'ensemble.json';
export const resultsName = 'results';

const atLeastOne = v.pipe(count, v.minValue(1));
const list = <S extends v.GenericSchema>(item: S) => v.pipe(v.array(item), v.readonly());
const pair = <S extends v.GenericSchema>(item: S) => v.pipe(v.tuple([item, item]), v.readonly());

const described = {
  schema: v.literal('cotangent-ensemble/1'),
  /** Of the program that prepared it. */
  version: text,
  study: v.picklist(namesOf(shardFacts)),
  /** Of a sensitivity study: a reference; the objective unless said. */
  of: v.optional(text),
  logUniform: v.optional(v.boolean()),
  /** Of a fit from many starts: the optimiser; the document's own unless said. */
  method: v.optional(text),
  /** Of replicates and profiles, as `uncertainty` has them. */
  level: v.optional(number),
  resample: v.optional(v.picklist(resamplings)),
  sandwich: v.optional(v.boolean()),
  bands: v.optional(list(text)),
  /** Rows of the sample, trajectories, starts, replicates, or elements of parameters: what shards are ranges of. */
  samples: atLeastOne,
  shards: atLeastOne,
  seed: count,
  device: v.picklist(['cpu', 'webgpu', 'reference']),
  precision: v.picklist(['f64', 'f32']),
  /** In the folder. */
  document: text,
  /** The document and its tables, each with the SHA-256 of its bytes. */
  files: v.pipe(v.array(v.object({ path: text, sha256: text })), v.readonly()),
};
const description = v.object(described);
export const manifest = v.object({ ...described, hash: text });
export type Description = v.InferOutput<typeof description>;
export type Manifest = v.InferOutput<typeof manifest>;

export const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Of everything that the results depend on. Parsing puts the keys in the schema's order. */
export function hashOf(ensemble: Description): string {
  return sha256(JSON.stringify(v.parse(description, ensemble)));
}

const part = {
  schema: v.literal('cotangent-ensemble-result/1'),
  /** The hash of the ensemble. */
  ensemble: text,
  /** The rows from..to, the last not included. */
  from: count,
  to: count,
};

/** The model's values, run by run, and the runs in which a kernel met a fault. */
const runsResult = v.object({
  ...part,
  kind: v.literal('runs'),
  values: list(number),
  faults: list(v.object({ member: count, message: text })),
});

/** Where the starts ended, in the coordinates in which the optimiser works. */
const startsResult = v.object({
  ...part,
  kind: v.literal('starts'),
  endings: list(
    v.object({
      start: count,
      status: v.picklist(['converged', 'not-converged', 'failed', 'cancelled']),
      reason: text,
      point: list(number),
      iterations: count,
      history: list(number),
    }),
  ),
  evaluations: count,
});

/** The parameters' own values where the fits of replicates ended, NaN where one did not converge. */
const replicatesResult = v.object({ ...part, kind: v.literal('replicates'), replicates: list(list(number)) });

const end = v.object({
  u: number,
  kind: v.picklist(['crossing', 'bound', 'infinite', 'edge', 'jump', 'cancelled']),
  path: list(pair(number)),
  lowest: number,
});
/** By free element, where both sides of its profile ended, in the coordinates in which the optimiser works. */
const profilesResult = v.object({ ...part, kind: v.literal('profiles'), sides: list(pair(end)) });

export const shardResult = v.variant('kind', [runsResult, startsResult, replicatesResult, profilesResult]);
export type RunsResult = v.InferOutput<typeof runsResult>;
export type StartsResult = v.InferOutput<typeof startsResult>;
export type ReplicatesResult = v.InferOutput<typeof replicatesResult>;
export type ProfilesResult = v.InferOutput<typeof profilesResult>;
export type ShardResult = v.InferOutput<typeof shardResult>;
