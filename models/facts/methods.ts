/**
 * The lists of what is true of each method, from which document, contract, command line, window, help and report take
 * theirs. A method is added here first: whatever is missing then is a type error.
 */
import { levenbergMarquardt } from './methods/fit/levenberg-marquardt.ts';
import { lbfgsb } from './methods/fit/l-bfgs-b.ts';
import { newtonCg } from './methods/fit/newton-cg.ts';
import { adam } from './methods/fit/adam.ts';
import { nelderMead } from './methods/fit/nelder-mead.ts';
import { covariance } from './methods/uncertainty/covariance.ts';
import { profile } from './methods/uncertainty/profile.ts';
import { bootstrap } from './methods/uncertainty/bootstrap.ts';
import { hmc } from './methods/uncertainty/hmc.ts';
import { local } from './methods/sensitivity/local.ts';
import { morris } from './methods/sensitivity/morris.ts';
import { sobol } from './methods/sensitivity/sobol.ts';
import { dgsm } from './methods/sensitivity/dgsm.ts';
import { activeSubspace } from './methods/sensitivity/active-subspace.ts';
import type { MethodFacts } from './method.ts';

export const fitFacts = {
  'levenberg-marquardt': levenbergMarquardt,
  'l-bfgs-b': lbfgsb,
  'newton-cg': newtonCg,
  adam,
  'nelder-mead': nelderMead,
} as const;
export type FitMethod = keyof typeof fitFacts;

export const uncertaintyFacts = {
  covariance,
  profile,
  bootstrap,
  hmc,
} as const;
export type UncertaintyMethod = keyof typeof uncertaintyFacts;

export const sensitivityFacts = {
  local,
  morris,
  sobol,
  dgsm,
  'active-subspace': activeSubspace,
} as const;
export type SensitivityMethod = keyof typeof sensitivityFacts;

/** What can be run in shards, with what they are ranges of: fits from many starts, and the studies that say so. */
export const shardFacts = {
  multistart: { shards: 'starts' },
  ...inShards(sensitivityFacts),
  ...inShards(uncertaintyFacts),
};
export type ShardedStudy = keyof typeof shardFacts;

type Sharded<F> = { readonly [M in keyof F as F[M] extends { readonly shards: string } ? M : never]: F[M] };

function inShards<F extends Readonly<Record<string, MethodFacts & { readonly shards?: string }>>>(
  facts: F,
): Sharded<F> {
  return Object.fromEntries(Object.entries(facts).filter(([, { shards }]) => shards !== undefined)) as Sharded<F>;
}

/** The names of a table, in its order. */
export function namesOf<M extends string>(facts: { readonly [K in M]: unknown }): readonly [M, ...M[]] {
  return Object.keys(facts) as [M, ...M[]];
}

/** Keys with their facts, in the order of the table. */
export function listed<M extends string, F extends MethodFacts>(facts: { readonly [K in M]: F }): readonly (F & {
  readonly id: M;
})[] {
  return namesOf(facts).map((id) => ({ ...facts[id], id }));
}
