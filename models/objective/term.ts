import type { Random, Shape, Value } from '../../engine/index.ts';

/** What a block that measures misfit gives to an objective, beside its value. All but `residuals` are real scalars. */
export interface LoweredTerm {
  readonly kind: 'least-squares' | 'likelihood';
  /** Σ residuals² is the block's value; 0 where nothing was observed. Rank 1. */
  readonly residuals?: Value;
  /** What was observed for each of those, NaN where nothing was. */
  readonly observed?: () => Value;
  /** How many elements were observed. */
  readonly rows: Value;
  /** Σ log w of those that count, where squares are weighted. */
  readonly logWeights?: Value;
  /** −log p of what was observed, where the noise is known: constants included. */
  readonly minusLog?: Value;
  /** Where the noise is known: what a bootstrap needs to draw the data again. */
  readonly sampled?: () => SampledTerm;
}

/** Whose every element is an observation with a distribution of its own. */
export interface SampledTerm {
  /** Of its elements. */
  readonly shape: Shape;
  readonly observed: Value;
  /** The arguments of the distribution, each broadcast to the shape. */
  readonly arguments: readonly Value[];
  /** One observation. Absent where the term is no distribution (a robust loss). */
  readonly draw?: Draw;
  /** Where it is known: of each element, E[∂²(−log p)/∂aᵢ∂aⱼ] by pairs of arguments, 0 where nothing was observed. */
  readonly information?: (
    again?: Pick<Again, 'noise'>,
  ) => readonly { readonly by: readonly [number, number]; readonly value: Value }[];
  /** Which of the arguments says how far observations scatter, and nothing else. */
  readonly noise?: number;
  /** −log p with each element counted so many times, or with other observations, or other noise: arrays of the shape. */
  readonly minusLog: (again: Again) => Value;
}

export interface Again {
  readonly counts?: Value;
  readonly observed?: Value;
  /** In the place of `noise`. */
  readonly noise?: Value;
}

export type Draw = (random: Random, ...args: number[]) => number;
