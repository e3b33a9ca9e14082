import type { Value } from '../../engine/index.ts';

/** What a block that measures misfit gives to an objective, beside its value. All but `residuals` are real scalars. */
export interface LoweredTerm {
  readonly kind: 'least-squares' | 'likelihood';
  /** Σ residuals² is the block's value; 0 where nothing was observed. Rank 1. */
  readonly residuals?: Value;
  /** How many elements were observed. */
  readonly rows: Value;
  /** −log p of what was observed, where the noise is known: constants included. */
  readonly minusLog?: Value;
}
