import type { solverFaults } from '../models/blocks/parts/solver-faults.ts';
import type { Problem } from './contract/contract.ts';

/** What the user asked for cannot be done as asked. The message is one sentence for the user; anything else thrown is a fault of ours. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problems: readonly Problem[];

  constructor(message: string, problems: readonly Problem[] = []) {
    super(message);
    this.problems = problems;
  }
}

/** How well a block was solved by steps. */
export interface SolverError {
  readonly block: string;
  /** The largest estimated error of its states, in their units; ∞ where they are not finite. */
  readonly error: number;
  /** Of its states where they are largest: an error as large leaves nothing of the solution. */
  readonly size: number;
  /** Where it stopped before its end: at what time, and why; equations that are not solved, how far they are off. */
  readonly stopped?: { readonly time: number; readonly why: Exclude<keyof typeof solverFaults, 'none'> };
  /** Whether it has events that come of conditions. */
  readonly events?: true;
  /** What it is made of and the document gives no number: parameters and constants by their ids, states by their names. */
  readonly unset?: readonly string[];
  /** Of equations what they are solved for. */
  readonly unknowns?: readonly string[];
}

/** What was asked for rests on a solution that is none: a problem for each such block. */
export class Unsolved extends Refused {
  constructor(
    problems: readonly Problem[],
    readonly errors: readonly SolverError[],
  ) {
    super(problems[0]?.message ?? '', problems);
  }
}
