/** What is true of a method of fits and studies wherever it is named: plain data, which the window may import too. */
import type { FigureName } from './figures.ts';
import type { Explanation } from './kind.ts';

export interface MethodFacts extends Explanation {
  /** Its name for people. */
  readonly title: string;
  /** One sentence on what it does. */
  readonly summary: string;
}

export type FitFacts = MethodFacts;

export interface UncertaintyFacts extends MethodFacts {
  /** Its name within a sentence. */
  readonly inSentence: string;
  /** Whose verdict counts: of the higher, which assumes less of the shape of the likelihood. */
  readonly trust: number;
  /** What shards are ranges of; absent where it is not run in shards. */
  readonly shards?: string;
}

export interface SensitivityFacts extends MethodFacts {
  /** What a report calls the study. */
  readonly study: string;
  /** The figure by which parameters are ranked. */
  readonly ranksBy: FigureName;
  /** How many samples it takes unless said, and what one is; absent where none is drawn. */
  readonly samples?: number;
  readonly sampled?: string;
  /** It studies an array too, element by element; the others want a scalar. */
  readonly ofArrays?: true;
  readonly shards?: string;
}
