/** What is true of a family of `likelihood`: one file a family, ../families.ts is the list. What is plain data of it says models/facts/families.ts. */
import type { ProgramBuilder, Random, ScalarOperand, Value } from '../../../engine/index.ts';
import type { Arguments, Observed } from '../../facts/families.ts';
import type { Expression } from '../expression.ts';
import type { Draw } from '../term.ts';
import type { Distribution } from './distributions.ts';

/** How an observation is looked at by what is predicted of it. Numbers, for pictures: what is minimised is `minusLog`. */
export interface Looks {
  /** The argument whose values make the curve. */
  readonly prediction: string;
  /** Arguments beside the prediction of which the expectation is made too. */
  readonly beside?: readonly string[];
  /** Of the arguments' values: what is expected of an observation. */
  readonly expected: (...values: number[]) => number;
  /** The standard deviation of an observation about it; 1 where the noise is not known before a fit, NaN where there is none. */
  readonly deviation: (...values: number[]) => number;
  /** Where the noise is normal after a change of the observation's scale: y ↦ the scale of the prediction. */
  readonly scale?: { readonly to: (y: number) => number; readonly from: (value: number) => number };
  /** Of one more observation; normal, where need be after that change of scale. */
  readonly distribution: 'normal' | Distribution;
  /** Whether the deviation is a number that stands in the document or its data: drawn about each point. */
  readonly errors: boolean;
  /** Of each argument, what a new observation has where rows differ in it; NaN where nothing is usual. */
  readonly usual?: readonly number[];
  /** What a residual is, in words. */
  readonly residual: string;
}

/** log P(Y ≤ y) and log P(Y > y) of a continuous family, without loss in either tail. */
export interface Tails {
  readonly below: (s: Expression, y: ScalarOperand, ...args: ScalarOperand[]) => ScalarOperand;
  readonly above: (s: Expression, y: ScalarOperand, ...args: ScalarOperand[]) => ScalarOperand;
}

/** Other arguments that say the same, and how the family's own are made of them. */
export interface Spelling {
  readonly arguments: Arguments;
  readonly write: (s: Expression, ...args: ScalarOperand[]) => ScalarOperand[];
  readonly looks: Looks;
}

/** The last argument is a list that all observations share. */
export interface SharedList {
  /** What each observation takes of it, in its place. */
  readonly of: (b: ProgramBuilder, observed: Value, list: Value) => Value[];
}

/**
 * Part of the expected information of one observation, E[∂²(−log p)/∂aᵢ∂aⱼ], by the i-th and the j-th argument. What is
 * not said of two different ones is 0; of one and the same, that nobody wrote it down.
 */
export interface Information {
  readonly by: readonly [number, number];
  readonly write: (s: Expression, ...args: ScalarOperand[]) => ScalarOperand;
}

export interface Family {
  /** In the order in which `minusLog` takes them. */
  readonly arguments: Arguments;
  readonly spelling?: Spelling;
  readonly shared?: SharedList;
  readonly observed: Observed;
  /** −log p(y) with its constants, y one that can be observed. */
  readonly minusLog: (s: Expression, y: ScalarOperand, ...args: ScalarOperand[]) => ScalarOperand;
  /** `minusLog` by the log-odds z of a probability, from |z| on; where the program has them (../log-odds.ts). */
  readonly logOdds?: {
    readonly of: string;
    readonly from: number;
    readonly minusLog: (s: Expression, y: ScalarOperand, z: ScalarOperand, ...args: ScalarOperand[]) => ScalarOperand;
  };
  /** One observation: what the parametric bootstrap draws; absent where nobody can. A shared list comes element by element. */
  readonly draw?: Draw;
  /** The same of what is truncated. */
  readonly drawWithin?: DrawWithin;
  readonly looks: Looks;
  readonly tails?: Tails;
  readonly information?: readonly Information[];
  /** The argument that says how far observations scatter about what is predicted, and nothing of what that is. */
  readonly noise?: string;
}

/** One observation of those between two limits. */
export type DrawWithin = (random: Random, lower: number, upper: number, ...args: number[]) => number;

type Named<A> = { [K in keyof A]: ScalarOperand };

/** Arguments by name, each said once. */
export function named<const A extends Arguments, R>(
  args: A,
  write: (s: Expression, args: Named<A>) => R,
): (s: Expression, ...given: ScalarOperand[]) => R {
  const names = Object.keys(args);
  return (s, ...given) => write(s, Object.fromEntries(names.map((name, i) => [name, given[i]])) as Named<A>);
}

export function family<const A extends Arguments>(
  given: Omit<Family, 'arguments' | 'minusLog'> & {
    readonly arguments: A;
    readonly minusLog: (s: Expression, y: ScalarOperand, args: Named<A>) => ScalarOperand;
  },
): Family {
  return {
    ...given,
    minusLog: (s, y, ...args) => named(given.arguments, (_, by) => given.minusLog(s, y, by))(s, ...args),
  };
}
