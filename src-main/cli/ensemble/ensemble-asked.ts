/** What `ensemble prepare` is asked for: which options a study has, and what they are unless said. */
import { defaultReplicates, type Device } from '../../../engine/index.ts';
import { namesOf, shardFacts, type ShardedStudy } from '../../../models/facts/methods.ts';
import type { Model } from '../../../models/load/model.ts';
import { type Ensemble, profiledElements } from '../../compute/study/ensemble.ts';
import type { Description } from '../../files/ensemble-manifest.ts';
import { Refused } from '../../refused.ts';
import { samplesOf } from '../../compute/study/sensitivity.ts';
import type { ModelOptions } from '../options.ts';

/** Options that only some studies have. */
interface StudyOptions extends Pick<Description, 'of' | 'logUniform' | 'method' | 'level' | 'resample' | 'sandwich'> {
  readonly samples?: number;
  readonly starts?: number;
  readonly band?: readonly string[];
}

export interface PrepareOptions extends StudyOptions, Pick<ModelOptions, 'set' | 'json' | 'precision'> {
  readonly device: Description['device'];
  readonly study: string;
  readonly shards?: number;
  readonly seed?: number;
  readonly out: string;
}

const flags: { readonly [O in keyof Required<StudyOptions>]: string } = {
  starts: '--starts',
  method: '--method',
  of: '--of',
  logUniform: '--log-uniform',
  resample: '--resample',
  level: '--level',
  sandwich: '--sandwich',
  band: '--band',
  samples: '--samples',
};

const ofSensitivity = ['samples', 'of', 'logUniform'] as const;
const ofUncertainty = ['level', 'sandwich', 'band'] as const;
const optionsOf: { readonly [S in ShardedStudy]: readonly (keyof StudyOptions)[] } = {
  multistart: ['starts', 'method'],
  sobol: ofSensitivity,
  morris: ofSensitivity,
  dgsm: ofSensitivity,
  'active-subspace': ofSensitivity,
  bootstrap: ['samples', 'resample', ...ofUncertainty],
  profile: ofUncertainty,
};

const ensembleStudies = namesOf(shardFacts);

/** What the options ask for, the document's own wishes and the usual numbers filled in. */
export async function ensembleAsked(model: Model, device: Device, options: PrepareOptions): Promise<Ensemble> {
  const study = ensembleStudies.find((known) => known === options.study);
  if (!study)
    throw new Refused(
      `${options.study} is not run in shards: ensembles are of ${ensembleStudies.join(', ')}; on one machine it is run as one batch`,
    );
  refuseForeign(study, options);
  const { seed, of, logUniform, method, level, resample, sandwich, band, samples } = options;
  const { fit } = model.document;
  if (study !== 'multistart' && study !== 'bootstrap' && study !== 'profile')
    return { study, samples: samples ?? samplesOf(study), seed: seed ?? 0, of, logUniform };
  if (options.device === 'webgpu')
    throw new Refused(`${shardFacts[study].shards} are run in shards on the cpu, in f64 unless said: --device cpu`);
  if (study === 'multistart') {
    const starts = options.starts ?? fit?.starts ?? 1;
    if (starts < 2) throw new Refused('one start is no ensemble: --starts wants at least 2');
    return { study, samples: starts, seed: seed ?? fit?.seed ?? 0, method };
  }
  const rows = study === 'profile' ? await profiledElements(model, device) : (samples ?? defaultReplicates);
  return { study, samples: rows, seed: seed ?? 0, level, resample, sandwich, bands: band };
}

function refuseForeign(study: ShardedStudy, options: PrepareOptions): void {
  const given = Object.keys(flags) as (keyof StudyOptions)[];
  const foreign = given.find((name) => options[name] !== undefined && !optionsOf[study].includes(name));
  if (foreign === undefined) return;
  const owners = ensembleStudies.filter((other) => optionsOf[other].includes(foreign));
  const own = optionsOf[study].map((name) => flags[name]);
  throw new Refused(`${flags[foreign]} is of ${owners.join(', ')}; ${study} has ${own.join(', ')}`);
}
